# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""The probe's latencies beside fio's of the same I/Os."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from conftest import HERE, OUT, lab

NAMES = ("probe-read", "probe-write")
# A quick card, and one whose own time is nearly all of an I/O's.
QUICK = ("--profile", "bench-dear", "--param", "vemmc.capacity_mib=530")
SLOW = (*QUICK, "--param", "vemmc.t_cmd_r_us=1000", "--param", "vemmc.t_cmd_w_us=1000",
        "--param", "vemmc.t_flush_us=2000")


@pytest.mark.parametrize("card", [QUICK, SLOW], ids=["quick", "slow"])
def test_the_probe_says_what_fio_says(card: tuple[str, ...], tmp_path: Path) -> None:
    get = [word for name in NAMES
           for word in ("--get", f"/run/{name}.json:{tmp_path}/{name}.json")]
    files = [(OUT / "build/guest/storekeeper_latency", "/tmp/storekeeper_latency"),
             (HERE / "guest/latency.sh", "/tmp/latency.sh")]
    given = [word for host, inside in files for word in ("--file", f"{host}:{inside}")]
    result = lab("run", "--measure", *card, *given, *get, "--", "sh", "/tmp/latency.sh")
    assert result.code == 0, result
    # Count and 99th percentile in ns, by kind.
    counts, ours = {}, {}
    for line in result.out.splitlines():
        mark, kind, count, _, _, _, p99, _ = line.split()
        assert mark == "@latency", line
        counts[kind], ours[kind] = int(count), int(p99)
    read, write = (json.loads(text[text.index("{"):])["jobs"][0]
                   for text in ((tmp_path / f"{name}.json").read_text() for name in NAMES))
    p99 = "99.000000"
    reads = read["read"]["clat_ns"]["percentile"][p99]
    writes = write["write"]["clat_ns"]["percentile"][p99]
    flushes = write["sync"]["lat_ns"]["percentile"][p99]
    assert counts["read"] == counts["write"] == 110
    assert ours["read"] == pytest.approx(reads, rel=0.15)
    assert ours["flush"] == pytest.approx(flushes, rel=0.15)
    assert ours["write"] == pytest.approx(writes + flushes, rel=0.15)
