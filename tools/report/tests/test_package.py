# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""The package, installed from its folder alone, runs the commands of its README."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import fresh
from conftest import DATA, HERE, FakePhones

TOP = HERE.parents[2]
SCHEMAS = ("dump.schema.json", "bench.schema.json", "bench_comparison.schema.json")


def test_installed_alone_it_runs_the_commands_of_its_readme(tmp_path: Path, phones: FakePhones
                                                            ) -> None:
    phones.add("AA1")
    phones.command("AA1", "dumpsys", f"cat {DATA}/new-ufs.json")
    environment = fresh.install(tmp_path, HERE.parent)
    shutil.copytree(DATA, tmp_path / "testdata")
    for name in ("before", "after", "comparison"):
        shutil.copy(DATA / f"bench/{name}.json", tmp_path)
    readme = (HERE.parent / "README.md").read_text()
    lines = re.findall(r"^    (storekeeper-report\b.*)$", readme, re.M)
    assert len(lines) == 5
    for line in lines:
        done = subprocess.run(["bash", "-c", line], cwd=tmp_path, env=environment, text=True,
                              capture_output=True)
        assert done.returncode == 0, (line, done.stderr)
    for page in ("report.html", "trimmed.html"):
        assert (tmp_path / page).stat().st_size > 1 << 20
    assert (tmp_path / "phones.db").is_file()


def test_its_schemas_are_those_of_the_documents() -> None:
    for schema in SCHEMAS:
        packed = HERE.parent / "storekeeper_report" / schema
        assert packed.read_bytes() == (TOP / "docs" / schema).read_bytes()
        assert not packed.is_symlink(), f"{packed} leads out of the package"
