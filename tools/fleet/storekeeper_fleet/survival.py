# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""Survival curves by lifelines, on counts that the engine has reduced.

Age counts from when the ledger saw the chip first. A device enters when the data set saw it first
(left truncation), leaves when it was seen last (right censoring), and passes its rated life between
two dumps (an interval, within four weeks). Devices whose ledger began late have no age and are
left out: expressions.began_late().
"""

from __future__ import annotations

import math
import warnings
from itertools import groupby
from typing import Any

import numpy as np
from lifelines import KaplanMeierFitter, WeibullFitter
from lifelines.exceptions import ConvergenceError, StatError
from scipy import stats

from .base import too_small
from .expressions import AGE_WEEKS

Row = dict[str, Any]
UNIT_YEARS = AGE_WEEKS * 7 / 365.25
CONFIDENCE = 0.90
# With fewer devices at risk, one device would be more than 5 % of a curve.
MIN_AT_RISK = 20
# Events that a fit of two parameters needs.
MIN_EVENTS = 10


def curves(cells: list[Row]) -> list[Row]:
    """Points of Kaplan and Meier's curve of each value of each dimension."""
    rows = []
    for (dimension, value), group in groupby(cells, lambda x: (x["dimension"], x["value"])):
        rows += _curve(dimension, value, list(group))
    return rows


def _curve(dimension: str, value: str, cells: list[Row]) -> list[Row]:
    count = np.array([x["devices"] for x in cells], float)
    devices, days = int(count.sum()), int(sum(x["device_days"] for x in cells))
    same = {"dimension": dimension, "value": value, "devices": devices, "device_days": days}
    nothing = {"from_years": None, "years": None, "within_rated_life": None, "low": None,
               "high": None}
    if too_small(devices, days):
        return [{**same, **nothing, "left_out": True, "unknown": ""}]
    entry = np.array([x["entry"] for x in cells])
    event = np.array([x["upper"] >= 0 for x in cells])
    # A unit that was lived through in part counts as one.
    end = np.array([(x["upper"] if x["upper"] >= 0 else x["lower"]) + 1 for x in cells])
    ages = _ages(entry, end, count)
    if ages is None:
        return [{**same, **nothing, "left_out": False,
                 "unknown": f"at no age were {MIN_AT_RISK} devices seen"}]
    first, last = ages
    seen = (end > first) & (entry < last)
    fitter = KaplanMeierFitter()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            fitter.fit(np.minimum(end, last)[seen], (event & (end <= last))[seen],
                       entry=np.maximum(entry, first)[seen], weights=count[seen])
        except StatError as e:
            return [{**same, **nothing, "left_out": False, "unknown": str(e).split(".")[0]}]
    table = fitter.event_table
    low, high = _interval(table["observed"].to_numpy(float), table["at_risk"].to_numpy(float))
    alive = fitter.survival_function_.iloc[:, 0].reindex(table.index).to_numpy()
    return [{**same, "from_years": first * UNIT_YEARS, "years": float(age) * UNIT_YEARS,
             "within_rated_life": float(s), "low": min(float(a), float(s)),
             "high": max(float(b), float(s)), "left_out": False, "unknown": ""}
            for age, s, a, b in zip(table.index, alive, low, high, strict=True) if age >= first]


def _interval(events: np.ndarray, at_risk: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Limits of the share within the rated life, from gamma limits of the summed hazard: those of
    Fay and Feuer for a weighted sum of counts, with Tiwari's mean weight for one event more. Unlike
    Greenwood's they have a width where no event was seen."""
    weight = np.divide(1, at_risk, out=np.zeros(len(at_risk)), where=at_risk > 0)
    # The curve's own: the sum of steps of its logarithm, with Greenwood's variance. Where all pass
    # at once, half of one more would be left.
    part = np.minimum(events * weight, 1 - weight / 2)
    hazard, variance = np.cumsum(-np.log1p(-part)), np.cumsum(part * weight / (1 - part))
    points = np.maximum(np.cumsum(weight > 0), 1)
    one, one_2 = np.cumsum(weight) / points, np.cumsum(weight**2) / points
    tail = (1 - CONFIDENCE) / 2

    def limit(mean: np.ndarray, var: np.ndarray, p: float) -> np.ndarray:
        some = var > 0
        mean, var = np.where(some, mean, 1), np.where(some, var, 1)
        return np.where(some, stats.gamma.ppf(p, mean**2 / var, scale=var / mean), 0)
    return (np.exp(-limit(hazard + one, variance + one_2, 1 - tail)),
            np.exp(-limit(hazard, variance, tail)))


def _ages(entry: np.ndarray, end: np.ndarray, count: np.ndarray) -> tuple[int, int] | None:
    """The ages, each after the other, at which enough devices are at risk; of several such spans
    the one of most device time. What is left of a curve outside would be decided by a few."""
    at_risk = np.zeros(end.max() + 2)
    np.add.at(at_risk, entry, count)
    np.add.at(at_risk, end, -count)
    enough = np.cumsum(at_risk) >= MIN_AT_RISK
    edges = np.flatnonzero(np.diff(np.concatenate(([0], enough.astype(int)))))
    spans = list(zip(edges[::2], edges[1::2], strict=True))
    total = np.concatenate(([0], np.cumsum(np.cumsum(at_risk))))
    return max(((int(a), int(b)) for a, b in spans), key=lambda x: total[x[1]] - total[x[0]],
               default=None)


def lives(cells: list[Row]) -> list[Row]:
    """Weibull's distribution of each value: after how many years a tenth, and half, are past their
    rated life. By intervals, with truncation."""
    rows = []
    for (dimension, value), group in groupby(cells, lambda x: (x["dimension"], x["value"])):
        them = list(group)
        devices = sum(x["devices"] for x in them)
        days = sum(x["device_days"] for x in them)
        events = sum(x["devices"] for x in them if x["upper"] >= 0)
        small = too_small(devices, days)
        fit, why = None, ""
        if not small and events < MIN_EVENTS:
            why = f"{events} devices seen to pass their rated life, {MIN_EVENTS} needed"
        elif not small:
            fit = _weibull(them)
            why = "" if fit else "the fit does not converge"
        rows.append({"dimension": dimension, "value": value, "devices": devices,
                     "device_days": days, "events": None if small else events,
                     "shape": fit and fit[0], "years_to_10_pct": fit and fit[1],
                     "years_to_50_pct": fit and fit[2], "left_out": small, "unknown": why})
    return rows


def _weibull(cells: list[Row]) -> tuple[float, float, float] | None:
    lower = np.array([x["lower"] for x in cells], float) + .5
    upper = np.array([x["upper"] + 1.5 if x["upper"] >= 0 else np.inf for x in cells])
    entry = np.array([x["entry"] for x in cells], float)
    weights = np.array([x["devices"] for x in cells], float)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            fit = WeibullFitter().fit_interval_censoring(
                lower, upper, entry=np.minimum(entry, lower), weights=weights)
        except (ConvergenceError, StatError, ValueError):
            return None
    shape, scale = float(fit.rho_), float(fit.lambda_) * UNIT_YEARS
    if not (math.isfinite(shape) and math.isfinite(scale)):
        return None
    return shape, *(scale * (-math.log(1 - x)) ** (1 / shape) for x in (.1, .5))
