# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""Figures of the fleet's page as plain data, in the manner of storekeeper_report.charts."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from html import escape
from typing import Any

from storekeeper_report.charts import Figure, chart_layout, plain_axis
from storekeeper_report.words import iso

Row = dict[str, Any]
WEEK = 7 * 86_400
# More lines than colours nobody reads.
LINES = 6


def _colour(number: int) -> str:
    return f"--s{number + 1}"


def _line(name: str, x: list[Any], y: list[Any], colour: str, hover: str, **more: Any) -> Figure:
    return {"type": "scatter", "mode": "lines", "name": escape(name), "x": x, "y": y,
            "hovertemplate": f"{escape(name)}: {hover}<extra></extra>",
            "line": {"color": colour, "width": 1.8, **more}}


def replacements(rows: list[Row], end_s: int) -> Figure:
    """Expected a week, in steps of a quarter, with the band."""
    edges = [iso(end_s + r["from_week"] * WEEK) for r in rows]
    edges.append(iso(end_s + rows[-1]["to_week"] * WEEK))
    x = [e for i in range(len(rows)) for e in (edges[i], edges[i + 1])]

    def twice(key: str) -> list[float]:
        return [r[key] for r in rows for _ in (0, 1)]
    band = {"type": "scatter", "mode": "lines", "name": "90 % band", "fill": "toself",
            "x": x + x[::-1], "y": twice("a_week_high") + twice("a_week_low")[::-1],
            "fillcolor": "--band", "line": {"color": "--forecast", "width": 1},
            "hoverinfo": "skip"}
    line = _line("expected", x, twice("a_week"), "--b", "%{y:.3g} a week")
    top = max(r["a_week_high"] for r in rows) * 1.08 or 1
    return {"data": [band, line], "layout": chart_layout(
        230, xaxis=plain_axis(type="date", range=[edges[0], edges[-1]], tickformat="%b %Y",
                              nticks=6),
        yaxis=plain_axis(range=[0, top], nticks=5))}


def _largest(rows: list[Row]) -> list[str]:
    """The values with most devices, those that are shown."""
    devices: dict[str, int] = defaultdict(int)
    for r in rows:
        size = r.get("group_devices", r["devices"])
        devices[r["value"]] = max(devices[r["value"]], size)
    return sorted(devices, key=lambda v: (-devices[v], v))[:LINES]


def _by_value(rows: list[Row], dimension: str, draw: Callable[[str, list[Row], str], Figure]
              ) -> list[Figure]:
    rows = [r for r in rows if r["dimension"] == dimension and not r.get("left_out")
            and not r.get("unknown")]
    return [draw(value, [r for r in rows if r["value"] == value], _colour(i))
            for i, value in enumerate(_largest(rows))]


def survival(rows: list[Row], dimension: str) -> Figure | None:
    """The share of devices within the rated life, by age."""
    lines = _by_value(rows, dimension, lambda value, of, colour: _line(
        value, [round(r["years"], 3) for r in of],
        [round(100 * r["within_rated_life"], 3) for r in of],
        colour, "%{y:.1f} % at %{x:.1f} years", shape="hv"))
    if not lines:
        return None
    return {"data": lines, "layout": chart_layout(
        230, xaxis=plain_axis(title={"text": "years in use", "standoff": 4}, rangemode="tozero",
                              nticks=6),
        yaxis=plain_axis(range=[0, 104], nticks=6, ticksuffix=" %"),
        margin={"l": 50, "r": 8, "t": 14, "b": 40})}


def wear_rates(rows: list[Row], dimension: str) -> Figure | None:
    """Share of the devices that use more of their life a year than each value."""
    def draw(value: str, cells: list[Row], colour: str) -> Figure:
        x, y, total = [], [], cells[0]["group_devices"]
        more = total
        for r in cells:
            x.append(r["pct_per_year"])
            y.append(round(100 * more / total, 2))
            more -= r["devices"]
        return _line(value, x, y, colour, "%{y:.1f} % use %{x} % a year or more", shape="hv")
    lines = _by_value(rows, dimension, draw)
    if not lines:
        return None
    return {"data": lines, "layout": chart_layout(
        230, xaxis=plain_axis(title={"text": "life used a year", "standoff": 4},
                              ticksuffix=" %", rangemode="tozero", nticks=7),
        yaxis=plain_axis(range=[0, 104], nticks=6, ticksuffix=" %"),
        margin={"l": 50, "r": 8, "t": 14, "b": 40})}


def endurance(rows: list[Row]) -> Figure | None:
    """GB for each 10 % of life, with 90 % intervals; an alarm in its colour."""
    rows = [r for r in rows if r["gb_per_step"]][:24]
    if not rows:
        return None
    data = []
    for name, colour, chosen in (("GB for 10 % of life", "--b", False),
                                 ("alarm", "--urgent", True)):
        of = [r for r in rows if bool(r["alarm"]) == chosen]
        if not of:
            continue
        data.append({
            "type": "scatter", "mode": "markers", "name": name,
            "x": [round(r["gb_per_step"], 1) for r in of],
            "y": [escape(f"{r['chip_model']} {r['chip_firmware']}") for r in of],
            "error_x": {"type": "data", "symmetric": False, "color": colour, "thickness": 1.5,
                        "array": [round(r["gb_per_step_high"] - r["gb_per_step"], 1) for r in of],
                        "arrayminus": [round(r["gb_per_step"] - r["gb_per_step_low"], 1)
                                       for r in of]},
            "hovertemplate": "%{y}: %{x:.4g} GB<extra></extra>",
            "marker": {"color": colour, "size": 9}})
    return {"data": data, "layout": chart_layout(
        60 + 24 * len(rows), xaxis=plain_axis(rangemode="tozero", nticks=5, ticksuffix=" GB"),
        yaxis=plain_axis(automargin=True, autorange="reversed", type="category",
                         categoryorder="array",
                         categoryarray=[escape(f"{r['chip_model']} {r['chip_firmware']}")
                                        for r in rows]),
        margin={"l": 8, "r": 14, "t": 8, "b": 26})}
