# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""Survival curves by lifelines, on counts that the engine has reduced.

Age counts from when the ledger saw the chip first. A device enters when the data set saw it first
(left truncation), leaves when it was seen last (right censoring), and passes its rated life between
two dumps (an interval, within four weeks).
"""

from __future__ import annotations

import math
import warnings
from itertools import groupby
from typing import Any

import numpy as np
from lifelines import KaplanMeierFitter, WeibullFitter
from lifelines.exceptions import ConvergenceError, StatError

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
    fitter = KaplanMeierFitter(alpha=1 - CONFIDENCE)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        fitter.fit(np.minimum(end, last)[seen], (event & (end <= last))[seen],
                   entry=np.maximum(entry, first)[seen], weights=count[seen])
    interval = fitter.confidence_interval_survival_function_.to_numpy()
    alive = fitter.survival_function_.iloc[:, 0]
    return [{**same, "from_years": first * UNIT_YEARS, "years": float(age) * UNIT_YEARS,
             "within_rated_life": float(s), "low": _finite(low, s), "high": _finite(high, s),
             "left_out": False, "unknown": ""}
            for (age, s), (low, high) in zip(alive.items(), interval, strict=True) if age >= first]


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


def _finite(x: float, other: float) -> float:
    return float(x) if math.isfinite(x) else float(other)


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
        fit = None if small or events < MIN_EVENTS else _weibull(them)
        rows.append({"dimension": dimension, "value": value, "devices": devices,
                     "device_days": days, "events": None if small else events,
                     "shape": fit and fit[0], "years_to_10_pct": fit and fit[1],
                     "years_to_50_pct": fit and fit[2], "left_out": small})
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
