#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""Writes tests/testdata/bench: an invented phone before and after its first trim, as
storekeeper_bench would report it, always the same. What the two results compare to is left to
storekeeper_bench itself, so that its rules are not here, too. In testdata/bench:

    ../../make_bench.py
    storekeeper_bench compare before.json after.json --json >comparison.json
"""

from __future__ import annotations

import json
import random
import statistics
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).resolve().parent / "testdata/bench"
NOW = 1_798_794_000  # 2027-01-01 09:00 UTC
MB = 10**6
REPETITIONS = 5
FILE_BYTES = 16 << 20

Json = dict[str, Any]

PERCENTILES = {"p50_ms": "p50", "p90_ms": "p90", "p99_ms": "p99", "p99_9_ms": "p99_9"}
WORST = ("VALID", "SUSPECT", "INVALID")
LEVELS = {"note": 0, "suspect": 1, "invalid": 2}


def reason(code: str, level: str, text: str) -> Json:
    return {"code": code, "level": level, "text": text}


GOVERNOR = reason("governor", "note", "cpufreq: interactive")
UNSYNCED = reason("volatile_cache", "suspect",
                  "nothing was synced: data may be in the disk's cache only")
CACHED = reason("page_cache", "invalid", "1.0 MB were read, 0.2 MB of them from the disk")
LOST = reason("flush_missing", "invalid",
              "128 syncs, of which 0 flushed the disk's cache: synced data can be lost")


def repetition(random_: random.Random, job: Json, p50: float, tail: float, syncs: bool,
               reasons: list[Json]) -> Json:
    """`p50`: in ms; `tail`: how much longer each of the next percentiles is."""
    block = int(job["bs"])
    count = int(job["io_size"]) // block
    p50 *= random_.uniform(.97, 1.03)
    p90 = p50 * (1 + .3 * tail) * random_.uniform(.95, 1.05)
    p99 = p90 * (1 + tail) * random_.uniform(.9, 1.1)
    p99_9 = p99 * (1 + 1.5 * tail) * random_.uniform(.85, 1.2)
    sync = p50 * 3.1 * random_.uniform(.97, 1.03) if syncs else 0
    time_ms = count * (p50 * (1 + .12 * tail) + sync)
    size = count * block
    reads = "read" in job["rw"]
    flushes = count if syncs and LOST not in reasons else 1 if not reads else 0
    user, system = time_ms * .03, time_ms * .11
    return {
        "verdict": WORST[max((LEVELS[x["level"]] for x in reasons), default=0)],
        "reasons": reasons, "mb_per_s": round(size / MB / time_ms * 1000, 4),
        "iops": round(count / time_ms * 1000, 2), "time_ms": round(time_ms),
        "passed_ms": round(time_ms + 246, 3), "read_bytes": size if reads else 0,
        "written_bytes": 0 if reads else size, "ios": count,
        "syncs": count if syncs else 0,
        "latency_ms": {"p50": round(p50, 5), "p90": round(p90, 5), "p99": round(p99, 5),
                       "p99_9": round(p99_9, 5)},
        "sync_latency_ms": None if not syncs else {
            "p50": round(sync, 5), "p90": round(sync * 1.3, 5), "p99": round(sync * 2.2, 5),
            "p99_9": round(sync * 4.1, 5)},
        "cpu": {"user_pct": 3.0, "system_pct": 11.0, "user_ms_per_mb": round(user * MB / size, 3),
                "system_ms_per_mb": round(system * MB / size, 3)},
        "disk": {"read_bytes": size if reads else 4096,
                 "written_bytes": 0 if reads else size + 65_536, "busy_ms": round(time_ms * .97),
                 "flushes": flushes},
        "heat": {"zone_before_c": 36.5, "zone_after_c": round(random_.uniform(36, 39), 1),
                 "battery_before_c": 29.0, "battery_after_c": 29.1, "cooling": []}}


def summary(values: list[float]) -> Json | None:
    """With five values or fewer the bootstrap's interval goes from the least to the greatest."""
    return None if not values else {"median": round(statistics.median(values), 6),
                                    "lower": min(values), "upper": max(values), "n": len(values)}


def figure(name: str, job: Json, repetitions: list[Json]) -> Json:
    counted = [x for x in repetitions if x["verdict"] != "INVALID"]
    worst = max((x["verdict"] for x in counted), key=WORST.index, default="INVALID")
    reported = {"mb_per_s": summary([x["mb_per_s"] for x in counted])}
    for key, percentile in PERCENTILES.items():
        reported[key] = summary([x["latency_ms"][percentile] for x in counted if x["latency_ms"]])
    reported["sync_p50_ms"] = summary([x["sync_latency_ms"]["p50"] for x in counted
                                   if x["sync_latency_ms"]])
    return {"name": name, "job": job, "repetitions": repetitions, "summary": reported,
            "verdict": "INVALID" if len(counted) * 2 <= len(repetitions) else worst}


def result(trimmed: bool) -> Json:
    random_ = random.Random(31 if trimmed else 13)
    after = 1 if trimmed else 0
    # Name, rw, bs, bytes, p50 in ms before and after, tail of both, reasons by repetition.
    rows: list[tuple[str, str, int, int, tuple[float, float], tuple[float, float], bool,
                     dict[int, list[Json]]]] = [
        ("seq-write-256k", "write", 262_144, FILE_BYTES, (21.4, 9.3), (2.6, .8), False, {}),
        ("seq-read-256k", "read", 262_144, FILE_BYTES, (3.41, 3.4), (.3, .3), False, {}),
        ("rand-read-4k", "randread", 4096, 1 << 20, (.412, .418), (.9, .9), False, {}),
        ("rand-write-4k", "randwrite", 4096, 1 << 20, (4.7, 1.15), (3.6, 1.4), False,
         {n: [UNSYNCED] for n in range(REPETITIONS)}),
        ("rand-read-8k", "randread", 8192, 1 << 20, (.455, .47), (.9, .8), False,
         {} if trimmed else {n: [CACHED] for n in (0, 1, 2, 4)}),
        ("sync-write-4k", "randwrite", 4096, 1 << 19, (1.31, 1.42), (1.7, 1.6), True,
         {n: [LOST] for n in range(REPETITIONS)} if trimmed else {}),
        ("sqlite-wal", "write", 4120, 1 << 19, (.9, .97), (1.2, 1.2), True, {})]
    figures = []
    for name, rw, block, size, p50, tail, syncs, doubts in rows:
        job = {"rw": rw, "bs": str(block), "io_size": str(size), "direct": "1",
               **({"fdatasync": "1"} if syncs else {})}
        repetitions = [repetition(random_, job, p50[after], tail[after], syncs,
                                  [*doubts.get(n, []), GOVERNOR]) for n in range(REPETITIONS)]
        figures.append(figure(name, job, repetitions))
    figures.append(figure("copy", {}, [_copied(random_, trimmed) for _ in range(REPETITIONS)]))
    return {
        "schema": "storekeeper.bench", "version": 1, "made_wall_s": NOW + after * 7200,
        "matrix": "quick", "fio": {"version": "fio-3.33", "overhead_ms": 231.4},
        "device": {"model": "Corvid 5X", "build": "RQ3A.210805"},
        "place": {"folder": "/data/local/tmp", "mount_point": "/data", "file_system": "ext4",
                  "options": "rw,seclabel,nosuid,nodev,noatime,noauto_da_alloc,data=ordered",
                  "disk": "mmcblk0", "volatile_cache": True, "size_bytes": 25_400_000_000,
                  "free_bytes": 5_600_000_000},
        "figures": figures}


def _copied(random_: random.Random, trimmed: bool) -> Json:
    """A device that reports little: its disk, heat and processors are unknown."""
    job = {"rw": "write", "bs": "65536", "io_size": str(FILE_BYTES)}
    reported = repetition(random_, job, 2.2 if trimmed else 5.1, 1, False, [])
    return {**reported, "latency_ms": None, "cpu": None, "disk": None,
            "heat": {"zone_before_c": None, "zone_after_c": None, "battery_before_c": None,
                     "battery_after_c": None, "cooling": []}}


def results() -> dict[str, Json]:
    return {"before.json": result(False), "after.json": result(True)}


def text(result_: Json) -> str:
    return json.dumps(result_, indent=1, sort_keys=True) + "\n"


def main() -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, result_ in results().items():
        (FOLDER / name).write_text(text(result_))


if __name__ == "__main__":
    main()
