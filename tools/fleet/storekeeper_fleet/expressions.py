# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""The tables of the page as Ibis expressions over the base; each ends in an order of its own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import ibis
import ibis.expr.types as ir
from ibis import _

from .base import (
    DAY,
    MB,
    PAST_LIFE,
    QUARTER_DAYS,
    WEEK,
    Base,
    inside,
    last_week,
    left_out,
)
from .endurance import KEYS, with_step
from .rows import WRITERS

DIMENSIONS = ("chip_model", "chip_firmware", "device_model", "build")
# Limits of the forecast's cells, in weeks; the forecast does not reach beyond them.
MAX_CELL_WEEKS, MAX_CELL_WIDTH = 312, 10_400
FIRST_DEVICES, SAID_DAYS = 50, 28
# The curves' unit of age is 4 weeks; their speed is in per cent of life a year.
AGE_WEEKS = 4
MAX_PCT_PER_YEAR = 60


def _int(value: ir.NumericValue) -> ir.IntegerValue:
    """Rounded down, whichever way the engine casts."""
    return value.floor().cast("int64")


def _double(value: ir.IntegerValue) -> ir.FloatingValue:
    """Before it meets a literal with a fraction, which SQL takes for a decimal."""
    return value.cast("float64")


def _sums(*columns: str) -> dict[str, Any]:
    return {x: _[x].sum().cast("int64") for x in columns}


def _named(b: Base, table: ir.Table) -> ir.Table:
    """The selected devices with the columns of configs: names come last, as numbers are
    grouped faster."""
    return table.join(b.configs, "config")


def _share(part: ir.IntegerColumn, of: ir.IntegerColumn) -> ir.FloatingColumn:
    return ibis.ifelse(of > 0, part / of, ibis.null("float64"))


def coverage(b: Base) -> ir.Table:
    """The devices, samples and times that the figures rest on."""
    used = b.devices.agg(samples=_.n.sum().cast("int64").coalesce(0))
    rest = b.samples.agg(all_samples=_.count())
    every = with_step(b)
    d = every.agg(
        devices=_.count(), present=_known_sum(every.present),
        device_days=every.days.sum().cast("int64").coalesce(0),
        # Null where no device reports its wear: a sum over none.
        past_rated_life=(every.wear_last == PAST_LIFE).sum(
            where=every.present & every.wear_last.notnull()).cast("int64"),
        wear_not_reported=_known_sum(every.wear_last.isnull()),
        ledger_began_anew=_known_sum(every.reset),
        # Null where no chip's endurance is known.
        ledger_began_late=began_late(every).sum().cast("int64"))
    rejects = b.rejects.agg(rejected_files=_.file.nunique())
    return d.cross_join(used).cross_join(rest).cross_join(rejects).select(
        "devices", "present", "device_days", "samples",
        samples_of_wrong_clocks=_.all_samples - _.samples,
        rejected_files=_.rejected_files, past_rated_life=_.past_rated_life,
        wear_not_reported=_.wear_not_reported, ledger_began_anew=_.ledger_began_anew,
        ledger_began_late=_.ledger_began_late,
        begin_s=ibis.literal(b.window.begin_s, "int64"),
        end_s=ibis.literal(b.window.end_s - 1, "int64"))


def left(b: Base) -> ir.Table:
    """Devices of the fleet with the megabytes that they may still write: at least and at most, as
    of how much of the step they have written is known, and by how much chips differ."""
    d = with_step(b).filter(_.present & (_.wear_last < PAST_LIFE) & (_.mb_per_day > 0)
                            & (_.step_mb > 0))
    # Time goes with the mean of 1/step, whose inverse is less than the mean step by the square of
    # the chips' relative deviation.
    mean = d.step_mb * (1 - d.step_sd * d.step_sd)

    def to_end(first: ir.IntegerValue) -> ir.FloatingValue:
        """The steps from this one to the tenth, each by so much longer than the one before."""
        grown = 1 + d.step_slope * ((first + 10) / 2 - d.step_wear)
        return mean * (11 - first) * ibis.greatest(grown, 0.1)
    # A chip that does not count written bytes is measured in days.
    in_step = d.level_mb.cast("float64").coalesce(d.written_mb.cast("float64")).coalesce(
        d.mb_per_day * (d.last_s - d.level_first_s) / DAY)
    rest, after = to_end(d.wear_last), to_end(d.wear_last + 1)
    step = rest - after
    # A step that was seen to begin did so after the dump before. If others were skipped there, up
    # to all of them are still to be written. Of another step any place is as likely.
    began = d.jump.notnull()
    open_ = ibis.ifelse(began, d.late_mb + step * (d.jump - 1),
                        ibis.greatest(step - in_step, step * 0.05)) / 2
    middle = ibis.ifelse(began, rest - in_step - d.late_mb / 2 + step * (d.jump - 1) / 2,
                         after + open_)
    # A uniform distribution of this half width has the variance of the place and of the chips.
    chips = ibis.ifelse(began, rest, after) * d.step_sd
    half = (open_ * open_ + 3.0 * chips * chips).sqrt()
    least = ibis.greatest(middle - half, after - 3**.5 * after * d.step_sd, 0.0)
    most = ibis.greatest(middle + half, least + step * 0.05)
    idle_days = (b.window.end_s - d.last_s) / DAY
    return d.mutate(least_days=least / d.mb_per_day - idle_days,
                    most_days=most / d.mb_per_day - idle_days,
                    pct_per_year=d.mb_per_day * 3650.0 / d.step_mb)


def forecast_cells(b: Base) -> ir.Table:
    """How many devices pass their rated life between one week and another."""
    d = left(b)
    # Before 0 are those that may have passed it since their last dump.
    low = _int(d.least_days / 7)
    # Either end is moved outwards to a whole week, so that the middle stays.
    width = ibis.least(_int(d.most_days / 7) + 1 - low, MAX_CELL_WIDTH)
    # Wide ones need not be exact to a week.
    width = ibis.ifelse(width > 52, (width // 13) * 13, width)
    cells = (d.mutate(low=low, width=ibis.greatest(width, 1)).filter(_.low <= MAX_CELL_WEEKS)
             .group_by("config", "wear_last", "low", "width").agg(devices=_.count()))
    keys = (*KEYS, "device_model", "wear_last", "low", "width")
    return _named(b, cells).group_by(*keys).agg(**_sums("devices")).order_by(*keys)


def leaving(b: Base) -> ir.Table:
    """How many have left at each step of wear, in how many days at it."""
    d = b.devices.filter(~_.present & _.wear_last.notnull())
    gone = d.group_by(wear=_.wear_last).agg(gone=_.count())
    days = b.exposure.group_by("wear").agg(days=_.days.sum().cast("int64"))
    return days.left_join(gone, "wear").select(
        "wear", "days", gone=_.gone.coalesce(0)).order_by("wear")


def basis(b: Base) -> ir.Table:
    """The weeks that a forecast rests on, its devices, and those of the fleet that it has to leave
    out, each for the first thing that is not known of it."""
    within = b.devices.filter(_.present & (_.wear_last.isnull() | (_.wear_last < PAST_LIFE)))
    d = with_step(b).filter(_.present & (_.wear_last < PAST_LIFE))
    rate, step = (d.mb_per_day > 0).fill_null(False), (d.step_mb > 0).fill_null(False)
    return within.agg(no_wear=_known_sum(within.wear_last.isnull())).cross_join(
        d.agg(no_rate=_known_sum(~rate), no_step=_known_sum(rate & ~step),
              devices=_known_sum(rate & step))).mutate(
        weeks=ibis.literal(b.window.weeks, "int64"), end_s=ibis.literal(b.window.end_s, "int64"))


def _known_sum(condition: ir.BooleanValue) -> ir.IntegerScalar:
    return condition.sum().cast("int64").coalesce(0)


def _by_dimension(table: ir.Table, reduce: Callable[[ir.Table], ir.Table]) -> ir.Table:
    """The reduction by each of the four dimensions, one below the other."""
    values = {"chip_model": table.chip_maker + " " + table.chip_model,
              "chip_firmware": table.chip_model + " " + table.chip_firmware,
              "device_model": table.device_model, "build": table.device_model + " " + table.build}
    parts = [reduce(table.mutate(dimension=ibis.literal(x), value=values[x])) for x in DIMENSIONS]
    return ibis.union(parts[0], *parts[1:], distinct=False)


def wear(b: Base) -> ir.Table:
    """How fast devices wear."""
    d = with_step(b).filter((_.mb_per_day > 0) & _.step_mb.notnull())
    d = d.mutate(mb=_int(d.mb_per_day), mpct=_int(ibis.least(
        d.mb_per_day * 3_650_000.0 / d.step_mb, 1e9)))
    sums = ("devices", "days", "mb", "mpct", "past", "late")
    per = _named(b, d.group_by("config").agg(
        devices=_.count(), **_sums("days", "mb", "mpct"),
        past=(_.wear_last == PAST_LIFE).sum().cast("int64"),
        late=(_.wear_last >= 9).sum().cast("int64")))

    def reduce(t: ir.Table) -> ir.Table:
        t = t.group_by("dimension", "value").agg(**_sums(*sums))
        return left_out(t.select(
            "dimension", "value", "devices", device_days=t.days,
            gb_per_day=t.mb / (t.devices * 1000),
            life_pct_per_year=t.mpct / (t.devices * 1000),
            beyond_80_pct=t.late / t.devices, past_rated_life=t.past / t.devices),
            "gb_per_day", "life_pct_per_year", "beyond_80_pct", "past_rated_life")
    return _by_dimension(per, reduce).order_by("dimension", "value")


def wear_rate_curve(b: Base) -> ir.Table:
    """How many devices use how much of their life a year."""
    d = with_step(b).filter((_.mb_per_day > 0) & _.step_mb.notnull())
    d = d.mutate(pct_per_year=ibis.least(
        _int(ibis.least(d.mb_per_day * 3650.0 / d.step_mb, 1e6)), MAX_PCT_PER_YEAR))

    return _counted(b, d, "pct_per_year")


def _counted(b: Base, devices: ir.Table, *by: str) -> ir.Table:
    """How many devices are in each cell, by dimension."""
    per = _named(b, devices.group_by("config", *by).agg(
        devices=_.count(), device_days=_.days.sum().cast("int64")))

    def reduce(t: ir.Table) -> ir.Table:
        return t.group_by("dimension", "value", *by).agg(**_sums("devices", "device_days"))
    return _by_dimension(per, reduce).order_by("dimension", "value", *by)


def began_late(d: ir.Table) -> ir.BooleanColumn:
    """Whether a whole step of the wear at the first dump, or more, is not in what the ledger had
    counted by then, even of a chip whose steps are two deviations shorter. Null: not known."""
    steps = (d.wear_first - 1) * (1 - 2 * d.step_sd) - 1
    return (d.ledger_mb < steps * d.step_mb) & (d.wear_first > 2)


def survival_cells(b: Base) -> ir.Table:
    """How old devices were, in steps of four weeks, when the data set saw them first, when they
    were last known to be within their rated life, and when they were known to be past it (-1: not
    yet). Those that were past it from the beginning say nothing."""
    d = with_step(b).filter(_.wear_first.notnull() & (_.wear_first < PAST_LIFE))
    d = d.filter(~began_late(d).fill_null(False))
    unit = AGE_WEEKS * WEEK
    past = d.wear_last == PAST_LIFE
    d = d.mutate(entry=((d.first_s - d.since_s) // unit).cast("int64"),
                 lower=((ibis.ifelse(past, ibis.greatest(d.level_first_s - WEEK, d.first_s),
                                     d.last_s) - d.since_s) // unit).cast("int64"),
                 upper=ibis.ifelse(past, ((d.level_first_s - d.since_s) // unit).cast("int64"), -1))

    return _counted(b, d, "entry", "lower", "upper")


def first_devices(b: Base) -> ir.Table:
    """Those that pass their rated life first, or have, with what they said last."""
    d = left(b)
    ranked = d.mutate(weeks_left=_int(ibis.greatest((d.least_days + d.most_days) / 14, 0.0))) \
        .filter(_.weeks_left <= 2 * MAX_CELL_WEEKS)
    first = _named(b, ranked.order_by("weeks_left", "chip").limit(FIRST_DEVICES).select(
        "chip", "config", "last_s", "wear_last", "weeks_left", "mb_per_day", "pct_per_year"))
    # Older samples cannot explain the present state.
    said = inside(b.samples, b.window).filter(_.wall_s >= b.window.end_s - SAID_DAYS * DAY).select(
        "wall_s", "bytes_per_day", "writer1_uid", "writer1_bytes_per_day", "trim_age_s",
        "closed_gates", said_by="chip")
    joined = first.left_join(said, (first.chip == said.said_by) & (first.last_s == said.wall_s))
    return joined.group_by("weeks_left", "chip", "device_model", "build", "chip_maker",
                           "chip_model", "chip_firmware", "wear_last").agg(
        gb_per_day=_.mb_per_day.max() / 1000, life_pct_per_year=_.pct_per_year.max(),
        bytes_per_day=_.bytes_per_day.max(), writer_uid=_.writer1_uid.max(),
        writer_bytes_per_day=_.writer1_bytes_per_day.max(),
        trim_age_s=_.trim_age_s.max(), closed_gates=_.closed_gates.max(),
        ).order_by("weeks_left", "chip")


def writers(b: Base) -> ir.Table:
    """The uids that write most, over the dumps of the newest week."""
    week = last_week(b.samples, b.window)
    parts = [week.select(
        "chip", uid=week[f"writer{n}_uid"], mb=week[f"writer{n}_bytes_per_day"] // MB,
        all_mb=week.bytes_per_day // MB, first=ibis.literal(int(n == 1), "int64"))
        for n in range(1, WRITERS + 1)]
    t = ibis.union(parts[0], *parts[1:], distinct=False).filter(_.uid.notnull())
    t = t.group_by("uid").agg(
        devices=_.chip.nunique(), dumps=_.count(), first=_["first"].sum().cast("int64"),
        mb=_.mb.sum().cast("int64"), all_mb=_.all_mb.sum().cast("int64"))
    # Days of the fleet: each dump stands for its week.
    t = t.mutate(device_days=_.devices * QUARTER_DAYS)
    t = t.select("uid", "devices", "device_days", gb_per_day=t.mb / (t.dumps * 1000),
                 share_of_writes=_share(t.mb, t.all_mb), is_first=t["first"] / t.dumps,
                 total_gb_per_day=t.mb / 1000)
    return left_out(t, "gb_per_day", "share_of_writes", "is_first", "total_gb_per_day").order_by(
        ibis.desc("total_gb_per_day"), "uid")


def builds(b: Base) -> ir.Table:
    """Devices that took a build: what they wrote, waited and trimmed before and after."""
    sums = ("seconds", "mb", "read_sum", "read_n", "write_sum", "write_n", "trimmed_s")
    ids = b.configs.group_by("device_model", "build").agg(build_id=_.config.min())
    of = b.configs.join(ids, ["device_model", "build"]).select("config", "build_id")
    updated = b.devices.filter(_.updated).select("chip")
    per = b.lives.semi_join(updated, "chip").join(of, "config").group_by("chip", "build_id").agg(
        first_s=_.first_s.min(), **_sums(*sums)).filter(_.seconds >= 14 * DAY)
    order = ibis.window(group_by="chip", order_by=["first_s", "build_id"])
    per = per.mutate(before_id=per.build_id.lag().over(order),
                     **{f"{x}_0": per[x].lag().over(order) for x in sums})
    t = per.filter(_.before_id.notnull()).group_by("before_id", "build_id").agg(
        devices=_.count(), **_sums(*(f"{x}_0" for x in sums), *sums))
    t = t.join(ids, "build_id").rename(after="build")
    t = t.join(ids.select(before_id="build_id", before="build", model_before="device_model"),
               "before_id").filter(_.device_model == _.model_before)
    t = t.mutate(days_0=(t.seconds_0 // DAY).cast("int64"), days_1=(t.seconds // DAY).cast("int64"),
                 **{f"{x}_1": t[x] for x in sums})
    figures = {}
    for i, when in ((0, "before"), (1, "after")):
        figures |= {
            f"gb_per_day_{when}": _share(t[f"mb_{i}"], t[f"days_{i}"] * 1000),
            f"read_p99_us_{when}": _share(t[f"read_sum_{i}"], t[f"read_n_{i}"]),
            f"write_p99_us_{when}": _share(t[f"write_sum_{i}"], t[f"write_n_{i}"]),
            f"trimmed_{when}": _share(t[f"trimmed_s_{i}"], t[f"seconds_{i}"])}
    t = t.select("device_model", "before", "after", "devices",
                 device_days=t.days_0 + t.days_1, **figures)
    return left_out(t, *figures).order_by("device_model", "before", "after")


def trims(b: Base) -> ir.Table:
    """How much of the time that devices had a build they had a complete trim in the week before.
    A device model's time spans its builds, also where no dump was made for long."""
    per = b.lives.join(b.configs.select("config", "device_model", "build"), "config")
    whole = per.group_by("chip", "device_model").agg(
        seconds=_.last_s.max() - _.first_s.min(), **_sums("n", "trimmed"))
    whole = whole.mutate(trimmed_s=(_.seconds * _.trimmed // _.n).cast("int64"))

    def reduce(per: ir.Table, dimension: str, value: ir.StringColumn) -> ir.Table:
        t = per.mutate(dimension=ibis.literal(dimension), value=value)
        t = t.group_by("dimension", "value").agg(
            devices=_.chip.nunique(), **_sums("seconds", "trimmed_s"))
        return left_out(t.select("dimension", "value", "devices",
                                 device_days=(t.seconds // DAY).cast("int64"),
                                 trimmed_share=_share(t.trimmed_s, t.seconds)), "trimmed_share")
    return reduce(whole, "device_model", whole.device_model).union(
        reduce(per, "build", per.device_model + " " + per.build)).order_by("dimension", "value")


def gates(b: Base) -> ir.Table:
    """Closed gates of devices without a complete trim in the week before the newest dump."""
    week = last_week(b.samples, b.window)
    every = week.agg(all_devices=_.chip.nunique())
    stale = week.filter(_.trim_age_s.isnull() | (_.trim_age_s > WEEK))
    t = stale.select("chip", gate=ibis.ifelse(stale.closed_gates == "", "none",
                                              stale.closed_gates).split(",").unnest())
    t = t.group_by("gate").agg(devices=_.chip.nunique()).cross_join(every)
    t = t.select("gate", "devices", device_days=t.devices * QUARTER_DAYS,
                 share_of_devices=_share(t.devices, t.all_devices))
    return left_out(t, "share_of_devices").order_by(ibis.desc("devices"), "gate")


def rejects(b: Base) -> ir.Table:
    return b.rejects.distinct().order_by("file", "key", "reason")
