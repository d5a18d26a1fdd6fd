# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""`lab test-arm` with an emulator that only pretends: what it reports of tests, and without any."""

from __future__ import annotations

from pathlib import Path

import pytest

from labtool import arm, build
from labtool.paths import LabError

# Each process has two tests, named by its share; the last argument says where the answer goes.
EMULATOR = """#!/bin/sh
for answer; do :; done
answer=${answer#--gtest_output=json:}
i=$GTEST_SHARD_INDEX
{ echo '{"testsuites": [{"name": "T", "testsuite": ['
  echo "{\\"name\\": \\"One$i\\", \\"result\\": \\"COMPLETED\\"},"
  echo "{\\"name\\": \\"Two$i\\", \\"result\\": \\"COMPLETED\\"$FAILURE},"
  echo "{\\"name\\": \\"Else$i\\", \\"result\\": \\"SUPPRESSED\\"}]}]}"; } >"$answer"
echo "what $i says"
[ -z "$SKIP" ] || printf 'x_test.cpp:%d: Skipped\\nfor once\\n' $i
"""


@pytest.fixture
def emulator(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Nothing is unpacked or built."""
    monkeypatch.setattr(arm, "QEMU", tmp_path)
    monkeypatch.setattr(build, "BUILD", tmp_path / "build")
    monkeypatch.setattr(arm, "setup", lambda: None)
    monkeypatch.setattr(arm, "cmake", lambda variant, tests: None)
    monkeypatch.setattr(arm.os, "cpu_count", lambda: 1)
    monkeypatch.setenv("FAILURE", "")
    monkeypatch.setenv("SKIP", "")
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


def test_what_is_skipped_says_why(emulator: Path, monkeypatch: pytest.MonkeyPatch,
                                  capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("SKIP", "1")
    arm.test()
    reported = capsys.readouterr().out
    assert "armhf: 8 tests passed, 0 failed, 4 skipped" in reported
    assert "skipped x_test.cpp:3: for once" in reported


def test_what_fails_is_named(emulator: Path, monkeypatch: pytest.MonkeyPatch,
                             capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("FAILURE", ', "failures": [{"failure": "wrong"}]')
    with pytest.raises(LabError, match=r"T\.Two0 \(armhf\).*T\.Two3 \(arm64\).*--gtest_filter="):
        arm.test()
    reported = capsys.readouterr().out
    assert "armhf: 4 tests passed, 4 failed" in reported
    assert "what 2 says" in reported


def test_a_program_that_ends_early_is_a_failure(emulator: Path,
                                                capsys: pytest.CaptureFixture[str]) -> None:
    emulator.write_text("#!/bin/sh\necho uncaught target signal 11; kill -SEGV $$\n")
    with pytest.raises(LabError, match=r"ended early with -11 \(armhf\)"):
        arm.test()
    reported = capsys.readouterr().out
    assert "armhf: 0 tests passed, 4 failed" in reported
    assert "uncaught target signal 11" in reported
    assert "arm64: 8 tests passed" in reported


def test_no_emulator_is_told_with_what_to_do(emulator: Path) -> None:
    emulator.unlink()
    with pytest.raises(LabError, match="qemu-arm: No such file or directory; remove "):
        arm.test()
