# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""storekeeperd on a kernel that enforces its policy, with stand-ins for Android's."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from conftest import HERE, OUT, TOP, unwrapped

EXTRA = TOP / "lab/selinux"
IOCTL = re.compile(r"^allowxperm storekeeperd \{[^}]*\}:dir ioctl \{ FITRIM 0x583b \};\n", re.M)


def compiled(folder: Path, name: str, fitrim: bool = True, size: str = "default") -> Path:
    """The policy of a user build with the virtual phone's additions."""
    copy = folder / name
    shutil.copytree(TOP / "sepolicy", copy)
    shutil.copytree(EXTRA, copy / "testing/vendor")
    # The labels of the example, in each size.
    example = copy / "vendor-example/genfs_contexts"
    with (copy / "testing/vendor/genfs_contexts").open("a") as labels:
        labels.write(example.read_text())
    example.unlink()
    if not fitrim:
        te = copy / "trim/storekeeperd.te"
        text, count = IOCTL.subn("", te.read_text())
        assert count == 1
        te.write_text(text)
    done = subprocess.run([copy / "check_neverallow.sh", "-o", copy, copy / "testing"],
                          text=True, capture_output=True)
    assert done.returncode == 0, done.stdout
    return copy / f"testing.user.{size}"


def play(folder: Path, profile_name: str, *arguments: str, modules: list[str] | None = None,
         report_only: bool = False) -> list[str]:
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
             (compiled(folder, "with", size="report_only" if report_only else "default"),
              "/policy"),
             (compiled(folder, "without", fitrim=False), "/policy-without")]
    properties = {}
    if report_only:
        files.append((TOP / "init-rc/storekeeperd_report_only.rc",
                      "/system_ext/etc/init/storekeeperd_trim.rc"))
        files.append((TOP / "tradefed-configs/device/storekeeper_shell_test.sh",
                      "/storekeeper_shell_test.sh"))
        properties["ro.storekeeper.report_only"] = "true"
    outcome = guest.run(guest.Job(command=["sh", "/selinux.sh", *arguments], profile=profile,
                                  files=files, modules=modules or [], properties=properties),
                        out.append, out.append)
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


@pytest.fixture(scope="module")
def reporter(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    from labtool import profiles

    return play(tmp_path_factory.mktemp("report"), profiles.DEFAULT, "report_only",
                report_only=True)


def test_a_report_only_daemon_has_no_privilege(reporter: list[str]) -> None:
    assert "enforcing 1" in reporter
    assert "domain u:r:storekeeperd:s0" in reporter
    status = dict(x.split(":", 1) for x in reporter if re.match(r"(Cap\w+|Groups|[GU]id):", x))
    assert status["Uid"].split() == status["Gid"].split() == ["1000"] * 4
    assert status["Groups"].split() == []
    for key in ("CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb"):
        assert int(status[key], 16) == 0, key
    assert "inputs 0" in reporter
    assert "requests 0" in reporter


def test_a_report_only_daemon_refuses_trims_with_the_reason(reporter: list[str]) -> None:
    reason = "report only: ro.storekeeper.report_only is true"
    for command in ("trim", "trim /data", "maintain"):
        # not_permitted, EX_OSERR of sysexits.h
        assert reporter[reporter.index(f"{command} 71") - 1] == f"storekeeper: {reason}"
    before = next(x for x in reporter if x.startswith("discards before "))
    assert before.replace("before", "after") in reporter
    assert f"/data: {reason}" in reporter


def test_a_report_only_daemon_reports(reporter: list[str]) -> None:
    text = "\n".join(reporter)
    assert ("Maintenance: report only: ro.storekeeper.report_only is true; Android's own trims go "
            "on\n") in unwrapped(text)
    assert "Storage life: " in text
    assert "state report_only" in reporter
    assert "level warning" in reporter  # storekeeper_fake_health: a reserve used by 80 %
    for verb in ("health", "latency", "ledger", "mounts", "plan", "why", "receipts", "crypto"):
        assert f"{verb} 0" in reporter
    files = next(x for x in reporter if x.startswith("files ")).split()
    assert "history.db" in files
    assert "canary" not in files
    assert not [x for x in reporter if x.startswith("denied ")]


def test_the_device_s_own_test_knows_a_report_only_product(reporter: list[str]) -> None:
    assert not [x for x in reporter if "FAILED" in x or x.startswith("shell test")]
    assert "[       OK ] Shell.service_holds_one_capability (0 ms)" in reporter
    assert "[  SKIPPED ] Shell.a_mount_of_others_is_refused (0 ms)" in reporter


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
    assert "taken back 0" in ufs
    assert [x for x in ufs if re.match(r" *hid/state +idle ", x)], ufs
    assert [x for x in ufs if x.startswith("Defragmentation: nothing, fewer than 48 reads ")], ufs
    assert not [x for x in ufs if x.startswith("denied ")]
