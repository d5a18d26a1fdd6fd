# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""`make bench-forecast`: the product's forecasts against phones whose end is known, drawn by two
generators (system-service/campaigns/lives.h), by storekeeper_forecasts."""

from __future__ import annotations

import argparse
import json
import math
import statistics
import subprocess
import time
from pathlib import Path

from .. import build
from ..paths import OUT
from . import guests
from .bounds import (
    CHANGES_COVERED_PCT,
    COVERED_PCT,
    GIVEN_PCT,
    NOT_BEFORE_BROKEN_PCT,
    WIDTH,
)

PROGRAM = "storekeeper_forecasts"
FIGURES = OUT / "bench/forecast.json"
SEEDS = (1, 2)
PHONES = 500

CHANGE_SIGMA = 0.5


def program() -> Path:
    variant = build.GUEST
    build.cmake(variant, False)
    build.step(PROGRAM, f"forecasts-{variant.name}",
               ["ninja", "-C", str(variant.folder), PROGRAM])
    return variant.folder / PROGRAM


def run(path: Path, seed: int, phones: int) -> dict:
    done = subprocess.run([str(path), "--seed", str(seed), "--phones", str(phones)], check=True,
                          capture_output=True, text=True, stdin=subprocess.DEVNULL)
    return json.loads(done.stdout)


def violations(figures: dict) -> list[str]:
    """The bounds that do not hold, of {SEED: {LIVES: {CASE: figures}}}, one line each."""
    lines = []
    for seed, of_seed in figures.items():
        for lives, of_lives in of_seed.items():
            for case, result in of_lives.items():
                lines += [f"seed {seed}, {lives}, {case}: {what}"
                          for what in _case_violations(case, result)]
    return lines


def _case_violations(case: str, result: dict) -> list[str]:
    lines = []
    low, high = COVERED_PCT
    covered = result["covered_pct"]
    if case in WIDTH:
        if not low <= covered <= high:
            lines.append(f"{covered:.1f} % covered, {low} to {high} are asked")
        if result["median_width"] > WIDTH[case]:
            lines.append(f"median width {result['median_width']:.2f} > {WIDTH[case]:.2f}")
    elif covered < CHANGES_COVERED_PCT[case]:
        lines.append(f"{covered:.1f} % covered < {CHANGES_COVERED_PCT[case]} %")
    if result["not_before_broken_pct"] > NOT_BEFORE_BROKEN_PCT:
        lines.append(f"{result['not_before_broken_pct']:.1f} % of the 'not before' dates broken > "
                     f"{NOT_BEFORE_BROKEN_PCT} %")
    if result["ranges"] * 100 < result["phones"] * GIVEN_PCT:
        lines.append(f"a range for {result['ranges']} of {result['phones']} phones < {GIVEN_PCT} %")
    return lines


def most_covered(width: float) -> float:
    """Largest percentage of ranges of this width that can hold when use changes by an unknowable
    factor of e^(0.5 sigma) and all else is known: that of the shortest such range."""
    normal = statistics.NormalDist(0, CHANGE_SIGMA)
    lows = (i / 1000 for i in range(1, 2000))
    return 100 * max(normal.cdf(math.log(low + width)) - normal.cdf(math.log(low))
                     for low in lows)


def table(figures: dict) -> list[str]:
    lines = [f"{'seed':<6}{'lives':<8}{'case':<8}{'covered %':>10}{'width':>8}{'ranges':>8}"
             f"{'not before':>12}{'broken %':>10}"]
    for seed, of_seed in figures.items():
        for lives, of_lives in of_seed.items():
            lines += [f"{seed:<6}{lives:<8}{case:<8}{result['covered_pct']:>10.1f}"
                      f"{result['median_width']:>8.2f}{result['ranges']:>8}"
                      f"{result['not_before']:>12}"
                      f"{result['not_before_broken_pct']:>10.1f}"
                      for case, result in of_lives.items()]
    return lines


def bench(_: argparse.Namespace) -> int:
    began = time.monotonic()
    path = program()
    figures = {str(seed): run(path, seed, PHONES) for seed in SEEDS}
    most = most_covered(WIDTH["bursts"])
    lines = [*table(figures), f"change: a range of {WIDTH['bursts']:.2f} of what was left holds in "
             f"{most:.0f} % at most"]
    return guests.report(FIGURES, {"seeds": figures, "change_most_covered_pct": most}, lines,
                         violations(figures), began)
