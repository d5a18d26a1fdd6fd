# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""`make bench-fleet`: tools/fleet/bench by the Python that has its packages."""

from __future__ import annotations

import os
import subprocess

from . import venv
from .paths import OUT, TOP

PARTS = ("ingest", "killed", "calibration", "report", "spark", "large")
RESULT = OUT / "bench/fleet.json"


def bench(parts: list[str]) -> int:
    """All parts, or these, whose figures replace those that the result has of them."""
    RESULT.parent.mkdir(parents=True, exist_ok=True)
    tools = TOP / "tools"
    return subprocess.run(
        [venv.for_tools(), "-B", tools / "fleet/bench/bench.py", RESULT, OUT / "bench/fleet",
         *(parts or PARTS)],
        env={**os.environ, "PYTHONPATH": f"{tools / 'fleet'}:{tools / 'report'}"}).returncode
