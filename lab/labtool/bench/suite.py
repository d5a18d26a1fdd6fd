# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""`lab soak suite=N`: the reliability of `make test`. It makes N runs of it, and of the tests that
it leaves to `make soak`, every second one beside processes that keep all processors busy. A test
that fails in some runs and not in all is a flake.
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

from .. import build, watch
from ..paths import LabError
from ..suite import stages
from ..suite.stages import Stage

BUSY = 8


def _units() -> list[Stage]:
    return [s for s in stages.stages() if s.name.startswith("unit tests of ")]


def _arm() -> list[Stage]:
    return [s for s in stages.stages() if s.name == stages.ARM_STAGE]


def _whole() -> list[Stage]:
    return [*stages.stages(), *stages.long_tests()]


LONG = "suite-long"
# The stages to run, by kind.
KINDS = {"suite": _whole, "suite-unit": _units, "suite-arm": _arm, LONG: stages.long_tests}


@contextmanager
def busy(count: int) -> Iterator[list[subprocess.Popen[bytes]]]:
    """`count` busy processes, until the block is left or this process ends."""
    processes: list[subprocess.Popen[bytes]] = []
    try:
        for _ in range(count):
            processes.append(subprocess.Popen([sys.executable, "-c", "while True: pass"],
                                              stdin=subprocess.DEVNULL,
                                              preexec_fn=watch.die_with_parent))
        yield processes
    finally:
        for process in processes:
            process.kill()
        for process in processes:
            process.wait()


def figures(runs: list[tuple[bool, list[str]]], seconds: float) -> dict:
    """Figures of runs; each run has a flag for load and the names of its failed tests."""
    failed: dict[str, list[int]] = {}
    for number, (_, names) in enumerate(runs, start=1):
        for name in dict.fromkeys(names):
            failed.setdefault(name, []).append(number)
    bad = []
    for name, where in sorted(failed.items()):
        loaded = sum(runs[n - 1][0] for n in where)
        which = f"failed in runs {', '.join(map(str, where))} of {len(runs)}, {loaded} under load"
        bad.append(f"{name} failed in every run" if len(where) == len(runs)
                   else f"{name} is a flake: {which}")
    return {"runs": len(runs), "under_load": sum(loaded for loaded, _ in runs),
            "failures": sum(map(len, failed.values())), "seconds": round(seconds), "bad": bad}


def run(kind: str, count: int) -> dict:
    if count < 1:
        raise LabError(f"{kind}: give the number of runs, such as {kind}=10")
    if kind != "suite-arm":
        build.build(tests=kind != LONG)
    began = time.monotonic()
    runs = []
    for number in range(1, count + 1):
        loaded = number % 2 == 0
        print(f"=== {kind} {number} of {count}{f', {BUSY} busy processes' * loaded}", flush=True)
        with busy(BUSY if loaded else 0):
            runs.append((loaded, [f"{stage.name}: {name}" for stage in KINDS[kind]()
                                  for name in stage.failures()]))
    return figures(runs, time.monotonic() - began)


def line(kind: str, figures: dict) -> str:
    return (f"{kind:<10}{figures['runs']:>9}   {figures['failures']} failures   "
            f"{figures['under_load']} under load, {figures['seconds']} s")
