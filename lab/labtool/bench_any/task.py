# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""A guest of the part "any": one drawn card, all cases in one boot."""

from __future__ import annotations

import dataclasses
import re
import statistics
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from .. import bench_phone, guest
from ..bench_phone import Phone, Size
from .draw import Drawn

SIDES = ("read", "write")
# How long the foreground is watched in each case at least: 200 writes, of which the third longest
# is the 99th percentile. Shorter runs are repeated, so often at most.
WATCHED_S = 10
MOST_RUNS = 10
# Of the watchdog: a slow card takes long to get its file system.
HEARTBEAT_S = 300
# As report/report_text.cpp of system-service prints it.
SIZE = re.compile(r"discards of at most (\d+) KiB, ([\d.]+) ms each")
BINDING = re.compile(r"a discard of \d+ KiB takes .*")

# Percentiles of a log between pairs of moments: bench_maintenance.latencies().
Latencies = Callable[[str, Sequence[tuple[int, int]]], dict[str, float]]


@dataclass
class AnyCard:
    drawn: Drawn
    phone: Phone
    latencies: Latencies
    logs_folder: Path
    most_runs: int = MOST_RUNS
    logs: dict[tuple[str, str], Path] = field(default_factory=dict)

    def job(self, folder: Path) -> guest.Job:
        self.logs_folder.mkdir(parents=True, exist_ok=True)
        self.logs = {(case, side): self.logs_folder / f"{self.drawn.name}-{case}.{side}.log"
                     for case in self.drawn.cases for side in SIDES}
        size = Size(self.drawn.parameters(), self.drawn.image.plan_mib, self.drawn.plan)
        words = ["any.sh", self.drawn.image.fs, self.drawn.options, str(WATCHED_S),
                 str(self.most_runs), *self.drawn.cases]
        job = bench_phone.job("bench-cheap", words, folder, size,
                              get=[(f"/run/{case}.{side}", path)
                                   for (case, side), path in self.logs.items()])
        return dataclasses.replace(job, heartbeat=HEARTBEAT_S)

    def into(self, figures: dict) -> None:
        others = [x for x in figures.get("any", []) if x["name"] != self.drawn.name]
        figures["any"] = sorted([*others, self.entry()],
                                key=lambda x: int(x["name"].rpartition("-")[2]))

    def entry(self) -> dict[str, Any]:
        """Of the list "any" of out/bench/maintenance.json."""
        cases = {case: self._case(case) for case in self.drawn.cases}
        size = self._size()
        return {
            **self.drawn.described(),
            **ratios(cases),
            "repeat_discarded_bytes": sum(self._facts("storekeeper", "repeat_discarded_bytes")),
            **({} if size is None else {
                "discard_kib": size, "discard_ms": round(self.drawn.card.discard_ms(size), 3)}),
            "binds": self._binding(),
            "cases": cases,
        }

    def _facts(self, case: str, what: str) -> list[int]:
        """Of each run of a case."""
        return [self.phone.fact(f"{case}_{i}_{what}")
                for i in range(1, self.phone.fact(f"{case}_runs") + 1)]

    def _case(self, case: str) -> dict[str, Any]:
        spans = list(zip(self._facts(case, "begin_ns"), self._facts(case, "end_ns"), strict=True))
        return {
            **{side: self.latencies(self.logs[case, side].read_text(), spans) for side in SIDES},
            "runs": len(spans),
            "discarded_bytes": statistics.mean(self._facts(case, "discarded_bytes")),
            "duration_ms": round(statistics.mean(end - begin for begin, end in spans) / 1e6, 3),
            # The card may be new to storekeeperd in it.
            "first_ms": round((spans[0][1] - spans[0][0]) / 1e6, 3),
        }

    def _notes(self, case: str) -> str:
        return "\n".join(x for x in self.phone.lines if x.startswith(f"@note {case} "))

    def _size(self) -> int | None:
        found = SIZE.search(self._notes("storekeeper"))
        return None if found is None else int(found[1])

    def _binding(self) -> dict[str, str]:
        """By case: what storekeeperd says breaks the budget."""
        found = {case: BINDING.search(self._notes(case)) for case in ("storekeeper", "hurry")}
        return {case: text[0] for case, text in found.items() if text is not None}


def _ratio(ours: float, fstrim: float) -> float | None:
    """None where fstrim was done before anybody came."""
    return round(ours / fstrim, 4) if fstrim else None


def ratios(cases: dict[str, dict]) -> dict[str, float | None]:
    """What storekeeperd's runs are compared with fstrim's."""
    fstrim, ours = cases["fstrim"], cases["storekeeper"]
    base = fstrim["discarded_bytes"]
    return {
        **{f"p99_{side}_ratio": _ratio(ours[side]["p99_ms"], fstrim[side]["p99_ms"])
           for side in SIDES},
        "max_ms": max(ours[side]["max_ms"] for side in SIDES),
        "duration_ratio": round(ours["duration_ms"] / fstrim["duration_ms"], 3),
        "hurry_ratio": round(cases["hurry"]["duration_ms"] / fstrim["duration_ms"], 3),
        # Where fstrim finds nothing there is none: bounds.is_empty().
        "discarded_ratio": round(ours["discarded_bytes"] / base, 5) if base else None,
    }
