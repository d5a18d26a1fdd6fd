# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""The bytes that a chip writes for each tenth of its life, by chip firmware, and bad firmware.

A step of wear is whole if the chip showed it and the steps beside it: a step that is skipped is no
step written. Each chip counts once, with its newest whole step. Chips of one firmware differ: the
logarithm of their steps is normal. Who writes much for its step shows more of them, so a chip with
a step of S bytes is weighed by the share of the firmware's chips that would have shown it: one that
wrote W bytes begins anywhere within a step and shows a whole one with the probability W/S - 1, at
least 0 and at most 1. Mean and deviation are those of largest likelihood, their errors its
curvature. How steps become shorter or longer with wear is a line through the means of each step of
wear, the same for all firmwares. It is taken for granted that writing much and lasting long are
independent.

Where too few whole steps were seen, the forecast divides what all chips wrote by the steps that
they took, for any place within a step is as likely; such a mean is not shown.

A firmware is compared with another by the ratio of Mantel and Haenszel, over the chips that showed
a whole step: only chips of the same step of wear and the same year of age are compared.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from itertools import groupby
from typing import Any

import ibis
import ibis.expr.types as ir
import numpy as np
import pyarrow as pa
from ibis import _
from scipy import optimize, stats

from .base import PAST_LIFE, WEEK, Base

Row = dict[str, Any]
KEYS = ("chip_maker", "chip_model", "chip_firmware")
CHIP = KEYS[:2]
YEAR_S = int(52.18 * WEEK)
# Cells count the GB of chips' whole steps, or those that chips wrote at all.
WHOLE, WROTE = 0, 1
# Nodes of the Gauss-Hermite quadrature over a normal distribution.
NODES = 15
# GB up to this are counted one by one, more in units of a sixteenth.
FINE_GB, COARSE_GB = 2048, 16
CONFIDENCE = 0.90
# Whole steps that a fit and a comparison need: the deviation of 20 values is known within a sixth.
MIN_SHOWING = 20
# Steps that a ratio needs: their number alone leaves a doubt of 1/sqrt(30), a fifth.
MIN_STEPS = 30
# A firmware is bad if it uses this many times the life that the chip's other firmwares use: that
# is a quarter of the time until a device is replaced.
BAD_RATIO = 1.25
# Probability of a false alarm in a fleet, over all firmwares together.
FALSE_ALARMS = 0.01


def key(row: Row) -> tuple[str, ...]:
    return tuple(row[x] for x in KEYS)


def cells(b: Base) -> ir.Table:
    """How many chips of a firmware wrote how many GB, for their whole step and at all."""
    d = b.devices.filter(_.wear_first.notnull())
    # A new chip, and one past its last step, is at no place that is as likely as another.
    plain = (d.wear_first > 1) & (d.wear_last < PAST_LIFE) & (d.written_mb > 0)
    d = d.mutate(steps=ibis.ifelse(plain, d.wear_last - d.wear_first, 0),
                 steps_gb=ibis.ifelse(plain, (d.written_mb // 1000).cast("int64"), 0))
    parts = []
    for kind, mb in ((WHOLE, d.whole_mb), (WROTE, d.written_mb)):
        gb = (mb // 1000).cast("int64")
        gb = ibis.ifelse(gb < FINE_GB, gb, gb // COARSE_GB * COARSE_GB).cast("int64")
        t = d.mutate(kind=ibis.literal(kind, "int64"), gb=gb.coalesce(-1))
        parts.append((t.filter(mb.notnull()) if kind == WHOLE else t)
                     .group_by("config", "kind", "gb").agg(
            devices=_.count(), **{x: _[x].sum().cast("int64") for x in SUMS}))
    keys = (*KEYS, "kind", "gb")
    return ibis.union(*parts, distinct=False).join(b.configs, "config").group_by(*keys).agg(
        **{x: _[x].sum().cast("int64") for x in ("devices", *SUMS)}).order_by(*keys)


SUMS = ("days", "steps", "steps_gb")


def stays(b: Base) -> ir.Table:
    """The newest whole step of each chip, by the step and the chip's age in years; sums of squares
    for the scatter."""
    d = b.devices.filter(_.whole_mb.notnull())
    gb = (d.whole_mb // 1000).cast("int64")
    d = d.mutate(gb=gb, gb_2=gb * gb, years=((d.whole_s - d.since_s) // YEAR_S).cast("int64"))
    per = d.group_by("config", "whole_wear", "years").agg(
        devices=_.count(), gb=_.gb.sum().cast("int64"), gb_2=_.gb_2.sum().cast("int64"))
    keys = (*KEYS, "whole_wear", "years")
    return per.join(b.configs, "config").group_by(*keys).agg(
        **{x: _[x].sum().cast("int64") for x in ("devices", "gb", "gb_2")}).order_by(*keys)


def steps(b: Base) -> ir.Table:
    """The MB of a step of each config's firmware, by how much of it chips differ, and how much of
    it is added with each step of wear beyond step_wear."""
    if b.steps is None:
        found = [r for r in fitted(b) if r["mean_gb"]]
        columns = {x: pa.array([r[x] for r in found], pa.string()) for x in KEYS}
        columns["step_mb"] = pa.array([_digits(r["mean_gb"] * 1000) for r in found], pa.float64())
        for name, source in (("step_sd", "deviation"), ("step_slope", "slope"),
                             ("step_wear", "wear")):
            columns[name] = pa.array([_digits(r[source]) for r in found], pa.float64())
        t = b.configs.left_join(b.engine.given("fits", pa.table(columns)), KEYS)
        b.steps = b.engine.keep(t.select("config", "step_mb", "step_sd", "step_slope",
                                         "step_wear"))
    return b.steps


def with_step(b: Base) -> ir.Table:
    return b.devices.join(steps(b), "config")


def fitted(b: Base) -> list[Row]:
    """The fits, made once."""
    if b.fits is None:
        b.fits = fits(*(b.engine.run(x(b)).to_pylist() for x in (cells, stays)))
    return b.fits


def _digits(value: float) -> float:
    """Digits that do not hang on the order in which an engine adds."""
    return float(f"{value:.9g}")


class _Sample:
    """Chips of a firmware, as arrays."""

    def __init__(self, rows: Iterable[Row]) -> None:
        rows = [r for r in rows if r["gb"] >= 0]

        def column(name: str, kind: int) -> np.ndarray:
            return np.array([r[name] for r in rows if r["kind"] == kind], float)
        self.count, self.gb = column("devices", WHOLE), _middle(column("gb", WHOLE))
        self.whole = int(self.count.sum())
        self.steps = int(column("steps", WROTE).sum())
        self.steps_gb = float(column("steps_gb", WROTE).sum())
        self.wrote = _middle(column("gb", WROTE)), column("devices", WROTE)

    def step(self) -> tuple[float, float, float] | None:
        """The chips' mean step in GB, the deviation of its logarithm, and the mean's relative
        standard error."""
        if self.whole < MIN_SHOWING:
            return None
        log, count = np.log(self.gb), self.count
        # Values beyond three of the deviations that the quartiles give, of counters that stood
        # still for one, are moved there.
        low, middle, high = quantiles(log, count, (.25, .5, .75))
        deviation = max((high - low) / (2 * stats.norm.ppf(.75)), 1 / FINE_GB)
        log = np.clip(log, middle - 3 * deviation, middle + 3 * deviation)
        grid = np.linspace(middle - 3, middle + 3, 241)
        wrote, chips = self.wrote
        shown = np.clip(wrote / np.exp(grid)[:, None] - 1, 0, 1) @ chips / chips.sum()
        points, weights = np.polynomial.hermite_e.hermegauss(NODES)
        weights = weights / weights.sum()

        def cost(at: np.ndarray) -> float:
            mean, sd = at[0], math.exp(at[1])
            seen = weights @ np.interp(mean + sd * points, grid, shown)
            return float(count @ (((log - mean) / sd) ** 2 / 2 + at[1])
                         + count.sum() * math.log(max(seen, 1e-12)))
        at = optimize.minimize(cost, [middle, math.log(deviation)], method="Nelder-Mead",
                               options={"xatol": 1e-5, "fatol": 1e-5}).x
        deviation = math.exp(at[1])
        inverse = np.linalg.pinv(_curvature(cost, at, deviation))
        # The logarithm of the mean is the first parameter and half the squared deviation.
        slope = np.array([1, deviation**2])
        return (math.exp(at[0] + deviation**2 / 2), deviation,
                math.sqrt(max(float(slope @ inverse @ slope), 0)))

    def ratio(self, deviation: float) -> tuple[float, float, float] | None:
        """The same of all that chips wrote by all steps, which is the mean of 1/step."""
        if self.steps < MIN_STEPS:
            return None
        return (self.steps_gb / self.steps * math.exp(deviation**2), deviation,
                math.hypot(1, deviation) / math.sqrt(self.steps))


def _middle(gb: np.ndarray) -> np.ndarray:
    """The middle of the unit in which GB are counted."""
    return gb + np.where(gb < FINE_GB, .5, COARSE_GB / 2)


def quantiles(value: np.ndarray, weight: np.ndarray, at: tuple[float, ...]) -> np.ndarray:
    """Weighted quantiles."""
    order = np.argsort(value)
    place = np.cumsum(weight[order]) - weight[order] / 2
    return np.interp(np.array(at) * weight.sum(), place, value[order])


def _curvature(cost: Callable[[np.ndarray], float], at: np.ndarray, deviation: float) -> np.ndarray:
    """Second derivatives, from differences of a fiftieth of the deviation and of its logarithm."""
    sizes = np.array([deviation, 1]) / 50
    moves = np.diag(sizes)
    return np.array([[(cost(at + a + b) - cost(at + a - b) - cost(at - a + b) + cost(at - a - b))
                      / (4 * sizes[i] * sizes[j]) for j, b in enumerate(moves)]
                     for i, a in enumerate(moves)])


def _line(whole: list[Row]) -> tuple[float, float, dict[tuple[str, ...], float]]:
    """How much of a firmware's mean step each step of wear adds, with its standard error; the mean
    wear of each firmware's whole steps. By least squares within firmwares."""
    wear, part, weight, wears = [], [], [], {}
    scatter = 0.0
    for name, group in groupby(whole, key):
        of = list(group)
        n = np.array([r["devices"] for r in of], float)
        at = np.array([r["whole_wear"] for r in of], float)
        gb = np.array([r["gb"] for r in of], float) / n
        mean = float(np.average(gb, weights=n))
        wears[name] = float(np.average(at, weights=n))
        scatter += sum(r["gb_2"] for r in of) / mean**2 - n.sum()
        wear += list(at - wears[name])
        part += list(gb / mean - 1)
        weight += list(n)
    x, y, n = np.array(wear), np.array(part), np.array(weight)
    squares = float(n @ x**2)
    if n.sum() < MIN_SHOWING or not squares:
        return 0.0, 0.0, wears
    return float(n @ (x * y)) / squares, math.sqrt(scatter / n.sum() / squares), wears


def fits(rows: list[Row], whole: list[Row]) -> list[Row]:
    """The mean GB of a step by chip firmware with its error; of a firmware that shows too little,
    what its chip's firmwares show together; else null."""
    slope, slope_error, wears = _line(whole)
    # A firmware without a whole step has no mean wear of them either: the middle of life.
    middle = PAST_LIFE / 2
    found = []
    # Chips whose own deviation is not known have the fleet's.
    every = _Sample(rows).step() or (0.0, 0.0, 0.0)
    for _chip, group in groupby(rows, lambda r: tuple(r[x] for x in CHIP)):
        of_chip = list(group)
        together = _Sample(of_chip)
        shared = together.step() or together.ratio(every[1])
        for name, part in groupby(of_chip, key):
            of = list(part)
            sample = _Sample(of)
            own = sample.step() or sample.ratio(shared[1] if shared else every[1])
            mean, deviation, error = own or shared or (None, None, None)
            devices = [r for r in of if r["kind"] == WROTE]
            found.append({
                **dict(zip(KEYS, name, strict=True)),
                "devices": sum(r["devices"] for r in devices),
                "device_days": sum(r["days"] for r in devices),
                "showing": sample.whole, "own": own is not None,
                "mean_gb": mean, "deviation": deviation, "error": error, "slope": slope,
                "slope_error": slope_error, "wear": wears.get(name, middle)})
    return found


class _Stays:
    """Whole steps of a firmware, by stratum: step of wear and year of age."""

    def __init__(self, rows: list[Row]) -> None:
        self.strata = {(r["whole_wear"], r["years"]): (r["devices"], r["gb"]) for r in rows}
        self.devices = sum(r["devices"] for r in rows)
        within = sum((r["gb_2"] - r["gb"] ** 2 / r["devices"]) / (r["gb"] / r["devices"]) ** 2
                     for r in rows if r["gb"])
        # Relative, within strata.
        self.variance = max(within, 0) / max(self.devices - len(rows), 1)

    def compare(self, other: _Stays) -> tuple[float, float] | None:
        """The logarithm of how many times this firmware takes the other's life for equal writes,
        with its standard deviation; None where too few are equal in wear and age."""
        mine = theirs = mine_var = theirs_var = 0.0
        mine_n = theirs_n = 0
        for stratum in self.strata.keys() & other.strata.keys():
            (n, gb), (m, their_gb) = self.strata[stratum], other.strata[stratum]
            mine += gb * m / (n + m)
            theirs += their_gb * n / (n + m)
            mine_var += self.variance * (gb / n) ** 2 * n * (m / (n + m)) ** 2
            theirs_var += other.variance * (their_gb / m) ** 2 * m * (n / (n + m)) ** 2
            mine_n += n
            theirs_n += m
        if min(mine_n, theirs_n) < MIN_SHOWING or not (mine and theirs):
            return None
        return (math.log(theirs / mine),
                math.sqrt(mine_var / mine**2 + theirs_var / theirs**2))


def _median(logs: list[tuple[float, float]]) -> tuple[float, float]:
    """The median of comparisons, which one bad firmware does not move far, and the larger standard
    deviation of those in the middle."""
    logs = sorted(logs)
    one, two = logs[(len(logs) - 1) // 2], logs[len(logs) // 2]
    return (one[0] + two[0]) / 2, max(one[1], two[1])


def firmware(found: list[Row], whole: list[Row]) -> list[Row]:
    """Endurance by chip firmware, those that take most of life first, compared with the chip's
    other firmwares. An alarm is one that takes a quarter more, beyond what chance explains."""
    of = {k: _Stays(list(g)) for k, g in groupby(whole, key)}
    limit = float(stats.norm.isf(FALSE_ALARMS / max(len(found), 1)))
    z90 = float(stats.norm.isf((1 - CONFIDENCE) / 2))
    result = []
    for row in found:
        per_step = row["mean_gb"] if row["showing"] >= MIN_SHOWING else None
        why = "" if per_step else f"{row['showing']} whole steps seen, {MIN_SHOWING} needed"
        others = [k for k in of if k[:2] == key(row)[:2] and k != key(row)]
        compared = [x for k in others if key(row) in of
                    and (x := of[key(row)].compare(of[k])) is not None]
        ratio = score = None
        if compared:
            log, sd = _median(compared)
            ratio = math.exp(log)
            score = (log - math.log(BAD_RATIO) / 2) / max(sd, 1e-9)
        elif per_step:
            why = f"no other firmware has {MIN_SHOWING} chips of equal age and wear"
        result.append({
            **{x: row[x] for x in (*KEYS, "devices", "device_days")}, "steps": row["showing"],
            "gb_per_step": per_step,
            "gb_per_step_low": per_step and per_step * math.exp(-z90 * row["error"]),
            "gb_per_step_high": per_step and per_step * math.exp(z90 * row["error"]),
            "wear_ratio": ratio, "score": score,
            "alarm": None if ratio is None else ratio >= BAD_RATIO and score > limit,
            "unknown": why})
    result.sort(key=lambda x: (-(x["wear_ratio"] or 0), key(x)))
    return result
