# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""Runs the tests of a GoogleTest program in a few processes, on this machine or in an emulator.

A test that hangs or kills its process is named and counted as failed; another process runs the
remaining tests. The output is in tests-0.log and so on in the folder.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import select
import signal
import subprocess
import time
from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from pathlib import Path
from typing import BinaryIO

from ..paths import LabError

# Seconds after which a test counts as hanging. The longest takes half a minute under QEMU on an
# idle machine and five times that beside eight busy processes.
SECONDS = 900
# Seconds from SIGABRT, at which sanitizers print a stack, to SIGKILL.
GRACE = 10
# Largest number of processes for one share: a program that dies of every test is not worth hours.
MAX_DEATHS = 5
# Several shares for each core: then a long test delays few others.
SHARES_PER_CORE = 4
# Number of last lines shown of a failed test's output.
LINES = 200

_RUN = re.compile(r"\[ RUN      \] (\S+)$")
_END = re.compile(r"\[ +(OK|FAILED|SKIPPED) +\] ([^\s,]+)")
_REASON = re.compile(r"^(\S+:\d+): Skipped\n(.*)$", re.M)


@dataclass
class Tally:
    """The results of tests. `failed`: how each failed, by name."""

    passed: int = 0
    failed: dict[str, str] = field(default_factory=dict)
    skipped: list[str] = field(default_factory=list)
    # Tests never begun, as their program died too often.
    lost: list[str] = field(default_factory=list)
    # Output of failed tests only; `logs` have all output.
    output: list[str] = field(default_factory=list)
    logs: list[Path] = field(default_factory=list)

    def add(self, other: Tally) -> None:
        self.passed += other.passed
        self.failed.update(other.failed)
        for mine, others in ((self.skipped, other.skipped), (self.lost, other.lost),
                             (self.output, other.output), (self.logs, other.logs)):
            mine += others

    def names(self) -> list[str]:
        """The names of failed tests, each with its cause unless that was an expectation."""
        named = [name if how == "failed" else f"{name} ({how})"
                 for name, how in self.failed.items()]
        return named + ([f"{len(self.lost)} tests that did not run"] if self.lost else [])


def _ending(code: int) -> str:
    if code >= 0:
        return f"ended its process with {code}"
    try:
        return f"killed by {signal.Signals(-code).name}"
    except ValueError:
        return f"killed by signal {-code}"


class _Process:
    """One process, its current test, and the time since when it runs."""

    def __init__(self, names: list[str], tally: Tally) -> None:
        self.left = list(names)
        self.tally = tally
        self.current: str | None = None
        self.last: str | None = None
        self.since = time.monotonic()
        self._failed = False
        self._lines: list[str] = []
        self._rest = ""

    def read(self, data: bytes) -> None:
        *lines, self._rest = (self._rest + data.decode(errors="replace")).split("\n")
        for line in lines:
            self._line(line)

    def _line(self, line: str) -> None:
        if began := _RUN.search(line):
            self.current = began[1]
            self.since = time.monotonic()
            self._lines = []
        self._lines.append(line)
        ended = _END.search(line)
        if not ended or ended[2] != self.current:
            return
        if ended[1] == "FAILED":
            self._fail(ended[2], "failed")
        else:
            self.tally.passed += 1
            self.tally.skipped += [": ".join(reason) for reason in
                                   _REASON.findall("\n".join(self._lines))]
        self._over()

    def _over(self) -> None:
        if self.current in self.left:
            self.left.remove(self.current)
        self.last, self.current = self.current, None
        self.since = time.monotonic()
        self._lines = []

    def _fail(self, name: str, how: str) -> None:
        self._failed = True
        self.tally.failed[name] = how
        self.tally.output.append("\n".join([*self._lines[-LINES:], f"{name}: {how}"]))

    def end(self, code: int, hung: bool) -> None:
        """Attributes the process's end to a test or to the program."""
        if self._rest:
            self._line(self._rest)
        how = f"did not end within {SECONDS} s" if hung else _ending(code)
        if self.current is not None:
            self._fail(self.current, how)
            self._over()
        elif self.last is None and self.left:
            # The program ended before its first test, as an emulator does that gets no thread. The
            # test is not to blame and is run again.
            self._fail(f"the program before {self.left[0]}", how)
        elif self.left or hung or code not in (0, 1) or (code and not self._failed):
            # The end came between two tests or, as a leak, after the last.
            self._fail(f"the program after {self.last}", how)


def _run(command: list[str], folder: Path, log: BinaryIO, process: _Process,
         env: dict[str, str]) -> None:
    # The child leads a process group, so that a hanging test's children are ended, too.
    try:
        child = subprocess.Popen(command, cwd=folder, stdin=subprocess.DEVNULL, env=env,
                                 stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                 process_group=0)
    except OSError as e:
        raise LabError(f"{command[0]}: {e.strerror}") from e
    hung = False
    try:
        while True:
            ready, _, _ = select.select([child.stdout], [], [], 0.2)
            data = os.read(child.stdout.fileno(), 65536) if ready else b""
            log.write(data)
            process.read(data)
            # A process left behind by a test may hold the pipe open.
            if (ready and not data) or (not ready and child.poll() is not None):
                break
            late = time.monotonic() - process.since
            if late > SECONDS and not hung:
                hung = True
                child.send_signal(signal.SIGABRT)
            elif late > SECONDS + GRACE:
                os.killpg(child.pid, signal.SIGKILL)
                break
        child.wait(GRACE)
    except subprocess.TimeoutExpired:
        hung = True
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(child.pid, signal.SIGKILL)
        code = child.wait()
        child.stdout.close()
    process.end(code, hung)


def _share(command: list[str], folder: Path, index: int, names: list[str],
           env: dict[str, str]) -> Tally:
    tally = Tally(logs=[folder / f"tests-{index}.log"])
    left = names
    with tally.logs[0].open("wb") as log:
        for _ in range(MAX_DEATHS):
            if not left:
                break
            process = _Process(left, tally)
            _run([*command, "--gtest_brief=0", "--gtest_color=no",
                  f"--gtest_filter={':'.join(left)}"], folder, log, process, env)
            left = process.left
    tally.lost += left
    return tally


def tests(command: list[str], folder: Path, env: dict[str, str]) -> list[str]:
    """The names of the enabled tests."""
    answer = folder / "tests.json"
    answer.unlink(missing_ok=True)
    try:
        done = subprocess.run([*command, "--gtest_list_tests", f"--gtest_output=json:{answer}"],
                              cwd=folder, env=env, stdin=subprocess.DEVNULL, text=True,
                              errors="replace", capture_output=True, timeout=SECONDS)
        suites = json.loads(answer.read_text())["testsuites"]
    except FileNotFoundError as e:
        if e.filename != str(answer):
            raise LabError(f"{command[0]}: {e.strerror}") from e
        raise LabError(f"{' '.join(command)} does not list its tests, and "
                       f"{_ending(done.returncode)}:\n{done.stdout}{done.stderr}") from e
    except subprocess.TimeoutExpired as e:
        raise LabError(f"{' '.join(command)} does not list its tests within {SECONDS} s") from e
    names = [f"{suite['name']}.{test['name']}" for suite in suites for test in suite["testsuite"]]
    return [x for x in names if not re.search(r"(^|[./])DISABLED_", x)]


def run(command: list[str], folder: Path, left_out: Iterable[str],
        more: Mapping[str, str] | None = None, apart: Iterable[str] = ()) -> Tally:
    """Runs the tests of the program that `command` begins with, except those that a pattern of
    `left_out` matches, with `more` in the environment. Tests that a pattern of `apart` matches run
    in separate processes without `more`."""
    # At SIGABRT sanitizers print the process's stack.
    env = dict(os.environ)
    for sanitizer in ("ASAN_OPTIONS", "TSAN_OPTIONS"):
        env[sanitizer] = ":".join(filter(None, ["handle_abort=1", env.get(sanitizer)]))
    names = [x for x in tests(command, folder, env) if not _matches(x, left_out)]
    lone = [x for x in names if _matches(x, apart)]
    cores = os.cpu_count() or 1
    shares = SHARES_PER_CORE * cores
    others = [x for x in names if x not in lone]
    parts = [(part[i::shares], own) for i in range(shares)
             for part, own in ((others, {**env, **(more or {})}), (lone, env))]
    tally = Tally()
    with ThreadPoolExecutor(cores) as pool:
        for part in pool.map(lambda i: _share(command, folder, i, *parts[i]), range(len(parts))):
            tally.add(part)
    return tally


def _matches(name: str, patterns: Iterable[str]) -> bool:
    return any(fnmatchcase(name, pattern) for pattern in patterns)


def report(tally: Tally, what: str, left_out: Mapping[str, str]) -> None:
    """Prints the failed tests with their output, the number of passed ones, and the left-out ones
    with the reason."""
    for text in tally.output:
        print(text, flush=True)
    if tally.failed or tally.lost:
        print(f"whole output: {tally.logs[0].parent}/tests-*.log", flush=True)
    lost = f", {len(tally.lost)} not run" if tally.lost else ""
    print(f"{what}: {tally.passed} tests passed, {len(tally.failed)} failed, "
          f"{len(tally.skipped)} skipped{lost}", flush=True)
    for reason in tally.skipped:
        print(f"skipped {reason}", flush=True)
    for name, reason in left_out.items():
        print(f"left out {name}: {reason}", flush=True)
