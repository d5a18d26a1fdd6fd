# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""Guests that panic, hang or die, users who lose patience: an exit code, a reason, no process."""

from __future__ import annotations

import json
import os
import select
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from conftest import Phone, finish, lab, processes, start

PANIC = "echo c >/proc/sysrq-trigger"
# Without throttle and fair server, a spinning real-time task keeps all others off the one CPU: the
# kernel lives, nothing in user space runs.
STARVE = ("echo -1 >/proc/sys/kernel/sched_rt_runtime_us; "
          "echo 0 >/sys/kernel/debug/sched/fair_server/cpu0/runtime; "
          "exec chrt -f 99 sh -c 'while :; do :; done'")


def folder_of_run() -> str:
    """The folder of the only `lab run` under way."""
    (emulator,) = processes("/run/run-")
    words = Path(f"/proc/{emulator}/cmdline").read_text().split("\0")
    return next(w for w in words if "path=" in w).partition("path=")[2].rpartition("/")[0]


def begun(*options: str) -> tuple[subprocess.Popen[str], str]:
    """A `lab run` whose command has started and will not end, and its folder."""
    process = start("run", *options, "--", "echo begun; sleep 100000000")
    assert process.stdout
    assert process.stdout.readline() == "begun\n"
    return process, folder_of_run()


@pytest.mark.parametrize(("command", "code", "error"), [
    (PANIC, 241, "lab: the guest's kernel panicked: sysrq triggered crash"),
    pytest.param(STARVE, 242, "lab: the guest hung", marks=pytest.mark.long),
    ("echo 1 >/sys/module/vphone/parameters/hang", 242, "lab: the guest hung"),
    ("poweroff -f", 243, "lab: the guest switched itself off"),
])
def test_the_end_of_a_guest_has_a_code_and_a_reason(command: str, code: int, error: str) -> None:
    before = processes()  # of a phone that several files share
    result = lab("run", "--measure", "--", f"echo begun; {command}")
    assert result.code == code
    assert result.out == "begun\n"
    assert error in result.err
    assert processes() == before


def test_a_killed_emulator() -> None:
    process, folder = begun()
    for pid in processes(folder):
        os.kill(pid, signal.SIGKILL)
    result = finish(process)
    assert result.code == 243
    assert "the emulator was killed by signal 9" in result.err
    assert processes(folder) == []
    assert not Path(folder).exists()


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_an_interrupted_run_cleans_up(number: int, code: int) -> None:
    process, folder = begun()
    process.send_signal(number)
    assert finish(process).code == code
    assert processes(folder) == []
    assert not Path(folder).exists()


def test_a_killed_run_leaves_no_emulator() -> None:
    process, folder = begun()
    (emulator,) = processes(folder)
    pidfd = os.pidfd_open(emulator)
    process.kill()
    process.wait()
    # The pidfd is readable when the process has ended; the kernel kills it with its parent.
    assert select.select([pidfd], [], [], 60)[0]
    os.close(pidfd)
    assert processes(folder) == []


@pytest.fixture
def own_phone() -> Iterator[Phone]:
    """A phone that the test may break."""
    name = f"broken-{os.getpid()}"
    booted = lab("up", "--name", name)
    assert booted.code == 0, booted
    yield Phone(name)
    lab("down", "--name", name)
    assert processes(name) == []


def server_of(phone: Phone) -> str:
    return f"tcp:localhost:{phone.state['adb_server_port']} fork-server"


def test_a_panic_under_a_shell(own_phone: Phone) -> None:
    server = server_of(own_phone)
    assert len(processes(server)) == 1
    # Unsent output of adbd dies with the kernel, so it may panic only after "begun" has arrived.
    process = start("shell", "--name", own_phone.name, "--", f"echo begun; read word; {PANIC}",
                    stdin=subprocess.PIPE)
    assert process.stdout
    assert process.stdout.readline() == "begun\n"
    result = finish(process, "on\n")
    assert result.code == 241
    assert "the guest's kernel panicked" in result.err
    assert processes(server) == []
    after = own_phone.shell("true")
    assert after.code == 1
    assert "is not up any more: the guest's kernel panicked" in after.err
    row = next(r for r in json.loads(lab("status", "--json").out) if r["name"] == own_phone.name)
    assert (row["up"], row["code"]) == (False, 241)


def test_a_reboot_under_a_shell(own_phone: Phone) -> None:
    result = own_phone.shell("svc power reboot; sleep 1000")
    assert result.code == 243
    assert "the guest switched itself off" in result.err


def test_a_killed_emulator_under_a_shell(own_phone: Phone) -> None:
    server = server_of(own_phone)
    process = start("shell", "--name", own_phone.name, "--", "echo begun; sleep 100000")
    assert process.stdout
    assert process.stdout.readline() == "begun\n"
    (emulator,) = processes(f"/run/{own_phone.name}/")
    os.kill(emulator, signal.SIGKILL)
    result = finish(process)
    assert result.code == 243
    assert "the emulator was killed by signal 9" in result.err
    assert processes(server) == []
