# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""What real fleets do and a plain simulated one does not, each by a name of its own.

A trouble changes either what phones do (writes, wear, departures) or what their dumps show of it
(registers, counters, ledgers). Fleet-wide facts, the date of a change for one, are drawn once for a
fleet; the rest is drawn by chip from random numbers of its own, so that a fleet with a trouble has
the chips of the same fleet without it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

Array = np.ndarray
TROUBLES = {
    "double": "a build or an app makes all phones write twice as much from some date on",
    "half": "a build or an app makes all phones write half as much from some date on",
    "season": "writes swing by a fifth around their mean, once a year",
    "skip": "a third of the chips never shows one of the steps of wear",
    "late-steps": "chips show a step of wear up to four weeks late",
    "frozen": "counters of a twentieth of the chips stand still for 4 to 20 weeks",
    "late-ledgers": "two of five ledgers began when the chip had been in use",
    "worn-leave": "worn phones leave the fleet more often",
    "firmware-by-age": "newer phones have newer firmware, and old phones wear more for each byte",
    "phones-differ": "the life of chips of one firmware scatters by a fifth",
    "rare-dumps": "three of ten phones send a dump in five weeks, and half of these never trim",
}
CHANGES = {"double": 2.0, "half": 0.5}
SEASON, YEAR_WEEKS = 0.2, 365.25 / 7
SKIPS, MAX_DELAY_WEEKS, FROZEN, LATE_LEDGERS, RARE = 1 / 3, 4, .05, .4, .3
RARE_WEEKS, ROLLOUT_WEEKS = 5, 7
PHONES_SD = .2
# Wear for each byte grows by this share of its first value a year.
AGEING = .08
# Departures by wear, as a multiple of the plain rate: of a new chip, and more at the rated life.
NEW_LEAVE, WORN_LEAVE = .5, 3.0


@dataclass(frozen=True)
class Troubles:
    """The troubles of a fleet and its own dates."""

    names: frozenset[str]
    change_week: int
    factor: float  # of the writes from change_week on; 1: none
    by_build: bool
    phase: float  # the week of the year in which most is written

    def season(self, week: Array) -> Array:
        if "season" not in self.names:
            return np.ones(len(week))
        return 1 + SEASON * np.cos(2 * np.pi * (week - self.phase) / YEAR_WEEKS)

    def changed(self, week: Array, update: Array) -> Array:
        """The factor of a one-time change: a row for each chip."""
        since = update if self.by_build else np.full(len(update), self.change_week)
        return np.where(week >= since[:, None], self.factor, 1.0)

    def cost(self, week: Array, age: Array) -> Array:
        """Wear for each byte by the chip's age."""
        if "firmware-by-age" not in self.names:
            return np.ones((len(age), len(week)))
        return 1 + AGEING / 52 * np.maximum(age[:, None] + week, 0)


def troubles(names: list[str], seed: int, weeks: int) -> Troubles:
    """The change comes in the data set's time, and early enough to have ended before its end."""
    rng = np.random.default_rng([seed, 1 << 31])
    week = int(rng.integers(weeks // 8, max(weeks - 2 * ROLLOUT_WEEKS, weeks // 8 + 1)))
    by_build, phase = bool(rng.random() < .5), float(rng.uniform(0, YEAR_WEEKS))
    factor = 1.0
    for name in names:
        factor *= CHANGES.get(name, 1.0)
    return Troubles(frozenset(names), week, factor, by_build and factor != 1.0, phase)


def firmware_by_age(rng: np.random.Generator, age: Array, shares: list[float]) -> Array:
    """A firmware for each chip: the older, the lower its number; some are updated late."""
    order = np.argsort(np.argsort(-(age + rng.normal(0, 52, len(age)))))
    return np.searchsorted(np.cumsum(shares)[:-1], (order + .5) / len(age))


def leave_by_wear(rng: np.random.Generator, used: Array, enrolled: Array, a_week: float) -> Array:
    """The week in which each chip leaves; one beyond the last if it does not."""
    week = np.arange(used.shape[1])
    hazard = a_week * (NEW_LEAVE + WORN_LEAVE * np.clip(used, 0, 1)) * (week >= enrolled[:, None])
    gone = np.cumsum(hazard, axis=1) > rng.exponential(1, len(used))[:, None]
    return np.where(gone.any(axis=1), np.argmax(gone, axis=1), used.shape[1])


@dataclass
class Shown:
    """How the dumps of each chip differ from the truth."""

    delay: Array  # weeks
    skipped: Array  # a step that is not shown; 0: none
    early: Array  # shown as the step after the skipped one, else as the one before
    frozen_from: Array  # weeks
    frozen_to: Array
    ledger: Array  # share of the age before week 0 that the ledger has
    rare: Array

    def wear(self, row: Array, wear: Array) -> Array:
        hit = wear == self.skipped[row]
        return np.where(hit, np.where(self.early[row], wear + 1, wear - 1), wear)


def shown(rng: np.random.Generator, names: frozenset[str], n: int, weeks: int) -> Shown:
    def some(name: str, share: float) -> Array:
        return (rng.random(n) < share) & (name in names)
    delay = rng.integers(0, MAX_DELAY_WEEKS + 1, n) * ("late-steps" in names)
    skipped = np.where(some("skip", SKIPS), rng.integers(2, 10, n), 0)
    early = rng.random(n) < .5
    begin = np.where(some("frozen", FROZEN), rng.integers(0, weeks, n), weeks)
    end = begin + rng.integers(4, 21, n)
    ledger = np.where(some("late-ledgers", LATE_LEDGERS), rng.random(n), 1.0)
    return Shown(delay, skipped, early, begin, end, ledger, some("rare-dumps", RARE))
