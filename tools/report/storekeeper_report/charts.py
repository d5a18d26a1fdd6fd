# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""Plotly figures as plain data. A colour that begins with -- is a CSS variable, which the page
replaces, so that one figure serves light and dark."""

from __future__ import annotations

from html import escape
from typing import Any

from .device import Device, Row
from .words import has_date, iso, life_range, moment, seconds, size

Figure = dict[str, Any]

# The best told first: requests of everybody one by one, ours alone, a mean.
SOURCES = {"bpf": "every request (BPF)", "probe": "own probe",
           "diskstats": "everybody's mean (diskstats)"}
KINDS = ("read", "write", "flush", "discard")
PERCENTILES = {"p50_us": "p50", "p90_us": "p90", "p99_us": "p99", "p999_us": "p99.9"}
DAY_S = 86_400
# A forecast far beyond what was seen would squeeze what was seen into a line.
MOST_AHEAD = 3
ROW_PX = 118


def _layout(height: int, **more: Any) -> Figure:
    return {
        "height": height, "margin": {"l": 46, "r": 10, "t": 8, "b": 28},
        "paper_bgcolor": "rgba(0,0,0,0)", "plot_bgcolor": "rgba(0,0,0,0)",
        "font": {"family": "system-ui, sans-serif", "size": 12, "color": "--muted"},
        "hoverlabel": {"bgcolor": "--card", "bordercolor": "--line", "font": {"color": "--text"}},
        "showlegend": True, "dragmode": False,
        "legend": {"orientation": "h", "x": 0, "y": 1, "yanchor": "bottom", "traceorder": "normal",
                   "itemclick": False, "itemdoubleclick": False},
        **more,
    }


def _axis(**more: Any) -> Figure:
    return {"gridcolor": "--grid", "linecolor": "--line", "zeroline": False, "fixedrange": True,
            **more}


def wear(device: Device) -> Figure | None:
    """Used life as the chip tells it, in steps of 10 %, and where the forecast leads it. None when
    it tells none."""
    rows = [x for x in device.series or [] if has_date(x["wall_s"])]
    traces = []
    for key, name, colour in (("life_time_a", "type A (SLC)", "--a"),
                              ("life_time_b", "type B (MLC)", "--b")):
        points = [(x["wall_s"], life_range(x[key])) for x in rows]
        if any(p for _, p in points):
            traces.append(_steps(points, name, colour))
    if not traces:
        return None
    first, last = rows[0]["wall_s"], rows[-1]["wall_s"]
    forecast, end = _forecast(device, last, first)
    pad = max((end - first) // 50, DAY_S)
    return {
        "data": [*traces, *forecast, *_marks(device, first)],
        "layout": _layout(
            230, margin={"l": 46, "r": 10, "t": 30, "b": 28},
            xaxis=_axis(type="date", range=[iso(first - pad), iso(end + pad)], nticks=6),
            yaxis=_axis(range=[0, 108], ticksuffix=" %", tickvals=[0, 20, 40, 60, 80, 100]),
            shapes=[_level_line(80, "--warning"), _level_line(100, "--urgent")])}


def _level_line(y: int, colour: str) -> Figure:
    return {"type": "line", "xref": "paper", "x0": 0, "x1": 1, "y0": y, "y1": y,
            "line": {"color": colour, "width": 1, "dash": "dot"}, "layer": "below"}


def _steps(points: list[tuple[int, tuple[int, int] | None]], name: str, colour: str) -> Figure:
    return {"type": "scatter", "mode": "lines", "name": name,
            "x": [iso(t) for t, _ in points], "y": [p[1] if p else None for _, p in points],
            "text": ["past its rated life" if p == (100, 100) else f"{p[0]}-{p[1]} % used" if p
                     else "" for _, p in points],
            "hovertemplate": f"%{{x|%Y-%m-%d}}: {name}, %{{text}}<extra></extra>",
            "connectgaps": False, "line": {"color": colour, "width": 2.5, "shape": "hv"}}


def _forecast(device: Device, last: int, first: int) -> tuple[list[Figure], int]:
    """The band from now to the end of the rated life, and where the time axis ends."""
    forecast = (device.section("ledger") or {}).get("forecast", {})
    early, late = forecast.get("earliest_wall_s"), forecast.get("latest_wall_s")
    verdict = (device.section("health") or {}).get("verdict") or {}
    used = verdict.get("used_to_pct")
    if forecast.get("state") != "range" or used is None or not (
            has_date(early) and has_date(late) and last < early <= late):
        return [], last
    end = min(late, last + max(MOST_AHEAD * (last - first), 2 * 365 * DAY_S))
    band = {"type": "scatter", "mode": "lines", "name": "forecast", "fill": "toself",
            "x": [iso(last), iso(early), iso(late), iso(last)], "y": [used, 100, 100, used],
            "fillcolor": "--band", "line": {"color": "--forecast", "width": 1, "dash": "dash"},
            "hoverinfo": "skip"}
    return [band], max(end, early)


def _marks(device: Device, first: int) -> list[Figure]:
    """What happened to the chip, along the time axis."""
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
    """Those that have something to draw, the best told first."""
    have = {x["source"] for x in device.latency or [] if has_date(x["wall_s"])}
    return [s for s in SOURCES if s in have]


def latency(device: Device, source: str) -> Figure:
    """A row for each kind of request, percentiles in one hue from light to strong, the maintenance
    runs as lines through all rows."""
    rows = [x for x in device.latency or [] if x["source"] == source and has_date(x["wall_s"])]
    kinds = [k for k in KINDS if any(x["kind"] == k for x in rows)]
    first, last = rows[0]["wall_s"], rows[-1]["wall_s"]
    runs = [x for x in device.receipts or [] if first - DAY_S <= x["started_wall_s"] <= last + DAY_S]
    gap = 0.06
    height = (1 - gap * (len(kinds) - 1)) / len(kinds)
    data: list[Figure] = []
    layout = _layout(44 + ROW_PX * len(kinds), margin={"l": 58, "r": 10, "t": 30, "b": 28})
    for number, kind in enumerate(kinds):
        top = 1 - number * (height + gap)
        n = "" if number == 0 else str(number + 1)
        layout[f"yaxis{n}"] = _axis(
            type="log", domain=[max(top - height, 0), top], ticksuffix=" ms", dtick=1,
            title={"text": kind, "standoff": 2, "font": {"color": "--text"}})
        data += _percentiles([x for x in rows if x["kind"] == kind], f"y{n}", number == 0)
    bottom = f"y{len(kinds)}" if len(kinds) > 1 else "y"
    pad = max((last - first) // 50, 3600)
    layout["xaxis"] = _axis(type="date", anchor=bottom, nticks=6,
                            range=[iso(first - pad), iso(last + pad)])
    layout["shapes"] = [
        {"type": "line", "xref": "x", "yref": "paper", "y0": 0, "y1": 1, "layer": "below",
         "x0": iso(x["started_wall_s"]), "x1": iso(x["started_wall_s"]),
         "line": {"color": "--run", "width": 1}} for x in runs]
    return {"data": data + _runs(runs, data), "layout": layout}


def _percentiles(rows: list[Row], axis: str, legend: bool) -> list[Figure]:
    lines = PERCENTILES if any(x["p50_us"] is not None for x in rows) else {"mean_us": "mean"}
    x = [iso(row["wall_s"]) for row in rows]
    return [{"type": "scatter", "mode": "lines+markers" if len(rows) < 40 else "lines",
             "name": name, "legendgroup": name, "showlegend": legend, "yaxis": axis, "x": x,
             # A logarithmic axis has no place for 0.
             "y": [row[key] / 1000 if row[key] else None for row in rows],
             "hovertemplate": f"%{{x|%Y-%m-%d %H:%M}}: {name} %{{y:.3g}} ms<extra></extra>",
             "marker": {"size": 4}, "line": {"color": f"--{key.removesuffix('_us')}", "width": 1.6}}
            for key, name in lines.items()]


def _runs(runs: list[Row], data: list[Figure]) -> list[Figure]:
    """Markers to hover over, at the height of the first row's lowest value."""
    low = min((y for trace in data if trace["yaxis"] == "y" for y in trace["y"] if y), default=1)
    if not runs:
        return []
    return [{"type": "scatter", "mode": "markers", "name": "maintenance run", "yaxis": "y",
             "x": [iso(x["started_wall_s"]) for x in runs], "y": [low] * len(runs),
             "text": [run_text(x) for x in runs], "hovertemplate": "%{text}<extra></extra>",
             "marker": {"color": "--run", "symbol": "triangle-up", "size": 8}}]


def run_text(run: Row) -> str:
    """One run in one line, safe in a chart's text."""
    return escape(f"{moment(run['started_wall_s'])}: {run['outcome'].replace('_', ' ')}, "
                  f"{size(discarded(run))} in {seconds(run['duration_ms'] / 1000)}")


def discarded(run: Row) -> int | None:
    """What the block layer counted; a file system's own figure is only what it asked for."""
    known = [x["block_layer_bytes"] for x in run["mounts"] if x["block_layer_bytes"] is not None]
    return sum(known) if known else None
