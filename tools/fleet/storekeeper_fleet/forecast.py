# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""Expected replacements, from counts that the engine has reduced.

A device that may still write between `low` and `low + width` weeks at today's rate passes its rated
life in a quarter with the probability that this time, each moment as likely, falls into it. Its
rate is that of its newest quarter, moved by what the fleet has in common (rates.py) and scattered
as the fleet's devices have done. A worn device may leave before, as worn devices have left.

The number of replacements is a sum of independent devices; what all of them share adds to its
variance: the course of the rates, the estimates of endurance, and those of leaving.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from scipy import stats

from .base import GONE_DAYS, PAST_LIFE
from .endurance import CONFIDENCE, MIN_STEPS, NODES, key
from .rates import QUARTER_WEEKS, Course

QUARTERS = 8
# Half a year shows at least half of a season's swing (rates.py).
MIN_WEEKS = 2 * QUARTER_WEEKS
# Departures that a fit of two parameters needs.
MIN_GONE = 10

Row = dict[str, Any]


class Leaving:
    """Departures a week by step of wear: the logarithm is linear in the step, by Poisson's
    regression."""

    def __init__(self, rows: list[Row]) -> None:
        rows = [r for r in rows if r["days"] > 0 and 0 < r["wear"] < PAST_LIFE]
        wear = np.array([r["wear"] for r in rows], float)
        weeks = np.array([r["days"] for r in rows], float) / 7
        gone = np.array([r["gone"] for r in rows], float)
        total = gone.sum() + .5
        self.middle = float(np.average(wear, weights=weeks)) if len(rows) else 0.0
        self.log = np.array([math.log(total / max(weeks.sum(), 1)), 0.0])
        self.variance = np.array([[1 / total, 0], [0, 0]])
        if gone.sum() < MIN_GONE or len(rows) < 2:
            return
        design = np.column_stack([np.ones(len(wear)), wear - self.middle])
        for _time in range(50):
            mean = weeks * np.exp(np.clip(design @ self.log, -30, 5))
            information = design.T @ (design * mean[:, None])
            step = np.linalg.solve(information, design.T @ (gone - mean))
            self.log += np.clip(step, -1, 1)
            if np.abs(step).max() < 1e-9:
                break
        self.variance = np.linalg.inv(information)

    def hazard(self, wear: np.ndarray) -> np.ndarray:
        """Departures a week on the way from a step of wear to the end of the rated life."""
        return np.exp(self.log[0] + self.log[1] * ((wear + PAST_LIFE) / 2 - self.middle))

    def error(self, wear: np.ndarray) -> np.ndarray:
        """The relative standard error of hazard()."""
        design = np.column_stack([np.ones(len(wear)), (wear + PAST_LIFE) / 2 - self.middle])
        return np.sqrt(np.einsum("ij,jk,ik->i", design, self.variance, design))


def _passed(low: np.ndarray, width: np.ndarray, reach: np.ndarray, sd: float,
            nodes: tuple[np.ndarray, np.ndarray]) -> np.ndarray:
    """The probability of each cell's devices to have passed their rated life when they have written
    what is `reach` weeks at today's rate, on average."""
    points, weights = nodes
    scatter = np.exp(sd * points - sd * sd / 2)
    part = np.clip((reach[:, None] * scatter[None, :] - low[:, None]) / width[:, None], 0, 1)
    return part @ weights


def unknown(basis: Row, course: Course | None) -> str:
    """Why there is no forecast; empty when there is one."""
    left_out = _left_out(basis)
    if not basis["devices"] + left_out:
        return "the fleet has no device within its rated life"
    if basis["weeks"] < MIN_WEEKS:
        return f"{basis['weeks']} weeks of data, {MIN_WEEKS} needed"
    if not basis["devices"]:
        return (f"none of {left_out} devices can be forecast: {basis['no_wear']} do not report "
                f"their wear, {basis['no_rate']} have no rate of writes, {basis['no_step']} have a "
                f"chip of which fewer than {MIN_STEPS} steps were seen")
    return course.unknown if course else ""


def _left_out(basis: Row) -> int:
    return basis["no_wear"] + basis["no_rate"] + basis["no_step"]


def replacements(cells: list[Row], leaving: list[Row], basis: Row, fits: list[Row],
                 course: Course | None) -> list[Row]:
    """A row for each quarter to come: expected a week, and the band; or why it is not known."""
    why = unknown(basis, course)
    if why or course is None:
        return [_row(quarter, basis, None, why) for quarter in range(QUARTERS)]
    if not cells:
        return [_row(quarter, basis, (0.0, 0.0)) for quarter in range(QUARTERS)]
    points, weights = np.polynomial.hermite_e.hermegauss(NODES)
    nodes = (points, weights / weights.sum())
    low = np.array([x["low"] for x in cells], float)
    width = np.array([x["width"] for x in cells], float)
    wear = np.array([x["wear_last"] for x in cells], float)
    count = np.array([x["devices"] for x in cells], float)
    level = np.array([course.level.get(x["device_model"], 1.0) for x in cells])
    # Firmwares that have no steps of their own share their chip's error.
    own = {key(r): key(r) if r["own"] else key(r)[:2] for r in fits}
    # Replaced are chips in their last step, to which the line of steps by wear leads.
    error_of = {own[key(r)]: math.hypot(r["error"], r["slope_error"] * (PAST_LIFE - 1 - r["wear"]))
                for r in fits if r["error"]}
    group = {k: i for i, k in enumerate(error_of)}
    of = np.array([group[own[key(x)]] for x in cells], int)
    spread = np.array(list(error_of.values()))
    leaves = Leaving(leaving)
    hazard, hazard_error = leaves.hazard(wear), leaves.error(wear)

    def chance(quarter: int, shift: float = 0) -> np.ndarray:
        ends = []
        for weeks in (quarter * QUARTER_WEEKS, (quarter + 1) * QUARTER_WEEKS):
            reach = course.reach(weeks) * level * math.exp(shift)
            ends.append(_passed(low, width, reach, course.scatter(weeks), nodes))
        return np.clip(ends[1] - ends[0], 0, 1)

    rows = []
    step = .02
    for quarter in range(QUARTERS):
        # A departure is known only after GONE_DAYS of silence.
        away = (quarter + .5) * QUARTER_WEEKS + GONE_DAYS / 7
        stays = np.exp(-hazard * away)
        p = chance(quarter) * stays
        expected = float(count @ p)
        variance = float(count @ (p * (1 - p)))
        # Endurance that is less by a hundredth is a rate that is more by one.
        slope = np.bincount(of, count * (chance(quarter, step) * stays - p), len(group)) / step
        variance += float(((slope * spread) ** 2).sum())
        variance += (expected * float(course.doubt[quarter])) ** 2
        variance += float(count @ (p * hazard * away * hazard_error)) ** 2
        rows.append(_row(quarter, basis, (expected, variance)))
    return rows


def _row(quarter: int, basis: Row, moments: tuple[float, float] | None, why: str = "") -> Row:
    expected = low = high = None
    if moments:
        expected, (low, high) = moments[0], band(*moments)

    def a_week(count: float | None) -> float | None:
        return None if count is None else count / QUARTER_WEEKS
    return {"quarter": quarter + 1, "from_week": quarter * QUARTER_WEEKS,
            "to_week": (quarter + 1) * QUARTER_WEEKS, "devices": basis["devices"],
            "devices_left_out": _left_out(basis), "expected": expected, "low": low, "high": high,
            "a_week": a_week(expected), "a_week_low": a_week(low), "a_week_high": a_week(high),
            "unknown": why}


def band(expected: float, variance: float) -> tuple[float, float]:
    """The range that holds 90 % of a count with this mean and variance."""
    if expected <= 0:
        return 0.0, 0.0
    tails = ((1 - CONFIDENCE) / 2, (1 + CONFIDENCE) / 2)
    if variance > expected * 1.001:
        p = expected / variance
        law = stats.nbinom(expected * p / (1 - p), p)
    elif variance < expected * .999:
        # Binomial: as many trials as have this variance.
        p = 1 - variance / expected
        law = stats.binom(max(round(expected / p), math.ceil(expected)), min(p, 1.0))
    else:
        law = stats.poisson(expected)
    return tuple(float(x) for x in law.ppf(tails))  # type: ignore[return-value]
