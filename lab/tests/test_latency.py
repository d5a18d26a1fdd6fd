# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""What BPF and the probe say of latency, beside what fio says of the same I/Os."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

import pytest
from conftest import HERE, OUT, lab

IOS = 600
NAMES = ("randread-without", "randread-with", "randwrite-without", "randwrite-with", "fsync-with",
         "probe-read", "probe-write")
PERCENTILES = ("50.000000", "90.000000", "99.000000")
# A quick card, and one whose own time is nearly all that an I/O takes.
QUICK = ("--profile", "bench-dear", "--param", "vemmc.capacity_mib=530")
SLOW = (*QUICK, "--param", "vemmc.t_cmd_r_us=1000", "--param", "vemmc.t_cmd_w_us=1000",
        "--param", "vemmc.t_flush_us=2000")


@dataclass(frozen=True)
class Reported:
    """fio's jobs, and storekeeper_latency's p50, p90 and p99 in ns by job and kind."""

    fio: dict[str, dict]
    ours: dict[tuple[str, str], list[int]]
    counts: dict[tuple[str, str], int]

    def side(self, name: str) -> dict:
        job = self.fio[name]
        return job["read"] if job["read"]["total_ios"] else job["write"]

    def clat(self, name: str) -> list[int]:
        return [self.side(name)["clat_ns"]["percentile"][p] for p in PERCENTILES]

    def sync(self, name: str) -> list[int]:
        return [self.fio[name]["sync"]["lat_ns"]["percentile"][p] for p in PERCENTILES]


def measure(card: tuple[str, ...], folder: Path) -> Reported:
    get = [word for name in NAMES for word in ("--get", f"/run/{name}.json:{folder}/{name}.json")]
    files = [(OUT / "build/guest/storekeeper_latency", "/tmp/storekeeper_latency"),
             (OUT / "bpf/lab-bpfload", "/tmp/lab-bpfload"),
             (OUT / "bpf/storekeeperLatency.o", "/tmp/storekeeperLatency.o"),
             (HERE / "guest/latency.sh", "/tmp/latency.sh")]
    given = [word for host, inside in files for word in ("--file", f"{host}:{inside}")]
    result = lab("run", "--measure", *card, *given, *get, "--", "sh", "/tmp/latency.sh", str(IOS))
    assert result.code == 0, result
    fio = {}
    for name in NAMES:
        text = (folder / f"{name}.json").read_text()
        fio[name] = json.loads(text[text.index("{"):])["jobs"][0]
    ours, counts = {}, {}
    for line in result.out.splitlines():
        name, mark, kind, count, _, *percentiles = line.split()
        assert mark == "@latency", line
        ours[name, kind] = [int(x) for x in percentiles[:3]]
        counts[name, kind] = int(count)
    return Reported(fio, ours, counts)


@pytest.fixture(scope="module")
def quick(tmp_path_factory: pytest.TempPathFactory) -> Reported:
    return measure(QUICK, tmp_path_factory.mktemp("quick"))


@pytest.fixture(scope="module")
def slow(tmp_path_factory: pytest.TempPathFactory) -> Reported:
    return measure(SLOW, tmp_path_factory.mktemp("slow"))


@pytest.mark.parametrize(("name", "kind"), [("randread-with", "read"), ("randwrite-with", "write"),
                                            ("fsync-with", "write")])
def test_bpf_says_what_fio_says(slow: Reported, name: str, kind: str) -> None:
    # fio writes its first blocks' metadata with them, so some more may be counted.
    assert IOS <= slow.counts[name, kind] <= IOS + 5
    assert slow.ours[name, kind] == pytest.approx(slow.clat(name), rel=0.05)


def test_bpf_says_of_flushes_what_fio_says(slow: Reported) -> None:
    assert slow.ours["fsync-with", "flush"] == pytest.approx(slow.sync("fsync-with"), rel=0.05)


@pytest.mark.parametrize(("name", "kind"), [("randread-with", "read"), ("randwrite-with", "write")])
def test_bpf_leaves_out_what_is_not_the_device_s(quick: Reported, name: str, kind: str) -> None:
    # The way down to the driver and back up, some 15000 instructions, is in fio's figures alone.
    for ours, fio in zip(quick.ours[name, kind], quick.clat(name), strict=True):
        assert 0 < fio - ours < 60_000


@pytest.mark.parametrize("rw", ["randread", "randwrite"])
def test_bpf_costs_little(quick: Reported, rw: str) -> None:
    # By the time an I/O takes: fio's runtime, and so its IOPS, are in whole milliseconds.
    without, counted = (quick.side(f"{rw}-{x}")["lat_ns"]["mean"] for x in ("without", "with"))
    assert without < counted <= without * 1.02


@pytest.mark.parametrize("card", ["quick", "slow"])
def test_the_probe_says_what_fio_says(card: str, request: pytest.FixtureRequest) -> None:
    reported: Reported = request.getfixturevalue(card)
    assert reported.counts["probe", "read"] == reported.counts["probe", "write"] == 110
    ours = reported.ours
    assert ours["probe", "read"][2] == pytest.approx(reported.clat("probe-read")[2], rel=0.15)
    assert ours["probe", "flush"][2] == pytest.approx(reported.sync("probe-write")[2], rel=0.15)
    both = reported.clat("probe-write")[2] + reported.sync("probe-write")[2]
    assert reported.ours["probe", "write"][2] == pytest.approx(both, rel=0.15)
