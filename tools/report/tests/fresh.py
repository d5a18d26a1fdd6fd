# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""A tool as somebody installs it who has nothing but its folder."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

BUILT = shutil.ignore_patterns("build", "*.egg-info", "__pycache__")


def install(folder: Path, *tools: Path) -> dict[str, str]:
    """Copies the tools' folders, links as links, and installs them with what their pyproject.toml
    files ask for into a new environment. Returns the variables under which its programs run."""
    copies = [shutil.copytree(x, folder / "copies" / x.name, symlinks=True, ignore=BUILT)
              for x in tools]
    subprocess.run([sys.executable, "-m", "venv", folder / "venv"], check=True)
    # Half the time of an installation goes into byte code; the commands write what they use.
    quick = {"PIP_NO_COMPILE": "1", "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
    subprocess.run([folder / "venv/bin/pip", "install", "-q", *copies], check=True, cwd=folder,
                   env={**os.environ, **quick})
    outside = ("PYTHONPATH", "PYTHONDONTWRITEBYTECODE")
    return {**{k: v for k, v in os.environ.items() if k not in outside},
            "PATH": f"{folder / 'venv/bin'}:{os.environ['PATH']}"}
