# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""`make bench-fleet`: tools/fleet/bench by the Python that has its packages."""

from __future__ import annotations

import argparse
import json
import os
import subprocess

from .. import venv
from ..paths import OUT, TOP

PARTS = ("ingest", "killed", "calibration", "report", "spark", "large")
RESULT = OUT / "bench/fleet.json"
TABLES = TOP / "docs/fleet-figures.md"
COLUMNS = {
    "fleets": "fleets", "unknown": "no forecast", "held_pct": "band holds, %",
    "median_width": "width / truth", "median_expected": "expected / truth",
    "fleets_with_false_alarms": "false alarms", "planted_found": "planted found",
    "gb_held_pct": "GB holds, %", "survival_held_pct": "survival holds, %",
    "trims_off": "trims off by"}


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("part", nargs="*", choices=[[], *PARTS], metavar="PART",
                        help=f"only these: {', '.join(PARTS)}; without: all")


def bench(args: argparse.Namespace) -> int:
    """Runs all parts, or the given ones, whose figures replace their old ones in the result."""
    RESULT.parent.mkdir(parents=True, exist_ok=True)
    tools = TOP / "tools"
    code = subprocess.run(
        [venv.for_tools(), "-B", tools / "fleet/bench/bench.py", RESULT, OUT / "bench/fleet",
         *(args.part or PARTS)],
        env={**os.environ, "PYTHONPATH": f"{tools / 'fleet'}:{tools / 'report'}"}).returncode
    found = json.loads(RESULT.read_text()) if RESULT.exists() else {}
    if "calibration" in found:
        TABLES.write_text(document(found["calibration"], found["not_held"]))
    return code


def document(calibration: dict[str, dict], not_held: list[str]) -> str:
    """The text of docs/fleet-figures.md."""
    not_held = [x for x in not_held if x.startswith("calibration")]
    rows = [["kind", *COLUMNS.values()], ["---"] * (len(COLUMNS) + 1)]
    rows += [[kind, *("-" if figures[x] is None else f"{figures[x]:g}" for x in COLUMNS)]
             for kind, figures in calibration.items()]
    return "\n".join([
        "<!-- SPDX-License-Identifier: Apache-2.0 -->",
        "<!-- Copyright (C) 2026 The Storekeeper Project -->",
        "# Figures of make bench-fleet", "",
        "Written by `lab/lab bench-fleet calibration`, not by hand; fleet.md says what is "
        "measured.",
        "", *("| " + " | ".join(row) + " |" for row in rows), "",
        *([f"- not held: {line}" for line in not_held] or ["All bounds hold."]), ""])
