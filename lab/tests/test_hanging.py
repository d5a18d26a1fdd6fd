# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""Tests that hang or end their process, under pytest as `lab test` runs it."""

from __future__ import annotations

from pathlib import Path

import pytest

from labtool.suite import stages

# Half of these tests never end; one ignores the signal that would interrupt it.
BROKEN = """
import os, signal, subprocess, time, pytest
def test_before(): pass
def test_sleeps(): time.sleep(3600)
def test_waits(): subprocess.run(["sleep", "3600"])
@pytest.fixture
def slow(): time.sleep(3600)
def test_of_a_slow_fixture(slow): pass
def test_wrong(): assert False
@pytest.mark.skip(reason="for once")
def test_skipped(): pass
def test_dies(): os.abort()
def test_deaf():
    signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGUSR2])
    time.sleep(3600)
def test_after(): pass
"""


def test_each_is_named_and_the_others_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
                                          capfd: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(stages, "RESULTS", tmp_path)
    monkeypatch.setenv("STOREKEEPER_TEST_SECONDS", "2")
    (tmp_path / "test_broken.py").write_text(BROKEN)
    failed = stages.pytest(["/usr/bin/python3"], "broken", ["-n", "1", str(tmp_path)], tmp_path)
    assert sorted(failed) == [f"test_broken.test_{x}" for x in (
        "deaf", "dies", "of_a_slow_fixture", "sleeps", "waits", "wrong")]
    output = capfd.readouterr()
    assert "it did not end within 2 s" in output.out
    assert "2 passed, 1 skipped" in output.out
    # The line that hung in the test that had to be ended with its process.
    assert "test_broken.py\", line 15 in test_deaf" in output.err


def test_without_a_report_the_program_is_named(tmp_path: Path) -> None:
    assert stages.failed_of(tmp_path / "none.xml", -9, "ctest")[0].startswith("ctest ended with -9")


def test_names_of_ctest(tmp_path: Path) -> None:
    report = tmp_path / "ctest.xml"
    report.write_text("""<testsuite>
        <testcase name="good" classname="good" status="run"/>
        <testcase name="sim.seed1" classname="sim.seed1" status="fail"><failure message="Timeout"/>
        </testcase>
        <testcase name="off" classname="off" status="disabled"/></testsuite>""")
    assert stages.failed_of(report, 8, "ctest") == ["sim.seed1"]
    assert stages.failed_of(report, 0, "ctest") == ["sim.seed1"]
    report.write_text("<testsuite><testcase name='good' status='run'/></testsuite>")
    assert stages.failed_of(report, 0, "ctest") == []
    assert stages.failed_of(report, 3, "ctest") == ["ctest ended with 3"]
