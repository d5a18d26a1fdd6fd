# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""storekeeperd on a kernel that enforces its policy, with stand-ins for Android's."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from conftest import HERE, OUT, TOP

EXTRA = TOP / "lab/selinux"
IOCTL = re.compile(r"^allowxperm storekeeperd \{[^}]*\}:dir ioctl \{ FITRIM 0x583b \};\n", re.M)


def compiled(folder: Path, name: str, fitrim: bool) -> Path:
    """The policy of a user build with the virtual phone's additions."""
    copy = folder / name
    shutil.copytree(TOP / "sepolicy", copy)
    shutil.copytree(EXTRA, copy / "testing/vendor")
    if not fitrim:
        te = copy / "private/storekeeperd.te"
        text, count = IOCTL.subn("", te.read_text())
        assert count == 1
        # A rule that omits FITRIM; without any such rule each ioctl is allowed.
        te.write_text(text + "allowxperm storekeeperd { cache_file system_data_root_file }:dir "
                      "ioctl 0x5450;\n")
    done = subprocess.run([copy / "check_neverallow.sh", "-o", copy, copy / "testing"],
                          text=True, capture_output=True)
    assert done.returncode == 0, done.stdout
    return copy / "testing.user"


def play(folder: Path, profile_name: str, *arguments: str,
         modules: list[str] | None = None) -> list[str]:
    """The report of lab/tests/guest/selinux.sh."""
    from labtool import guest, profiles

    tool = folder / "selinux_tool"
    subprocess.run(["clang", "-O1", "-Wall", "-Wextra", "-Werror", "-static", "-o", tool,
                    EXTRA / "selinux_tool.c"], check=True)
    profile = profiles.load(profile_name)
    profile.kernel_cmdline = [*profile.kernel_cmdline, "security=selinux"]
    out: list[bytes] = []
    files = [(tool, "/selinux_tool"),
             (OUT / "build/guest/storekeeper_fake_health", "/system/bin/storekeeper_fake_health"),
             (HERE / "guest/selinux.sh", "/selinux.sh"),
             (compiled(folder, "with", True), "/policy"),
             (compiled(folder, "without", False), "/policy-without")]
    outcome = guest.run(guest.Job(command=["sh", "/selinux.sh", *arguments], profile=profile,
                                  files=files, modules=modules or []), out.append, out.append)
    text = b"".join(out).decode()
    assert outcome.code == 0, (outcome, text)
    return text.splitlines()


@pytest.fixture(scope="module")
def output(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    from labtool import profiles

    return play(tmp_path_factory.mktemp("selinux"), profiles.DEFAULT,
                modules=["cbc", "crypto_null"])


@pytest.fixture(scope="module")
def ufs(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    return play(tmp_path_factory.mktemp("ufs"), "ufs-hid", "ufs")


def test_init_starts_it_in_its_domain_and_the_kernel_enforces(output: list[str]) -> None:
    assert "enforcing 1" in output
    assert "domain u:r:storekeeperd:s0" in output


def test_it_trims_and_answers(output: list[str]) -> None:
    assert [x for x in output if re.match(r"Trimmed [1-9][\d.]* \w+ on /data ", x)]
    assert [x for x in output if re.match(r"Trimmed [1-9][\d.]* \w+ on /cache ", x)]
    for verb in ("trim", "health", "latency", "ledger", "mounts", "plan", "why"):
        assert f"{verb} 0" in output


def test_no_denial_of_it_is_logged(output: list[str]) -> None:
    assert not [x for x in output if x.startswith("denied ")]


def test_it_knows_who_encrypts_and_keeps_a_choice(output: list[str]) -> None:
    assert "crypto 0" in output
    assert "bench 0" in output
    assert "choose 0" in output
    assert [x for x in output if "cbc(aes)" in x or "Drivers:" in x]


def test_the_early_step_reads_and_tells_in_its_own_domain(output: list[str]) -> None:
    assert "early domain refused:nothing_chosen" in output
    assert "early with a file refused:nothing_chosen" in output


def test_it_knows_the_battery_from_the_health_hal(output: list[str]) -> None:
    after = output[output.index("why 0"):]
    assert [x for x in after if re.match(r" *battery +open +91 %", x)], after
    assert [x for x in after if re.match(r" *heat +open +28\.7 C", x)], after


def test_without_its_ioctl_it_cannot_trim(output: list[str]) -> None:
    assert "trimmed all the same" not in output
    after = output[output.index("why 0"):]
    assert [x for x in after if "FITRIM on /data" in x or "not permitted" in x], after


def test_init_writes_what_a_ufs_is_asked_and_it_reads_what_that_says(ufs: list[str]) -> None:
    assert "enforcing 1" in ufs
    assert "trim 0" in ufs
    assert "hid 65536 defrag_required" in ufs
    assert [x for x in ufs if re.match(r" *hid/state +idle ", x)], ufs
    assert [x for x in ufs if x.startswith("Defragmentation: nothing, fewer than 48 reads ")], ufs
    assert not [x for x in ufs if x.startswith("denied ")]
