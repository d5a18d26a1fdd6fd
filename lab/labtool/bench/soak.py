# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""`make soak`: measures the kinds of kinds.py, first those that need no virtual phone.

Its draws are pseudorandom and the same at every run. Each part of a kind is a virtual phone of its
own.
"""

from __future__ import annotations

import argparse
import json
import time

from ..paths import OUT, LabError
from . import guests, trims
from .kinds import SOAKS

FIGURES = OUT / "bench/soak.json"


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.epilog = "kinds, with the count that is measured without KIND:\n" + "\n".join(
        f"  {kind.name:<11}{kind.count or '':>5}  {kind.does}" for kind in SOAKS.values())
    parser.add_argument("kind", nargs="*", metavar="KIND[=COUNT]",
                        help="only these, e.g. kill=20 or crash")


def counts(words: list[str]) -> dict[str, int]:
    """Counts by kind; `words` as on the command line."""
    if not words:
        return {kind.name: kind.count for kind in SOAKS.values() if kind.count}
    pairs = [word.partition("=") for word in words]
    if wrong := [name for name, _, _ in pairs if name not in SOAKS]:
        raise LabError(f"{', '.join(wrong)}: no kind of the soak; there are {', '.join(SOAKS)}")
    try:
        return {name: int(count or SOAKS[name].count) for name, _, count in pairs}
    except ValueError as e:
        raise LabError(f"{' '.join(words)}: give KIND or KIND=COUNT, such as kill=20") from e


def parts(wanted: dict[str, int]) -> list[guests.Task]:
    """The tasks of kinds that are measured in virtual phones, the longest first."""
    began = time.monotonic()
    return [task for name, count in sorted(wanted.items(), key=lambda x: -x[1])
            if SOAKS[name].tasks for task in SOAKS[name].tasks(name, count, began)]


def measure(wanted: dict[str, int]) -> dict:
    """The figures in the form of out/bench/soak.json, by kind."""
    pieces = parts(wanted)
    figures: dict = {name: SOAKS[name].measure(name, count) for name, count in wanted.items()
                     if SOAKS[name].measure}
    guests.run(pieces)
    for piece in pieces:
        piece.into(figures)
    return figures


def violations(figures: dict) -> list[str]:
    """Broken bounds, one line each."""
    return [f"{name}: {violation}" for name, record in figures.items()
            for violation in (*record["bad"], *SOAKS[name].violations(name, record))]


def table(figures: dict) -> list[str]:
    lines = []
    for name in (x for x in SOAKS if x in figures):
        record = figures[name]
        if "moments" in record and trims.HEAD not in lines:
            lines.append(trims.HEAD)
        lines += SOAKS[name].line(name, record).splitlines()
    return lines


def soak(args: argparse.Namespace) -> int:
    began = time.monotonic()
    figures = measure(counts(args.kind))
    # Figures of kinds that are not measured now stay.
    before = json.loads(FIGURES.read_text()) if FIGURES.exists() else {}
    return guests.report(FIGURES, {**before, **figures}, table(figures), violations(figures), began)
