# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""Plotly figures as plain data. A colour that begins with -- is a CSS variable, which the page
replaces, so that one figure serves light and dark."""

from __future__ import annotations

import math
from html import escape
from typing import Any

from .device import Device, Row
from .words import has_date, iso, life_range, micros, millis, moment, size

Figure = dict[str, Any]

# The most detailed first: requests of everybody one by one, ours alone, a mean.
SOURCES = {"bpf": "every request (BPF)", "probe": "own probe",
           "diskstats": "mean (diskstats)"}
KINDS = ("read", "write", "flush", "discard")
PERCENTILES = {"p50_us": "p50", "p90_us": "p90", "p99_us": "p99", "p999_us": "p99.9"}
DAY_S = 86_400
# A forecast far beyond the observed time would squeeze the observations into a line.
MOST_AHEAD = 3
ROW_PX = 100
# Less would make mountains of noise, and leave no room for two round ticks.
LEAST_DECADES = 0.8
# Plotly's own legend takes the room of the chart on a narrow screen; the page has one of its own.
MARGIN = {"l": 58, "r": 8, "t": 14, "b": 26}


def chart_layout(height: int, **more: Any) -> Figure:
    return {
        "height": height, "margin": MARGIN, "showlegend": False, "dragmode": False,
        "paper_bgcolor": "rgba(0,0,0,0)", "plot_bgcolor": "rgba(0,0,0,0)",
        "font": {"family": "system-ui, sans-serif", "size": 12, "color": "--muted"},
        "hoverlabel": {"bgcolor": "--card", "bordercolor": "--line", "font": {"color": "--text"}},
        **more,
    }


def plain_axis(**more: Any) -> Figure:
    return {"gridcolor": "--grid", "linecolor": "--line", "zeroline": False, "fixedrange": True,
            **more}


def _time_axis(first: int, last: int, **more: Any) -> Figure:
    span = last - first
    pad = max(span // 50, 3600)
    years = span // (365 * DAY_S)
    days = "%b %Y" if span > 100 * DAY_S else "%-d %b" if span >= 5 * DAY_S else "%-d %b %H:%M"
    return plain_axis(type="date", range=[iso(first - pad), iso(last + pad)],
                 nticks=5 if span >= 5 * DAY_S else 4, tickformat="%Y" if years >= 3 else days,
                 **({"dtick": f"M{12 * (1 + years // 8)}"} if years >= 3 else {}), **more)


def wear(device: Device) -> Figure | None:
    """Used life as the chip reports it, in steps of 10 %, and where the forecast leads it. None
    when it reports none."""
    rows = [x for x in device.series or [] if has_date(x["wall_s"])]
    traces = []
    # If both are equal, the thin line lies on the broad one.
    for key, name, colour, width in (("life_time_b", "type B (MLC)", "--b", 4),
                                     ("life_time_a", "type A (SLC)", "--a", 1.8)):
        points = [(x["wall_s"], life_range(x[key])) for x in rows]
        if any(p for _, p in points):
            traces.append(_steps(points, name, {"color": colour, "width": width, "shape": "hv"}))
    if not traces:
        return None
    first, last = rows[0]["wall_s"], rows[-1]["wall_s"]
    forecast, end = _forecast(device, last, first)
    ticks = [0, 20, 40, 60, 80, 100]
    return {
        "data": [*traces, *forecast, *_marks(device, first)],
        "layout": chart_layout(
            210, xaxis=_time_axis(first, end),
            yaxis=plain_axis(range=[0, 106], tickvals=ticks, ticktext=[f"{x} %" for x in ticks]),
            shapes=[_level_line(80, "--warning"), _level_line(100, "--urgent")])}


def _level_line(y: int, colour: str) -> Figure:
    return {"type": "line", "xref": "paper", "x0": 0, "x1": 1, "y0": y, "y1": y,
            "line": {"color": colour, "width": 1, "dash": "dot"}, "opacity": .7}


def _steps(points: list[tuple[int, tuple[int, int] | None]], name: str, line: Figure) -> Figure:
    # A line needs two points to be seen.
    return {"type": "scatter", "mode": "lines+markers" if len(points) < 3 else "lines",
            "name": name,
            "x": [iso(t) for t, _ in points], "y": [p[1] if p else None for _, p in points],
            "text": ["past its rated life" if p == (100, 100) else f"{p[0]}-{p[1]} % used" if p
                     else "" for _, p in points],
            "hovertemplate": f"%{{x|%Y-%m-%d}}: {name}, %{{text}}<extra></extra>",
            "connectgaps": False, "line": line}


def _forecast(device: Device, last: int, first: int) -> tuple[list[Figure], int]:
    """The band from now to the end of the rated life, and where the time axis ends."""
    forecast = (device.section("ledger") or {}).get("forecast", {})
    early, late = forecast.get("earliest_wall_s"), forecast.get("latest_wall_s")
    verdict = (device.section("health") or {}).get("verdict") or {}
    used = verdict.get("used_to_pct")
    if forecast.get("state") != "range" or used is None or not (
            has_date(early) and has_date(late) and last < late):
        return [], last
    early = min(max(early, last), late)
    end = min(late, last + max(MOST_AHEAD * (last - first), 2 * 365 * DAY_S))
    band = {"type": "scatter", "mode": "lines", "name": "forecast", "fill": "toself",
            "x": [iso(last), iso(early), iso(late), iso(last)], "y": [used, 100, 100, used],
            "fillcolor": "--band", "line": {"color": "--forecast", "width": 1, "dash": "dash"},
            "hoverinfo": "skip"}
    return [band], max(end, early)


def _marks(device: Device, first: int) -> list[Figure]:
    """Events of the chip, along the time axis."""
    events = [x for x in device.events
              if has_date(x["wall_s"]) and x["wall_s"] >= first and x["kind"] != "first_seen"]
    if not events:
        return []
    return [{"type": "scatter", "mode": "markers", "name": "event",
             "x": [iso(x["wall_s"]) for x in events], "y": [3] * len(events),
             "text": [escape(x["text"]) for x in events],
             "hovertemplate": "%{x|%Y-%m-%d}: %{text}<extra></extra>",
             "marker": {"color": "--text", "symbol": "diamond", "size": 8}}]


def sources(device: Device) -> list[str]:
    """Those that have something to draw, the most detailed first."""
    have = {x["source"] for x in device.latency or [] if has_date(x["wall_s"])}
    return [s for s in SOURCES if s in have]


def latency(device: Device, source: str) -> Figure:
    """A row for each kind of request, percentiles in one hue from light to strong, the maintenance
    runs as lines through all rows."""
    rows = [x for x in device.latency or [] if x["source"] == source and has_date(x["wall_s"])]
    kinds = [k for k in KINDS if any(x["kind"] == k for x in rows)]
    first, last = rows[0]["wall_s"], rows[-1]["wall_s"]
    runs = [x for x in device.receipts or []
            if first - DAY_S <= x["started_wall_s"] <= last + DAY_S]
    gap = 0.05
    height = (1 - gap * (len(kinds) - 1)) / len(kinds)
    data: list[Figure] = []
    layout = chart_layout(40 + ROW_PX * len(kinds), shapes=[_run_line(x) for x in runs])
    for number, kind in enumerate(kinds, 1):
        top = 1 - (number - 1) * (height + gap)
        axis = "" if number == 1 else str(number)
        lines = _percentiles([x for x in rows if x["kind"] == kind], f"y{axis}")
        layout[f"yaxis{axis}"] = log_axis(
            lines, domain=[max(top - height, 0), top],
            title={"text": kind, "standoff": 0, "font": {"color": "--text"}})
        data += lines
    layout["xaxis"] = _time_axis(first, last, anchor=f"y{len(kinds)}" if len(kinds) > 1 else "y")
    return {"data": data + _run_marks(runs, layout["yaxis"]["range"][1]), "layout": layout}


def _percentiles(rows: list[Row], axis: str) -> list[Figure]:
    lines = PERCENTILES if any(x["p50_us"] is not None for x in rows) else {"mean_us": "mean"}
    x = [iso(row["wall_s"]) for row in rows]
    return [{"type": "scatter", "mode": "lines+markers" if len(rows) < 20 else "lines",
             "name": name, "yaxis": axis, "x": x,
             # A logarithmic axis has no place for 0 or less.
             "y": [row[key] if (row[key] or 0) > 0 else None for row in rows],
             "text": [micros(row[key]) for row in rows],
             "hovertemplate": f"%{{x|%Y-%m-%d %H:%M}}: {name} %{{text}}<extra></extra>",
             "marker": {"size": 4}, "line": {"color": f"--{key.removesuffix('_us')}", "width": 1.6}}
            for key, name in lines.items()]


def log_axis(lines: list[Figure], **more: Any) -> Figure:
    """Ticks at 1, 10, 100, or at 1, 2, 5, 10 where that would leave one tick or none."""
    values = [y for line in lines for y in line["y"] if y] or [1000]
    low, high = math.log10(min(values)) - .1, math.log10(max(values)) + .12
    short = max(LEAST_DECADES - (high - low), 0) / 2
    low, high = low - short, high + short
    ticks: list[float] = []
    for steps in ((1,), (1, 3), (1, 2, 5), range(1, 10)):
        ticks = [step * 10.0**n for n in range(math.floor(low), math.ceil(high)) for step in steps
                 if low <= n + math.log10(step) <= high]
        if len(ticks) >= 2:
            break
    ticks = ticks[::1 + len(ticks) // 6]
    return plain_axis(type="log", range=[round(low, 3), round(high, 3)], tickvals=ticks,
                 ticktext=[micros(x).replace(".0 ", " ") for x in ticks], **more)


def _run_line(run: Row) -> Figure:
    at = iso(run["started_wall_s"])
    return {"type": "line", "xref": "x", "yref": "paper", "x0": at, "x1": at, "y0": 0, "y1": 1,
            "layer": "below", "opacity": .45, "line": {"color": "--run", "width": 1}}


def _run_marks(runs: list[Row], top: float) -> list[Figure]:
    """Points to hover over, at the upper edge of the first row, whose logarithm is `top`."""
    if not runs:
        return []
    return [{"type": "scatter", "mode": "markers", "name": "maintenance run", "yaxis": "y",
             "x": [iso(x["started_wall_s"]) for x in runs], "y": [10**top] * len(runs),
             "text": [run_text(x) for x in runs], "hovertemplate": "%{text}<extra></extra>",
             "cliponaxis": False,
             "marker": {"color": "--run", "symbol": "triangle-down", "size": 8}}]


def run_text(run: Row) -> str:
    """One run in one line, safe in a chart's text."""
    return escape(f"{moment(run['started_wall_s'])}: {run['outcome'].replace('_', ' ')}, "
                  f"{size(discarded(run))} in {millis(run['duration_ms'])}")


def discarded(run: Row) -> int | None:
    """Bytes that the block layer counted; a file system's own figure is only a request."""
    known = [x["block_layer_bytes"] for x in run["mounts"] if x["block_layer_bytes"] is not None]
    return sum(known) if known else None
