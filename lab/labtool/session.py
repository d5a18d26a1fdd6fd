# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""Commands on a phone that is up, with the exit code of the command in the guest.

adb's own exit code is unreliable: it is 0 when the link drops in the middle of a command. So the
guest's shell ends each command with a mark on its standard error. A command without the mark has
not ended, whatever adb returns.
"""

from __future__ import annotations

import os
import select
import shlex
import subprocess

from . import adb, phone, verdict
from .emulator import Sink
from .paths import LabError
from .phone import State
from .verdict import Outcome
from .watch import die_with_parent

MARK = b"@lab-ended:"


def shell_line(words: list[str]) -> str:
    """One argument is a line for the guest's shell; several are a program and its arguments."""
    return words[0] if len(words) == 1 else shlex.join(words)


def _home(state: State) -> dict[str, str]:
    return adb.environment(phone.folder_of(state.name))


class _Marked:
    """Passes standard error on, without the mark at its end."""

    def __init__(self, sink: Sink) -> None:
        self.sink = sink
        self.kept = b""
        self.ended = False

    def feed(self, data: bytes) -> None:
        data = self.kept + data
        self.kept = b""
        at = data.find(MARK)
        if at < 0:
            # The received data may end with the beginning of a mark.
            at = next((len(data) - n for n in range(min(len(MARK), len(data)), 0, -1)
                       if MARK.startswith(data[-n:])), len(data))
        else:
            self.ended = True
        if data[:at]:
            self.sink(data[:at])
        self.kept = data[at:]

    def close(self) -> None:
        if not self.ended and self.kept:
            self.sink(self.kept)


def shell(state: State, words: list[str], out: Sink, err: Sink,
          stdin: int | None = subprocess.DEVNULL) -> Outcome:
    """Runs a command in the guest. The output is given to `out` and `err` as it comes."""
    line = (f"({shell_line(words)}\n)\nlab_code=$?\nprintf %s {MARK.decode()} >&2\n"
            "exit $lab_code")
    process = subprocess.Popen(
        adb.command(state.adb_server_port, state.serial, "shell", "-T", line), env=_home(state),
        stdin=stdin, stdout=subprocess.PIPE, stderr=subprocess.PIPE, preexec_fn=die_with_parent)
    marked = _Marked(err)
    try:
        _pump(process, out, marked.feed)
        code = process.wait()
    finally:
        process.kill()
        process.wait()
    marked.close()
    return Outcome(code) if marked.ended else _lost(state, code)


def terminal(state: State) -> Outcome:
    """The guest's shell on this terminal, until the user leaves it."""
    done = subprocess.run(adb.command(state.adb_server_port, state.serial, "shell"),
                          env=_home(state))
    return Outcome(done.returncode) if phone.is_up(state.name) else phone.outcome_of(state.name)


def output(state: State, *words: str) -> str:
    """The output of a command, which must succeed."""
    out, err = bytearray(), bytearray()
    outcome = shell(state, list(words), out.extend, err.extend)
    if outcome.problem:
        raise LabError(outcome.problem)
    if outcome.code:
        raise LabError(f"`{' '.join(words)}` in the guest returned {outcome.code}: "
                       f"{err.decode(errors='replace').strip()}")
    return out.decode(errors="replace")


def copy(state: State, verb: str, sources: list[str], target: str) -> Outcome:
    """adb push or pull."""
    done = subprocess.run(
        adb.command(state.adb_server_port, state.serial, verb, *sources, target),
        env=_home(state), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, text=True)
    if done.returncode == 0:
        return Outcome(0)
    if not phone.is_up(state.name):
        return phone.outcome_of(state.name)
    # adb prints errors to either stream, after its progress.
    error_lines = [x for x in done.stdout.splitlines() if "error" in x] or ["adb gave no reason"]
    raise LabError(f"{verb}: {error_lines[0].removeprefix('adb: error: ')}")


def _pump(process: subprocess.Popen[bytes], out: Sink, err: Sink) -> None:
    assert process.stdout and process.stderr
    sinks = {process.stdout.fileno(): out, process.stderr.fileno(): err}
    poll = select.poll()
    for fd in sinks:
        poll.register(fd, select.POLLIN)
    while sinks:
        for fd, _ in poll.poll():
            data = os.read(fd, 65536)
            if data:
                sinks[fd](data)
            else:
                poll.unregister(fd)
                del sinks[fd]


def _lost(state: State, code: int) -> Outcome:
    """The outcome without a mark: the guest has ended or is about to, or only its shell was
    killed."""
    probe = subprocess.run(
        adb.command(state.adb_server_port, state.serial, "shell", "-T", "echo here"),
        env=_home(state), stdin=subprocess.DEVNULL, capture_output=True)
    if probe.stdout == b"here\n":
        return Outcome(code or verdict.DIED, "" if code else "the guest's shell was killed")
    return phone.outcome_of(state.name)
