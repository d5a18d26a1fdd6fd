# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""out/venv: Python packages for the tests of tools/ and for `make check`. The pyproject.toml files
are the only list of them."""

from __future__ import annotations

import tomllib
from pathlib import Path

from . import apt
from .paths import OUT, TOP

VENV = OUT / "venv"
PROJECTS = (TOP, TOP / "tools/report", TOP / "tools/fleet")


def _requirements() -> list[str]:
    """Dependencies, extras and groups of all projects; the projects are not installed."""
    found: set[str] = set()
    for folder in PROJECTS:
        declared = tomllib.loads((folder / "pyproject.toml").read_text())
        project = declared.get("project", {})
        for words in (project.get("dependencies", []),
                      *project.get("optional-dependencies", {}).values(),
                      *declared.get("dependency-groups", {}).values()):
            found.update(words)
    return sorted(x for x in found if not x.startswith("storekeeper-"))


def ready() -> Path:
    """The folder of its programs. The venv is made anew when its requirements have changed."""
    stamp = VENV / "requirements.stamp"
    wanted = _requirements()
    if not stamp.exists() or stamp.read_text().splitlines() != wanted:
        print("  installing Python packages into out/venv", flush=True)
        apt.run(["/usr/bin/python3", "-m", "venv", str(VENV)], f"making {VENV}")
        apt.run([str(VENV / "bin/python"), "-m", "pip", "install", "-q", *wanted],
                "installing the packages that each pyproject.toml names", cwd=OUT)
        stamp.write_text("\n".join(wanted))
    return VENV / "bin"


def for_tools() -> Path:
    """The Python for the tests of tools/, which need Debian's Chromium, and Java for Spark."""
    apt.install(["chromium", "default-jre-headless"])
    return ready() / "python"
