# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""Simulated fleets of each kind, whose truth is compared with what the queries make of them."""

from __future__ import annotations

import statistics
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from storekeeper_fleet import engine, expressions, survival
from storekeeper_fleet.base import base
from storekeeper_fleet.dataset import Dataset
from storekeeper_fleet.queries import Answers
from storekeeper_fleet.simulate import QUARTERS, Truth, simulate, within_life
from storekeeper_fleet.troubles import CHANGES, TROUBLES

DEVICES, MONTHS = 2000, 12
# The program was written with fleets of lower seeds.
FIRST_SEED = 520_000
# A curve's point at this age is compared.
AGE_YEARS = 1.0
OTHERS = tuple(x for x in TROUBLES if x not in CHANGES)


@dataclass(frozen=True)
class Kind:
    """Arguments of `simulate`; of several sets of troubles, fleets have one in turn."""

    troubles: tuple[tuple[str, ...], ...] = ((),)
    plants: tuple[str, ...] = ()
    weeks: int | None = None  # of a short data set


KINDS = {
    "plain": Kind(),
    "firmware": Kind(plants=("firmware",)),
    "change": Kind((("double",), ("half",))),
    "season": Kind((("season",),)),
    "skip": Kind((("skip", "late-steps"),)),
    "short-8": Kind(weeks=8),
    "short-12": Kind(weeks=12),
    "all": Kind(tuple((x, *OTHERS) for x in CHANGES)),
}


@dataclass
class Counts:
    """Figures that held, and how many there were."""

    fleets: int = 0
    unknown: int = 0
    covered: list[int] = field(default_factory=lambda: [0] * QUARTERS)
    # Widths of bands, and expected counts, as multiples of the truth.
    widths: list[float] = field(default_factory=list)
    expected: list[float] = field(default_factory=list)
    false_alarms: int = 0
    planted_found: int = 0
    gb: list[bool] = field(default_factory=list)
    survival: list[bool] = field(default_factory=list)
    trims_off: float = 0.0

    def forecast(self, truth: Truth, rows: list[dict[str, Any]]) -> None:
        if rows[0]["unknown"]:
            self.unknown += 1
            return
        for quarter, row in enumerate(rows):
            true = truth.replacements[quarter]
            self.covered[quarter] += row["low"] <= true <= row["high"]
            self.widths.append((row["high"] - row["low"]) / max(true, 1))
            self.expected.append(row["expected"] / max(true, 1))

    def firmware(self, truth: Truth, rows: list[dict[str, Any]]) -> None:
        planted = truth.planted.get("firmware")
        alarms = [[r["chip_model"], r["chip_firmware"]] for r in rows if r["alarm"]]
        self.planted_found += planted in alarms
        self.false_alarms += any(x != planted for x in alarms)
        for row in rows:
            if row["gb_per_step"]:
                true = truth.bytes_per_step[f"{row['chip_model']} {row['chip_firmware']}"] / 1e9
                self.gb.append(row["gb_per_step_low"] <= true <= row["gb_per_step_high"])

    def curves(self, true: dict[str, float], rows: list[dict[str, Any]]) -> None:
        for model, share in true.items():
            of = [r for r in rows if r["value"] == model and r["years"] is not None
                  and r["years"] <= AGE_YEARS]
            if of:
                self.survival.append(of[-1]["low"] <= share <= of[-1]["high"])

    def result(self) -> dict[str, Any]:
        known = self.fleets - self.unknown

        def pct(held: int | list[bool], of: int | None = None) -> float | None:
            of = len(held) if isinstance(held, list) else of
            return round(100 * (sum(held) if isinstance(held, list) else held) / of, 1) if of \
                else None
        return {"fleets": self.fleets, "unknown": self.unknown,
                "held_pct": pct(sum(self.covered), known * QUARTERS),
                "held_pct_by_quarter": [pct(x, known) for x in self.covered],
                "median_width": round(statistics.median(self.widths), 2) if known else None,
                "median_expected": round(statistics.median(self.expected), 2) if known else None,
                "fleets_with_false_alarms": self.false_alarms,
                "planted_found": self.planted_found,
                "gb": len(self.gb), "gb_held_pct": pct(self.gb),
                "survival": len(self.survival), "survival_held_pct": pct(self.survival),
                "trims_off": round(self.trims_off, 3)}


def look(kind: Kind, seed: int, counts: Counts, devices: int = DEVICES) -> None:
    """Adds a fleet to the counts."""
    counts.fleets += 1
    trouble = kind.troubles[seed % len(kind.troubles)]
    with tempfile.TemporaryDirectory(prefix="fleet.") as folder:
        truth = simulate(devices, MONTHS, seed, Path(folder, "fleet"), list(kind.plants),
                         trouble=trouble, weeks=kind.weeks)
        with engine.start("duckdb", Dataset(Path(folder, "fleet"))) as started:
            answers = Answers(base(started))
            counts.forecast(truth, answers.rows("replacements"))
            counts.firmware(truth, answers.rows("firmware"))
            # A change moves the curve, to a place that hangs on its date.
            if not CHANGES.keys() & set(trouble):
                cells = answers.result(expressions.survival_cells)
                counts.curves(within_life(trouble, AGE_YEARS), survival.curves(
                    [r for r in cells if r["dimension"] == "device_model"]))
            for row in answers.rows("trims"):
                if row["dimension"] == "device_model" and row["trimmed_share"] is not None:
                    off = abs(row["trimmed_share"] - truth.trimmed[row["value"]])
                    counts.trims_off = max(counts.trims_off, off)


def calibrate(name: str, fleets: int, advance: Callable[[int, int], None] = lambda done, of: None,
              first_seed: int = FIRST_SEED, devices: int = DEVICES) -> Counts:
    """Fleets of one kind, each kind with seeds of its own."""
    counts = Counts()
    first = first_seed + 1000 * list(KINDS).index(name)
    for number in range(fleets):
        look(KINDS[name], first + number, counts, devices)
        advance(number + 1, fleets)
    return counts
