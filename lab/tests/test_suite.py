# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""`lab soak suite=N` with fake stages, and the results that `lab test` makes of its stages."""

from __future__ import annotations

import re

import pytest

from labtool.bench import soak, suite
from labtool.paths import LabError
from labtool.suite import stages
from labtool.suite.stages import Stage


@pytest.fixture
def loads(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The number of busy processes beside each run. T.Seldom fails in the second run, T.Always in
    each, and the second stage reports only that it failed."""
    seen: list[int] = []
    busy = suite.busy

    def counted(count: int):
        seen.append(count)
        return busy(min(count, 1))

    def unit() -> list[str]:
        return ["T.Always", *(["T.Seldom"] if len(seen) == 2 else [])]

    def arm() -> list[str]:
        raise LabError("no emulator\nsecond line")

    monkeypatch.setattr(suite, "busy", counted)
    monkeypatch.setitem(suite.KINDS, "suite-arm", lambda: [Stage("a", unit), Stage("b", arm)])
    return seen


def test_flakes_are_told_from_what_always_fails(loads: list[int]) -> None:
    figures = {"suite-arm": suite.run("suite-arm", 4)}
    assert loads == [0, 8, 0, 8]
    record = figures["suite-arm"]
    assert (record["runs"], record["under_load"], record["failures"]) == (4, 2, 9)
    assert record["bad"] == ["a: T.Always failed in every run",
                             "a: T.Seldom is a flake: failed in runs 2 of 4, 1 under load",
                             "b: no emulator failed in every run"]
    assert soak.violations(figures) == [f"suite-arm: {x}" for x in record["bad"]]
    assert "4   9 failures   2 under load" in soak.table(figures)[0]


def test_no_failure_is_nothing_bad() -> None:
    record = suite.figures([(False, []), (True, [])], 1.4)
    assert record == {"runs": 2, "under_load": 1, "failures": 0, "seconds": 1, "bad": []}


def test_it_runs_by_name_alone() -> None:
    assert set(suite.KINDS) & set(soak.counts([])) == {suite.LONG}
    assert soak.counts(["suite=3", "crash"]) == {"suite": 3, "crash": 1}
    with pytest.raises(LabError, match="suite: give the number of runs, such as suite=10"):
        suite.run("suite", 0)


def test_each_kind_is_a_part_of_the_suite() -> None:
    whole = {s.name for s in suite.KINDS["suite"]()}
    for kind in set(suite.KINDS) - {"suite"}:
        part = {s.name for s in suite.KINDS[kind]()}
        assert part and part < whole


def test_make_test_and_the_long_tests_are_all_that_there_are(
        monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[list[str]] = []
    monkeypatch.setattr(stages, "pytest", lambda p, n, words, f: asked.append(words) or [])
    for stage in (*stages.stages(), *stages.long_tests()):
        if "virtual phone" in stage.name:
            stage.run()
    assert [words[words.index("-m") + 1] for words in asked] == [f"not {stages.LONG}", stages.LONG]


def test_busy_processes_end_with_the_block() -> None:
    with pytest.raises(RuntimeError), suite.busy(2) as processes:
        assert [p.poll() for p in processes] == [None, None]
        raise RuntimeError
    assert all(p.returncode is not None for p in processes)


def test_all_stages_run_and_each_failure_is_named(monkeypatch: pytest.MonkeyPatch,
                                                  capsys: pytest.CaptureFixture[str]) -> None:
    def breaks() -> list[str]:
        raise LabError("no emulator\nsecond line")
    monkeypatch.setattr(stages, "stages", lambda: [
        Stage("first", lambda: ["T.One", "T.Two"]), Stage("second", breaks),
        Stage("third", lambda: [])])
    with pytest.raises(LabError) as error:
        stages.run_tests([])
    assert str(error.value).splitlines() == [
        "failed, see above", "first: T.One", "first: T.Two", "second: no emulator"]
    out = capsys.readouterr().out
    assert "--- third: passed\n" in out
    assert re.findall(r"^ +\d+ s  (.*)$", out, re.M) == ["first", "second", "third"]
