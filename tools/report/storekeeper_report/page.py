# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""The page: equal dumps give equal bytes, and nothing in it asks for anything outside."""

from __future__ import annotations

import base64
import hashlib
import json
from dataclasses import dataclass
from importlib import resources

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup
from plotly.offline import get_plotlyjs

from . import charts, words
from .device import Device, Row

LEVELS = ("urgent", "warning", "info")


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


def _worst_wait(run: Row) -> int | None:
    return max((x["worst_foreground_us"] for x in run["mounts"]
                if x["worst_foreground_us"] is not None), default=None)


def _why(run: Row) -> list[str]:
    """What the row of a run cannot show: why it did less, and notes on its figures."""
    told = [x[key] for x in run["mounts"] for key in ("reason", "note") if x[key]]
    if run["reason"] and run["reason"] not in told:
        told.insert(0, run["reason"])
    return list(dict.fromkeys(told))


def _by_level(findings: list[Row]) -> list[Row]:
    return sorted(findings, key=lambda x: LEVELS.index(x["level"]))


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


def _environment() -> Environment:
    env = Environment(loader=PackageLoader("storekeeper_report"), autoescape=True,
                      undefined=StrictUndefined)
    env.filters.update({
        "moment": words.moment, "day": words.day, "size": words.size, "micros": words.micros,
        "millis": words.millis, "percent": words.percent, "uid": words.uid,
        "encryption": words.encryption,
        "gate_value": words.gate_value, "gate_limit": words.gate_limit,
        "discarded": charts.discarded, "worst_wait": _worst_wait, "why": _why,
        "by_level": _by_level})
    return env


def figures_of(devices: list[Device]) -> tuple[list[View], dict[str, charts.Figure]]:
    views, figures = [], {}
    for number, device in enumerate(devices, 1):
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
    folder = resources.files(__package__) / "templates"
    views, figures = figures_of(devices)
    plotly, plotly_hash = _script(get_plotlyjs())
    script, script_hash = _script((folder / "page.js").read_text("utf-8"))
    style = Markup((folder / "style.css").read_text("utf-8"))
    return _environment().get_template("page.html").render(
        views=views, figures=_json(figures), plotly=plotly, script=script, style=style,
        script_hashes=f"{plotly_hash} {script_hash}") + "\n"
