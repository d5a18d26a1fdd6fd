# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""The registry of `lab/lab bench-*` and of the kinds of `lab/lab soak`."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from . import (
    campaigns,
    crypto,
    fleet,
    forecast,
    honest,
    hosts,
    kernels,
    ledger,
    maintenance,
    replay,
    seeds,
    suite,
    trial,
    trims,
)
from .guests import Phone, Task, teller


@dataclass(frozen=True)
class Benchmark:
    """`lab/lab bench-NAME`. `run` returns the exit code."""

    name: str
    does: str
    run: Callable[[argparse.Namespace], int]
    arguments: Callable[[argparse.ArgumentParser], None] = lambda _: None


BENCHMARKS = (
    Benchmark("maintenance", "measure maintenance beside a foreground", maintenance.bench,
              maintenance.arguments),
    Benchmark("crypto", "measure what encrypts an Xperia Z, and ciphers", crypto.bench,
              crypto.arguments),
    Benchmark("forecast", "compare forecasts with phones whose end is known", forecast.bench),
    Benchmark("seeds", "reproduce every published table", seeds.bench),
    Benchmark("fleet", "measure storekeeper-fleet on simulated fleets", fleet.bench,
              fleet.arguments),
)


@dataclass(frozen=True)
class Soak:
    """A kind of the soak. It has `measure` or `tasks`; both get its name and the count."""

    name: str
    does: str
    # The count in a soak that names no kind; 0: the kind is measured only when named.
    count: int
    # Makes its rows of the table from its figures.
    line: Callable[[str, dict], str]
    # Measures on this machine and returns the figures.
    measure: Callable[[str, int], dict] | None = None
    # Makes tasks for virtual phones; the soak began at `began`. Each adds to the figures of all
    # kinds.
    tasks: Callable[[str, int, float], list[Task]] | None = None
    # Bounds that the figures break; their "bad" entries are reported in any case.
    violations: Callable[[str, dict], list[str]] = lambda kind, figures: []


def _parts(make: Callable[[int, int, Phone], Task], size: int
           ) -> Callable[[str, int, float], list[Task]]:
    """Tasks of `size` moments at most, each with a seed of its own."""
    def tasks(kind: str, count: int, began: float) -> list[Task]:
        return [make(min(size, count - done), seed,
                     Phone(f"{kind} {seed}", teller(f"{kind} {seed}", began)))
                for seed, done in enumerate(range(0, count, size), start=1)]

    return tasks


def _campaign(name: str, does: str) -> Soak:
    return Soak(name, f"{does} in memory; with COUNT N, one case of N", 1, campaigns.line,
                measure=campaigns.run)


def _suite(name: str, does: str, count: int = 0) -> Soak:
    return Soak(name, does, count, suite.line, measure=suite.run)


def _host(name: str, does: str) -> Soak:
    return Soak(name, f"`make demo` on {does} that has nothing yet", 0, hosts.line,
                measure=hosts.run)


def _ended(name: str, does: str, count: int) -> Soak:
    return Soak(name, does, count, trims.line, tasks=_parts(partial(trims.Part, name), trims.PART),
                violations=trims.violations)


def _held(name: str, does: str, count: int, make: Callable[[int, int, Phone], Task],
          size: int) -> Soak:
    return Soak(name, does, count, trims.held_line, tasks=_parts(make, size))


# All kinds, in the order of measuring and printing.
SOAKS = {kind.name: kind for kind in (
    _campaign("crash", "power cuts"),
    _campaign("calls", "failing system calls"),
    _campaign("canary", "healthy cards and cards that harm"),
    _campaign("sequences", "sequences of events"),
    Soak("kernels", "a trim, an abort, a power cut on each kernel", 1, kernels.line,
         measure=kernels.run),
    Soak("accuracy", "every published cell, against lab/kernel/accuracy.md", 1, seeds.line,
         measure=seeds.run),
    _suite("suite", "`make test` and its long tests COUNT times, every second time under load"),
    _suite("suite-unit", "the unit tests likewise"),
    _suite("suite-arm", "the unit tests for ARM likewise"),
    _suite("suite-long", "the long tests likewise", 1),
    _host("foreign", "an Ubuntu 24.04"),
    _host("debian12", "a Debian 12"),
    _host("debian13", "a Debian 13"),
    Soak("replay", "power cuts on ext4 and f2fs, replayed", 2000, replay.line,
         tasks=lambda _, count, began: replay.parts(count, began), violations=replay.violations),
    _ended("abort", "trims that are aborted", 200),
    _ended("touch", "trims during which the screen is touched", 100),
    _ended("unplug", "trims during which the charger goes", 100),
    _ended("kill", "trims whose daemon is killed", 200),
    _ended("cut", "trims that a power cut ends", 100),
    _held("trial", "power cuts while an encryption is on trial", 50, trial.Trials, trial.PART),
    _held("healthy", "lives of healthy cards, which must stay out of quarantine", 500,
          trial.Healthy, trial.PART),
    _held("ledger", "power cuts while a ledger is synced", 200, ledger.Cuts, ledger.PART),
    _held("honest", "honest phones, which storekeeper_bench must believe", 100, honest.Runs,
          honest.PART),
)}
