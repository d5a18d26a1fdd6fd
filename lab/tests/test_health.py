# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""The sources of the daemon's wear figures, the health HAL and the kernel, for eMMC and UFS."""

from __future__ import annotations

import json

import pytest
from conftest import OUT, Answer, Result, answers, lab

FAKE = "/system/bin/storekeeper_fake_health"
PROGRAM = f"{OUT}/build/guest/storekeeper_fake_health:{FAKE}"
# The problem that each mode of the fake HAL causes. The last is believed, and raises the wear.
PROBLEMS = {
    "wrong": "the health HAL returned an invalid value: lifetime -7",
    "slow": "the health HAL has not answered",
    "dead": "the health HAL has not answered",
    "unsupported": "getStorageInfo is not supported by the health HAL",
    "well": "",
}
# Without a HAL, then with one in each mode for a new daemon: health and dump, and the guest's time,
# in seconds, before and after a dump that runs while the HAL is being asked.
SCRIPT = f"""
    say() {{ echo "@@ $1"; shift; "$@"; echo "code $?"; }}
    say "without json" cmd storekeeper health --json
    say "without text" cmd storekeeper health
    for mode in {" ".join(PROBLEMS)}; do
        setprop ctl.stop storekeeperd
        lab-wait-property init.svc.storekeeperd=stopped 10
        setprop ctl.start storekeeperd
        cmd -w storekeeper status >/dev/null
        {FAKE} $mode >/run/fake &
        fake=$!
        until grep -q ready /run/fake; do sleep 1; done
        cmd storekeeper health --json >/run/first &
        first=$!
        before=$(cut -d' ' -f1 /proc/uptime)
        dumpsys storekeeper --json >/dev/null
        after=$(cut -d' ' -f1 /proc/uptime)
        wait $first
        say "$mode health" cmd storekeeper health --json
        say "$mode dump" dumpsys storekeeper --json
        say "$mode times" echo "$before $after"
        kill -9 $fake
    done
"""


@pytest.fixture(scope="module")
def asked() -> dict[str, Answer]:
    result = lab("run", "--measure", "--file", PROGRAM, "--", SCRIPT)
    assert result.code == 0, result
    return answers(result)


def source(health: dict, name: str) -> dict:
    return next(x for x in health["sources"] if x["name"] == name)


@pytest.mark.parametrize("mode", PROBLEMS)
def test_the_hal_is_believed_when_it_is_sane(asked: dict[str, Answer], mode: str) -> None:
    health, dump = (json.loads(asked[f"{mode} {x}"]) for x in ("health", "dump"))
    problem = source(health, "health_hal")["problem"]
    assert PROBLEMS[mode] in problem
    assert bool(PROBLEMS[mode]) == bool(problem)
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
    before, after = (float(x) for x in asked[f"{mode} times"].split())
    assert after - before < 1.0


def test_without_a_hal_the_kernel_is_asked(asked: dict[str, Answer]) -> None:
    health = json.loads(asked["without json"])
    assert source(health, "health_hal")["problem"].startswith("this device has no AIDL health HAL")
    assert health["wear_source"] == "sysfs"
    assert health["kind"] == "emmc"
    assert len(health["chip"]) == 16
    assert ("Wear from sysfs: as the kernel read it at the card's initialisation"
            in asked["without text"])


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
