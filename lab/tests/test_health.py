# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""The sources of the daemon's wear figures, the health HAL and the kernel, for eMMC and UFS."""

from __future__ import annotations

import json

import pytest
from conftest import OUT, Result, lab

FAKE = "/system/bin/storekeeper_fake_health"
PROGRAM = f"{OUT}/build/guest/storekeeper_fake_health:{FAKE}"


def health_with(mode: str) -> tuple[dict, dict, str]:
    """Health and dump, both as JSON, with a HAL in this mode; and the guest's time, in seconds,
    before and after a dump that runs while the HAL is being asked."""
    script = f"""
        {FAKE} {mode} >/run/fake &
        until grep -q ready /run/fake; do sleep 1; done
        cmd storekeeper health --json >/run/first &
        before=$(cut -d' ' -f1 /proc/uptime)
        dumpsys storekeeper --json >/dev/null
        after=$(cut -d' ' -f1 /proc/uptime)
        wait %2
        cmd storekeeper health --json
        echo ---
        dumpsys storekeeper --json
        echo ---
        echo "$before $after"
    """
    result = lab("run", "--measure", "--file", PROGRAM, "--", script)
    assert result.code == 0, result
    health, dump, times = result.out.split("---\n")
    return json.loads(health), json.loads(dump), times


def source(health: dict, name: str) -> dict:
    return next(x for x in health["sources"] if x["name"] == name)


@pytest.mark.parametrize(("mode", "problem"), [
    ("well", ""),
    ("wrong", "the health HAL returned an invalid value: lifetime -7"),
    pytest.param("slow", "the health HAL has not answered", marks=pytest.mark.long),
    ("dead", "the health HAL has not answered"),
    pytest.param("unsupported", "getStorageInfo is not supported by the health HAL",
                 marks=pytest.mark.long),
])
def test_the_hal_is_believed_when_it_is_sane(mode: str, problem: str) -> None:
    health, dump, times = health_with(mode)
    hal = source(health, "health_hal")
    assert problem in hal["problem"]
    assert bool(problem) == bool(hal["problem"])
    if mode == "well":
        assert health["wear_source"] == "health_hal"
        assert health["verdict"]["line"].startswith("Storage life: 50-60 % used")
    else:
        assert health["wear_source"] == "sysfs"
        assert health["verdict"]["line"].startswith("Storage life: 0-10 % used")
    # The summary agrees with the detail.
    assert dump["health"]["verdict"] == health["verdict"]
    assert dump["health"]["wear_source"] == health["wear_source"]
    # A dump never waits for the HAL: it takes no part of the HAL's time limit of one second.
    before, after = (float(x) for x in times.split())
    assert after - before < 1.0


def test_without_a_hal_the_kernel_is_asked() -> None:
    result = lab("run", "--measure", "--", "cmd storekeeper health --json; cmd storekeeper health")
    assert result.code == 0, result
    health, end = json.JSONDecoder().raw_decode(result.out)
    assert source(health, "health_hal")["problem"] == "this device has no health HAL"
    assert health["wear_source"] == "sysfs"
    assert health["kind"] == "emmc"
    assert len(health["chip"]) == 16
    assert "Wear from sysfs: as the kernel read it at the card's initialisation" in result.out[end:]


def ufs(command: str) -> Result:
    """Runs a command in a guest with QEMU's UFS beside the card, /data on it."""
    return lab("run", "--param", "ufs.mib=64", "--module", "sd_mod", "--module", "ufshcd_pci",
               "--", "until [ -b /dev/sda ]; do sleep 1; done; "
               "mke2fs -q -t ext4 /dev/sda && mount -t ext4 /dev/sda /data && " + command)


def test_a_real_ufs_driver() -> None:
    result = ufs("cmd storekeeper health --json")
    assert result.code == 0, result
    health = json.loads(result.out)
    assert (health["kind"], health["device"], health["wear_source"]) == ("ufs", "sda", "ufs")
    items = {item["name"]: item for item in health["items"]}
    assert items["product_name"]["value"] == "QEMU UFS"
    assert items["specification_version"]["explanation"].startswith("UFS ")
    # QEMU's health descriptor holds zeros: not defined, and never "0 % used".
    assert items["life_time_estimation_a"]["value"] == "0x00"
    assert items["life_time_estimation_a"]["explanation"] == "not defined"
    assert health["verdict"]["used_to_pct"] is None
    assert health["verdict"]["line"].startswith("Storage life: not reported")
    # The UFS has no serial number, so the chip cannot be distinguished from another.
    assert health["chip"] is None
