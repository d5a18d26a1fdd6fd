# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""A guest of the benchmarks: its job, made of lab/bench's scripts, and its report."""

from __future__ import annotations

import dataclasses
import json
import os
import time
import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Protocol

from .. import guest
from ..image import host_program
from ..paths import LAB, RUN, LabError
from ..verdict import Outcome
from . import ageing, moments

SCRIPTS = LAB / "bench"
INSIDE = "/system/etc/bench"
# Longer guest time than any script but days.sh takes: a run that a touch ended begins anew at
# storekeeperd's next wake-up, after 5 minutes.
TIMEOUT = 12 * 3600


@dataclass(frozen=True)
class Size:
    """The size of a card, and the volume that its ageing writes."""

    parameters: tuple[str, ...]
    plan_mib: int
    # Further arguments of ageing.plan().
    plan: Mapping[str, Any] = field(default_factory=dict)


# The profiles' own size, used for figures.
FULL = Size((), ageing.TOTAL_MIB)
# The same card with four block groups, for results that do not depend on its size.
SMALL = Size(("vemmc.capacity_mib=530",), 380)


class Phone:
    """One guest of the benchmark: its job and its lines. `report` gets its progress."""

    def __init__(self, name: str, report: Callable[[str], None]) -> None:
        self.name = name
        self.report = report
        self.facts: dict[str, str] = {}
        self.lines: list[str] = []
        self.errors = bytearray()
        self._pending = b""

    def out(self, data: bytes) -> None:
        *whole, self._pending = (self._pending + data).split(b"\n")
        for raw in whole:
            line = raw.decode(errors="replace")
            if line.startswith("@say "):
                self.report(line.removeprefix("@say "))
            elif line.startswith("@fact "):
                name, _, value = line.removeprefix("@fact ").partition(" ")
                self.facts[name] = value
            else:
                self.lines.append(line)

    def fact(self, name: str) -> int:
        try:
            return int(self.facts[name])
        except (KeyError, ValueError) as e:
            raise LabError(f"{self.name}: the guest reported no number as {name}") from e

    def check(self, outcome: Outcome) -> None:
        if outcome.code:
            last_lines = self.errors.decode(errors="replace").strip().splitlines()[-5:]
            raise LabError("\n".join([
                f"{self.name}: the guest's script ended with {outcome.code}",
                outcome.report() if outcome.problem else "", *last_lines]))


def script(profile: str, parameters: Sequence[str], words: list[str],
           files: Sequence[tuple[Path, str]] = ()) -> guest.Job:
    """A guest in measuring mode that runs one self-contained script of lab/bench."""
    name, *arguments = words
    return guest.Job(
        command=["sh", f"{INSIDE}/{name}", *arguments], measure=True, timeout=TIMEOUT,
        profile=guest.load_profile(profile, list(parameters)),
        files=[(SCRIPTS / name, f"{INSIDE}/{name}"), *files])


def job(profile: str, words: list[str], folder: Path, size: Size = FULL, timeout: int = TIMEOUT,
        files: Sequence[tuple[Path, str]] = (), get: Sequence[tuple[str, Path]] = ()) -> guest.Job:
    """Like script(), with all scripts and the plan that ages a card of this size. `folder`: see
    Task.job()."""
    text = ageing.text(ageing.plan(size.plan_mib, **size.plan))
    plan = folder / f"plan-{zlib.crc32(text.encode()):08x}"
    plan.write_text(text)
    ours = [(path, f"{INSIDE}/{path.name}") for path in sorted(SCRIPTS.glob("*.sh"))]
    made = script(profile, size.parameters, words)
    return dataclasses.replace(
        made, timeout=timeout, get=list(get),
        files=[*ours, (plan, f"{INSIDE}/plan"), (host_program("fstrim"), "/system/bin/fstrim"),
               *files])


def moments_file(folder: Path, name: str, count: int, seed: int,
                 latest_ms: int = moments.LATEST_MS) -> tuple[Path, str]:
    """The moments that a script reads, as a file of its job."""
    path = folder / f"moments-{name}-{seed}"
    path.write_text(moments.draw(count, seed, latest_ms))
    return path, f"{INSIDE}/moments"


class Task(Protocol):
    """A measurement made in one guest."""

    phone: Phone

    def job(self, folder: Path) -> guest.Job:
        """`folder`: for the guest's input files; exists until the guest has ended."""

    def into(self, figures: dict) -> None:
        """Adds the measured values to the figures of out/bench/maintenance.json."""


def teller(name: str, began: float) -> Callable[[str], None]:
    return lambda text: print(f"  [{time.monotonic() - began:5.0f} s] {name}: {text}", flush=True)


def run(tasks: Sequence[Task]) -> None:
    """Runs the tasks, one guest a core; raises when a guest's script failed."""
    RUN.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(prefix="bench-", dir=RUN) as name:
        outcomes = guest.run_all(
            [(t.job(Path(name)), t.phone.out, t.phone.errors.extend) for t in tasks],
            at_once=os.cpu_count())
    for task, outcome in zip(tasks, outcomes, strict=True):
        task.phone.check(outcome)


def report(path: Path, figures: dict | list, table: list[str], violations: list[str],
           began: float) -> int:
    """The end of a benchmark: saves the figures, prints them and the broken bounds.

    The exit code: 1 when a bound is broken.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(figures, indent=1) + "\n")
    print("\n".join(["", *table]))
    print(f"\nThe figures are in {path}; measured in {time.monotonic() - began:.0f} s.")
    print("\n".join(f"NOT HELD  {line}" for line in violations))
    return 1 if violations else 0
