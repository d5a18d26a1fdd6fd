# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""The month that lab/bench/days.sh reported: when storekeeperd ran, compared with the events on
the phone, and its costs. Pure; storekeeperd's own account is not used.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from ..paths import LabError

HOUR = 3600
DAY = 24 * HOUR
# sysconf(_SC_CLK_TCK), the unit of /proc/PID/stat.
TICKS = 100
# From a gate's closing to the last discard: the one under way, and its queue; the same time again
# to the end of the run.
GRACE_S = 2
# A run is reported at the end of its hour.
DEADLINE_GRACE_S = HOUR

# The policy as docs/architecture.md states it, independent of the daemon's report. Writes are not
# followed here: days.sh writes 96 MB on a day of use, more than the 1 % that makes a run due.
INTERVAL_S = 24 * HOUR
DEADLINE_S = 7 * DAY
RELAX_STEPS = 4
UNTOUCHED_S = 3600
# (off charger, on charger): the strict limits, and the limits after relaxing.
BATTERY = ((80, 30), (40, 20))
HEAT = (400, 450)


@dataclass
class World:
    """The phone at a time."""

    screen_on: bool = False
    last_input: float = 0.0
    level: int = 100
    ac: bool = False
    temp: int = 250

    def apply(self, at: float, words: list[str]) -> None:
        what, *value = words
        if what == "touch":
            self.last_input = at
        elif what == "screen":
            # The phone is in a hand until the screen goes off.
            self.screen_on = value == ["on"]
            self.last_input = at
        elif what == "level":
            self.level = int(value[0])
        elif what == "ac":
            self.ac = value == ["1"]
        elif what == "temp":
            self.temp = int(value[0])
        else:
            raise LabError(f"days.sh reports '{what}', which is not known here")


@dataclass
class Month:
    """The guest's lines by kind; times are seconds since boot."""

    events: list[tuple[float, list[str]]] = field(default_factory=list)
    hours: list[tuple[float, int, int, int, int]] = field(default_factory=list)
    discards: list[tuple[float, float, int]] = field(default_factory=list)
    runs: list[float] = field(default_factory=list)
    begin: float = 0.0


def read(lines: list[str]) -> Month:
    month = Month()
    boot_wall = 0.0
    for line in lines:
        word, *rest = line.split()
        if word == "@e":
            month.events.append((float(rest[0]), rest[1:]))
        elif word == "@h":
            month.hours.append((float(rest[0]), *(int(x) for x in rest[1:5])))
        elif word == "@d":
            month.discards.append((float(rest[0]), float(rest[1]), int(float(rest[2]))))
        elif word == "@wall":
            month.begin = float(rest[0])
            boot_wall = int(rest[1]) - month.begin
        elif word == "@run":
            month.runs.append(int(rest[1]) - boot_wall)
    return month


def closed(world: World, at: float, last_run: float | None, begin: float) -> list[str]:
    """The gates that are closed at that time, with the relaxing of an overdue run taken into
    account."""
    age = at - (begin if last_run is None else last_run)
    overdue = (age - INTERVAL_S) / (DEADLINE_S - INTERVAL_S)
    part = min(1.0, max(0.0, int(overdue * RELAX_STEPS) / RELAX_STEPS))
    gates = []
    if last_run is not None and age < INTERVAL_S:
        gates.append("interval")
    untouched = UNTOUCHED_S * (1 - part)
    # One second of tolerance: clocks are read one after the other.
    if untouched and (world.screen_on or at - world.last_input < untouched - 1):
        gates.append("untouched")
    strict, last = (x[world.ac] for x in BATTERY)
    if world.level < int(strict + (last - strict) * part):
        gates.append("battery")
    if world.temp > HEAT[0] + (HEAT[1] - HEAT[0]) * part:
        gates.append("heat")
    return gates


def violations(month: Month) -> list[str]:
    """Runs that discarded while a gate was closed, one line each."""
    lines = []
    for first, last, size in month.discards:
        world = World()
        before = [r for r in month.runs if r < first - 1]
        last_run = before[-1] if before else None
        pending = list(month.events)
        while pending and pending[0][0] <= first:
            world.apply(*pending.pop(0))
        moments = [first]
        gates = closed(world, first, last_run, month.begin)
        while not gates and pending and pending[0][0] < last - GRACE_S:
            at, words = pending.pop(0)
            world.apply(at, words)
            moments.append(at)
            gates = closed(world, at, last_run, month.begin)
        if gates:
            lines.append(f"{size} bytes discarded from {first:.0f} to {last:.0f} s while closed at "
                         f"{moments[-1]:.0f} s: {', '.join(gates)}")
    return lines


def missed_deadlines(month: Month) -> int:
    """Number of times that no run was complete for longer than the deadline."""
    ends = [month.begin, *month.runs, month.hours[-1][0]]
    return sum(b - a > DEADLINE_S + DEADLINE_GRACE_S
               for a, b in zip(ends, ends[1:], strict=False))


def most_wakeups(month: Month) -> int:
    """The most wake-ups in an hour with nothing due: within the interval after a run. A run's end
    is known to the second; its later writes count as part of the run."""
    most = 0
    for (begin, before, *_), (end, after, *_) in zip(month.hours, month.hours[1:], strict=False):
        past = [r for r in month.runs if r <= begin - GRACE_S]
        quiet = not any(first < end and last > begin - GRACE_S for first, last, _ in month.discards)
        if past and quiet and end - past[-1] < INTERVAL_S:
            most = max(most, after - before)
    return most


def figures(month: Month) -> dict:
    """The figures in the form of out/bench/maintenance.json."""
    if len(month.hours) < 2:
        raise LabError("the days have no hours: did days.sh run?")
    first, last = month.hours[0], month.hours[-1]
    days = (last[0] - first[0]) / DAY
    return {
        "runs": len(month.runs),
        "missed_deadlines": missed_deadlines(month),
        "runs_with_closed_gate": len(violations(month)),
        "wakeups_per_hour_max": most_wakeups(month),
        "cpu_s_per_day": round((last[2] - first[2]) / TICKS / days, 4),
        "written_bytes_per_day": round((last[3] - first[3]) / days),
        "pss_kib": max(h[4] for h in month.hours),
    }
