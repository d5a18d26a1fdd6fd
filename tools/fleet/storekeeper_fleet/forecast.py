# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""Expected replacements and bad firmware, from counts that the engine has reduced.

A device that may still write between `low` and `low + width` weeks at today's rate passes its rated
life in a quarter with the probability that this time, each moment as likely, falls into it. Rates
change: by the logarithm's mean and variance, which the fleet's own past gives. The number of
replacements is a sum of independent devices; what all of them share adds to its variance: the
estimates of endurance, drift, and leaving.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from scipy import stats

from .base import GONE_DAYS
from .expressions import MIN_STEPS

QUARTERS = 8
QUARTER_WEEKS = 13
CONFIDENCE = 0.90
# Nodes of the Gauss-Hermite quadrature over the normal distribution of a logarithm.
NODES = 15
YEAR_WEEKS = 365.25 / 7
# The newest quarter gives the rates; the quarter before it shows their change and the departures.
MIN_WEEKS = 2 * QUARTER_WEEKS
# A firmware is bad if it uses this many times the life that the chip's other firmwares use.
BAD_RATIO = 1.25
# Probability of a false alarm in a fleet, over all firmwares together.
FALSE_ALARMS = 0.01
MIN_SHOWING = 20
# The model's own error: up to 3 % of the mean of simulated fleets (docs/fleet.md).
MODEL_SD = .03
# Dumps a week apart cannot locate the end of a step more exactly.
MIN_LOG_SD = .004

Row = dict[str, Any]
KEYS = ("chip_maker", "chip_model", "chip_firmware")


def key(row: Row) -> tuple[str, ...]:
    return tuple(row[x] for x in KEYS)


def log_sd(row: Row) -> float:
    """Variance of the GB for each step: the devices' scatter about their common ratio."""
    if row["steps"] <= 0 or row["gb"] <= 0 or row["showing"] < 2:
        return 1.0
    ratio = row["gb"] / row["steps"]
    rest = row["gb_2"] - 2 * ratio * row["steps_gb"] + ratio**2 * row["steps_2"]
    return math.sqrt(max(rest, 0) * row["showing"] / (row["showing"] - 1)) / row["gb"]


def _moments(cells: list[Row], name: str) -> tuple[float, float, float]:
    """Mean, variance and count of a ratio's logarithm; the largest hundredths are left out at both
    ends."""
    cells = [x for x in cells if x[name] is not None]
    if not cells:
        return 0.0, 0.0, 0.0
    value = np.log((np.array([x[name] for x in cells]) + .5) / 100)
    weight = np.array([x["devices"] for x in cells], float)
    order = np.argsort(value)
    value, weight = value[order], weight[order]
    place = (np.cumsum(weight) - weight / 2) / weight.sum()
    kept = (place > .01) & (place < .99)
    if kept.sum() < 3:
        kept[:] = True
    value, weight = value[kept], weight[kept]
    mean = float(np.average(value, weights=weight))
    # 0.93: what is left of a normal distribution's variance.
    return mean, float(np.average((value - mean) ** 2, weights=weight)) / .93, float(weight.sum())


class Drift:
    """How a device's rate differs from that of its newest quarter, by how far ahead, in years."""

    # Between the middles of the quarters that are compared, and of the newest and what is older.
    NEAR, FAR = 0.25, 0.625

    def __init__(self, cells: list[Row]) -> None:
        near_mean, near_var, near_n = _moments(cells, "recent_pct")
        far_mean, far_var, far_n = _moments(cells, "older_pct")
        mean, self.count = (far_mean / self.FAR, far_n) if far_n else \
            (near_mean / self.NEAR, near_n)
        # For quarters with noise n and drift d: var near = 2 n + NEAR² d; var far = 1.5 n + FAR² d.
        if far_n and near_n:
            d = (far_var - .75 * near_var) / (self.FAR**2 - .75 * self.NEAR**2)
            self.variance = max(d, 0.0)
            self.noise = max((near_var - self.NEAR**2 * self.variance) / 2, 0.0)
        else:
            self.variance, self.noise = near_var / self.NEAR**2, near_var / 2
        self.mean = mean if self.count >= 100 else 0.0
        sd = math.sqrt((far_var if far_n else near_var) / max(self.count, 1))
        self.mean_sd = max(sd / (self.FAR if far_n else self.NEAR), .002)

    @staticmethod
    def middle(weeks: float) -> float:
        """Years from the middle of the newest quarter to that of the weeks to come."""
        return weeks / YEAR_WEEKS / 2 + .125

    def of(self, weeks: float) -> tuple[float, float]:
        """Mean and standard deviation of the logarithm of the mean rate over the next weeks."""
        middle = self.middle(weeks)
        return self.mean * middle, math.sqrt(self.noise + self.variance * middle**2)


def _passed(low: np.ndarray, width: np.ndarray, weeks: float, shift: float, sd: float,
            nodes: tuple[np.ndarray, np.ndarray]) -> np.ndarray:
    """The probability of each cell's devices to have passed their rated life after `weeks`."""
    points, weights = nodes
    reach = weeks * np.exp(shift + sd * points)
    part = np.clip((reach[None, :] - low[:, None]) / width[:, None], 0, 1)
    return part @ weights


def unknown(basis: Row, drift_cells: list[Row]) -> str:
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
    if not drift_cells:
        return "no device was seen for 60 days of each of the two newest quarters"
    return ""


def _left_out(basis: Row) -> int:
    return basis["no_wear"] + basis["no_rate"] + basis["no_step"]


def replacements(cells: list[Row], drift_cells: list[Row], leaving: Row, basis: Row,
                 endurance: list[Row]) -> list[Row]:
    """A row for each quarter to come: expected a week, and the band; or why it is not known."""
    why = unknown(basis, drift_cells)
    if why:
        return [_row(quarter, basis, None, why) for quarter in range(QUARTERS)]
    drift = Drift(drift_cells)
    points, weights = np.polynomial.hermite_e.hermegauss(NODES)
    nodes = (points, weights / weights.sum())
    low = np.array([x["low"] for x in cells], float)
    width = np.array([x["width"] for x in cells], float)
    count = np.array([x["devices"] for x in cells], float)
    group = {k: i for i, k in enumerate(dict.fromkeys(key(x) for x in cells))}
    of = np.array([group[key(x)] for x in cells], int)
    spread = np.full(len(group), .3)
    for row in endurance:
        if key(row) in group:
            spread[group[key(row)]] = min(max(log_sd(row), MIN_LOG_SD), .3)
    gone = leaving["gone"] + .5
    hazard = gone / max((leaving["device_days"] - leaving["present_days"]) / 7, 1)  # a week

    def chance(quarter: int, shift: float = 0, drifts: float = 0) -> np.ndarray:
        ends = []
        for weeks in (quarter * QUARTER_WEEKS, (quarter + 1) * QUARTER_WEEKS):
            mean, sd = drift.of(weeks)
            mean += shift + drifts * drift.middle(weeks)
            ends.append(_passed(low, width, weeks, mean, sd, nodes))
        # A departure is known only after GONE_DAYS of silence.
        stays = math.exp(-hazard * ((quarter + .5) * QUARTER_WEEKS + GONE_DAYS / 7))
        return np.clip(ends[1] - ends[0], 0, 1) * stays

    rows = []
    step = .02
    for quarter in range(QUARTERS):
        if not len(cells):
            rows.append(_row(quarter, basis, (0.0, 0.0)))
            continue
        p = chance(quarter)
        expected = float(count @ p)
        variance = float(count @ (p * (1 - p)))
        # Endurance that is less by a hundredth is a rate that is more by one.
        slope = np.bincount(of, count * (chance(quarter, step) - p), len(group)) / step
        variance += float(((slope * spread) ** 2).sum())
        by_drift = float(count @ chance(quarter, drifts=drift.mean_sd)) - expected
        variance += by_drift**2
        variance += (expected * (quarter + .5) * QUARTER_WEEKS * hazard) ** 2 / gone
        variance += (expected * MODEL_SD) ** 2
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


def _median(others: list[Row]) -> tuple[float, float]:
    """The logarithm of the median endurance, which one bad firmware does not move far, and its
    standard deviation: that of the middle one, or of the mean of both in the middle."""
    logs = sorted((math.log(x["gb"] / x["steps"]), log_sd(x)) for x in others)
    one, two = logs[(len(logs) - 1) // 2], logs[len(logs) // 2]
    return (one[0] + two[0]) / 2, one[1] if one is two else math.hypot(one[1], two[1]) / 2


def firmware(rows: list[Row]) -> list[Row]:
    """Endurance by chip firmware, those that take most of life first, compared with the chip's
    other firmwares. An alarm is one that takes a quarter more, beyond what chance explains."""
    tests = max(len(rows), 1)
    limit = float(stats.norm.isf(FALSE_ALARMS / tests))
    z90 = float(stats.norm.isf((1 - CONFIDENCE) / 2))
    result = []
    for row in rows:
        enough = row["showing"] >= MIN_SHOWING and row["steps"] > 0
        per_step = row["gb"] / row["steps"] if enough else None
        sd = max(log_sd(row), MIN_LOG_SD)
        others = [x for x in rows if x["chip_maker"] == row["chip_maker"]
                  and x["chip_model"] == row["chip_model"] and x is not row
                  and x["showing"] >= MIN_SHOWING]
        ratio = score = None
        if per_step and others:
            other, other_sd = _median(others)
            ratio = math.exp(other) / per_step
            score = (math.log(ratio) - math.log(BAD_RATIO) / 2) / math.hypot(sd, other_sd)
        result.append({
            **{x: row[x] for x in (*KEYS, "devices", "device_days")}, "steps": row["steps"],
            "gb_per_step": per_step,
            "gb_per_step_low": per_step and per_step * math.exp(-z90 * sd),
            "gb_per_step_high": per_step and per_step * math.exp(z90 * sd),
            "wear_ratio": ratio, "score": score,
            "alarm": None if ratio is None else ratio >= BAD_RATIO and score > limit})
    result.sort(key=lambda x: (-(x["wear_ratio"] or 0), key(x)))
    return result
