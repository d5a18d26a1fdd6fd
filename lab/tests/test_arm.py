# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""`lab test-arm` with a fake emulator: its report of tests, and its behaviour without one."""

from __future__ import annotations

from pathlib import Path

import pytest

from labtool import build
from labtool.paths import LabError
from labtool.suite import arm, gtest, stages

# Four processes with two tests each; the words after the program's name are its arguments.
EMULATOR = """#!/bin/sh
for word; do case $word in
    --gtest_list_tests) list=1 ;;
    --gtest_output=json:*) answer=${word#--gtest_output=json:} ;;
    --gtest_filter=*) names=${word#--gtest_filter=} ;;
esac; done
if [ -n "$list" ]; then
    for i in 0 1 2 3 4 5 6 7; do tests="$tests$comma {\\"name\\": \\"Test$i\\"}"; comma=,; done
    echo "{\\"testsuites\\": [{\\"name\\": \\"T\\", \\"testsuite\\": [$tests]}]}" >"$answer"
    exit
fi
for name in $(echo "$names" | tr : ' '); do
    echo "[ RUN      ] $name"
    [ "$name" != "$DIES" ] || { echo uncaught target signal 11; kill -SEGV $$; }
    [ "$name" != "$SKIP" ] || { printf 'x_test.cpp:3: Skipped\\nfor once\\n'
                                echo "[  SKIPPED ] $name (0 ms)"; continue; }
    [ "$name" != "$FAILS" ] || { echo "what $name says"; failed=1
                                 echo "[  FAILED  ] $name (0 ms)"; continue; }
    echo "[       OK ] $name (0 ms)"
done
exit $failed
"""


@pytest.fixture
def emulator(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An emulator for which nothing is unpacked or built."""
    monkeypatch.setattr(arm, "QEMU", tmp_path)
    monkeypatch.setattr(build, "BUILD", tmp_path / "build")
    monkeypatch.setattr(arm, "setup", lambda architectures: None)
    monkeypatch.setattr(arm, "cmake", lambda variant, tests: None)
    monkeypatch.setattr(gtest.os, "cpu_count", lambda: 1)
    for name in ("DIES", "FAILS", "SKIP"):
        monkeypatch.setenv(name, "")
    path = tmp_path / "usr/bin/qemu-arm"
    path.parent.mkdir(parents=True)
    for architecture in arm.ARCHITECTURES:
        (tmp_path / "build" / architecture.name).mkdir(parents=True)
        program = path.with_name(architecture.qemu)
        program.write_text(EMULATOR)
        program.chmod(0o755)
    return path


def test_the_tests_of_all_processes_are_counted(emulator: Path,
                                                capsys: pytest.CaptureFixture[str]) -> None:
    arm.test()
    reported = capsys.readouterr().out
    assert "armhf: 8 tests passed, 0 failed" in reported
    assert "arm64: 8 tests passed, 0 failed" in reported
    for name, reason in arm.LEFT_OUT.items():
        assert f"left out {name}: {reason}" in reported


def test_make_test_asks_for_32_bits_alone(emulator: Path,
                                          capsys: pytest.CaptureFixture[str]) -> None:
    stage, = (s for s in stages.stages() if s.name == stages.ARM_STAGE)
    assert stage.failures() == []
    reported = capsys.readouterr().out
    assert "armhf: 8 tests passed, 0 failed" in reported
    assert "arm64" not in reported


def test_a_skipped_test_has_its_reason(emulator: Path, monkeypatch: pytest.MonkeyPatch,
                                       capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("SKIP", "T.Test3")
    arm.test()
    reported = capsys.readouterr().out
    assert "armhf: 8 tests passed, 0 failed, 1 skipped" in reported
    assert "skipped x_test.cpp:3: for once" in reported


def test_a_failed_test_is_named(emulator: Path, monkeypatch: pytest.MonkeyPatch,
                                capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("FAILS", "T.Test2")
    with pytest.raises(LabError, match=r"T\.Test2 \(armhf\), T\.Test2 \(arm64\)"):
        arm.test()
    reported = capsys.readouterr().out
    assert "armhf: 7 tests passed, 1 failed" in reported
    assert "what T.Test2 says" in reported
    assert "--gtest_filter=NAME" in reported


def test_a_test_that_dies_is_named_and_the_others_run(
        emulator: Path, monkeypatch: pytest.MonkeyPatch,
        capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("DIES", "T.Test1")
    with pytest.raises(LabError, match=r"T\.Test1 \(killed by SIGSEGV\) \(armhf\)"):
        arm.test()
    reported = capsys.readouterr().out
    assert "armhf: 7 tests passed, 1 failed" in reported
    assert "arm64: 7 tests passed, 1 failed" in reported
    assert "uncaught target signal 11" in reported


def test_no_emulator_is_told_with_what_to_do(emulator: Path) -> None:
    emulator.unlink()
    with pytest.raises(LabError, match="qemu-arm: no such file; remove "):
        arm.test()
