# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""The package, installed from its folder and storekeeper-report's alone, runs the commands of
docs/fleet.md."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import zipfile
from pathlib import Path

import fresh
from conftest import HERE, TOP, of_chip, sample, small

TEXT = (TOP / "docs/fleet.md").read_text()
COMMANDS = [shlex.split(line) for block in re.findall(r"^```sh\n(.*?)^```", TEXT, re.M | re.S)
            for line in block.splitlines()]
PREFIX = "fleet-venv/bin/"


def test_the_document_s_commands_lead_from_bug_reports_to_the_page(tmp_path: Path) -> None:
    (tmp_path / "bugreports").mkdir()
    for i in range(3):
        with zipfile.ZipFile(tmp_path / f"bugreports/bugreport-{i}.zip", "w") as z:
            z.writestr(f"bugreport-{i}.txt", json.dumps(of_chip(small(sample()), i)))
    assert len(COMMANDS) == 7
    assert COMMANDS[0] == ["python3", "-m", "venv", "fleet-venv"]
    assert COMMANDS[1][:2] == [f"{PREFIX}pip", "install"]
    environment = fresh.install(tmp_path, *(TOP / x for x in COMMANDS[1][2:]))
    for words in COMMANDS[2:]:
        assert words[0] == f"{PREFIX}storekeeper-fleet"
        done = subprocess.run([words[0].removeprefix(PREFIX), *words[1:]], cwd=tmp_path,
                              env=environment, text=True, capture_output=True)
        assert done.returncode == 0, (words, done.stderr)
    for page in ("fleet.html", "simulated.html"):
        assert (tmp_path / page).stat().st_size > 1 << 20
    truth = json.loads((tmp_path / "truth.json").read_text())
    assert truth["planted"]["firmware"][1] in (tmp_path / "simulated.html").read_text()


def test_its_schema_is_that_of_the_documents() -> None:
    packed = HERE.parent / "storekeeper_fleet/fleet.schema.json"
    assert packed.read_bytes() == (TOP / "docs/fleet.schema.json").read_bytes()
    assert not packed.is_symlink(), f"{packed} leads out of the package"
