# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""`make bench-maintenance`: what a trim does to the foreground, and what 30 days of it cost.

Each case is a virtual phone of its own in measuring mode; docs/testing.md says what is measured.
"""

from __future__ import annotations

import dataclasses
import json
import os
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from . import bench_bounds, bench_days, bench_moments, bench_phone, guest
from .bench_any import draw
from .bench_any.task import AnyCard
from .bench_phone import FULL, Phone, Size, Task
from .paths import OUT, LabError

BENCH = OUT / "bench"
FIGURES = BENCH / "maintenance.json"
# What the month's guest reported, to look up what a figure comes from.
LINES = BENCH / "logs"
# fio's latency logs by direction, as lab/bench/foreground.sh names them.
LOGS = {"write": "/run/write_lat.1.log", "read": "/run/read_lat.2.log"}
# Seconds that the foreground is watched without any trim.
ALONE_S = {"dear": 60, "cheap": 20}
ABORTS = 40
DAYS = 30
# Of the watchdog: most of the month nothing happens.
HEARTBEAT_S = 1200
# A month is twenty minutes of an idle core, and longer on a busy one.
DAYS_BACKSTOP_S = 3 * 3600


@dataclass
class Foreground:
    """A card, what runs beside the foreground, and the folder of out/bench for
    fio's logs."""

    card: str
    case: str
    phone: Phone
    size: Size = FULL
    folder: str = "logs"
    logs: dict[str, Path] = field(default_factory=dict)

    def job(self, folder: Path) -> guest.Job:
        logs = BENCH / self.folder
        logs.mkdir(parents=True, exist_ok=True)
        self.logs = {side: logs / f"{self.card}-{self.case}.{side}.log" for side in LOGS}
        words = ["foreground.sh", self.case]
        if self.case == "alone":
            words.append(str(ALONE_S[self.card]))
        return bench_phone.job(f"bench-{self.card}", words, folder, self.size,
                               get=[(LOGS[side], path) for side, path in self.logs.items()])

    def into(self, figures: dict) -> None:
        begin, end = self.phone.fact("begin_ns"), self.phone.fact("end_ns")
        of = figures.setdefault(self.card, {})
        of[self.case] = {
            **{side: latencies(self.logs[side].read_text(), [(begin, end)])
               for side in sorted(LOGS)},
            "discarded_bytes": self.phone.fact("discarded_bytes"),
            "duration_ms": round((end - begin) / 1e6, 3),
        }
        if self.case == "storekeeper":
            of["repeat_discarded_bytes"] = self.phone.fact("repeat_discarded_bytes")


@dataclass
class Aborts:
    """Trims of one card that are aborted in the middle."""

    card: str
    phone: Phone

    def job(self, folder: Path) -> guest.Job:
        moments = folder / f"moments-{self.card}"
        moments.write_text(bench_moments.moments(ABORTS, seed=1))
        return bench_phone.job(f"bench-{self.card}", ["moments.sh", "abort"], folder,
                               files=[(moments, f"{bench_phone.INSIDE}/moments")])

    def into(self, figures: dict) -> None:
        reported = bench_moments.read(self.phone.lines)
        if reported.bad:
            raise LabError(f"{self.phone.name}: {reported.bad[0]}")
        figures.setdefault(self.card, {})["abort_ms"] = bench_moments.stop_ms(reported)


@dataclass
class Days:
    """A month of use, on the card that nobody waits for."""

    phone: Phone
    days: int = DAYS

    def job(self, folder: Path) -> guest.Job:
        job = bench_phone.job("bench-cheap", ["days.sh", str(self.days)], folder,
                              timeout=(self.days + 1) * 24 * 3600)
        return dataclasses.replace(job, heartbeat=HEARTBEAT_S, backstop=DAYS_BACKSTOP_S)

    def into(self, figures: dict) -> None:
        LINES.mkdir(parents=True, exist_ok=True)
        (LINES / f"{self.phone.name}.txt").write_text("\n".join(self.phone.lines) + "\n")
        month = bench_days.read(self.phone.lines)
        for line in bench_days.violations(month):
            print(f"days: {line}")
        figures["days"] = bench_days.figures(month)


# In less time the foreground may well write nothing: it does so 20 times a second.
QUICK_NS = 200_000_000


def latencies(log: str, spans: Sequence[tuple[int, int]]) -> dict[str, float]:
    """Percentiles, in ms, of the I/Os of a fio latency log that were under way in one of these
    spans, in nanoseconds.

    A line is the end of an I/O in milliseconds, how long it took in nanoseconds, and more. A trim
    that ends before anybody comes has kept nobody waiting.
    """
    taken = []
    for line in log.splitlines():
        at_ms, took_ns = (int(x) for x in line.split(",")[:2])
        # The log's clock has whole milliseconds.
        end = (at_ms + 1) * 1_000_000
        begin = end - took_ns - 1_000_000
        if any(end >= first and begin <= last for first, last in spans):
            taken.append(took_ns)
    if not taken and log and all(last - first < QUICK_NS for first, last in spans):
        taken = [0]
    if not taken:
        raise LabError("the foreground did nothing while the trim ran; is fio's log in order?")
    taken.sort()
    return {
        **{f"p{p}_ms": taken[max(0, -(-len(taken) * p // 100) - 1)] / 1e6 for p in (50, 90, 99)},
        "max_ms": taken[-1] / 1e6,
    }


def names() -> list[str]:
    """Every task. The days first: they take longest."""
    return ["days", *(f"{card}/{case}" for card in bench_bounds.CARDS
                      for case in (*bench_bounds.CASES, "abort")), *draw.names()]


def expand(only: list[str]) -> list[str]:
    """The names, with "any" replaced by all cards that are drawn."""
    return [y for x in only for y in (draw.names() if x == "any" else [x])]


def tasks(only: list[str], days: int = DAYS, seed: int = draw.SEED) -> list[Task]:
    """The tasks of these names, all without any."""
    if wrong := [x for x in only if x not in names()]:
        raise LabError(f"{', '.join(wrong)}: not a case; there are {', '.join(names())}")
    began = time.monotonic()
    made: list[Task] = []
    for name in names():
        if only and name not in only:
            continue
        phone = Phone(name, bench_phone.teller(name, began))
        card, _, case = name.partition("/")
        if name in draw.names():
            made.append(AnyCard(draw.drawn(name, seed), phone, latencies, BENCH / "logs"))
        elif name == "days":
            made.append(Days(phone, days))
        elif case == "abort":
            made.append(Aborts(card, phone))
        else:
            made.append(Foreground(card, case, phone))
    return made


def bench(only: list[str], days: int = DAYS, seed: int = draw.SEED) -> int:
    began = time.monotonic()
    only = expand(only)
    chosen = tasks(only, days, seed)
    print(f"{len(chosen)} virtual phones, {os.cpu_count()} at a time.", flush=True)
    bench_phone.run(chosen)
    # Some alone measure anew what they are about; the rest stays.
    figures = json.loads(FIGURES.read_text()) if only and FIGURES.exists() else {}
    # Cards of another seed are others.
    if "any" in figures:
        figures["any"] = [x for x in figures["any"] if x["seed"] == seed]
    for task in chosen:
        task.into(figures)
    broken = bench_bounds.of_chosen(bench_bounds.broken(figures), only)
    return bench_phone.report(FIGURES, figures, bench_bounds.table(figures), broken, began)
