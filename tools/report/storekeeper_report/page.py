# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""The page: equal dumps give equal bytes, and nothing in it asks for anything outside."""

from __future__ import annotations

import base64
import hashlib
import json
from dataclasses import dataclass
from importlib import resources

from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined
from markupsafe import Markup
from plotly.offline import get_plotlyjs

from . import bench, bench_charts, charts, words
from .device import Device, Row, by_level, urgent_first


@dataclass(frozen=True)
class View:
    """A device and what its charts are called on the page."""

    device: Device
    prefix: str
    wear: str  # the chart's id; empty when there is nothing to draw
    latency: list[tuple[str, str]]  # sources and what they are called

    @property
    def wear_label(self) -> str:
        ledger = self.device.section("ledger") or {}
        return (f"Life used over time. {self.device.line}. "
                f"Forecast: {ledger.get('forecast', {}).get('line', '')}")

    @property
    def latency_label(self) -> str:
        return ("Latency percentiles over time, maintenance runs marked; the newest figures are in "
                "the table below")


def _discard_us(run: Row) -> int | None:
    """Time of one discard of the run, on the mount where it was longest."""
    return max((x["discard_us"] for x in run["mounts"] if x.get("discard_us") is not None),
               default=None)


def _why(run: Row) -> list[str]:
    """Details that the row of a run cannot show: why it did less, notes on its figures."""
    reported = [x[key] for x in run["mounts"] for key in ("reason", "note") if x[key]]
    if run["reason"] and run["reason"] not in reported:
        reported.insert(0, run["reason"])
    return list(dict.fromkeys(reported))


def _script(text: str) -> tuple[Markup, str]:
    """A script for the page, and the hash by which its policy allows this one alone."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
    return Markup(text), f"'sha256-{digest}'"


def _json(value: object) -> Markup:
    """JSON that cannot end the element it stands in."""
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), allow_nan=False)
    for c in "<>&":
        text = text.replace(c, f"\\u{ord(c):04x}")
    return Markup(text)


def _environment(package: str) -> Environment:
    # All pages begin with the same head.
    loader = ChoiceLoader([PackageLoader(package), PackageLoader("storekeeper_report")])
    env = Environment(loader=loader, autoescape=True, undefined=StrictUndefined)
    env.filters.update({
        "moment": words.moment, "day": words.day, "size": words.size, "micros": words.micros,
        "millis": words.millis, "percent": words.percent, "uid": words.uid,
        "writer": words.writer, "writer_title": words.writer_title,
        "budget": words.budget,
        "whole": words.whole, "encryption": words.encryption,
        "gate_value": words.gate_value, "gate_limit": words.gate_limit,
        "discarded": charts.discarded, "discard_us": _discard_us, "why": _why,
        "by_level": by_level, "number": words.number, "measured": words.measured,
        "change": words.change, "unit": lambda x, metric: bench_charts.unit(metric, x),
        "reasons": bench.reasons, "typical": bench.typical})
    return env


def figures_of(devices: list[Device]) -> tuple[list[View], dict[str, charts.Figure]]:
    views, figures = [], {}
    for number, device in enumerate(urgent_first(devices), 1):
        prefix = f"d{number}"
        wear = charts.wear(device)
        if wear:
            figures[f"{prefix}-wear"] = wear
        sources = charts.sources(device)
        for source in sources:
            figures[f"{prefix}-{source}"] = charts.latency(device, source)
        views.append(View(device, prefix, f"{prefix}-wear" if wear else "",
                          [(s, charts.SOURCES[s]) for s in sources]))
    return views, figures


def render(devices: list[Device]) -> str:
    """The whole page of these devices, side by side."""
    views, figures = figures_of(devices)
    return document("page.html", figures, views=views)


@dataclass(frozen=True)
class Curve:
    """The percentiles of one job on the page of a benchmark."""

    name: str
    figures: list[tuple[str, Row]]  # those that are drawn, with what they are called
    left_out: list[tuple[str, Row]]
    chart: str  # its id; empty when there is nothing to draw


def bench_figures_of(given: bench.Bench) -> tuple[list[Curve], dict[str, charts.Figure]]:
    labels = ["before", "after"] if given.is_comparison else ["median"]
    found: dict[str, list[tuple[str, Row]]] = {}
    for label, result in zip(labels, given.results, strict=True):
        for name, figure in bench.by_name(result).items():
            found.setdefault(name, []).append((label, figure))
    curves, figures = [], {}
    for number, (name, rows) in enumerate(found.items(), 1):
        drawn = [x for x in rows if bench_charts.drawn(x[1])]
        chart = f"curve-{number}" if drawn else ""
        if drawn:
            figures[chart] = bench_charts.curves(drawn)
        curves.append(Curve(name, drawn, [x for x in rows if x not in drawn], chart))
    for metric in bench_charts.metrics(given):
        figures[f"bars-{metric}"] = bench_charts.bars(given, metric)
    return curves, figures


def render_bench(given: bench.Bench) -> str:
    """The whole page of one result of storekeeper_bench, or of two side by side."""
    curves, figures = bench_figures_of(given)
    chosen = [(f"bars-{x}", bench.METRICS[x]) for x in bench_charts.metrics(given)]
    return document("bench.html", figures, bench=given, curves=curves, metrics=chosen,
                     percentiles=bench_charts.PERCENTILES, names=bench.METRICS)


def document(template: str, figures: dict[str, charts.Figure], package: str = "storekeeper_report",
             **context: object) -> str:
    """A page by a template of `package`, with the style and the script that all pages have."""
    folder = resources.files(__package__) / "templates"
    plotly, plotly_hash = _script(get_plotlyjs())
    script, script_hash = _script((folder / "page.js").read_text("utf-8"))
    style = Markup((folder / "style.css").read_text("utf-8"))
    return _environment(package).get_template(template).render(
        figures=_json(figures), plotly=plotly, script=script, style=style,
        script_hashes=f"{plotly_hash} {script_hash}", **context) + "\n"
