# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""`lab run`: a guest for one command; in measuring mode equal runs give equal bytes."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

import pytest
from conftest import HERE, finish, lab, start

FIO = ("fio --name=probe --filename=/data/probe --ioengine=psync --direct=1 --size=2m --bs=4k "
       "--rw=randwrite --io_size=512k --randrepeat=1 --output-format=json; "
       "cat /proc/uptime; dmesg | tail -5")


def test_measured_runs_are_equal_to_the_byte() -> None:
    # Both run at the same time, so that each disturbs the other.
    trim = "cmd storekeeper maintain --now && dumpsys storekeeper"
    both = [start("run", "--measure", "--", f"{FIO}; {trim}") for _ in range(2)]
    first, second = (finish(process) for process in both)
    assert first.code == second.code == 0
    report, _ = json.JSONDecoder().raw_decode(first.out)
    assert report["jobs"][0]["write"]["clat_ns"]["mean"] > 0
    assert re.search(r"^Trimmed [\d.]+ \w+ on /data", first.out, re.M)
    assert "% left" in first.out
    assert first == second


@pytest.mark.long
def test_a_host_that_holds_the_emulator_up_does_not_reach_the_guest(tmp_path: Path) -> None:
    # Many short idle times, each measured to the nanosecond: the emulator's two threads meet at
    # each.
    command = f"{FIO}; for i in $(seq 100); do sleep 0.01; date +%s.%N; done"
    library, log = tmp_path / "shake.so", tmp_path / "shakes"
    subprocess.run(["clang", "-O2", "-Wall", "-Werror", "-shared", "-fPIC", HERE / "shake.c",
                    "-o", library], check=True)
    shaken = {"LD_PRELOAD": str(library), "SHAKE_LOG": str(log)}
    both = [start("run", "--measure", "--", command, env=env) for env in ({}, shaken)]
    quiet, disturbed = (finish(process) for process in both)
    assert log.stat().st_size > 100
    assert quiet.code == 0
    assert quiet == disturbed


def test_a_job_goes_in_and_results_come_out(tmp_path: Path) -> None:
    (tmp_path / "words").write_text("from the host\n")
    result = lab("run", "--measure", "--prop", "test.given=by the host",
                 "--param", "vphone.capacity=12", "--file", f"{tmp_path}/words:/data/local/tmp/in",
                 "--get", f"/data/local/tmp/out:{tmp_path}/out", "--", "sh", "-c",
                 'cat "$1"; getprop test.given; cat /sys/class/power_supply/battery/capacity; '
                 'ls /sys/class/net; id -u; test -t 1 || echo no terminal; echo wrong >&2; '
                 'head -c 300000 /dev/zero >/data/local/tmp/out; exit 7', "-", "/data/local/tmp/in")
    assert result.code == 7
    assert result.out.split("\n") == ["from the host", "by the host", "12", "lo", "0",
                                      "no terminal", ""]
    assert result.err == "wrong\n"
    assert (tmp_path / "out").read_bytes() == bytes(300000)


def test_a_missing_result_is_told(tmp_path: Path) -> None:
    result = lab("run", "--measure", "--get", f"/data/none:{tmp_path}/none", "--", "true")
    assert result.code == 243
    assert "the guest has no file /data/none" in result.err
    assert not (tmp_path / "none").exists()


def test_hours_pass_in_guest_time_and_end_a_command() -> None:
    result = lab("run", "--measure", "--timeout", "10800", "--",
                 "date +%s; sleep 7200; date +%s; sleep 7200; echo no")
    before, after = map(int, result.out.split())
    assert 7200 <= after - before <= 7202
    assert result.code == 244
    assert "the command did not end in the guest time it was given" in result.err


def test_a_faulty_rc_is_refused_by_line(tmp_path: Path) -> None:
    (tmp_path / "bad.rc").write_text("on boot\n    mkdir /a\n    formt /b\nservice x y\n")
    result = lab("run", "--measure", "--file", f"{tmp_path}/bad.rc:/system_ext/etc/init/bad.rc",
                 "--", "echo", "never")
    assert result.code == 246
    assert "never" not in result.out
    assert "/system_ext/etc/init/bad.rc:3: unknown command 'formt'" in result.err
    assert "/system_ext/etc/init/bad.rc:4: service 'x': program 'y' is not an abs" in result.err
