# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""Tests of a program that die, hang and leak: the named test, and the tests that run in spite of
it."""

from __future__ import annotations

import os
import select
import sys
from pathlib import Path

import pytest

from labtool.paths import LabError
from labtool.suite import gtest

# A program with the command line and the output of GoogleTest's. Each test acts as its name says.
PROGRAM = """#!%s
import json, os, signal, subprocess, sys, time
options = dict(x.partition("=")[::2] for x in sys.argv[1:])
names = %r
if "--gtest_list_tests" in options:
    tests = [{"name": n.split(".")[1]} for n in names]
    json.dump({"testsuites": [{"name": "T", "testsuite": tests}]},
              open(options["--gtest_output"].removeprefix("json:"), "w"))
    sys.exit(0)
ended = 0
with open("processes", "a") as file:
    print(os.environ.get("COUNTED", ""), options["--gtest_filter"], file=file)
for name in options["--gtest_filter"].split(":"):
    what = name.split(".")[1]
    assert name in names
    if what.startswith("Between") and not os.path.exists("killed"):
        open("killed", "w")
        os.kill(os.getpid(), signal.SIGKILL)
    print(f"[ RUN      ] {name}", flush=True)
    if what.startswith("Dies"):
        print("what died says", flush=True)
        os.abort()
    if what.startswith("Exits"):
        sys.exit(0)
    if what.startswith("Hangs"):
        time.sleep(3600)
    if what.startswith("Deaf"):
        signal.signal(signal.SIGABRT, signal.SIG_IGN)
        time.sleep(3600)
    if what.startswith("Leaves"):
        open("left", "w").write(str(subprocess.Popen(["sleep", "3600"]).pid))
    if what.startswith("Skips"):
        print("x_test.cpp:3: Skipped\\nfor once", flush=True)
    if what.startswith("Wrong"):
        print("what failed says", flush=True)
        ended = 1
    word = {"Wrong": "  FAILED  ", "Skips": "  SKIPPED "}.get(what[:5], "       OK ")
    # What a test has printed may stand before it.
    print(f"half a line[{word}] {name}{', where GetParam() = 1' * ended} (1 ms)", flush=True)
    if what.startswith("Leaks"):
        ended = 23
sys.exit(ended)
"""


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Runs a program with the given tests, in one process."""
    monkeypatch.setattr(gtest.os, "cpu_count", lambda: 1)
    monkeypatch.setattr(gtest, "SHARES_PER_CORE", 1)
    monkeypatch.setattr(gtest, "SECONDS", 5)
    monkeypatch.setattr(gtest, "GRACE", 1)

    def of(*tests: str, left_out: tuple[str, ...] = (), **more) -> gtest.Tally:
        program = tmp_path / "program"
        program.write_text(PROGRAM % (sys.executable, [f"T.{x}" for x in tests]))
        program.chmod(0o755)
        return gtest.run([str(program)], tmp_path, left_out, **more)
    return of


def test_all_pass(run) -> None:
    tally = run("One", "Two", "Three", "DISABLED_Four", "Five", left_out=("T.Five",))
    assert (tally.passed, tally.names(), tally.lost) == (3, [], [])


def test_a_test_that_runs_apart_has_its_own_process_and_environment(
        run, tmp_path: Path) -> None:
    tally = run("One", "Two", "Three", more={"COUNTED": "yes"}, apart=("T.Two",))
    assert (tally.passed, tally.names()) == (3, [])
    assert sorted((tmp_path / "processes").read_text().splitlines()) == [
        " T.Two", "yes T.One:T.Three"]


def test_one_that_dies_is_named_with_its_output_and_the_others_run(run) -> None:
    tally = run("One", "Dies", "Two", "Wrong", "Three")
    assert tally.passed == 3
    assert tally.names() == ["T.Dies (killed by SIGABRT)", "T.Wrong"]
    assert "what died says" in tally.output[0]
    assert "what failed says" in tally.output[1]
    assert "what died says" in tally.logs[0].read_text()


@pytest.mark.parametrize("name", ["Hangs", "Deaf"])
def test_one_that_hangs_is_named_and_the_others_run(run, name: str) -> None:
    tally = run("One", name, "Two")
    assert (tally.passed, tally.names()) == (2, [f"T.{name} (did not end within 5 s)"])


def test_one_that_ends_its_process_well_is_named(run) -> None:
    tally = run("One", "Exits", "Two")
    assert (tally.passed, tally.names()) == (2, ["T.Exits (ended its process with 0)"])


def test_processes_that_a_test_leaves_behind_are_ended(run, tmp_path: Path) -> None:
    assert run("Leaves", "Two").passed == 2
    try:
        left = os.pidfd_open(int((tmp_path / "left").read_text()))
    except ProcessLookupError:
        return
    assert select.select([left], [], [], 10)[0]
    os.close(left)


def test_an_end_outside_of_the_tests_is_told_by_the_test_before(run) -> None:
    tally = run("One", "Leaks")
    assert (tally.passed, tally.names()) == (
        2, ["the program after T.Leaks (ended its process with 23)"])


def test_an_end_between_two_tests_or_before_the_first_loses_none(run, tmp_path: Path) -> None:
    tally = run("One", "Between", "Two")
    assert (tally.passed, tally.names()) == (3, ["the program after T.One (killed by SIGKILL)"])
    (tmp_path / "killed").unlink()
    tally = run("Between", "Two")
    assert (tally.passed, tally.names()) == (
        2, ["the program before T.Between (killed by SIGKILL)"])


def test_a_program_that_always_dies_ends_and_says_what_did_not_run(run) -> None:
    tally = run(*[f"Dies{i}" for i in range(8)])
    assert len(tally.failed) == gtest.MAX_DEATHS
    assert tally.lost == [f"T.Dies{i}" for i in range(gtest.MAX_DEATHS, 8)]


def test_skipped_ones_say_why(run, capsys: pytest.CaptureFixture[str]) -> None:
    tally = run("Skips", "Wrong")
    gtest.report(tally, "program", {"T.No*": "for a reason"})
    shown = capsys.readouterr().out
    assert "program: 1 tests passed, 1 failed, 1 skipped" in shown
    assert "skipped x_test.cpp:3: for once" in shown
    assert "left out T.No*: for a reason" in shown
    assert f"{tally.logs[0].parent}/tests-*.log" in shown


def test_a_program_without_tests_is_an_error(tmp_path: Path) -> None:
    program = tmp_path / "program"
    program.write_text("#!/bin/sh\necho cannot start; exit 3\n")
    program.chmod(0o755)
    with pytest.raises(LabError, match="does not list its tests, and ended its process with 3"):
        gtest.run([str(program)], tmp_path, ())
    with pytest.raises(LabError, match="No such file or directory"):
        gtest.run([str(tmp_path / "none")], tmp_path, ())
