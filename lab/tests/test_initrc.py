# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""The init script before AOSP's own verifier, and copies of it with a mistake."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from conftest import TOP

CHECK = TOP / "lab/initrc/check.sh"
SCRIPT = TOP / "init-rc/storekeeperd.rc"


def check(*scripts: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([CHECK, *scripts], text=True, capture_output=True)


def test_every_script_is_accepted() -> None:
    scripts = sorted((TOP / "init-rc").glob("*.rc"))
    result = check(*scripts)
    assert result.returncode == 0, result.stderr
    assert result.stdout.splitlines() == [f"ok    {s}" for s in scripts]


@pytest.mark.parametrize(("right", "wrong", "told"), [
    ("capabilities SYS_ADMIN", "capabilities SYS_ADMINS", "invalid capability 'SYS_ADMINS'"),
    ("task_profiles ", "task_profile ", "Invalid keyword 'task_profile'"),
    ("ioprio be 7", "ioprio be 9", "priority value must be range 0 - 7"),
    ("group system input", "group system inputs", "Unable to decode GID for 'inputs'"),
    ("user system", "user sistem", "Unable to find UID for 'sistem'"),
    ("0770 system", "0770 sistem", "Unable to decode UID for 'sistem'"),
    ("    write /dev", "    wriite /dev", "Invalid keyword 'wriite'"),
    ("enable storekeeperd", "enable storekeeperd now", "enable requires 1 argument"),
    ("sys.boot_completed=1", "sys.boot_completed", "property trigger found without matching '='"),
    # The type is that of sepolicy/private/property_contexts.
    ("gc.urgent 0", "gc.urgent never", "value doesn't match expected type 'uint'"),
])
def test_a_mistake_is_found(tmp_path: Path, right: str, wrong: str, told: str) -> None:
    text = SCRIPT.read_text()
    assert right in text
    copy = tmp_path / "storekeeperd.rc"
    copy.write_text(text.replace(right, wrong))
    result = check(copy)
    assert result.returncode == 1
    assert f"FAIL  {copy}" in result.stdout
    assert told in result.stderr
