# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""Outcomes of a guest or its command, and their exit codes.

Codes from 240 are the lab's own. Lower ones are the command's own in the guest, a signal as 128 +
its number.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

PANICKED = 241  # the guest's kernel panicked
HUNG = 242  # the guest stopped scheduling and its watchdog ended it
DIED = 243  # the emulator ended, or the guest switched itself off, before the command did
TIMED_OUT = 244  # the command took longer than it was given, in guest time
WEDGED = 245  # the emulator did not end; wall-clock backstop
REFUSED = 246  # the guest could not boot: a faulty .rc, a module that does not load, no card

CONSOLE_LINES = 20


@dataclass(frozen=True)
class Outcome:
    """`code` is the caller's exit code; `problem` is empty when the command ended by itself."""

    code: int
    problem: str = ""
    console: list[str] = field(default_factory=list)

    def report(self) -> str:
        """The message for the user: the problem and the console's last lines."""
        lines = [f"lab: {self.problem}"]
        if self.console:
            lines += ["lab: the guest's last console lines:", *self.console]
        return "\n".join(lines)


def last_lines(console: str) -> list[str]:
    lines = [x.rstrip() for x in console.splitlines() if x.strip()]
    return lines[-CONSOLE_LINES:]


def of_command(line: str) -> Outcome | None:
    """The outcome that a control line of the guest's lab-command reports, if it is one."""
    word, _, rest = line.partition(" ")
    if word == "exit":
        return Outcome(int(rest))
    if word == "signal":
        return Outcome(128 + int(rest))
    if word == "timeout":
        return Outcome(TIMED_OUT, "the command did not end in the guest time it was given")
    return None


def of_death(status: int, console: str, refused: list[str], events: list[str],
             output: str) -> Outcome:
    """The outcome when the emulator has ended and no command reported its own.

    `status` is that of subprocess (negative: a signal), `events` the names of QMP's events, `said`
    the emulator's own output.
    """
    tail = last_lines(console)
    if refused:
        return Outcome(REFUSED, "the guest refuses to boot: " + "; ".join(refused), tail)
    if "Kernel panic" in console:
        why = re.search(r"Kernel panic - not syncing: (.*)", console)
        return Outcome(PANICKED, f"the guest's kernel panicked: {why[1] if why else '?'}", tail)
    if "WATCHDOG" in events:
        return Outcome(HUNG, "the guest hung: its watchdog was not served in time", tail)
    if status < 0:
        return Outcome(DIED, f"the emulator was killed by signal {-status}", tail)
    if status > 0:
        last = output.strip().splitlines()[-1:] or ["no message"]
        return Outcome(DIED, f"the emulator failed with status {status}: {last[0]}", tail)
    return Outcome(DIED, "the guest switched itself off", tail)
