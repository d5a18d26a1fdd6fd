# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""The common base of all queries: samples reduced to a row for each device.

All sums are of whole numbers, and each quotient is divided once, so that engines that add in
different orders print the same digits.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import ibis
import ibis.expr.types as ir
from ibis import _

from .dataset import CONFIGS, REJECTS, SAMPLES
from .engine import Engine

DAY = 86_400
WEEK = 7 * DAY
QUARTER_DAYS = 91
# Smaller cells are left out: their figures would be noise, or show a single person's use.
MIN_DEVICES, MIN_DEVICE_DAYS = 100, 10_000
# A device without a dump for longer than this has left the fleet.
GONE_DAYS = 91
TRIMMED_DAYS = 7
MB = 1_000_000
PAST_LIFE = 11
# The data set's time ends at a gap of 8 weeks without any dump, and its last week has at least
# 1/100 of the busiest week's dumps. These limits exclude the lone dumps of wrong clocks.
MAX_GAP_WEEKS, MIN_LAST_SHARE = 8, 100
# Widths of values that _last_by() packs below the number that orders them.
TIME_BITS, MB_BITS, CONFIG_BITS = 33, 40, 40


# Samples that are reduced at once; the tables of their devices fit into the engine's memory.
PART_SAMPLES = 20_000_000


@dataclass(frozen=True)
class Window:
    """The time that counts, in seconds since the epoch; the end is that of the newest dump."""

    begin_s: int
    end_s: int
    samples: int = 0

    @property
    def weeks(self) -> int:
        """The weeks that have begun: 52 weekly dumps are a year of data."""
        return -(-(self.end_s - 1 - self.begin_s) // WEEK)


def window(engine: Engine) -> Window:
    """Weeks around the busiest one, without those of clocks that are wrong."""
    weeks = engine.run(
        engine.tables[SAMPLES].group_by(week=(_.wall_s // WEEK).cast("int64"))
        .agg(n=_.count(), first_s=_.wall_s.min(), last_s=_.wall_s.max()).order_by("week")
    ).to_pylist()
    if not weeks:
        return Window(0, 0)
    most = max(x["n"] for x in weeks)
    first = last = next(i for i, x in enumerate(weeks) if x["n"] == most)
    while first and weeks[first]["week"] - weeks[first - 1]["week"] <= MAX_GAP_WEEKS:
        first -= 1
    end = last
    while last + 1 < len(weeks) and weeks[last + 1]["week"] - weeks[last]["week"] <= MAX_GAP_WEEKS:
        last += 1
        if weeks[last]["n"] * MIN_LAST_SHARE >= most:
            end = last
    return Window(weeks[first]["first_s"], weeks[end]["last_s"] + 1,
                  sum(x["n"] for x in weeks[first:end + 1]))


def inside(samples: ir.Table, w: Window) -> ir.Table:
    return samples.filter((_.wall_s >= w.begin_s) & (_.wall_s < w.end_s))


def last_week(samples: ir.Table, w: Window) -> ir.Table:
    return samples.filter((_.wall_s >= w.end_s - WEEK) & (_.wall_s < w.end_s))


def total(column: ir.IntegerValue, where: ir.BooleanValue | None = None) -> ir.IntegerScalar:
    """The sum of whole numbers, which stays below 2^53: a sum of doubles is as exact and does not
    make DuckDB count in 128 bits."""
    return column.cast("float64").sum(where=where).cast("int64")


def spans(samples: ir.Table, w: Window) -> ir.Table:
    """A row for each device, config, ledger and step of wear: the one pass over all samples."""
    recent = _.wall_s >= w.end_s - QUARTER_DAYS * DAY
    return inside(samples, w).group_by("chip", "config", "since_wall_s", "wear").agg(
        n=_.count(), first_s=_.wall_s.min(), last_s=_.wall_s.max(),
        w_min=_.written_bytes.min(), w_max=_.written_bytes.max(),
        q_w=_.written_bytes.min(where=recent), q_s=_.wall_s.min(where=recent),
        rate_sum=total(_.bytes_per_day, recent),
        rate_n=_.bytes_per_day.count(where=recent),
        read_sum=total(_.read_p99_us), read_n=_.read_p99_us.count(),
        write_sum=total(_.write_p99_us), write_n=_.write_p99_us.count(),
        trimmed=_.count(where=_.trim_age_s <= TRIMMED_DAYS * DAY))


def _last_by(order: ir.IntegerColumn, value: ir.IntegerColumn, bits: int) -> ir.IntegerScalar:
    """The value, at most `bits` wide, where `order` is largest; of several the largest."""
    packed = (order.cast("int64") * (1 << bits) + value.cast("int64")).max()
    return packed & ((1 << bits) - 1)


def devices(of: ir.Table, w: Window) -> ir.Table:
    """A row for each chip. Megabytes are 10^6 bytes; figures that a reset made unknown are null."""
    seen = of.wear > 0
    most_s = (1 << TIME_BITS) - 1
    table = of.group_by("chip").agg(
        config=_last_by((of.last_s - w.begin_s) // 60, of.config, CONFIG_BITS),
        updated=of.config.max() != of.config.min(),
        n=total(of.n), first_s=of.first_s.min(), last_s=of.last_s.max(),
        since_s=of.since_wall_s.min(), reset=of.since_wall_s.max() != of.since_wall_s.min(),
        wear_first=of.wear.min(where=seen).cast("int64"),
        wear_last=of.wear.max(where=seen).cast("int64"),
        # The time at which the highest step was seen first.
        level_first_s=most_s - _last_by(of.wear, most_s - of.first_s, TIME_BITS),
        w_min=of.w_min.min(), w_max=of.w_max.max(), q_w=of.q_w.min(), q_s=of.q_s.min(),
        rate_sum=total(of.rate_sum), rate_n=total(of.rate_n))
    table = table.left_join(_steps(of, table), "chip").drop("chip_right")
    nothing = ibis.null("int64")

    def mb(high: ir.IntegerColumn, low: ir.IntegerColumn) -> ir.IntegerColumn:
        return ibis.ifelse(table.reset, nothing, ((high - low) // MB).cast("int64"))

    table = table.select(
        "chip", "config", "updated", "n", "first_s", "last_s", "since_s", "reset", "wear_first",
        "wear_last", "level_first_s", *STEPS,
        days=((table.last_s - table.first_s) // DAY).cast("int64"),
        written_mb=mb(table.w_max, table.w_min),
        # The ledger's count at the first dump.
        ledger_mb=mb(table.w_min, ibis.literal(0, "int64")),
        q_mb=mb(table.w_max, table.q_w), q_s=table.last_s - table.q_s,
        rate_mb=ibis.ifelse(table.rate_n > 0,
                            (table.rate_sum // (table.rate_n * MB)).cast("int64"), nothing),
        present=(table.last_s >= w.end_s - GONE_DAYS * DAY))
    # Megabytes a day now: of the newest quarter, else as the devices report it.
    return table.mutate(mb_per_day=ibis.ifelse(
        (table.q_s >= 14 * DAY) & (table.q_mb > 0), (table.q_mb * DAY).cast("float64") / table.q_s,
        ibis.ifelse(table.rate_mb > 0, table.rate_mb.cast("float64"), ibis.null("float64"))))


# Figures of devices whose wear has grown; null of the others.
STEPS = ("jump", "level_mb", "late_mb", "whole_wear", "whole_mb", "whole_s")


def _steps(of: ir.Table, devices: ir.Table) -> ir.Table:
    """The steps of wear that devices were seen to take. A step counts as whole only if the chip
    showed the step before it and the one after it: a step that is skipped is no step written."""
    moved = devices.filter((_.wear_last > _.wear_first) & ~_.reset).select(
        "chip", "wear_last")
    t = of.filter((_.wear > 0) & _.w_min.notnull()).join(moved, "chip").group_by(
        "chip", "wear_last", wear=_.wear.cast("int64")).agg(
        first_s=_.first_s.min(), w_min=_.w_min.min(), w_max=_.w_max.max())
    order = ibis.window(group_by="chip", order_by="wear")
    t = t.mutate(before=t.wear.lag().over(order), before_w=t.w_max.lag().over(order),
                 after=t.wear.lead().over(order), after_w=t.w_min.lead().over(order))
    # Either end of a step lies between two dumps: in their middle.
    stay = ((t.after_w - t.w_min + t.w_max - t.before_w) // (2 * MB)).cast("int64")
    whole = (t.before == t.wear - 1) & (t.after == t.wear + 1) & (stay > 0)
    top = t.wear == t.wear_last
    t = t.group_by("chip").agg(
        jump=(t.wear - t.before).max(where=top),
        # Written in the highest step since it was seen first, and at most before that.
        level_mb=((t.w_max - t.w_min) // MB).cast("int64").max(where=top),
        late_mb=((t.w_min - t.before_w) // MB).cast("int64").max(where=top),
        # The newest whole step: one for each device, since who wears fast shows more of them.
        mb=(t.wear * (1 << MB_BITS) + ibis.least(stay, (1 << MB_BITS) - 1)).max(where=whole),
        s=(t.wear * (1 << TIME_BITS) + t.first_s).max(where=whole))
    return t.select("chip", "jump", "level_mb", "late_mb",
                    whole_wear=(t.mb // (1 << MB_BITS)).cast("int64"),
                    whole_mb=t.mb & ((1 << MB_BITS) - 1), whole_s=t.s & ((1 << TIME_BITS) - 1))


def exposure(of: ir.Table, w: Window) -> ir.Table:
    """Days at each step of wear, before the time at which a departure cannot be known yet."""
    end = w.end_s - GONE_DAYS * DAY
    t = of.filter(_.first_s < end)
    return t.group_by(wear=t.wear.cast("int64")).agg(
        days=total((ibis.least(t.last_s, end) - t.first_s) // DAY))


def lives(of: ir.Table) -> ir.Table:
    """A row for each chip and config. The time with a trim in the week before is the dumps' share
    of its time, however often it reports."""
    table = of.group_by("chip", "config").agg(
        first_s=_.first_s.min(), last_s=_.last_s.max(), seconds=total(_.last_s - _.first_s),
        mb=(total(_.w_max - _.w_min) // MB).cast("int64"),
        **{x: total(_[x]) for x in (
            "n", "read_sum", "read_n", "write_sum", "write_n", "trimmed")})
    return table.mutate(trimmed_s=(_.seconds * _.trimmed // _.n).cast("int64"))


def too_small(devices: Any, device_days: Any) -> Any:
    """Whether a group's figures are left out: of numbers, or of columns."""
    return (devices < MIN_DEVICES) | (device_days < MIN_DEVICE_DAYS)


def left_out(table: ir.Table, *figures: str) -> ir.Table:
    """The table without the figures of groups that are too small, marked as such."""
    small = too_small(table.devices, table.device_days)
    return table.mutate(left_out=small, **{
        x: ibis.ifelse(small, ibis.null(table[x].type()), table[x]) for x in figures})


@dataclass
class Base:
    """The tables that all queries read."""

    engine: Engine
    window: Window
    samples: ir.Table
    configs: ir.Table
    rejects: ir.Table
    devices: ir.Table
    # Sums over the samples of each pair of chip and config.
    lives: ir.Table
    exposure: ir.Table
    # Fitted endurance and its table, which endurance.with_step() keeps.
    fits: list[dict[str, Any]] | None = None
    steps: ir.Table | None = None


def base(engine: Engine, end_s: int | None = None) -> Base:
    """Reads all samples once and keeps the reduced tables. A large fleet is read in parts: the
    files are in the order of the chips, so that each part is read alone."""
    w = window(engine)
    if end_s is not None:
        w = replace(w, begin_s=min(w.begin_s, end_s), end_s=end_s)
    samples, configs = engine.tables[SAMPLES], engine.tables[CONFIGS]
    # Two writers may have written one config.
    configs = engine.keep(configs.distinct())
    by_chip, by_config, by_wear = [], [], []
    for first, last in ranges(-(-w.samples // PART_SAMPLES)):
        reduced = engine.keep(spans(engine.chips(first, last), w))
        by_chip.append(engine.keep(devices(reduced, w)))
        by_config.append(engine.keep(lives(reduced)))
        by_wear.append(engine.keep(exposure(reduced, w)))
        engine.drop(reduced)
    return Base(engine, w, samples, configs, engine.tables[REJECTS], _together(by_chip),
                _together(by_config), _together(by_wear))


def ranges(parts: int) -> list[tuple[int, int]]:
    """Splits the 64-bit range of chip ids into `parts` ranges, at least one, as (first, last)."""
    parts = max(parts, 1)
    edges = [(1 << 64) * i // parts - (1 << 63) for i in range(parts + 1)]
    return [(first, end - 1) for first, end in pairwise(edges)]


def _together(parts: list[ir.Table]) -> ir.Table:
    return ibis.union(parts[0], *parts[1:], distinct=False) if len(parts) > 1 else parts[0]
