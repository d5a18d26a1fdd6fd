# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""Phones with a UFS: QEMU's under Linux's own driver, and vufs with its defragmentation."""

from __future__ import annotations

import pytest
from conftest import HERE, lab

MIB = 1 << 20
NONE = "4294967295"  # an unknown size


def facts(profile: str, step: str, *options: str) -> dict[str, str]:
    """The output of a step of ufs.sh."""
    result = lab("run", "--profile", profile, *options,
                 "--file", f"{HERE}/guest/common.sh:/tmp/common.sh",
                 "--file", f"{HERE}/guest/ufs.sh:/tmp/ufs.sh", "--", "sh", "/tmp/ufs.sh", step)
    assert result.code == 0, result
    return dict(line.split(" ", 1) for line in result.out.splitlines() if " " in line)


@pytest.fixture(scope="module")
def real() -> dict[str, str]:
    return facts("ufs-2023", "trims")


@pytest.fixture(scope="module")
def hid() -> dict[str, str]:
    return facts("ufs-hid", "hid", "--measure")


def test_the_phone_is_on_the_ufs_of_the_kernels_own_driver(real: dict[str, str]) -> None:
    assert real["line"].startswith("Chip: sda, QEMU UFS by REDHAT, ")
    assert real["data"] == "sda2 /data f2fs"
    assert real["links"] == "/sys/class/block/sda /sys/class/block/sda2"
    assert real["f2fs"].isdecimal()


@pytest.mark.parametrize(("name", "least"), [("f2fs", 29_000_000), ("ext4", 12_000_000)])
def test_a_trim_is_an_unmap(real: dict[str, str], name: str, least: int) -> None:
    assert real["unmap"] == "unmap 4096"
    assert int(real[f"{name}_first"]) >= least
    # In use other processes delete files between the two trims.
    assert int(real[f"{name}_again"]) < MIB


def test_a_limit_that_the_kernel_does_not_take_back_is_restored_as_far_as_it_does() -> None:
    output = facts("ufs-hid", "limits", "--param", "vufs.unmap_max_mib=32768")
    assert "refused" not in output
    # 32 GiB less a unit, and the largest value that fits an unsigned int.
    assert (output["limit_before"], output["limit_after"]) == ("34359734272", "4294963200")
    assert output["saved"] == "."


def test_a_profile_without_a_timing_model_is_not_measured() -> None:
    result = lab("run", "--measure", "--profile", "ufs-2023", "--", "true")
    assert result.code != 0
    assert "profile ufs-2023 cannot measure" in result.err


def test_reads_of_what_is_fragmented_are_slow_until_it_is_not(hid: dict[str, str]) -> None:
    new, aged, after = (int(hid[f"read_{x}"]) for x in ("new", "aged", "after"))
    assert 2.4 <= aged / new <= 3.0
    assert 0.95 <= after / new <= 1.05


def test_an_analysis_comes_before_a_size(hid: dict[str, str]) -> None:
    assert hid["unknown"] == f"idle {NONE}"
    assert hid["analysing"] == f"analysis_in_progress {NONE}"
    assert hid["analysed"] == f"defrag_required {hid['fragmented']}"
    assert int(hid["fragmented"]) > 64 * 256


def test_a_defragmentation_moves_what_it_is_given(hid: dict[str, str]) -> None:
    assert hid["started"].startswith("defrag_in_progress ")
    assert 10 <= int(hid["progress"]) <= 90
    assert hid["bounded"] == f"defrag_completed {int(hid['fragmented']) - 4096}"
    # f2fs may write something itself.
    assert 16 * MIB <= int(hid["bounded_bytes"]) < 17 * MIB
    assert hid["end"] == "100 0"
    assert hid["again"] == f"analysis_in_progress {NONE}"
    assert hid["whole"] == "defrag_completed 0"


def test_it_ends_with_its_step(hid: dict[str, str]) -> None:
    assert hid["disabled"] == f"idle {NONE}"
    # The step under way, and one that ended before the write arrived.
    assert int(hid["disabled_bytes"]) <= 2 * 256 * 1024


def test_a_device_may_refuse(hid: dict[str, str]) -> None:
    assert hid["refuse_1"] == "Input/output error"
    assert hid["refuse_2"] == "Operation not supported"
    assert hid["wrong"] == "Invalid argument"
    assert hid["enodata"] == "No data available"


def test_critical_health_and_wear_are_reported(hid: dict[str, str]) -> None:
    assert (hid["critical_before"], hid["critical_after"]) == ("0", "1")
    assert int(hid["critical_seen"]) >= 1
    assert "critical_health:urgent" in hid["alerts"].split(",")
    assert (hid["life_new"], hid["life_used"]) == ("0x01", "0x03")
    assert hid["line"].startswith("Storage life: 20-30 % used")
    assert "critical" in hid["line"]


def test_it_is_switched_off_and_on(hid: dict[str, str]) -> None:
    assert (hid["hid_0"], hid["hid_1"]) == ("0", "6")
    assert hid["rebooted"] == f"idle {NONE}"
    assert int(hid["unmapped"]) >= 29_000_000
