# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""The fleet's page, with the look and the rules of storekeeper_report.page."""

from __future__ import annotations

from typing import Any

from storekeeper_report import page
from storekeeper_report.charts import Figure

from . import charts
from .base import MIN_DEVICE_DAYS, MIN_DEVICES

Row = dict[str, Any]
DIMENSIONS = {"chip_model": "Chip model", "chip_firmware": "Chip firmware",
              "device_model": "Device model", "build": "Build"}
# A table of thousands of builds helps nobody; `query` prints them all.
MAX_ROWS = 40


def render(found: dict[str, list[Row]]) -> str:
    """The page of all named queries' rows."""
    figures: dict[str, Figure] = {}
    choices: dict[str, list[tuple[str, str]]] = {"survival": [], "wear-rates": []}
    coverage = found["coverage"][0]
    if coverage["devices"] and any(r["expected"] for r in found["replacements"]):
        figures["replacements"] = charts.replacements(found["replacements"], coverage["end_s"])
    for dimension, name in DIMENSIONS.items():
        for chart, draw in (("survival", charts.survival), ("wear-rates", charts.wear_rates)):
            figure = draw(found[chart], dimension)
            if figure:
                figures[f"{chart}-{dimension}"] = figure
                choices[chart].append((f"{chart}-{dimension}", name))
    endurance = charts.endurance(found["firmware"])
    if endurance:
        figures["endurance"] = endurance
    return page.document("fleet.html", figures, "storekeeper_fleet", found=found,
                         coverage=coverage, drawn=set(figures), choices=choices,
                         dimensions=DIMENSIONS, max_rows=MAX_ROWS, min_devices=MIN_DEVICES,
                         min_days=MIN_DEVICE_DAYS,
                         alarms=[r for r in found["firmware"] if r["alarm"]])
