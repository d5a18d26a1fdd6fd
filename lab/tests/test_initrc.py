# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""The init script before AOSP's own verifier, and copies of it with a mistake."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from conftest import TOP, spoil

CHECK = TOP / "lab/initrc/check.sh"
COMMON = TOP / "init-rc/storekeeperd.rc"
SCRIPT = TOP / "init-rc/storekeeperd_trim.rc"
LINKS = TOP / "init-rc/storekeeper_links.rc"
BY_NAME = "/dev/sys/block/by-name/rootdisk"
F2FS = "/dev/sys/fs/by-name/userdata"


def check(*scripts: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([CHECK, *scripts], text=True, capture_output=True)


def test_every_script_is_accepted() -> None:
    scripts = sorted((TOP / "init-rc").glob("*.rc"))
    result = check(*scripts)
    assert result.returncode == 0, result.stderr
    assert result.stdout.splitlines() == [f"ok    {s}" for s in scripts]


@pytest.mark.parametrize(("right", "wrong", "reported"), [
    ("capabilities SYS_ADMIN", "capabilities SYS_ADMINS", "invalid capability 'SYS_ADMINS'"),
    ("task_profiles ", "task_profile ", "Invalid keyword 'task_profile'"),
    ("ioprio be 7", "ioprio be 9", "priority value must be range 0 - 7"),
    ("group system input", "group system inputs", "Unable to decode GID for 'inputs'"),
    ("user system", "user sistem", "Unable to find UID for 'sistem'"),
    ("0700 system", "0700 sistem", "Unable to decode UID for 'sistem'"),
    ("    write /dev", "    wriite /dev", "Invalid keyword 'wriite'"),
    ("enable storekeeperd", "enable storekeeperd now", "enable requires 1 argument"),
    ("sys.boot_completed=1", "sys.boot_completed", "property trigger found without matching '='"),
    # The type is that of sepolicy/private/property_contexts.
    ("gc.urgent 0", "gc.urgent never", "value doesn't match expected type 'uint'"),
    ("hid.defrag disable", "hid.defrag 0",
     "value doesn't match expected type 'enum disable enable'"),
])
def test_a_mistake_is_found(tmp_path: Path, right: str, wrong: str, reported: str) -> None:
    script = next(x for x in (COMMON, SCRIPT) if right in x.read_text())
    copy = tmp_path / script.name
    shutil.copy(script, copy)
    spoil(copy, right, wrong)
    result = check(copy)
    assert result.returncode == 1
    assert f"FAIL  {copy}" in result.stdout
    assert reported in result.stderr


def links(text: str, props: dict[str, str]) -> dict[str, str]:
    """The links that init of Android 11 makes at boot: no parents, no second link of a name."""
    def value(match: re.Match[str]) -> str:
        name, _, default = match[1].partition(":-")
        return props.get(name) or default or "\0"

    made: dict[str, str] = {}
    folders = {"/dev"}
    holds = False
    for line in text.splitlines():
        words = line.split()
        if not words or words[0].startswith("#"):
            continue
        if words[0] == "on":
            assert words[1] == "boot"
            wanted = re.findall(r"property:([\w.]+)=(\w+)", line)
            holds = all(props.get(name) == is_ for name, is_ in wanted)
        elif holds and words[0] == "mkdir":
            assert str(Path(words[1]).parent) in folders, line
            folders.add(words[1])
        elif holds:
            assert words[0] == "symlink", line
            target = re.sub(r"\$\{([^}]*)\}", value, words[1])
            if "\0" not in target and str(Path(words[2]).parent) in folders:
                made.setdefault(words[2], target)
    return made


@pytest.mark.parametrize(("props", "disk", "f2fs"), [
    # init reports the disk of a partition for UFS, and only mapped devices for eMMC.
    ({"data": "dm-5", "metadata": "sda"}, "sda", "dm-5"),
    ({"data": "dm-5", "metadata": "sdd"}, "sdd", "dm-5"),
    ({"data": "sda"}, "sda", "sda"),
    ({"data": "dm-5"}, "mmcblk0", "dm-5"),
    ({}, "mmcblk0", None),
])
def test_the_links_of_android_13_are_made(props: dict[str, str], disk: str,
                                          f2fs: str | None) -> None:
    given = {f"dev.mnt.blk.{name}": value for name, value in props.items()}
    made = links(LINKS.read_text(), {**given, "ro.storekeeper.enabled": "true"})
    assert made.pop(BY_NAME) == f"/sys/class/block/{disk}"
    assert made == ({F2FS: f"/sys/fs/f2fs/{f2fs}"} if f2fs else {})
    assert links(LINKS.read_text(), given) == {}


def test_the_links_are_those_that_the_service_s_script_writes_through() -> None:
    written = set(re.findall(r"^    write (/dev/\S+/by-name/\w+)/", SCRIPT.read_text(), re.M))
    assert written == {BY_NAME, F2FS}
    assert set(re.findall(r"^    symlink \S+ (\S+)$", LINKS.read_text(), re.M)) == written
