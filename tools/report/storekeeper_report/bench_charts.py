# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""Figures of storekeeper_bench's results, as charts.py makes them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from html import escape

from .bench import METRICS, Bench, Pair, Row
from .charts import MARGIN, Figure, chart_layout, log_axis, plain_axis
from .words import change, measured, number

PERCENTILES = {"p50_ms": "p50", "p90_ms": "p90", "p99_ms": "p99", "p99_9_ms": "p99.9"}
COLOURS = {"before": "--before", "after": "--b", "median": "--b"}
VERDICTS = {"faster": "--good", "slower": "--urgent", "no difference": "--b"}
CURVE_PX = 190
BAR_PX = 56
LONGEST_NAME = 18
CHARACTER_PX = 7


def drawn(figure: Row) -> bool:
    """Whether there is a curve: an INVALID figure is only listed."""
    return figure["verdict"] != "INVALID" and any(
        x and x["median"] > 0 for x in (figure["summary"][k] for k in PERCENTILES))


def _micros(ms: float | None) -> float | None:
    """A logarithmic axis has no place for 0 or less, nor for the interval of too few."""
    us = (ms or 0) * 1000
    return us if us > 0 and math.isfinite(us) else None


def _reach(far: float, near: float) -> float:
    reach = far - near
    return reach if reach > 0 and math.isfinite(reach) else 0


def curves(figures: Sequence[tuple[str, Row]]) -> Figure:
    """The percentiles of one figure; before and after, if there are two. `figures`: with labels."""
    lines, extents = [], []
    for label, figure in figures:
        reported = {name: figure["summary"][key] for key, name in PERCENTILES.items()}
        points = {name: x for name, x in reported.items() if x and _micros(x["median"])}
        y = [_micros(x["median"]) for x in points.values()]
        lower = [_micros(x["lower"]) or y[n] for n, x in enumerate(points.values())]
        upper = [_micros(x["upper"]) or y[n] for n, x in enumerate(points.values())]
        extents.append({"y": [*y, *lower, *upper]})
        colour = COLOURS[label]
        lines.append({
            "type": "scatter", "mode": "lines+markers", "name": label, "x": list(points), "y": y,
            "text": [measured(x["median"]) for x in points.values()],
            "hovertemplate": f"{label}: %{{x}} %{{text}}<extra></extra>",
            "error_y": {"type": "data", "symmetric": False, "color": colour, "thickness": 1,
                        "width": 3, "array": [_reach(u, v) for u, v in zip(upper, y, strict=True)],
                        "arrayminus": [_reach(v, u) for u, v in zip(lower, y, strict=True)]},
            "marker": {"size": 5, "color": colour}, "line": {"color": colour, "width": 1.8}})
    return {"data": lines, "layout": chart_layout(
        CURVE_PX, yaxis=log_axis(extents),
        xaxis=plain_axis(type="category", categoryorder="array", range=[-.3, 3.3],
                         categoryarray=list(PERCENTILES.values())))}


def unit(metric: str, value: float) -> str:
    return f"{number(value)} MB/s" if metric == "mb_per_s" else measured(value)


def metrics(bench: Bench) -> list[str]:
    """Those of which something was compared."""
    return [m for m in METRICS if any(m in pair.metrics for pair in bench.pairs)]


def _name(name: str) -> str:
    return escape(name if len(name) <= LONGEST_NAME else name[:LONGEST_NAME - 1] + "\u2026")


def bars(bench: Bench, metric: str) -> Figure:
    """The earlier result of each job is 100 %, so that jobs of unlike speed fit one chart."""
    pairs = [x for x in bench.pairs if metric in x.metrics]
    rows = list(enumerate(pairs))
    data = [_bars("before", "--before", "0", rows, metric)]
    for verdict, colour in VERDICTS.items():
        shown = [(at, x) for at, x in rows if x.metrics[metric]["verdict"] == verdict]
        if shown:
            data.append(_bars(f"after: {verdict}", colour, "1", shown, metric))
    names = [_name(x.name) for x in pairs]
    longest = max(min(len(x.name), LONGEST_NAME) for x in pairs)
    return {"data": data, "layout": chart_layout(
        MARGIN["t"] + MARGIN["b"] + BAR_PX * len(pairs), barmode="group", bargap=.28,
        margin={**MARGIN, "l": 12 + CHARACTER_PX * longest},
        xaxis=plain_axis(rangemode="tozero", ticksuffix=" %", nticks=4, tickangle=0),
        yaxis=plain_axis(tickvals=list(range(len(pairs))), ticktext=names, showgrid=False,
                         range=[len(pairs) - .5, -.5]))}


def _bars(name: str, colour: str, place: str, rows: Sequence[tuple[int, Pair]],
          metric: str) -> Figure:
    changes = [x.metrics[metric] for _, x in rows]
    trace: Figure = {
        "type": "bar", "orientation": "h", "name": name, "offsetgroup": place,
        "y": [at for at, _ in rows], "marker": {"color": colour, "opacity": .45},
        "textposition": "inside", "insidetextanchor": "start", "constraintext": "none",
        "textangle": 0, "cliponaxis": False, "textfont": {"color": "--text"},
        "hovertemplate": "%{customdata}<extra></extra>"}
    if name == "before":
        texts = [unit(metric, x["before"]) for x in changes]
        return {**trace, "x": [100] * len(rows), "text": texts,
                "customdata": [f"{escape(pair.name)} before: {text}"
                               for (_, pair), text in zip(rows, texts, strict=True)]}
    texts = [f"{unit(metric, x['after'])} ({change(x['change_pct'])})" for x in changes]
    return {**trace, "x": [100 + x["change_pct"] for x in changes], "text": texts,
            "error_x": {"type": "data", "symmetric": False, "color": "--text", "thickness": 1.2,
                        "width": 4,
                        "array": [_reach(x["upper_pct"], x["change_pct"]) for x in changes],
                        "arrayminus": [_reach(x["change_pct"], x["lower_pct"]) for x in changes]},
            "customdata": [f"{escape(pair.name)} {name}, {text}, from {change(x['lower_pct'])} to "
                           f"{change(x['upper_pct'])}"
                           for (_, pair), x, text in zip(rows, changes, texts, strict=True)]}
