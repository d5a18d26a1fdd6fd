# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""`make soak`: trims that are aborted, touched, unplugged, killed and cut off at random moments;
power cuts while who encrypts is on trial, and while a ledger is synced; healthy cards that must
stay out of quarantine; honest phones that storekeeper_bench must believe; power cuts on file
systems in memory, replayed (bench_replay.py). Before these, what needs no phone,
bench_campaigns.py, each kernel, bench_kernels.py, and accuracy.md, bench_seeds.py.

Random, but the same at every run. Each part of a campaign is a virtual phone of its own.
"""

from __future__ import annotations

import json
import statistics
import time
from dataclasses import dataclass
from pathlib import Path

from . import (
    bench_campaigns,
    bench_honest,
    bench_hosts,
    bench_kernels,
    bench_ledger,
    bench_moments,
    bench_phone,
    bench_replay,
    bench_seeds,
    bench_suite,
    bench_trial,
    guest,
)
from .bench_bounds import ABORT_GRACE_MS, ABORT_MEDIAN_MS
from .bench_honest import Runs
from .bench_ledger import Cuts
from .bench_moments import Campaign
from .bench_phone import Phone
from .bench_trial import Healthy, Trials
from .paths import OUT, LabError

FIGURES = OUT / "bench/soak.json"
COUNTS = {"abort": 200, "touch": 100, "unplug": 100, "kill": 200, "cut": 100,
          bench_trial.KIND: 50, bench_trial.HEALTHY: 500, bench_ledger.KIND: 200,
          bench_honest.KIND: 100, bench_replay.KIND: 2000,
          # All cases; with N, one of N.
          **dict.fromkeys(bench_campaigns.KINDS, 1),
          # Each kernel, measured and in use.
          bench_kernels.KIND: 1,
          # Every phone of `make bench-seeds`.
          bench_seeds.KIND: 1,
          # Hours: only when asked for by name.
          **dict.fromkeys((*bench_suite.KINDS, *bench_hosts.KINDS), 0), bench_suite.LONG: 1}
# Those that the soak gives no phones to.
HOSTED = {**dict.fromkeys(bench_campaigns.KINDS, bench_campaigns),
          **dict.fromkeys(bench_kernels.KINDS, bench_kernels),
          **dict.fromkeys(bench_seeds.KINDS, bench_seeds),
          **dict.fromkeys(bench_suite.KINDS, bench_suite),
          **dict.fromkeys(bench_hosts.KINDS, bench_hosts)}
# Those that end no trim.
OTHERS = {bench_trial.KIND: (Trials, bench_trial.PART),
          bench_trial.HEALTHY: (Healthy, bench_trial.PART),
          bench_ledger.KIND: (Cuts, bench_ledger.PART),
          bench_honest.KIND: (Runs, bench_honest.PART)}
# Those that have no moments.
NO_TRIMS = (*HOSTED, bench_replay.KIND)
# What ends a run in order: the next one goes on where it was. A kill may come before the cursor is
# written, and the churn beside it frees blocks of finished groups; a power cut makes the file
# system forget which groups are trimmed.
RESUMES = ("abort", "touch", "unplug")
# A quarter of the time is work. Fewer moments than this may well meet it more often than not.
MEDIAN_OF = 40
# A guest's share: short enough that both cores have work to the end.
PART = 25


@dataclass
class Part:
    """Some moments of one kind."""

    kind: str
    count: int
    seed: int
    phone: Phone

    def job(self, folder: Path) -> guest.Job:
        moments = folder / f"moments-{self.kind}-{self.seed}"
        moments.write_text(bench_moments.moments(self.count, self.seed))
        # A trim's ends need no 4 GiB.
        return bench_phone.job("bench-dear", ["moments.sh", self.kind], folder, bench_phone.SMALL,
                               files=[(moments, f"{bench_phone.INSIDE}/moments")])

    def into(self, figures: dict) -> None:
        reported = bench_moments.read(self.phone.lines)
        of = figures.setdefault(self.kind, {"moments": 0, "times": [], "last_extent_ms": 0.0,
                                            "discarded_again": 0, "held": 0, "bad": []})
        of["moments"] += len(reported.struck)
        of["times"] += [round(r.stop_ms(), 3) for r in reported.struck]
        of["last_extent_ms"] = max(of["last_extent_ms"], bench_moments.last_extent_ms(reported))
        of["discarded_again"] += bench_moments.discarded_again(reported)
        of["held"] += reported.held
        of["bad"] += [*reported.bad, *_missing(reported, self.count), *_calls(reported, self.kind)]


def _missing(reported: Campaign, count: int) -> list[str]:
    found = len(reported.struck)
    return [] if found == count else [f"{found} of {count} moments hit a trim"]


def _calls(reported: Campaign, kind: str) -> list[str]:
    """An abort alone is timed from a call: another one would hide what came before it."""
    calls = sum(r.called is not None for r in reported.struck)
    return [f"{calls} moments are timed from a call"] if calls and kind != "abort" else []


def parts(counts: dict[str, int], part: int = PART) -> list[bench_phone.Task]:
    """The campaigns in pieces, those that take longest first."""
    if wrong := [x for x in counts if x not in COUNTS]:
        raise LabError(f"{', '.join(wrong)}: no kind of moment; there are {', '.join(COUNTS)}")
    began = time.monotonic()
    made: list[bench_phone.Task] = []
    of_phones = {k: n for k, n in counts.items() if k not in HOSTED}
    for kind, count in sorted(of_phones.items(), key=lambda x: -x[1]):
        if kind == bench_replay.KIND:
            made += bench_replay.parts(count, began)
            continue
        other, size = OTHERS.get(kind, (None, part))
        for seed, done in enumerate(range(0, count, size), start=1):
            name = f"{kind} {seed}"
            phone = Phone(name, bench_phone.teller(name, began))
            moments = min(size, count - done)
            made.append(other(moments, seed, phone) if other
                        else Part(kind, moments, seed, phone))
    return made


def measure(counts: dict[str, int], part: int = PART) -> dict:
    """The figures as out/bench/soak.json has them, by kind."""
    pieces = parts(counts, part)
    figures: dict = {kind: HOSTED[kind].run(kind, n) for kind, n in counts.items()
                     if kind in HOSTED}
    bench_phone.run(pieces)
    for piece in pieces:
        piece.into(figures)
    if bench_replay.KIND in counts:
        bench_replay.check(figures, counts[bench_replay.KIND])
    return figures


def broken(figures: dict) -> list[str]:
    """What must hold and does not, one line each."""
    said = []
    for kind, of in figures.items():
        said += [f"{kind}: {x}" for x in of["bad"]]
        if kind in OTHERS or kind in NO_TRIMS:
            continue
        if of["last_extent_ms"] > ABORT_GRACE_MS:
            said.append(f"{kind}: an extent began {of['last_extent_ms']:g} ms after the moment, "
                        f"{ABORT_GRACE_MS} ms are allowed")
        times = of["times"]
        if kind in RESUMES and len(times) >= MEDIAN_OF:
            median = round(statistics.median(times), 3)
            if median > ABORT_MEDIAN_MS:
                said.append(f"{kind}: half of the moments had discards go on for more than "
                            f"{median:g} ms, {ABORT_MEDIAN_MS} ms are allowed")
        if of["discarded_again"] and kind in RESUMES:
            said.append(f"{kind}: {of['discarded_again']} bytes of finished groups were discarded "
                        "again")
    return said


def table(figures: dict) -> list[str]:
    lines = [of.line(kind, figures[kind]) for kind, of in HOSTED.items() if kind in figures]
    if bench_replay.KIND in figures:
        lines += bench_replay.lines(figures)
    moments = {k: of for k, of in figures.items() if k not in NO_TRIMS}
    if moments:
        lines.append(f"{'ended by':<10}{'moments':>9}{'median ms':>11}{'max ms':>9}"
                     f"{'last extent':>15}{'again':>13}{'checks held':>13}")
    for kind, of in moments.items():
        if kind in OTHERS:
            early = ", ".join(f"{n} x {what}" for what, n in sorted(of.get("early", {}).items()))
            lines.append(f"{kind:<10}{of['moments']:>9}{of['held']:>61}   {early}".rstrip())
            continue
        times = sorted(of["times"])
        lines.append(f"{kind:<10}{of['moments']:>9}{times[(len(times) - 1) // 2]:>11.2f}"
                     f"{times[-1]:>9.2f}{of['last_extent_ms']:>15.2f}"
                     f"{of['discarded_again']:>13}{of['held']:>13}")
    return lines


def soak(counts: dict[str, int]) -> int:
    began = time.monotonic()
    figures = measure(counts)
    lines, wrong = table(figures), broken(figures)
    # The figures of kinds that were measured at another time stay.
    before = json.loads(FIGURES.read_text()) if FIGURES.exists() else {}
    return bench_phone.report(FIGURES, {**before, **figures}, lines, wrong, began)
