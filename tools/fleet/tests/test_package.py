# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""The package as pip installs it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

from conftest import DATA, HERE, REPORT, TOP


def test_the_package_installs_with_its_data(tmp_path: Path) -> None:
    # A copy, because setuptools leaves folders where it builds.
    for tool in (HERE.parent, REPORT):
        shutil.copytree(tool, tmp_path / "tools" / tool.name, symlinks=True)
    (tmp_path / "docs").mkdir()
    for schema in (TOP / "docs").glob("*.schema.json"):
        shutil.copy(schema, tmp_path / "docs")
    site = tmp_path / "site"
    subprocess.run([sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--target", site,
                    "--no-build-isolation", tmp_path / "tools/report", tmp_path / "tools/fleet"],
                   check=True, cwd=tmp_path)
    done = subprocess.run(
        [sys.executable, "-B", site / "bin/storekeeper-fleet", "ingest", DATA, "--to", "fleet"],
        cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(site)}, text=True, capture_output=True)
    # The results of storekeeper_bench among them are no dumps.
    assert done.returncode == 65, done.stderr
    assert "fleet: 4 new" in done.stdout
    assert (site / "storekeeper_fleet/templates/fleet.html").is_file()


def test_the_package_asks_for_what_is_tested() -> None:
    fixed = set((TOP / "tools/requirements.txt").read_text().splitlines())
    project = tomllib.loads((HERE.parent / "pyproject.toml").read_text())["project"]
    asked = {*project["dependencies"], *project["optional-dependencies"]["spark"]}
    asked.remove("storekeeper-report==1.0.0")
    assert asked <= fixed
