# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""Fleets of known truth: what each chip wrote, when it passes its rated life, and what of that the
data set shows. Equal arguments give equal bytes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from . import catalogue as cat
from .dataset import CONFIGS, SAMPLES, Dataset, writing
from .rows import config_row, tables
from .troubles import (
    CHANGES,
    PHONES_SD,
    RARE_WEEKS,
    ROLLOUT_WEEKS,
    Shown,
    Troubles,
    firmware_by_age,
    leave_by_wear,
    shown,
    troubles,
)

DAY = 86_400
WEEK = 7 * DAY
BEGIN = 1_767_571_200  # Monday, 2026-01-05
QUARTERS = 8
QUARTER_WEEKS = 13
AHEAD = QUARTERS * QUARTER_WEEKS
CHUNK = 50_000
PLANTS = ("firmware", "app", "build")
# Standard deviations between devices: of daily writes, of the yearly drift, and of single weeks.
RATE_SD, DRIFT_SD, WEEK_SD = 0.5, 0.12, 0.3
CHIP_SD = 0.03
LATE, LEAVES_A_YEAR, RESETS, GAPS, LOST, TWICE, WRONG_CLOCK = .15, .08, .03, .05, .03, .01, .003
UNCLOCKED = 1_546_300_800  # 2019-01-01, the day the ROM was built
FAR_AHEAD = 1_924_992_000  # 2031-01-01

Array = np.ndarray


@dataclass
class Truth:
    """Facts of the simulation that the data set does not contain."""

    planted: dict[str, Any]
    # The mean over the chips of a firmware.
    bytes_per_step: dict[str, float] = field(default_factory=dict)
    # The share of the time in which a trim was less than a week old, by device model.
    trimmed: dict[str, float] = field(default_factory=dict)
    replacements: list[int] = field(default_factory=lambda: [0] * QUARTERS)
    in_fleet: int = 0
    rows: int = 0
    quirks: dict[str, int] = field(default_factory=dict)

    def count(self, **more: int) -> None:
        for name, value in more.items():
            self.quirks[name] = self.quirks.get(name, 0) + int(value)


@dataclass
class Means:
    """Means by name, of groups that come one after the other."""

    sums: dict[str, float] = field(default_factory=dict)
    weights: dict[str, float] = field(default_factory=dict)

    def add(self, name: str, value: Array, weight: Array) -> None:
        self.sums[name] = self.sums.get(name, 0) + float((value * weight).sum())
        self.weights[name] = self.weights.get(name, 0) + float(weight.sum())

    def result(self) -> dict[str, float]:
        return {k: v / self.weights[k] for k, v in self.sums.items() if self.weights[k]}


def truth_of(plants: list[str]) -> Truth:
    planted: dict[str, Any] = {}
    if "firmware" in plants:
        chip, firmware = cat.PLANTED_FIRMWARE
        planted["firmware"] = [cat.CHIPS[chip].model, cat.FIRMWARES[firmware][0]]
    if "app" in plants:
        planted["app"] = cat.PLANTED_UID
    if "build" in plants:
        model, build = cat.PLANTED_BUILD
        planted["build"] = [cat.DEVICES[model].model, cat.DEVICES[model].builds[build]]
    return Truth(planted)


def _factor(chip: int, firmware: int, plants: list[str]) -> float:
    bad = "firmware" in plants and (chip, firmware) == cat.PLANTED_FIRMWARE
    return cat.FIRMWARES[firmware][2] * (cat.PLANTED_AMPLIFICATION if bad else 1)


@dataclass
class Chips:
    """Chips as an array of each property; weeks count from the data set's beginning."""

    key: Array
    device: Array
    firmware: Array
    life: Array  # bytes until the rated life has passed
    age: Array  # weeks of use before week 0; less than 0: first used in week -age
    enrolled: Array
    left: Array
    update: Array
    rate: Array  # GB a day, a row for each chip, a column for each week
    cost: Array  # life that a byte takes, likewise
    phase: Array


def _draw(rng: np.random.Generator, n: int, weeks: int, plants: list[str], of: Troubles,
          more: np.random.Generator) -> Chips:
    """Draws chips; what the troubles add is drawn by `more`."""
    key = np.unique(rng.integers(-2**63, 2**63 - 1, n, dtype=np.int64))
    n = len(key)
    device = rng.choice(len(cat.DEVICES), n, p=[x.share for x in cat.DEVICES])
    firmware = rng.choice(len(cat.FIRMWARES), n, p=[x[1] for x in cat.FIRMWARES])
    age = rng.integers(0, 4 * 52, n)
    if "firmware-by-age" in of.names:
        firmware = firmware_by_age(more, age, [x[1] for x in cat.FIRMWARES])
    life = _life(rng, device, firmware, plants, of, more)
    late = rng.random(n) < LATE
    enrolled = np.where(late, rng.integers(1, weeks, n), 0)
    new = late & (rng.random(n) < .5)
    age = np.where(new, -enrolled, age)
    left = enrolled + np.ceil(rng.exponential(52 / LEAVES_A_YEAR, n)).astype(int)
    update = (of.change_week if of.by_build else weeks // 2) + rng.integers(0, ROLLOUT_WEEKS, n)
    median = np.array([x.gb_per_day for x in cat.DEVICES])[device]
    base = median * np.exp(rng.normal(0, RATE_SD, n))
    drift = rng.normal(0, DRIFT_SD, n)
    week = np.arange(weeks + AHEAD)
    rate = (base[:, None] * np.exp(drift[:, None] * week / 52)
            * np.exp(rng.normal(-WEEK_SD**2 / 2, WEEK_SD, (n, len(week))))
            * of.season(week) * of.changed(week, update))
    if "build" in plants:
        model, _ = cat.PLANTED_BUILD
        rate *= np.where((device == model)[:, None] & (week >= update[:, None]),
                         cat.BUILD_WRITES, 1)
    if "app" in plants:
        has = (rng.random(n) < cat.PLANTED_UID_SHARE)[:, None]
        rate += np.where(has & (week >= rng.integers(0, weeks // 2, n)[:, None]),
                         cat.PLANTED_UID_GB_PER_DAY, 0)
    rate *= week >= -age[:, None]
    age = _replaced(rng, rate, age, life)
    return Chips(key, device, firmware, life, age, enrolled, left, update, rate,
                 of.cost(week, age), rng.integers(0, WEEK, n))


def _life(rng: np.random.Generator, device: Array, firmware: Array, plants: list[str],
          of: Troubles, more: np.random.Generator) -> Array:
    """Bytes until the rated life has passed."""
    chip = np.array([x.chip for x in cat.DEVICES])[device]
    life = np.array([[cat.bytes_of_life(c, _factor(k, f, plants))
                      for f in range(len(cat.FIRMWARES))]
                     for k, c in enumerate(cat.CHIPS)])[chip, firmware]
    life = life * np.exp(rng.normal(0, CHIP_SD, len(device)))
    if "phones-differ" in of.names:
        life *= np.exp(more.normal(0, PHONES_SD, len(device)))
    return life


def _first_rate(rate: Array, age: Array) -> Array:
    """GB a day before week 0, or of the first week in use."""
    return np.take_along_axis(rate, np.maximum(-age, 0)[:, None], 1)[:, 0]


def _replaced(rng: np.random.Generator, rate: Array, age: Array, life: Array) -> Array:
    """The ages, after owners whose device was worn out before week 0 have bought a newer one."""
    weeks_of_life = life / (7 * cat.GB * np.maximum(_first_rate(rate, age), 1e-3))
    worn = age > .98 * weeks_of_life
    return np.where(worn, rng.random(len(age)) * .98 * weeks_of_life, age).astype(int)


def _used(chips: Chips) -> Array:
    """The share of its rated life that each chip has used at the end of each week."""
    age = np.maximum(chips.age, 0)
    # The cost of a byte has grown linearly since the first use.
    cost = np.where(chips.age > 0, (1 + chips.cost[:, 0]) / 2, 1)
    before = age * 7 * _first_rate(chips.rate, chips.age) * cost * cat.GB / chips.life
    return before[:, None] + np.cumsum(chips.rate * chips.cost * (7 * cat.GB),
                                       axis=1) / chips.life[:, None]


def _foresee(chips: Chips, used: Array, weeks: int, truth: Truth) -> None:
    here = (chips.enrolled < weeks) & (chips.left > weeks) & (used[:, weeks - 1] < 1)
    passes = np.argmax(used >= 1, axis=1)
    happens = here & (used[:, -1] >= 1) & (passes < chips.left)
    for quarter in range(QUARTERS):
        since = weeks + quarter * QUARTER_WEEKS
        truth.replacements[quarter] += int(
            (happens & (passes >= since) & (passes < since + QUARTER_WEEKS)).sum())
    truth.in_fleet += int(here.sum())


def _seen(rng: np.random.Generator, chips: Chips, weeks: int, rare: Array, truth: Truth) -> Array:
    """The weeks of each chip in the data set."""
    week = np.arange(weeks)
    n = len(chips.key)
    seen = (week >= chips.enrolled[:, None]) & (week < chips.left[:, None])
    gap = np.where(rng.random(n) < GAPS, rng.integers(0, weeks, n), weeks)
    seen &= ~((week >= gap[:, None]) & (week < gap[:, None] + rng.integers(3, 13, n)[:, None]))
    seen &= rng.random((n, weeks)) >= LOST
    seen &= ~rare[:, None] | ((week + chips.phase[:, None]) % RARE_WEEKS == 0)
    truth.count(late=(chips.enrolled > 0).sum(), left=(chips.left <= weeks).sum(),
                gaps=(gap < weeks).sum())
    return seen


def _columns(rng: np.random.Generator, chips: Chips, used: Array, weeks: int, plants: list[str],
             configs: Array, shows: Shown, truth: Truth, trimmed: Means) -> dict[str, Array]:
    """Columns of the rows, by chip and time."""
    n = len(chips.key)
    seen = _seen(rng, chips, weeks, shows.rare, truth)
    row, week = np.nonzero(seen)
    wall = BEGIN + week * WEEK + chips.phase[row]
    # A reset begins the ledger anew, at the end of a week.
    reset = np.where(rng.random(n) < RESETS, rng.integers(1, weeks, n), weeks)
    truth.count(resets=(reset < weeks).sum())
    columns_ = np.arange(weeks)
    counted = chips.rate[:, :weeks] * ~((columns_ >= shows.frozen_from[:, None])
                                        & (columns_ < shows.frozen_to[:, None]))
    written = np.cumsum(counted * (7 * cat.GB), axis=1)
    start = np.take_along_axis(written, np.minimum(reset, weeks - 1)[:, None], 1)[:, 0]
    # The part of the week that comes after the dump.
    rest = (1 - chips.phase[row] / WEEK) * (7 * cat.GB)
    was_reset = week > reset[row]
    ledger = np.where(chips.age > 0, np.floor(chips.age * shows.ledger), chips.age).astype(int)
    earlier = np.maximum(ledger, 0) * 7 * _first_rate(chips.rate, chips.age) * cat.GB
    total = written[row, week] - rest * counted[row, week] \
        + np.where(was_reset, -start[row], earlier[row])
    since = np.where(was_reset, BEGIN + (reset[row] + 1) * WEEK, BEGIN - ledger[row] * WEEK)
    updated = (week >= chips.update[row]).astype(int)
    helped = ("build" in plants) & (chips.device[row] == cat.PLANTED_BUILD[0]) & (updated == 1)
    share = rng.random(n)
    edges = np.cumsum([x[1] for x in cat.BLOCKED])
    why = np.searchsorted(edges, share)  # len(BLOCKED): nothing keeps it
    # Those that report rarely and have no other reason are kept from it by the first one.
    why = np.where(shows.rare & (share > .5), 0, why)
    kept = (why < len(edges))[row] & ~helped
    _count_trimmed(chips, seen, (why >= len(edges)), "build" in plants, trimmed)
    age = np.where(kept, (week + 2) * WEEK + chips.phase[row],
                   rng.integers(0, 3 * DAY, len(row)))
    in_hand = rng.random(len(row)) < .5
    gates = np.where(kept, why[row], np.where(in_hand, len(edges) + 1, len(edges)))
    kind = np.array([x.chip for x in cat.DEVICES])[chips.device[row]]
    slow = np.where(kept, 1.5, 1) * np.where(helped, cat.BUILD_P99, 1) \
        * np.exp(rng.normal(0, .25, len(row)))
    rate = counted[row, week] * cat.GB
    shown_week = np.maximum(week - shows.delay[row], 0)
    life_used = used[row, shown_week] - (rest * chips.rate[row, shown_week]
                                         * chips.cost[row, shown_week] / chips.life[row])
    wear = np.clip(np.floor(life_used * 10), 0, 10).astype(np.int16) + np.int16(1)
    columns = {
        "chip": chips.key[row], "config": configs[chips.device[row], updated, chips.firmware[row]],
        "wall_s": wall, "since_wall_s": np.minimum(since, wall),
        "wear": shows.wear(row, wear).astype(np.int16),
        "pre_eol_info": np.ones(len(row), np.int16),
        "written_bytes": np.maximum(total, 0).astype(np.int64),
        "bytes_per_day": rate.astype(np.int64),
        "read_p99_us": (np.array([x.read_p99_us for x in cat.CHIPS])[kind] * slow).astype(np.int32),
        "write_p99_us": (np.array([x.write_p99_us for x in cat.CHIPS])[kind] * slow
                         ).astype(np.int32),
        "trim_age_s": age, "closed_gates": gates}
    app = np.zeros(len(row), bool)
    if "app" in plants:
        app = rate > 0
        # A device with the planted app writes far more than the median, so the app ranks first.
        median = np.array([x.gb_per_day for x in cat.DEVICES])[chips.device[row]] * cat.GB
        app &= rate > cat.PLANTED_UID_GB_PER_DAY * cat.GB + median / 4
    ranked = [(np.where(app, cat.PLANTED_UID, cat.WRITERS[0][0]),
               np.where(app, cat.PLANTED_UID_GB_PER_DAY * cat.GB, rate * cat.WRITERS[0][1])),
              *((np.full(len(row), uid), rate * part * np.where(app, .2, 1))
                for uid, part in cat.WRITERS[1:])]
    for number, (uid, amount) in enumerate(ranked, 1):
        columns[f"writer{number}_uid"] = uid.astype(np.int32)
        columns[f"writer{number}_bytes_per_day"] = amount.astype(np.int64)
    return columns


def _count_trimmed(chips: Chips, seen: Array, trims: Array, build: bool, trimmed: Means) -> None:
    """The time between a chip's first and last dump, and how much of it the chip trimmed."""
    week = np.arange(seen.shape[1])
    some = seen.any(axis=1)
    first = np.argmax(seen, axis=1)
    last = seen.shape[1] - 1 - np.argmax(seen[:, ::-1], axis=1)
    there = some[:, None] & (week >= first[:, None]) & (week < last[:, None])
    for number, device in enumerate(cat.DEVICES):
        of = chips.device == number
        helped = build & (number == cat.PLANTED_BUILD[0]) & (week >= chips.update[of, None])
        trimmed.add(device.model, trims[of, None] | helped, there[of])


def _disturb(rng: np.random.Generator, columns: dict[str, Array], truth: Truth
             ) -> dict[str, Array]:
    """Wrong clocks, and what is sent a second time a minute later."""
    n = len(columns["chip"])
    wrong = rng.random(n) < WRONG_CLOCK / 20
    columns["wall_s"] = np.where(
        wrong, np.where(rng.random(n) < .8, UNCLOCKED, FAR_AHEAD) + columns["wall_s"] % WEEK,
        columns["wall_s"])
    again = np.nonzero((rng.random(n) < TWICE) & ~wrong)[0]
    truth.count(wrong_clocks=wrong.sum(), sent_twice=len(again))
    order = np.sort(np.concatenate([np.arange(n), again]), kind="stable")
    columns = {name: values[order] for name, values in columns.items()}
    second = np.concatenate([[False], order[1:] == order[:-1]])
    columns["wall_s"] = columns["wall_s"] + np.where(second, 60, 0)
    return columns


def _put(dataset: Dataset, columns: dict[str, Array]) -> None:
    schema = tables()[SAMPLES]
    words = pa.array([*(x[0] for x in cat.BLOCKED), "", "untouched"])
    months = columns["wall_s"].astype("datetime64[s]").astype("datetime64[M]")
    for month in np.unique(months):
        rows = np.nonzero(months == month)[0]
        arrays = [pa.DictionaryArray.from_arrays(
                      pa.array(columns[f.name][rows].astype(np.int8)), words).cast(f.type)
                  if f.name == "closed_gates" else pa.array(columns[f.name][rows], f.type)
                  for f in schema]
        dataset.put(SAMPLES, pa.Table.from_arrays(arrays, schema=schema), str(month))


def _configs() -> tuple[Array, list[dict[str, Any]]]:
    rows = [[[config_row(x.model, build, (c := cat.CHIPS[x.chip]).kind, c.maker, c.model, name,
                         c.capacity_bytes) for name, _, _ in cat.FIRMWARES]
             for build in x.builds] for x in cat.DEVICES]
    return (np.array([[[r["config"] for r in b] for b in a] for a in rows]),
            sorted((r for a in rows for b in a for r in b), key=lambda r: r["config"]))


def simulate(devices: int, months: int, seed: int, folder: Path, plants: list[str],
             advance: Callable[[int, int], None] = lambda done, of: None,
             trouble: tuple[str, ...] = (), weeks: int | None = None) -> Truth:
    """The data set of a fleet that is drawn by `seed`; its truth. `weeks` counts instead of
    `months`."""
    weeks = weeks or months * 52 // 12
    truth = truth_of(plants)
    of = troubles(list(trouble), seed, weeks)
    steps, trimmed = Means(), Means()
    ids, rows = _configs()
    with writing(folder) as dataset:
        dataset.put(CONFIGS, pa.Table.from_pylist(rows, tables()[CONFIGS]))
        for number, begin in enumerate(range(0, devices, CHUNK)):
            rng = np.random.default_rng([seed, number])
            more = np.random.default_rng([seed, number, 1])
            chips = _draw(rng, min(CHUNK, devices - begin), weeks, plants, of, more)
            used = _used(chips)
            if "worn-leave" in of.names:
                chips.left = leave_by_wear(more, used, chips.enrolled, LEAVES_A_YEAR / 52)
            _foresee(chips, used, weeks, truth)
            _count_steps(chips, weeks, steps)
            shows = shown(more, of.names, len(chips.key), weeks)
            columns = _columns(rng, chips, used, weeks, plants, ids, shows, truth, trimmed)
            columns = _disturb(rng, columns, truth)
            truth.rows += len(columns["chip"])
            _put(dataset, columns)
            advance(min(begin + CHUNK, devices), devices)
    truth.bytes_per_step, truth.trimmed = steps.result(), trimmed.result()
    return truth


def _count_steps(chips: Chips, weeks: int, steps: Means) -> None:
    """Bytes of a tenth of life, at the cost of the middle of the data set's time."""
    kind = np.array([x.chip for x in cat.DEVICES])[chips.device]
    bytes_ = chips.life / 10 / chips.cost[:, weeks // 2]
    for c, chip in enumerate(cat.CHIPS):
        for f, (name, _, _) in enumerate(cat.FIRMWARES):
            of = (kind == c) & (chips.firmware == f)
            steps.add(f"{chip.model} {name}", bytes_[of], np.ones(of.sum()))


def within_life(trouble: tuple[str, ...], years: float) -> dict[str, float]:
    """The share of the chips made for each device model that are within their rated life at an age.
    An owner whose chips last T years has had 1/T of them a year: who wears fast counts for more.
    """
    rng = np.random.default_rng(0)
    of = troubles([x for x in trouble if x not in CHANGES], 0, 1)
    n, weeks = 200_000, years * 365.25 / 7
    device = rng.choice(len(cat.DEVICES), n, p=[x.share for x in cat.DEVICES])
    firmware = rng.choice(len(cat.FIRMWARES), n, p=[x[1] for x in cat.FIRMWARES])
    life = _life(rng, device, firmware, [], of, rng)
    rate = np.array([x.gb_per_day for x in cat.DEVICES])[device] * np.exp(
        rng.normal(0, RATE_SD, n) + rng.normal(0, WEEK_SD, n))
    lasts = life / (7 * cat.GB * rate)
    made = 1 / np.minimum(lasts, 4 * 52)
    return {x.model: float(made[(device == i) & (lasts > weeks)].sum() / made[device == i].sum())
            for i, x in enumerate(cat.DEVICES)}
