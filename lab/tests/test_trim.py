# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""storekeeperd's trims: as complete as fstrim, stoppable, and only where allowed."""

from __future__ import annotations

import json
import re

import pytest
from conftest import HERE, Result, lab

from labtool import android
from labtool.image import host_program

# The dear card of the measurements: a discard takes 5 ms a MiB.
DEAR = ("--profile", "pixel", "--param", "vemmc.t_trim_mib_us=5000")
# Longest time of an abort in ms. The longest uninterrupted discards are those of one free extent,
# here at most the 128 MiB of a block group. Noticing the abort and putting back the queue take 70
# ms, as each change stops the queue for some 10 ms. The guest's clock has steps of 10 ms.
WORST_ABORT_MS = 128 * (5 + 1) + 70 + 10


def _program(name: str) -> str:
    return f"{host_program(name)}:/tmp/{name}"


def trim(step: str, *words: str, options: tuple[str, ...] = ()) -> Result:
    """Runs a step of trim.sh in a guest of its own, in measured time."""
    result = lab("run", "--measure", *DEAR, *options,
                 "--file", f"{HERE}/guest/common.sh:/tmp/common.sh",
                 "--file", f"{HERE}/guest/trim.sh:/tmp/trim.sh", "--", "sh", "/tmp/trim.sh", step,
                 *words)
    assert result.code == 0, result
    return result


def facts(result: Result) -> dict[str, str]:
    return dict(line.split(" ", 1) for line in result.out.splitlines() if " " in line)


@pytest.fixture(scope="module")
def fstrim() -> dict[str, str]:
    return facts(trim("twice", "/tmp/fstrim", "-v", "/data",
                      options=("--file", _program("fstrim"))))


@pytest.mark.parametrize("words", [(), pytest.param(("--hurry",), marks=pytest.mark.long)])
def test_discards_as_much_as_fstrim_and_nothing_twice(fstrim: dict[str, str],
                                                      words: tuple[str, ...]) -> None:
    ours = facts(trim("twice", "cmd", "storekeeper", "trim", "/data", *words))
    assert 0.99 <= int(ours["first"]) / int(fstrim["first"]) <= 1.01
    assert ours["again"] == "0"


def test_an_abort_ends_at_once_and_the_next_run_goes_on() -> None:
    result = trim("aborts", "6")
    output = facts(result)
    queue = output["before"].split()
    ends = [line.split()[1:] for line in result.out.splitlines() if line.startswith("abort ")]
    aborted = [end for end in ends if end[0] == "72"]
    assert len(aborted) >= 4, result
    for _, milliseconds, discard_max in ends:
        assert int(milliseconds) <= WORST_ABORT_MS
        assert discard_max == queue[0]
    assert output["after"].split() == queue
    assert output["again"] == "0"
    assert output["receipt"].startswith("2026-")


def test_a_killed_daemon_leaves_the_queue_as_it_was() -> None:
    output = facts(trim("killed"))
    # The daemon may have chosen any size by then.
    size, *others = output["during"].split()
    assert 524288 <= int(size) < int(output["before"].split()[0])
    assert others[1:] == ["3", "1"]
    assert output["before"] != output["during"]
    assert output["killed"] == output["before"]
    assert output["after"] == output["before"]
    assert output["state"] in ("restarting", "running")
    assert "worker" not in output
    assert output["meanwhile"] == "0"
    assert output["again"] == "0"
    # The daemon keeps the phone from suspending until the run ends, and no longer.
    awake = [output[f"awake_{when}"] for when in ("during", "killed", "after")]
    assert awake == (["unknown"] * 3 if android.chosen() else ["yes", "no", "no"])


@pytest.fixture(scope="module")
def f2fs() -> dict[str, str]:
    return facts(trim("f2fs", options=(
        "--module", "crc32_generic", "--module", "f2fs", "--param",
        "partitions.cache_mib=128", "--file", _program("mkfs.f2fs"))))


def test_f2fs_without_discard_is_trimmed_in_ranges(f2fs: dict[str, str]) -> None:
    # Ten files of 3 MB were deleted.
    assert int(f2fs["nodiscard_at_once"]) >= 30_000_000
    assert f2fs["nodiscard_later"] == f2fs["nodiscard_at_once"]


def test_f2fs_with_discard_is_asked_once_and_discards_later(f2fs: dict[str, str]) -> None:
    assert int(f2fs["discard_later"]) >= 30_000_000


def test_an_f2fs_on_several_devices_is_trimmed_on_all_of_them() -> None:
    result = trim("members", options=(
        "--module", "crc32_generic", "--module", "f2fs", "--module", "dm_mod", "--param",
        "partitions.cache_mib=256", "--file", _program("mkfs.f2fs"), "--file",
        _program("dmsetup")))
    assert re.findall(r"^map .* on (\S+)$", result.out, re.M) == ["/dev/dm-0", "/dev/dm-1"]
    first = int(facts(result)["first"])
    # Most of both devices is free, also of the second: 192 of 256 MiB.
    assert first >= 100 << 20
    receipt = json.loads(re.search(r"^receipt (.*)", result.out, re.M | re.S)[1]
                         .replace("\nreceipt ", "\n"))[0]["mounts"][0]
    # The card counts the canary's gap on /data as well.
    assert first - receipt["block_layer_bytes"] == 512 << 10
    assert "the sum of the file system's 2 devices" in receipt["note"]


def test_f2fs_collects_garbage_no_longer_than_it_is_asked() -> None:
    result = trim("garbage", options=(
        "--module", "crc32_generic", "--module", "f2fs", "--prop", "ro.storekeeper.gc.seconds=120",
        "--file", _program("mkfs.f2fs")))
    output = facts(result)
    assert output["before"] == "0"
    for way in ("abort", "kill", "stop"):
        # Linux since 5.9 prints the mode GC_URGENT_HIGH as 4.
        assert (way, output[f"during_{way}"], output[f"after_{way}"]) == (way, "4", "0")
    assert output["after_all"] == "0"
    reported = re.search(r"from (\d+) to (\d+) dirty segments", result.out)
    assert reported, result
    assert int(reported[2]) < int(reported[1])


@pytest.mark.parametrize("option", [pytest.param("", marks=pytest.mark.long),
                                    "allow_discards"])
def test_dm_crypt_lets_discards_through_or_says_why_not(option: str) -> None:
    words = (option,) if option else ()
    result = trim("crypt", *words, options=(
        "--module", "dm_crypt", "--param", "partitions.cache_mib=128", "--file",
        _program("dmsetup")))
    first = int(facts(result)["first"])
    if option:
        assert first >= 12_000_000
        assert "said Trimmed " in result.out
    else:
        assert first == 0
        assert "dm device 'cache' does not pass discards on" in result.out
        assert "allow_discards" in result.out


@pytest.fixture(scope="module")
def quirk() -> dict[str, str]:
    return facts(trim("quirk", options=("--param", "vemmc.name=MAG2GA", "--param",
                                        "vemmc.manfid=21")))


def test_a_chip_that_trims_would_harm_gets_none(quirk: dict[str, str]) -> None:
    assert (quirk["code_refused"], quirk["discarded_refused"]) == ("76", "0")
    assert "MAG2GA" in quirk["said_refused"]
    assert "ro.storekeeper.trim.force_quirk" in quirk["said_refused"]


def test_its_owner_may_trim_it_all_the_same(quirk: dict[str, str]) -> None:
    assert quirk["code_forced"] == "0"
    assert int(quirk["discarded_forced"]) > 0
