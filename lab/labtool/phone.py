# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""A phone that stays up between commands: one process keeps its emulator and its adb server.

The keeper holds a lock on out/run/NAME/lock during its life, so a phone is up exactly while the
lock is held. If the keeper is killed, the kernel kills both of its children.
"""

from __future__ import annotations

import fcntl
import json
import os
import re
import shutil
import signal
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path

from . import adb, image, qemu, verdict
from .emulator import Emulator, start_with_port
from .image import Run
from .paths import RUN, LabError
from .verdict import Outcome

DEFAULT_NAME = "phone"
# Seconds for a guest that makes no progress while it boots, and for a keeper that does not end.
BOOT_BACKSTOP = 180.0
END_BACKSTOP = 30


@dataclass
class State:
    """The content of out/run/NAME/state.json."""

    name: str
    profile: str
    emulator: int
    adb_server_port: int
    serial: str
    code: int | None = None  # exit code; None while it is up
    problem: str = ""
    console: list[str] = field(default_factory=list)


def folder_of(name: str) -> Path:
    if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._-]*", name) or name.startswith("run-"):
        raise LabError(f"'{name}' is no name for a phone: letters, digits, '.', '_' and '-'")
    return RUN / name


def read_state(name: str) -> State | None:
    try:
        return State(**json.loads((folder_of(name) / "state.json").read_text()))
    except FileNotFoundError:
        return None
    except (ValueError, TypeError) as e:
        raise LabError(f"{folder_of(name)}/state.json: {e}; `lab/lab down --name {name}`") from e


def _write_state(state: State) -> None:
    path = folder_of(state.name) / "state.json"
    fresh = path.with_suffix(".fresh")
    fresh.write_text(json.dumps(asdict(state), indent=1) + "\n")
    fresh.replace(path)


def _lock(folder: Path, wait: int = 0) -> int | None:
    """The lock's descriptor; None if a keeper still holds it after `wait` seconds."""
    fd = os.open(folder / "lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    if wait:
        def late(*_: object) -> None:
            raise TimeoutError
        before = signal.signal(signal.SIGALRM, late)
        signal.alarm(wait)
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
        return fd
    except (BlockingIOError, TimeoutError):
        os.close(fd)
        return None
    finally:
        if wait:
            signal.alarm(0)
            signal.signal(signal.SIGALRM, before)


def is_up(name: str) -> bool:
    folder = folder_of(name)
    if not folder.is_dir():
        return False
    fd = _lock(folder)
    if fd is None:
        return True
    os.close(fd)
    return False


def names() -> list[str]:
    """Phones that are up, or ended and not yet taken down."""
    found = RUN.glob("*/state.json") if RUN.is_dir() else []
    return sorted(p.parent.name for p in found)


def up(name: str, run: Run) -> State | Outcome:
    """Boots a phone that stays up; returns its state once it is ready, or the outcome if not."""
    folder = folder_of(name)
    folder.mkdir(parents=True, exist_ok=True)
    lock = _lock(folder)
    if lock is None:
        raise LabError(f"phone '{name}' is already up; `lab/lab down --name {name}` ends it, "
                       "--name gives a second one its own name")
    for old in folder.iterdir():
        if old.name != "lock":
            shutil.rmtree(old) if old.is_dir() else old.unlink()
    image.initramfs(run, folder / "initramfs")
    reading, writing = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(reading)
        _keep(name, run, writing)
    os.close(writing)
    os.close(lock)
    try:
        with os.fdopen(reading) as reported:
            text = reported.read()
    except KeyboardInterrupt:
        down(name)
        raise
    os.waitpid(pid, 0)
    answer = json.loads(text or '{"error": "the keeper of the phone ended without a word"}')
    if "ready" in answer and (state := read_state(name)):
        return state
    shutil.rmtree(folder, ignore_errors=True)
    if "outcome" in answer:
        return Outcome(**answer["outcome"])
    raise LabError(answer.get("error", f"phone '{name}' was taken down while it booted"))


def _keep(name: str, run: Run, reported: int) -> None:
    """In the child of up(): becomes the keeper. Never returns."""
    code = 1
    try:
        # The parent waits only for this process; the keeper is its child, in its own session.
        if os.fork():
            os._exit(0)
        os.setsid()
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            signal.signal(number, lambda *_: sys.exit(0))
        folder = folder_of(name)
        (folder / "keeper").write_text(str(os.getpid()))
        null = os.open(os.devnull, os.O_RDWR)
        log = os.open(folder / "keeper.log", os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        for fd, to in ((null, 0), (log, 1), (log, 2)):
            os.dup2(fd, to)

        def report(answer: dict[str, object]) -> None:
            os.write(reported, json.dumps(answer).encode())
            os.close(reported)
        try:
            _serve(name, run, report)
        except LabError as e:
            print(e, flush=True)
            report({"error": str(e)})
        code = 0
    except SystemExit:
        code = 0
    except BaseException:
        sys.excepthook(*sys.exc_info())
    finally:
        os._exit(code)


def _serve(name: str, run: Run, report: Callable[[dict[str, object]], None]) -> None:
    folder = folder_of(name)

    def machine(port: int) -> qemu.Machine:
        return qemu.Machine(folder, folder / "initramfs", run.profile.memory_mib, measure=False,
                            adb_port=port, kernel_cmdline=tuple(run.profile.kernel_cmdline),
                            ufs_mib=run.profile.ufs_mib, processors=2, kernel=run.kernel)

    with start_with_port(machine) as emulator:
        if outcome := _boot(emulator):
            report({"outcome": asdict(outcome)})
            return
        serial = f"127.0.0.1:{emulator.machine.adb_port}"
        server, server_port = adb.start_server(folder, folder / "adb.log")
        try:
            adb.connect(server_port, serial, folder)
            state = State(name, run.profile.name, emulator.process.pid, server_port,
                          serial)
            _write_state(state)
            report({"ready": True})
            while not emulator.ended:
                emulator.wait()
                emulator.take()
            emulator.take()
            outcome = emulator.death()
            state.code, state.problem, state.console = (
                outcome.code, outcome.problem, outcome.console)
            _write_state(state)
        finally:
            server.kill()
            server.wait()


def _boot(emulator: Emulator) -> Outcome | None:
    """Waits for the guest to be ready; returns an outcome if it ended or took too long instead."""
    deadline = time.monotonic() + BOOT_BACKSTOP
    while not emulator.control.ready:
        ended = emulator.ended
        emulator.take()
        if emulator.control.ready:
            break
        if ended:
            return emulator.death()
        if time.monotonic() >= deadline:
            return Outcome(verdict.WEDGED, f"the guest is not ready after {BOOT_BACKSTOP:.0f} s",
                           emulator.last_lines())
        emulator.wait(max(0.0, deadline - time.monotonic()))
    return None


def down(name: str) -> bool:
    """Ends a phone and forgets it; False if there was none."""
    folder = folder_of(name)
    if not folder.is_dir():
        return False
    state = read_state(name)
    lock = _lock(folder)
    if lock is None:
        keeper = int((folder / "keeper").read_text())
        os.kill(keeper, signal.SIGTERM)
        lock = _lock(folder, wait=END_BACKSTOP)
        if lock is None:
            raise LabError(f"phone '{name}' (process {keeper}) does not end; see "
                           f"{folder / 'keeper.log'}")
    shutil.rmtree(folder, ignore_errors=True)
    os.close(lock)
    return state is not None


def outcome_of(name: str) -> Outcome:
    """The outcome of a phone whose link dropped, once its keeper has written it."""
    lock = _lock(folder_of(name), wait=END_BACKSTOP)
    if lock is None:
        return Outcome(verdict.DIED, f"the connection to phone '{name}' was lost; it still runs")
    os.close(lock)
    state = read_state(name)
    if state is None or state.code is None:
        return Outcome(verdict.DIED, f"phone '{name}' was taken down or its keeper was killed")
    return Outcome(state.code, state.problem, state.console)


def find(name: str) -> State:
    """The state of a phone that is up."""
    if not is_up(name):
        state = read_state(name)
        if state is not None and state.code is not None:
            raise LabError(f"phone '{name}' is not up any more: {state.problem}; "
                           f"`lab/lab up --name {name}` boots it again")
        raise LabError(f"no phone '{name}' is up; `lab/lab up --name {name}` boots one")
    state = read_state(name)
    if state is None:
        raise LabError(f"phone '{name}' is still booting")
    return state
