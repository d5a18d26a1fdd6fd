# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""The named queries: expressions for the engine, and what statistics makes of their results."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any

import ibis.expr.types as ir
import pyarrow as pa
from storekeeper_report.words import uid as uid_text

from . import endurance, forecast, rates, survival
from . import expressions as x
from .base import Base, too_small
from .rows import chip_text

Row = dict[str, Any]
Rows = list[Row]


def _same(rows: Rows) -> Rows:
    return rows


@dataclass(frozen=True)
class Query:
    """`finish` makes the rows of the table from those of the expressions, in their order."""

    about: str
    expressions: tuple[Callable[[Base], ir.Table | Rows], ...]
    finish: Callable[..., Rows] = _same


def _named_writers(rows: Rows) -> Rows:
    return [{"uid": r["uid"], "name": uid_text(r["uid"]),
             **{k: v for k, v in r.items() if k != "uid"}} for r in rows]


def _first(rows: Rows, fits: Rows, stays: Rows) -> Rows:
    bad = {endurance.key(r) for r in endurance.firmware(fits, stays) if r["alarm"]}
    return [{**{k: v for k, v in r.items() if k not in ("bytes_per_day", "chip_maker")},
             "chip": chip_text(r["chip"]), "cause": _cause(r, endurance.key(r) in bad)}
            for r in rows]


# A writer is a cause if it writes half of all bytes, and more a day than a device should.
WRITER_SHARE, WRITER_BYTES = 0.5, 5 * 10**9
STALE_TRIM_S = 30 * 86_400


def _cause(r: Row, bad_firmware: bool) -> str:
    if bad_firmware:
        return f"firmware {r['chip_firmware']}"
    wrote, every = r["writer_bytes_per_day"], r["bytes_per_day"]
    if wrote and every and wrote >= WRITER_BYTES and wrote >= WRITER_SHARE * every:
        return f"writer {uid_text(r['writer_uid'])}"
    if (r["trim_age_s"] is None or r["trim_age_s"] > STALE_TRIM_S) and r["closed_gates"]:
        return "closed gate " + r["closed_gates"].replace(",", ", ")
    return "use"


def _rates(rows: Rows) -> Rows:
    """Cells with the size of their group; one row of a group that is too small."""
    found: Rows = []
    for (dimension, value), group in groupby(rows, lambda r: (r["dimension"], r["value"])):
        cells = list(group)
        devices, days = (sum(r[key] for r in cells) for key in ("devices", "device_days"))
        small = too_small(devices, days)
        found += [{"dimension": dimension, "value": value, "group_devices": devices,
                   "pct_per_year": None if small else r["pct_per_year"],
                   "devices": None if small else r["devices"], "left_out": small}
                  for r in (cells[:1] if small else cells)]
    return found


def _replacements(cells: Rows, leaving: Rows, basis: Rows, fits: Rows, names: Rows,
                  series: pa.Table) -> Rows:
    course = None
    if basis[0]["weeks"] >= forecast.MIN_WEEKS:
        columns = {name: series[name].to_numpy() for name in series.column_names}
        course = rates.course(columns, names, basis[0]["end_s"], basis[0]["weeks"],
                              forecast.QUARTERS)
    return forecast.replacements(cells, leaving, basis[0], fits, course)


def _coverage(rows: Rows) -> Rows:
    return [r if r["devices"] else {**r, "begin_s": None, "end_s": None} for r in rows]


QUERIES: dict[str, Query] = {
    "coverage": Query("what the figures rest on", (x.coverage,), _coverage),
    "replacements": Query("expected replacements a week, with a 90 % band",
                          (x.forecast_cells, x.leaving, x.basis, endurance.fitted, rates.names,
                           rates.series), _replacements),
    "firmware": Query("GB for each 10 % of life by chip firmware; alarms",
                      (endurance.fitted, endurance.stays), endurance.firmware),
    "wear": Query("how fast devices wear", (x.wear,)),
    "wear-rates": Query("how many devices use how much of their life a year",
                        (x.wear_rate_curve,), _rates),
    "survival": Query("who is within the rated life, by age", (x.survival_cells,),
                      survival.curves),
    "lives": Query("after how many years the rated life has passed", (x.survival_cells,),
                   survival.lives),
    "devices": Query("devices to look at, each with its cause",
                     (x.first_devices, endurance.fitted, endurance.stays), _first),
    "writers": Query("who writes", (x.writers,), _named_writers),
    "builds": Query("before and after a build", (x.builds,)),
    "trims": Query("how much of the time a trim was less than a week ago", (x.trims,)),
    "gates": Query("which gates keep trims from happening", (x.gates,)),
    "rejects": Query("what was refused", (x.rejects,)),
}


# Results that are arrays to the statistics, not rows.
COLUMNS = (rates.series,)


@dataclass
class Answers:
    """Results of a base; what two queries share is computed once."""

    base: Base
    _results: dict[Callable[[Base], ir.Table | Rows], Any] = field(default_factory=dict)

    def result(self, expression: Callable[[Base], ir.Table | Rows]) -> Any:
        """Rows; a table of columns where there are too many."""
        if expression not in self._results:
            found = expression(self.base)
            if not isinstance(found, list):
                table = self.base.engine.run(found)
                found = table if expression in COLUMNS else table.to_pylist()
            self._results[expression] = found
        return self._results[expression]

    def rows(self, name: str) -> Rows:
        query = QUERIES[name]
        return query.finish(*(self.result(e) for e in query.expressions))

    def every(self, advance: Callable[[int, int], None] = lambda done, of: None
              ) -> dict[str, Rows]:
        found = {}
        for number, name in enumerate(QUERIES, 1):
            found[name] = self.rows(name)
            advance(number, len(QUERIES))
        return found


