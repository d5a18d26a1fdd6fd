# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""out/venv: Python packages of fixed versions, for the tests of tools/ and for `make check`."""

from __future__ import annotations

import hashlib
from pathlib import Path

from . import apt
from .paths import OUT, TOP

VENV = OUT / "venv"
REQUIREMENTS = TOP / "tools/requirements.txt"


def ready() -> Path:
    """The folder of its programs. Made anew when what it shall hold has changed."""
    stamp = VENV / "requirements.stamp"
    wanted = hashlib.sha256(REQUIREMENTS.read_bytes()).hexdigest()
    if not stamp.exists() or stamp.read_text() != wanted:
        print("  installing Python packages into out/venv", flush=True)
        apt.run(["/usr/bin/python3", "-m", "venv", str(VENV)], f"making {VENV}")
        apt.run([str(VENV / "bin/python"), "-m", "pip", "install", "-q", "--no-deps", "-r",
                 str(REQUIREMENTS)], f"installing {REQUIREMENTS.name}", cwd=OUT)
        stamp.write_text(wanted)
    return VENV / "bin"


def for_tools() -> Path:
    """The Python for the tests of tools/, which need Debian's Chromium, and Java for Spark."""
    apt.install(["chromium", "default-jre-headless"])
    return ready() / "python"
