# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""Simulated fleets whose truth is compared with what the queries make of their data sets."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from storekeeper_fleet import engine
from storekeeper_fleet.base import base
from storekeeper_fleet.dataset import Dataset
from storekeeper_fleet.queries import Answers
from storekeeper_fleet.simulate import QUARTERS, Truth, simulate

DEVICES, MONTHS = 2000, 12
# Constants of the forecast were chosen by looking at lower ones.
FIRST_SEED = 40_000


@dataclass
class Counts:
    """The number of fleets in which each property held."""

    fleets: int = 0
    covered: list[int] = field(default_factory=lambda: [0] * QUARTERS)
    planted_fleets: int = 0
    planted_found: int = 0
    plain_fleets: int = 0
    false_alarms: int = 0

    def covered_pct(self) -> list[float]:
        return [round(100 * x / max(self.fleets, 1), 1) for x in self.covered]

    def result(self) -> dict[str, Any]:
        return {"fleets": self.fleets, "devices_each": DEVICES, "covered_pct": self.covered_pct(),
                "planted_fleets": self.planted_fleets, "planted_found": self.planted_found,
                "plain_fleets": self.plain_fleets, "false_alarms": self.false_alarms}


def look(seed: int, plants: list[str], devices: int = DEVICES
         ) -> tuple[Truth, list[dict[str, Any]], list[dict[str, Any]]]:
    """The truth of a fleet, its forecast and its firmware."""
    with tempfile.TemporaryDirectory(prefix="fleet.") as folder:
        truth = simulate(devices, MONTHS, seed, Path(folder, "fleet"), plants)
        with engine.start("duckdb", Dataset(Path(folder, "fleet"))) as started:
            answers = Answers(base(started))
            return truth, answers.rows("replacements"), answers.rows("firmware")


def calibrate(fleets: int, advance: Callable[[int, int], None] = lambda done, of: None,
              first_seed: int = FIRST_SEED) -> Counts:
    """Half of the fleets have a firmware of twice the write amplification."""
    counts = Counts()
    for number in range(fleets):
        plants = ["firmware"] if number % 2 else []
        truth, forecast, firmware = look(first_seed + number, plants)
        counts.fleets += 1
        for quarter, row in enumerate(forecast):
            counts.covered[quarter] += row["low"] <= truth.replacements[quarter] <= row["high"]
        if plants:
            counts.planted_fleets += 1
            first = [firmware[0]["chip_model"], firmware[0]["chip_firmware"]]
            counts.planted_found += (first == truth.planted["firmware"]
                                     and bool(firmware[0]["alarm"]))
        else:
            counts.plain_fleets += 1
            counts.false_alarms += sum(bool(r["alarm"]) for r in firmware)
        advance(number + 1, fleets)
    return counts
