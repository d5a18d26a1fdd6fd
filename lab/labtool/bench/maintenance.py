# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""`make bench-maintenance`: the effect of a trim on the foreground, and the costs of 30 days.

Each card, the aborts and the month have a virtual phone each, in measuring mode; docs/testing.md
describes the measurements.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import os
import statistics
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from .. import guest
from ..paths import OUT, TOP, LabError
from . import cards, days, guests, judge, moments
from .bounds import FRAME_MS
from .cards import Drawn
from .guests import Phone, Task

BENCH = OUT / "bench"
FIGURES = BENCH / "maintenance.json"
TABLES = TOP / "docs/figures.md"
# fio's logs and the lines of the month's guest, to look up the source of a figure.
LOGS = BENCH / "logs"
PROFILE = "bench-cheap"

# Each run of a case has another seed of fio. Short runs are repeated until the foreground was
# watched for 10 s, in which it reads 1000 and writes 200 times, but at most MOST_RUNS times.
FIO_SEEDS = 3
WATCHED_S = 10
MOST_RUNS = 6
# Watchdog's limit: making a file system on a slow card takes long.
CARD_HEARTBEAT_S = 300
ABORTS = 40
DAYS = 30
# Watchdog's limit: most of the month is idle.
DAYS_HEARTBEAT_S = 1200
# The month or the dear card takes twenty minutes of an idle core, longer of a busy one.
BACKSTOP_S = 3 * 3600


@dataclass
class OneCard:
    """A card, with all cases in one boot."""

    drawn: Drawn
    phone: Phone
    most_runs: int = MOST_RUNS
    logs: dict[tuple[str, str], Path] = field(default_factory=dict)

    def job(self, folder: Path) -> guest.Job:
        LOGS.mkdir(parents=True, exist_ok=True)
        drawn = self.drawn
        self.logs = {(case, side): LOGS / f"{drawn.name}-{case}.{side}.log"
                     for case in drawn.cases for side in judge.SIDES}
        words = ["foreground.sh", drawn.image.fs, drawn.options, str(WATCHED_S),
                 str(min(FIO_SEEDS, self.most_runs)), str(self.most_runs), *drawn.cases]
        job = guests.job(PROFILE, words, folder, drawn.size(),
                         get=[(f"/run/{case}.{side}", path)
                              for (case, side), path in self.logs.items()])
        return dataclasses.replace(job, heartbeat=CARD_HEARTBEAT_S, backstop=BACKSTOP_S)

    def into(self, figures: dict) -> None:
        others = [x for x in figures["cards"] if x["name"] != self.drawn.name]
        figures["cards"] = sorted([*others, self.entry()], key=lambda x: NAMES.index(x["name"]))

    def entry(self) -> dict[str, Any]:
        lines = [x.split() for x in self.phone.lines]
        runs: dict[str, list[list[int]]] = {case: [] for case in self.drawn.cases}
        for word, *rest in filter(None, lines):
            if word == "@run":
                runs[rest[0]].append([int(x) for x in rest[1:]])
        fstrim_bytes = statistics.mean(x[2] for x in runs["fstrim"])
        free = next(int(x[1]) for x in lines if x[:1] == ["@free"])
        if fstrim_bytes > free:
            raise LabError(f"{self.drawn.name}: fstrim discarded {fstrim_bytes:.0f} bytes, but "
                           f"{free} are free: /data was not aged")
        card: dict[str, Any] = {"name": self.drawn.name, "card": asdict(self.drawn.card),
                                "image": asdict(self.drawn.image)}
        for case in judge.CASES:
            spans = [(begin, end) for begin, end, _ in runs[case]]
            card[case] = {side: latencies(self.logs[case, side].read_text(), spans)
                          for side in judge.SIDES}
            if case != "alone":
                took_ns = statistics.mean(end - begin for begin, end in spans)
                card[case]["duration_ms"] = round(took_ns / 1e6, 3)
            if case in ("storekeeper", "hurry"):
                discarded = statistics.mean(x[2] for x in runs[case])
                card[case]["discarded_ratio"] = (round(discarded / fstrim_bytes, 5)
                                                 if fstrim_bytes else None)
        card["storekeeper"]["repeat_discarded_bytes"] = sum(
            int(x[1]) for x in lines if x[:1] == ["@repeat"])
        return card


@dataclass
class Aborts:
    """Trims of the dear card that are aborted in the middle."""

    phone: Phone

    def job(self, folder: Path) -> guest.Job:
        return guests.job(PROFILE, ["moments.sh", "abort"], folder,
                          cards.drawn("dear").size(),
                          files=[guests.moments_file(folder, "abort", ABORTS, 1)])

    def into(self, figures: dict) -> None:
        reported = moments.read(self.phone.lines)
        if reported.bad:
            raise LabError(f"{self.phone.name}: {reported.bad[0]}")
        figures["abort_ms"] = moments.stop_ms(reported)


@dataclass
class Days:
    """A month of use, on the cheap card."""

    phone: Phone
    days: int = DAYS

    def job(self, folder: Path) -> guest.Job:
        job = guests.job(PROFILE, ["days.sh", str(self.days)], folder,
                         timeout=(self.days + 1) * 24 * 3600)
        return dataclasses.replace(job, heartbeat=DAYS_HEARTBEAT_S, backstop=BACKSTOP_S)

    def into(self, figures: dict) -> None:
        LOGS.mkdir(parents=True, exist_ok=True)
        (LOGS / f"{self.phone.name}.txt").write_text("\n".join(self.phone.lines) + "\n")
        month = days.read(self.phone.lines)
        for line in days.violations(month):
            print(f"days: {line}")
        figures["days"] = days.figures(month)


def latencies(log: str, spans: Sequence[tuple[int, int]]) -> dict[str, float]:
    """Late frames and percentiles of the I/Os of a fio latency log that were under way in one of
    these spans, in nanoseconds. Empty if there were none: a quick trim may end before an I/O
    comes.

    A line of the log begins with the end of an I/O in milliseconds and its duration in
    nanoseconds.
    """
    if not log:
        raise LabError("fio's latency log is empty: did the foreground run?")
    taken = []
    for line in log.splitlines():
        at_ms, took_ns = (int(x) for x in line.split(",")[:2])
        # The log's clock has a resolution of one millisecond.
        end = (at_ms + 1) * 1_000_000
        begin = end - took_ns - 1_000_000
        if any(end >= first and begin <= last for first, last in spans):
            taken.append(took_ns / 1e6)
    if not taken:
        return {}
    taken.sort()
    late = sum(x > FRAME_MS for x in taken)
    return {
        "late_per_mille": round(1000 * late / len(taken), 3),
        **{f"p{p}_ms": taken[-(-len(taken) * p // 100) - 1] for p in (50, 99)},
        "max_ms": taken[-1],
    }


# Every task, the longest first.
NAMES = ["days", "dear", "abort", "cheap", *cards.names()]


def expand(only: list[str]) -> list[str]:
    """The names to measure, in order: all if none is given; "any" is every drawn card."""
    chosen = {y for x in only for y in (cards.names() if x == "any" else [x])}
    if wrong := chosen - {*NAMES}:
        raise LabError(f"{', '.join(sorted(wrong))}: not a case; there are any, "
                       f"{', '.join(NAMES)}")
    return [x for x in NAMES if not only or x in chosen]


def tasks(names: list[str], day_count: int = DAYS, seed: int = cards.SEED) -> list[Task]:
    began = time.monotonic()
    made: list[Task] = []
    for name in names:
        phone = Phone(name, guests.teller(name, began))
        if name == "days":
            made.append(Days(phone, day_count))
        elif name == "abort":
            made.append(Aborts(phone))
        else:
            made.append(OneCard(cards.drawn(name, seed), phone))
    return made


def kept(text: str, seed: int) -> dict:
    """Figures of an earlier run that stay while others are measured anew. Drawn cards stay only if
    the seed is the same."""
    old = json.loads(text)
    valid = [x for x in old.get("cards", [])
             if x["name"] in cards.FIXED or old["seed"] == seed]
    return {"cards": valid, **{x: old[x] for x in ("abort_ms", "days") if x in old}}


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("case", nargs="*", metavar="CASE",
                        help="only these, e.g. dear, abort, days, any or any-7; without: all")
    parser.add_argument("--seed", type=int, default=cards.SEED, metavar="N",
                        help="which cards \"any\" draws (default: %(default)s)")
    parser.add_argument("--days", type=int, default=DAYS, metavar="N",
                        help="how long the phone of the month is used (default: %(default)s)")


def bench(args: argparse.Namespace) -> int:
    began = time.monotonic()
    names = expand(args.case)
    chosen = tasks(names, args.days, args.seed)
    print(f"{len(chosen)} virtual phones, {os.cpu_count()} at a time.", flush=True)
    guests.run(chosen)
    figures = {"cards": []}
    if args.case and FIGURES.exists():
        figures = kept(FIGURES.read_text(), args.seed)
    for task in chosen:
        task.into(figures)
    figures["seed"] = args.seed
    violations = judge.violations(figures, names)
    TABLES.write_text(document(figures))
    return guests.report(FIGURES, figures, judge.summary(figures, names), violations, began)


def document(figures: dict) -> str:
    """The text of docs/figures.md, of all figures."""
    measured = [card["name"] for card in figures["cards"]]
    missing = [name for name in NAMES if name not in (*measured, "abort", "days")]
    violations = judge.violations(figures, measured)
    return "\n".join([
        "<!-- SPDX-License-Identifier: Apache-2.0 -->",
        "<!-- Copyright (C) 2026 The Storekeeper Project -->",
        "# Figures of make bench-maintenance", "",
        f"Written by `lab/lab bench-maintenance --seed {figures['seed']}`, not by hand; testing.md "
        "says what is measured.", "",
        *([f"Not measured: {', '.join(missing)}.", ""] if missing else []),
        *judge.summary(figures), "",
        *([f"- not held: {line}" for line in violations] or ["All bounds hold."]), ""])
