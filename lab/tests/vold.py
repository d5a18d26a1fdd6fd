# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""Shared parts of the tests of vold-patches/."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

from conftest import TOP

FOLDER = TOP / "vold-patches"

ENVIRONMENT = {
    **{k: v for k, v in os.environ.items() if not k.startswith("GIT_")},
    "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a@b", "GIT_COMMITTER_NAME": "c",
    "GIT_COMMITTER_EMAIL": "c@d",
}


def run(*words: str | Path, cwd: Path | None = None,
        **more: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([str(x) for x in words], cwd=cwd, env={**ENVIRONMENT, **more}, text=True,
                          capture_output=True)
