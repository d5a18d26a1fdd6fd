# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""The commands of docs/fleet.md, as they stand there."""

from __future__ import annotations

import json
import re
import shlex
import sys
import zipfile
from pathlib import Path

import pytest
from conftest import TOP, of_chip, sample, small
from storekeeper_fleet import cli
from storekeeper_fleet.queries import QUERIES

TEXT = (TOP / "docs/fleet.md").read_text()
COMMANDS = [shlex.split(line) for block in re.findall(r"^```sh\n(.*?)^```", TEXT, re.M | re.S)
            for line in block.splitlines()]
PREFIX = "fleet-venv/bin/"


def test_five_commands_lead_from_bug_reports_to_the_page(
        tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bugreports").mkdir()
    for i in range(3):
        with zipfile.ZipFile(tmp_path / f"bugreports/bugreport-{i}.zip", "w") as z:
            z.writestr(f"bugreport-{i}.txt", json.dumps(of_chip(small(sample()), i)))
    assert len(COMMANDS) == 7
    # What test_package.py installs.
    assert COMMANDS[0] == ["python3", "-m", "venv", "fleet-venv"]
    assert COMMANDS[1][:2] == [f"{PREFIX}pip", "install"]
    assert all((TOP / x / "pyproject.toml").is_file() for x in COMMANDS[1][2:])
    for words in COMMANDS[2:]:
        assert words[0] == f"{PREFIX}storekeeper-fleet"
        assert cli.main(words[1:]) == 0, words
    for page in ("fleet.html", "simulated.html"):
        assert (tmp_path / page).stat().st_size > 1 << 20
    truth = json.loads((tmp_path / "truth.json").read_text())
    assert truth["planted"]["firmware"][1] in (tmp_path / "simulated.html").read_text()


def test_the_table_of_queries_is_whole() -> None:
    table = TEXT.split("| query |")[1].split("\n\n")[0]
    named = [x for row in re.findall(r"^\| ([a-z, -]+) \|", table, re.M) for x in row.split(", ")]
    assert named == list(QUERIES)


def test_options_that_are_named_exist(capsys: pytest.CaptureFixture[str]) -> None:
    help_ = ""
    for command in ("ingest", "report", "query", "simulate"):
        with pytest.raises(SystemExit):
            cli.main([command, "--help"])
        help_ += capsys.readouterr().out
    for option in set(re.findall(r"`[^`]*?(--[a-z]+)", TEXT)) - {"--json", "--help"}:
        assert option in help_, option
    assert sys.version_info >= (3, 11)
