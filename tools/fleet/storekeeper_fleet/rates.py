# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""How the fleet's rate of writes moves: changes, season, and the doubt about the time to come.

The engine gives the dumps of up to 20,000 devices. Their writes are spread over weeks that end with
the newest dump. Then

1. a one-time change is looked for, for each device model: at each build, with the devices' updates
   laid on each other, and at each week. It is one if the same devices write a quarter more, or
   less, in the four weeks after than in the four weeks before, beyond chance. What was written
   before it is multiplied by it, so a change ends where it ends;
2. the index of the fleet is what remains common to all devices: writes are taken as a device's mean
   times the week's index, by the totals of both (Poisson's likelihood), weighted by the life used;
3. of a year of data a sine and a cosine of one year are taken out of the index, beside a line; the
   forecast goes on with them. Half a year shows at least the season's half swing, so of less than a
   year a season as large as all that the index has moved is a doubt, of unknown phase;
4. the forecast keeps the level of the newest quarter. Its doubt is how much the index moved between
   quarters so far apart, for as long as the data show it; beyond that it grows as a random walk.

Nothing of this sees a change that is younger than two weeks after its end, or yet to come.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

import ibis.expr.types as ir
import numpy as np
from ibis import _
from scipy import optimize, stats

from .base import MB, MIN_DEVICES, QUARTER_DAYS, WEEK, Base, inside
from .endurance import BAD_RATIO, CONFIDENCE, FALSE_ALARMS, quantiles, steps

Row = dict[str, Any]
Array = np.ndarray
# Weekly writes scatter by about a half: this many devices show a common change of half a per cent.
SAMPLE_DEVICES = 20_000
QUARTER_WEEKS = QUARTER_DAYS // 7
# The weeks in a year, and those of data that show one: the season is known from there on.
YEAR_WEEKS, YEAR_SEEN = 365.25 / 7, 52
# The weeks that are compared before and after a change, at most and at least. Four weeks are a
# month, with all days of the week and a pay day.
BESIDE, LEAST_BESIDE = 4, 2
# A dump that comes later than this after the one before says nothing of single weeks.
MAX_GAP_WEEKS = 6
# More changes of one device model in a data set are no one-time changes.
MAX_CHANGES = 4
# A week counts if the device was seen in more than this share of it.
PART = .5


def series(b: Base) -> ir.Table:
    """The dumps of a sample of the devices: chips are hashes, so a range of them is one."""
    devices = b.engine.run(b.devices.agg(n=_.count())).to_pylist()[0]["n"]
    share = min(SAMPLE_DEVICES / max(devices, 1), 1)
    last = (1 << 63) - 1 if share == 1 else int(share * 2**64) - (1 << 63)
    t = inside(b.engine.chips(-(1 << 63), last), b.window).filter(_.written_bytes.notnull())
    return t.select("chip", "config", "since_wall_s", "wall_s", mb=(t.written_bytes // MB)
                    .cast("int64")).order_by("chip", "wall_s", "config", "mb")


def names(b: Base) -> ir.Table:
    """The device model and build of each config, with its step."""
    return b.configs.join(steps(b), "config").select(
        "config", "device_model", "build", "step_mb").order_by("config")


@dataclass
class Writes:
    """Writes of devices by week: a row for each device, a column for each week, oldest first."""

    mb: Array
    seen: Array  # the share of the week between dumps
    model: Array  # a number for each device
    models: list[str]
    step_mb: Array  # of the newest config; nan: not known
    # Updates: device, week, and a number for the device model and its new build.
    updates: Array
    builds: list[tuple[str, str]]

    @property
    def weeks(self) -> int:
        return self.mb.shape[1]


def writes(columns: dict[str, Array], configs: list[Row], end_s: int, weeks: int) -> Writes:
    """Spreads what was written between two dumps over the weeks between them."""
    chip, config = columns["chip"], columns["config"]
    order = np.argsort([r["config"] for r in configs], kind="stable")
    configs = [configs[i] for i in order]
    at = np.searchsorted([r["config"] for r in configs], config)
    models = sorted({r["device_model"] for r in configs})
    builds = sorted({(r["device_model"], r["build"]) for r in configs})
    model_of = np.array([models.index(r["device_model"]) for r in configs])
    build_of = np.array([builds.index((r["device_model"], r["build"])) for r in configs])
    step_of = np.array([r["step_mb"] or np.nan for r in configs], float)
    first = np.concatenate(([True], chip[1:] != chip[:-1])) if len(chip) else np.zeros(0, bool)
    device = np.cumsum(first) - 1
    last = np.flatnonzero(np.concatenate((first[1:], [True]))) if len(chip) else np.zeros(0, int)
    place = (columns["wall_s"] - (end_s - weeks * WEEK)) / WEEK
    mb, seen = np.zeros((len(last), weeks)), np.zeros((len(last), weeks))
    # A running system writes within a day: a counter that did not count then stands still.
    wrote, took = np.diff(columns["mb"]), np.diff(place)
    good = (~first[1:] & (np.diff(columns["since_wall_s"]) == 0) & (took > 0)
            & (took <= MAX_GAP_WEEKS) & ((wrote > 0) | ((wrote == 0) & (took < 1 / 7))))
    of, begin, end, wrote = device[1:][good], place[:-1][good], place[1:][good], wrote[good]
    for offset in range(MAX_GAP_WEEKS + 1):
        week = np.minimum(np.floor(begin).astype(int) + offset, weeks - 1)
        part = np.clip(np.minimum(end, week + 1) - np.maximum(begin, week), 0, None)
        part[np.floor(begin) + offset > week] = 0
        np.add.at(seen, (of, week), part)
        np.add.at(mb, (of, week), wrote * part / (end - begin))
    build = build_of[at]
    new = np.flatnonzero(~first & (build != np.concatenate(([-1], build[:-1]))))
    updates = np.stack([device[new], np.clip(np.floor(place[new]).astype(int), 0, weeks - 1),
                        build[new]], axis=1)
    return Writes(mb, np.minimum(seen, 1), model_of[at[last]], models, step_of[at[last]], updates,
                  builds)


@dataclass
class Change:
    """A one-time change: devices, the week of each, the factor and where it was found."""

    devices: Array
    week: Array
    factor: float
    model: str
    at: str


def _effect(total: Array, seen: Array, devices: Array, week: Array) -> tuple[float, float]:
    """The logarithm of the devices' writes after the week to those before it, and its standard
    error. The week itself and the one before are left out: the change is within them. `total` and
    `seen` are sums from the first week on."""
    weeks = total.shape[1] - 1

    def span(begin: Array, end: Array) -> tuple[Array, Array]:
        begin, end = np.clip(begin, 0, weeks), np.clip(end, 0, weeks)
        return (total[devices, end] - total[devices, begin],
                seen[devices, end] - seen[devices, begin])
    before, before_s = span(week - 1 - BESIDE, week - 1)
    after, after_s = span(week + 1, week + 1 + BESIDE)
    both = (before_s >= LEAST_BESIDE) & (after_s >= LEAST_BESIDE)
    if both.sum() < MIN_DEVICES:
        return 0.0, math.inf
    before, after = before[both] / before_s[both], after[both] / after_s[both]
    if not (before.sum() and after.sum()):
        return 0.0, math.inf
    ratio = after.sum() / before.sum()
    error = math.sqrt(((after - ratio * before) ** 2).sum()) / after.sum()
    return math.log(ratio), error


def changes(w: Writes) -> list[Change]:
    """Finds one-time changes, each device model's largest first, and takes them out of `w`."""
    found: list[Change] = []
    for number, model in enumerate(w.models):
        members = np.flatnonzero(w.model == number)
        if len(members) < MIN_DEVICES:
            continue
        candidates = [(f"week {x}", members, np.full(len(members), x))
                      for x in range(LEAST_BESIDE + 1, w.weeks - LEAST_BESIDE)]
        for build in np.unique(w.updates[:, 2]):
            if w.builds[build][0] == model:
                of = w.updates[w.updates[:, 2] == build]
                candidates.append((f"build {w.builds[build][1]}", of[:, 0], of[:, 1]))
        limit = float(stats.norm.isf(FALSE_ALARMS / 2 / len(candidates)))
        for _time in range(MAX_CHANGES):
            total, seen = (np.concatenate((np.zeros((len(x), 1)), np.cumsum(x, axis=1)), axis=1)
                           for x in (w.mb, w.seen))
            effects = [_effect(total, seen, devices, week) for _, devices, week in candidates]
            best = max(range(len(effects)), key=lambda i: abs(effects[i][0]))
            effect, error = effects[best]
            if abs(effect) < max(math.log(BAD_RATIO), limit * error):
                break
            at, devices, week = candidates[best]
            found.append(Change(devices, week, math.exp(effect), model, at))
            _take_out(w, found[-1])
    return found


def _take_out(w: Writes, change: Change) -> None:
    column = np.arange(w.weeks)
    mine = np.isin(np.arange(len(w.mb)), change.devices)
    at = np.zeros(len(w.mb), int)
    at[change.devices] = change.week
    w.mb[mine[:, None] & (column < at[:, None])] *= change.factor
    # Within these weeks it came: neither before nor after it.
    within = mine[:, None] & ((column == at[:, None]) | (column == at[:, None] - 1))
    w.mb[within] = w.seen[within] = 0


def index(w: Writes) -> Array:
    """The logarithm of each week's index; nan of a week in which too few devices were seen."""
    known = np.isfinite(w.step_mb)
    seen = np.where(w.seen[known] >= PART, w.seen[known], 0)
    life = np.where(seen > 0, w.mb[known] / w.step_mb[known, None], 0)
    enough = (seen > 0).sum(axis=0) >= MIN_DEVICES
    seen, life = seen * enough, life * enough
    week = np.ones(w.weeks)
    for _time in range(200):
        device = life.sum(axis=1) / np.maximum(seen @ week, 1e-12)
        new = life.sum(axis=0) / np.maximum(device @ seen, 1e-12)
        new = np.where(enough, new / max(new[enough].mean() if enough.any() else 1, 1e-12), 1)
        moved = np.abs(new - week).max()
        week = new
        if moved < 1e-5:
            break
    return np.where(enough & (week > 0), np.log(np.maximum(week, 1e-12)), np.nan)


@dataclass
class Course:
    """The rate of writes to come, as multiples of that of the newest quarter."""

    season: Array = field(default_factory=lambda: np.zeros(0))  # of each week to come
    doubt: Array = field(default_factory=lambda: np.zeros(0))  # sd of its logarithm, by quarter
    level: dict[str, float] = field(default_factory=dict)  # of a device model, after its changes
    noise: float = 0.0  # variance of the logarithm of one device's rate in a quarter
    drift: float = 0.0  # what is added to it each quarter
    found: list[Change] = field(default_factory=list)
    unknown: str = ""

    def reach(self, weeks: int) -> float:
        """Weeks at the newest quarter's rate that are written in so many weeks to come."""
        return float(self.season[:weeks].sum())

    def scatter(self, weeks: float) -> float:
        """Standard deviation of the logarithm of one device's mean rate over so many weeks."""
        return math.sqrt(self.noise + self.drift * (weeks / 2 / QUARTER_WEEKS + .5))


def course(columns: dict[str, Array], configs: list[Row], end_s: int, weeks: int,
           quarters: int) -> Course:
    w = writes(columns, configs, end_s, weeks)
    newest = slice(max(weeks - QUARTER_WEEKS, 0), weeks)

    def newest_rate(of: Array) -> float:
        return float(w.mb[of, newest].sum() / max(w.seen[of, newest].sum(), 1e-9))
    members = [np.flatnonzero(w.model == i) for i in range(len(w.models))]
    before = [newest_rate(of) for of in members]
    found = changes(w)
    changed = {x.model for x in found}
    level = {model: newest_rate(of) / rate for model, of, rate in
             zip(w.models, members, before, strict=True) if model in changed and rate}
    log = index(w)
    if np.isfinite(log).sum() < 2 * QUARTER_WEEKS - 1:
        return Course(unknown=f"in fewer than {2 * QUARTER_WEEKS - 1} weeks were {MIN_DEVICES} "
                      "devices seen that count what they write")
    week = np.arange(weeks)
    log = np.interp(week, week[np.isfinite(log)], log[np.isfinite(log)])
    ahead = np.arange(weeks, weeks + quarters * QUARTER_WEEKS)
    if weeks >= YEAR_SEEN:
        season, season_variance = _season(log, weeks + len(ahead))
    else:
        season = np.zeros(weeks + len(ahead))
        month = np.convolve(log, np.ones(4) / 4, "valid")
        lag = np.arange(1, quarters + 1)
        season_variance = np.ptp(month) ** 2 * (1 - np.cos(2 * np.pi * lag / 4))
    doubt = np.sqrt(_movement(log - season[:weeks], quarters) ** 2 + season_variance)
    now = np.exp(season[newest]).mean()
    noise, drift = _devices(w)
    return Course(np.exp(season[ahead]) / now, doubt, level, noise, drift, found)


def _season(log: Array, weeks: int) -> tuple[Array, Array]:
    """The yearly wave of the logarithm, by least squares beside a line; the variance of what it
    adds between the newest quarter and each to come."""
    angle = 2 * np.pi * np.arange(weeks) / YEAR_WEEKS
    wave = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    seen = len(log)
    design = np.column_stack([np.ones(seen), np.arange(seen) / seen, wave[:seen]])
    found = np.linalg.lstsq(design, log, rcond=None)[0]
    rest = log - design @ found
    errors = np.linalg.inv(design.T @ design)[2:, 2:] * (rest @ rest) / (seen - 4)
    by_quarter = wave[seen - QUARTER_WEEKS:].reshape(-1, QUARTER_WEEKS, 2).mean(axis=1)
    moved = by_quarter[1:] - by_quarter[0]
    return wave @ found[2:], np.einsum("ij,jk,ik->i", moved, errors, moved)


def _movement(log: Array, quarters: int) -> Array:
    """The standard deviation of the change between quarters 1, 2, ... apart: as seen, up to half of
    the data's time; then as that of a random walk. Widened as Student's distribution is, of the
    changes from quarter to quarter that were seen."""
    quarter = np.convolve(log, np.ones(QUARTER_WEEKS) / QUARTER_WEEKS, "valid")
    seen = len(log) // QUARTER_WEEKS
    most = max(seen // 2, 1)
    moved = [math.sqrt(np.mean((quarter[lag * QUARTER_WEEKS:]
                                - quarter[:len(quarter) - lag * QUARTER_WEEKS]) ** 2))
             for lag in range(1, most + 1)]
    moved += [moved[-1] * math.sqrt(lag / most) for lag in range(most + 1, quarters + 1)]
    tail = (1 + CONFIDENCE) / 2
    return np.array(moved) * stats.t.ppf(tail, max(seen - 1, 1)) / stats.norm.ppf(tail)


def _devices(w: Writes) -> tuple[float, float]:
    """The variance of the logarithm of a device's rate in a quarter, about its own mean, and what
    is added each quarter, from the ratios of the newest quarter to older ones."""
    count = w.weeks // QUARTER_WEEKS
    rates = []
    for quarter in range(count):
        end = w.weeks - quarter * QUARTER_WEEKS
        mb, seen = (x[:, end - QUARTER_WEEKS:end].sum(axis=1) for x in (w.mb, w.seen))
        rates.append(np.where((seen >= QUARTER_WEEKS / 2) & (mb > 0),
                              mb / np.maximum(seen, 1e-9), np.nan))
    lags, variances = [], []
    for lag in range(1, count):
        ratio = np.log(rates[0] / rates[lag])
        ratio = ratio[np.isfinite(ratio)]
        if len(ratio) >= MIN_DEVICES:
            # A few counters that stood still do not decide: by the tenths at both ends.
            low, high = quantiles(ratio, np.ones(len(ratio)), (.1, .9))
            lags.append(lag)
            variances.append(((high - low) / (2 * stats.norm.ppf(.9))) ** 2)
    if not lags:
        return 0.0, 0.0
    if len(lags) == 1:
        return variances[0] / 2, 0.0
    (noise, drift), _rest = optimize.nnls(
        np.column_stack([np.full(len(lags), 2.0), lags]), np.array(variances))
    return float(noise), float(drift)
