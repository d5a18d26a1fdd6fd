# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""The soak's trims that are aborted, touched, unplugged, killed and cut off at random moments, and
the table of all its kinds that have moments."""

from __future__ import annotations

import statistics
from dataclasses import dataclass
from pathlib import Path

from .. import guest
from . import guests, moments
from .bounds import ABORT_GRACE_MS, ABORT_MEDIAN_MS, MIN_MOMENTS_FOR_MEDIAN
from .guests import Phone
from .moments import Campaign

# Orderly ends of a run: the next run goes on at the same place. A kill may come before the cursor
# is written, and the churn beside it frees blocks of finished groups. A power cut makes the file
# system forget which groups are trimmed.
RESUMES = ("abort", "touch", "unplug")
# A guest's share of the moments: small enough that all cores have work to the end.
PART = 25
HEAD = (f"{'ended by':<10}{'moments':>9}{'median ms':>11}{'max ms':>9}{'last extent':>15}"
        f"{'again':>13}{'checks held':>13}")


@dataclass
class Part:
    """Some moments of one kind."""

    kind: str
    count: int
    seed: int
    phone: Phone

    def job(self, folder: Path) -> guest.Job:
        # The end of a trim does not depend on the card's size, so a small card suffices.
        return guests.job("bench-dear", ["moments.sh", self.kind], folder, guests.SMALL,
                          files=[guests.moments_file(folder, self.kind, self.count, self.seed)])

    def into(self, figures: dict) -> None:
        reported = moments.read(self.phone.lines)
        record = figures.setdefault(self.kind, {"moments": 0, "times": [], "last_extent_ms": 0.0,
                                                "discarded_again": 0, "held": 0, "bad": []})
        record["moments"] += len(reported.struck)
        record["times"] += [round(r.stop_ms(), 3) for r in reported.struck]
        record["last_extent_ms"] = max(record["last_extent_ms"], moments.last_extent_ms(reported))
        record["discarded_again"] += moments.discarded_again(reported)
        record["held"] += reported.held
        record["bad"] += [*reported.bad, *_missing(reported, self.count),
                          *_calls(reported, self.kind)]


def _missing(reported: Campaign, count: int) -> list[str]:
    found = len(reported.struck)
    return [] if found == count else [f"{found} of {count} moments hit a trim"]


def _calls(reported: Campaign, kind: str) -> list[str]:
    """Only an abort is timed from a call; elsewhere a call would hide the discards before it."""
    calls = sum(r.called is not None for r in reported.struck)
    return [f"{calls} moments are timed from a call"] if calls and kind != "abort" else []


def violations(kind: str, figures: dict) -> list[str]:
    """The bounds that the ends of trims break."""
    lines = []
    if figures["last_extent_ms"] > ABORT_GRACE_MS:
        lines.append(f"an extent began {figures['last_extent_ms']:g} ms after the moment, "
                     f"{ABORT_GRACE_MS} ms are allowed")
    times = figures["times"]
    if kind in RESUMES and len(times) >= MIN_MOMENTS_FOR_MEDIAN:
        median = round(statistics.median(times), 3)
        if median > ABORT_MEDIAN_MS:
            lines.append(f"half of the moments had discards go on for more than {median:g} ms, "
                         f"{ABORT_MEDIAN_MS} ms are allowed")
    if figures["discarded_again"] and kind in RESUMES:
        lines.append(f"{figures['discarded_again']} bytes of finished groups were discarded again")
    return lines


def line(kind: str, figures: dict) -> str:
    times = sorted(figures["times"])
    median = times[(len(times) - 1) // 2]
    return (f"{kind:<10}{figures['moments']:>9}{median:>11.2f}{times[-1]:>9.2f}"
            f"{figures['last_extent_ms']:>15.2f}{figures['discarded_again']:>13}"
            f"{figures['held']:>13}")


def held_line(kind: str, figures: dict) -> str:
    """The row of a kind that ends no trim."""
    early = ", ".join(f"{n} x {what}" for what, n in sorted(figures.get("early", {}).items()))
    return f"{kind:<10}{figures['moments']:>9}{figures['held']:>61}   {early}".rstrip()
