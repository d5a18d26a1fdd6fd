# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""`lab setup` on machines that lack something: one clear line each, no half-made state."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import LAB, Result

# A healthy machine's tools; each test replaces one of them.
TOOLS = {
    "dpkg-query": 'shift 3; for p in "$@"; do echo "$p installed"; done',
    "apt-get": 'case "$*" in *indextargets*) echo "file:/mirror/ $CODENAME main";; esac',
    "apt-cache": "exit 0",
    "sudo": 'exec "$@"',
}


def codename() -> str:
    lines = Path("/etc/os-release").read_text().splitlines()
    return next(x for x in lines if x.startswith("VERSION_CODENAME=")).split("=")[1]


def set_up(folder: Path, **instead: str) -> Result:
    """Runs `lab setup` into an empty folder on a machine with these tools."""
    tools = folder / "bin"
    tools.mkdir()
    for name, script in {**TOOLS, **{k.replace("_", "-"): v for k, v in instead.items()}}.items():
        (tools / name).write_text(f"#!/bin/sh\nCODENAME={codename()}\n{script}\n")
        (tools / name).chmod(0o755)
    done = subprocess.run(
        [sys.executable, str(LAB), "setup"], text=True, capture_output=True, timeout=60,
        env={**os.environ, "PATH": f"{tools}:{os.environ['PATH']}",
             "STOREKEEPER_OUT": str(folder / "out")})
    return Result(done.returncode, done.stdout, done.stderr)


@pytest.mark.parametrize(("tool", "script", "reported"), [
    ("apt_get", 'echo "other unstable main"', "apt has no source with"),
    ("apt_get", 'case "$*" in *indextargets*) echo "file:/m/ $CODENAME main";; '
     '*update*) echo "E: The repository does not have a Release file." >&2; exit 100;; esac',
     "E: The repository does not have a Release file."),
    ("apt_get", 'case "$*" in *indextargets*) echo "file:/m/ $CODENAME main";; '
     '*download*) echo "E: Unable to locate package qemu-system-x86" >&2; exit 100;; esac',
     "Unable to locate package qemu-system-x86"),
    ("dpkg_query", 'echo "clang config-files"', "installing"),
])
def test_a_missing_tool_is_named_in_one_line(tmp_path: Path, tool: str, script: str,
                                             reported: str) -> None:
    if tool == "dpkg_query":  # then apt is asked to install, and cannot
        result = set_up(tmp_path, dpkg_query=script, apt_get='case "$*" in *install*) '
                       'echo "E: Package has no installation candidate" >&2; exit 100;; esac')
    else:
        result = set_up(tmp_path, **{tool: script})
    assert result.code == 1
    assert reported in result.err
    assert result.err.startswith("lab: ")
    assert len(result.err.splitlines()) == 1
    assert not (tmp_path / "out/setup.stamp").exists()
