# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""`make bench-fleet`: tools/fleet/bench by the Python that has its packages."""

from __future__ import annotations

import argparse
import os
import subprocess

from .. import venv
from ..paths import OUT, TOP

PARTS = ("ingest", "killed", "calibration", "report", "spark", "large")
RESULT = OUT / "bench/fleet.json"


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("part", nargs="*", choices=[[], *PARTS], metavar="PART",
                        help=f"only these: {', '.join(PARTS)}; without: all")


def bench(args: argparse.Namespace) -> int:
    """Runs all parts, or the given ones, whose figures replace their old ones in the result."""
    RESULT.parent.mkdir(parents=True, exist_ok=True)
    tools = TOP / "tools"
    return subprocess.run(
        [venv.for_tools(), "-B", tools / "fleet/bench/bench.py", RESULT, OUT / "bench/fleet",
         *(args.part or PARTS)],
        env={**os.environ, "PYTHONPATH": f"{tools / 'fleet'}:{tools / 'report'}"}).returncode
