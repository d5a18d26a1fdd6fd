# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""`make soak`'s kind "honest": storekeeper_bench believes phones that are truthful."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from .. import guest
from ..paths import LabError
from . import guests
from .guests import Phone

KIND = "honest"
# The phones, in turn: hybrid and page-mapped cards, with and without a cache, plain and encrypted
# by an engine.
PROFILES = ("pixel", "nexus7-2012", "xperia-z", "bench-dear", "nexus6")
# Runs of the whole matrix on one phone.
PART = 10


@dataclass
class Runs:
    """Some runs of one phone."""

    count: int
    seed: int
    phone: Phone

    @property
    def profile(self) -> str:
        return PROFILES[self.seed % len(PROFILES)]

    def job(self, _: Path) -> guest.Job:
        return seed_matrix(self.profile, [], self.count)

    def into(self, figures: dict) -> None:
        record = figures.setdefault(KIND, {"moments": 0, "held": 0, "bad": []})
        reasons: Counter[str] = Counter()
        for figure in result(self.phone)["figures"]:
            if len(figure["repetitions"]) != self.count:
                record["bad"].append(f"{self.profile}: {figure['name']}: "
                                     f"{len(figure['repetitions'])} of {self.count} runs")
            for one in figure["repetitions"]:
                if one["verdict"] == "VALID":
                    record["held"] += 1
                    continue
                against = [f"{figure['name']}: {reason['code']}: {reason['text']}"
                           for reason in one["reasons"] if reason["level"] != "note"]
                reasons.update(against or [f"{figure['name']}: {one['verdict']} without a reason"])
        record["moments"] += self.count
        record["bad"] += [f"{self.profile}: {n} x {text}" for text, n in reasons.items()]


def seed_matrix(profile: str, parameters: list[str], count: int) -> guest.Job:
    """Measures a phone with the matrix "seed", `count` times."""
    return guests.script(profile, parameters, ["matrix.sh", "seed", str(count)])


def result(phone: Phone) -> dict:
    """The result of storekeeper_bench, as matrix.sh reported it."""
    for line in phone.lines:
        if line.startswith("@bench "):
            return json.loads(line.removeprefix("@bench "))
    raise LabError(f"{phone.name}: storekeeper_bench reported no result")
