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

from conftest import HERE

TOP = HERE.parents[2]
SCHEMAS = ("dump.schema.json", "bench.schema.json", "bench_comparison.schema.json")


def test_the_package_installs_with_its_data(tmp_path: Path) -> None:
    # A copy, because setuptools leaves folders where it builds.
    copy = tmp_path / "tools/report"
    shutil.copytree(HERE.parent, copy, symlinks=True)
    (tmp_path / "docs").mkdir()
    for schema in SCHEMAS:
        shutil.copy(TOP / "docs" / schema, tmp_path / "docs")
    site = tmp_path / "site"
    subprocess.run([sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--target", site,
                    "--no-build-isolation", copy], check=True, cwd=tmp_path)
    installed = site / "storekeeper_report"
    for schema in SCHEMAS:
        assert not (installed / schema).is_symlink()
        assert (installed / schema).read_bytes() == (TOP / "docs" / schema).read_bytes()
    done = subprocess.run(
        [sys.executable, "-B", site / "bin/storekeeper-report", HERE / "testdata/new-ufs.json"],
        cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(site)}, text=True, capture_output=True)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "report.html").stat().st_size > 1 << 20


def test_the_package_asks_for_what_is_tested() -> None:
    fixed = set((TOP / "tools/requirements.txt").read_text().splitlines())
    project = tomllib.loads((HERE.parent / "pyproject.toml").read_text())
    assert set(project["project"]["dependencies"]) <= fixed
    assert set(project["build-system"]["requires"]) <= fixed
