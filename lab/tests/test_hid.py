# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""A UFS that defragments itself: while it helps, within its budget, never during use."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from conftest import HERE, OUT, lab

MIB = 1 << 20
# Sizes below 1 GiB have one decimal of a MiB at most.
ROUNDED = MIB / 20
# The phone has 1 GiB, of which some 200 MiB can be fragmented.
CONFIG = '{"maintenance": {"defrag_fragmented_mib": 64}}\n'


def facts(step: str, folder: Path, *names: str) -> tuple[dict[str, str], dict[str, int]]:
    """The output of a step of hid.sh, and by name the 99th percentile of fio's reads, ns."""
    config = folder / "device.json"
    config.write_text(CONFIG)
    files = [(OUT / "build/guest/storekeeper_latency", "/tmp/storekeeper_latency"),
             (HERE / "guest/hid.sh", "/tmp/hid.sh"),
             (config, "/vendor/etc/storekeeper/device.json")]
    given = [word for host, inside in files for word in ("--file", f"{host}:{inside}")]
    get = [word for name in names for word in ("--get", f"/run/{name}.json:{folder}/{name}.json")]
    # Slow reads take 20 times a unit, more than three times a read of the probe with its overhead.
    # Normally small writes such as the probe's own do not fragment; with small_kib=0 its file ages
    # with all others.
    result = lab("run", "--measure", "--profile", "ufs-hid", "--param", "vufs.read_slow=20",
                 "--param", "vufs.small_kib=0", "--timeout", "345600",
                 "--prop", "ro.storekeeper.probe.kib_per_day=1024", *given, *get, "--", "sh",
                 "/tmp/hid.sh", step)
    assert result.code == 0, result
    output = dict(line.split(" ", 1) for line in result.out.splitlines() if " " in line)
    reads = {}
    for name in names:
        text = (folder / f"{name}.json").read_text()
        job = json.loads(text[text.index("{"):])["jobs"][0]
        reads[name] = job["read"]["clat_ns"]["percentile"]["99.000000"]
    return output, reads


def size(text: str) -> float:
    number, unit = text.split()
    return float(number) * {"KiB": 1 << 10, "MiB": MIB, "GiB": 1 << 30}[unit]


def runs(output: dict[str, str], name: str) -> list[str]:
    """The results of the named runs."""
    return [output[f"{name}_{n}"] for n in range(1, 9) if f"{name}_{n}" in output]


@pytest.fixture(scope="module")
def helps(tmp_path_factory: pytest.TempPathFactory) -> tuple[dict[str, str], dict[str, int]]:
    return facts("helps", tmp_path_factory.mktemp("helps"), "new", "aged", "after")


def test_reads_become_as_fast_as_new(helps: tuple[dict[str, str], dict[str, int]]) -> None:
    output, reads = helps
    new, best, aged, after = (int(number) for number in re.match(
        r"nothing, reads are not slow: p99 (\d+) us, at best (\d+) us; the last round: "
        r"(?:[\d.]+ \w+) moved, p99 of reads (\d+) us before and (\d+) us after$",
        output["plan_after"]).groups())
    moved = re.search(r"last round: (\S+ \w+) moved",
                      output["plan_after"])[1]  # type: ignore[index]
    assert abs(size(moved) - int(output["moved"])) <= ROUNDED
    assert aged >= 3 * best
    assert after <= 1.1 * new
    assert reads["after"] <= 1.1 * reads["new"]


def test_it_begins_when_reads_are_slow_and_moves_what_the_budget_allows(
        helps: tuple[dict[str, str], dict[str, int]]) -> None:
    output, _ = helps
    assert output["plan_new"].startswith("nothing, reads are not slow: p99 ")
    assert output["plan_aged"] == "reads are slow; writes at most 256 MiB"
    done = runs(output, "run")
    assert done[0].startswith("done, ")
    assert "the round has ended" in done[-1]
    written = [size(match[1]) for text in done
               if (match := re.search(r"; ([\d.]+ \w+) written", text))]
    assert all(bytes_ <= 256 * MIB for bytes_ in written)
    # The UFS has counted equally many bytes.
    assert abs(sum(written) - int(output["moved"])) <= len(written) * ROUNDED
    assert int(output["moved"]) <= 1024 * MIB


def test_a_defragmentation_that_helped_is_not_repeated(
        helps: tuple[dict[str, str], dict[str, int]]) -> None:
    output, _ = helps
    assert output["plan_after"].startswith("nothing, reads are not slow: p99 ")
    assert not runs(output, "later")
    assert output["state"] == "idle"
    assert output["properties"] == "disable disable"


@pytest.fixture(scope="module")
def useless(tmp_path_factory: pytest.TempPathFactory) -> tuple[dict[str, str], dict[str, int]]:
    return facts("useless", tmp_path_factory.mktemp("useless"), "new", "after_second")


@pytest.mark.long
def test_it_stops_after_two_tries_that_did_not_help(
        useless: tuple[dict[str, str], dict[str, int]]) -> None:
    output, reads = useless
    assert reads["after_second"] >= 2 * reads["new"]
    for name in ("first", "second"):
        assert runs(output, name)[0].startswith("done, ")
    assert 0 < int(output["moved_first"]) < int(output["moved_second"])
    assert output["moved_third"] == output["moved_second"]
    stopped = "nothing, stopped: 2 rounds in a row did not make reads faster; the last: "
    assert output["plan"].startswith(stopped)
    assert re.search(r": [\d.]+ [MG]iB moved, p99 of reads \d+ us before and \d+ us after$",
                     output["plan"])
    assert output["plan_restarted"] == output["plan"]


@pytest.fixture(scope="module")
def unfinished(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    return facts("unfinished", tmp_path_factory.mktemp("unfinished"))[0]


def test_a_refused_or_unknown_defragmentation_is_left_alone(unfinished: dict[str, str]) -> None:
    for refuse in (1, 2):
        assert unfinished[f"refuse_{refuse}"].startswith(
            "failed, the UFS did not begin, it is still idle: ")
    assert not runs(unfinished, "unknown")
    assert unfinished["moved"] == "0"


def test_a_touch_ends_it_within_100_ms(unfinished: dict[str, str]) -> None:
    assert unfinished["during"] == "defrag_in_progress"
    time, state = unfinished["ended"].split()
    assert int(time) <= 100_000_000
    assert state == "idle"
    # At most the steps of 5 ms until then were under way, 256 KiB each.
    assert int(unfinished["more"]) <= 21 * 256 * 1024
    assert unfinished["receipt"].startswith("stopped, ")


def test_a_daemon_that_dies_leaves_nothing_under_way(unfinished: dict[str, str]) -> None:
    assert (unfinished["alive"], unfinished["killed"]) == ("defrag_in_progress", "idle")


def test_a_ufs_without_defragmentation_gets_none(unfinished: dict[str, str]) -> None:
    assert unfinished["plan_without"] == ("nothing, the UFS or its kernel has no host-initiated "
                                          "defragmentation (UFS 4.1, Linux 6.17)")
