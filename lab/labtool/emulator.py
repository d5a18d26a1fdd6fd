# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""A running emulator: its process, its monitor, and the output of the guest's serial ports."""

from __future__ import annotations

import contextlib
import json
import os
import select
import socket
import subprocess
import time
from collections.abc import Callable
from dataclasses import dataclass

from . import android, qemu, verdict
from .paths import LabError
from .qemu import CONSOLE, CONTROL, PORTS, STDERR, STDOUT, Machine
from .verdict import Outcome
from .watch import Growth, die_with_parent


class Control:
    """The guest's lines for the host: ready, refused WHY, file INDEX SIZE + bytes, a verdict."""

    def __init__(self) -> None:
        self.ready = False
        self.refused: list[str] = []
        self.files: dict[int, bytes] = {}
        self.outcome: Outcome | None = None
        self._pending = b""
        self._file: tuple[int, int] | None = None

    def feed(self, data: bytes) -> None:
        self._pending += data
        while True:
            if self._file:
                index, size = self._file
                if len(self._pending) < size:
                    return
                self.files[index], self._pending = self._pending[:size], self._pending[size:]
                self._file = None
            line, newline, rest = self._pending.partition(b"\n")
            if not newline:
                return
            self._pending = rest
            self._line(line.decode(errors="replace").strip())

    def _line(self, line: str) -> None:
        word, _, rest = line.partition(" ")
        if word == "ready":
            self.ready = True
        elif word == "refused":
            self.refused.append(rest)
        elif word == "file":
            index, size = rest.split()
            self._file = (int(index), int(size))
        else:
            self.outcome = self.outcome or verdict.of_command(line)


class Monitor:
    """A QMP connection; collects the names of events."""

    def __init__(self, end: socket.socket) -> None:
        self.socket = end
        self.events: list[str] = []
        self._pending = b""
        # An emulator that has ended already is noticed by the caller of wait().
        with contextlib.suppress(OSError):
            self.socket.sendall(b'{"execute": "qmp_capabilities"}\n')

    def read(self) -> bool:
        """Reads the available events; False once the emulator has closed its end."""
        try:
            data = self.socket.recv(65536, socket.MSG_DONTWAIT)
        except BlockingIOError:
            return True
        except OSError:
            return False
        *lines, self._pending = (self._pending + data).split(b"\n")
        for line in lines:
            if line.strip() and (event := json.loads(line).get("event")):
                self.events.append(event)
        return bool(data)

    def drain(self) -> None:
        """Reads all remaining events of an ended emulator."""
        while select.select([self.socket], [], [], 0)[0] and self.read():
            pass


class Emulator:
    """Starts the machine; a `with` block ensures that it ends."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.control = Control()
        self.console = b""
        ours, theirs = socket.socketpair()
        for port in PORTS:
            (machine.folder / port).touch()
        self._growth = Growth(machine.folder)
        self._ports = {port: (machine.folder / port).open("rb") for port in PORTS}
        self._said = machine.folder / "emulator"
        with self._said.open("wb") as log, theirs:
            self.process = subprocess.Popen(
                machine.command(theirs.fileno()), pass_fds=[theirs.fileno()],
                env=qemu.environment(), stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                start_new_session=True, preexec_fn=die_with_parent)
        self.monitor = Monitor(ours)
        self._pidfd = os.pidfd_open(self.process.pid)
        self._poll = select.epoll()
        for fd in (self._growth.fd, self._pidfd, ours.fileno()):
            self._poll.register(fd, select.EPOLLIN)

    def __enter__(self) -> Emulator:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def fileno(self) -> int:
        """Readable when wait() would return at once."""
        return self._poll.fileno()

    def wait(self, timeout: float | None = None) -> None:
        """Sleeps until something happened, at most `timeout` seconds."""
        ready = {fd for fd, _ in self._poll.poll(timeout)}
        if self.monitor.socket.fileno() in ready and not self.monitor.read():
            self._poll.unregister(self.monitor.socket.fileno())

    def take(self) -> dict[str, bytes]:
        """The guest's output since the last call, by port."""
        self._growth.clear()
        # The control port is read first, so output that precedes a verdict has arrived with it.
        fresh = {port: self._ports[port].read() for port in (CONTROL, STDOUT, STDERR, CONSOLE)}
        self.console += fresh[CONSOLE]
        self.control.feed(fresh[CONTROL])
        return fresh

    def last_lines(self) -> list[str]:
        """The end of the console, for the user."""
        return verdict.last_lines(self.console.decode(errors="replace"))

    @property
    def ended(self) -> bool:
        return self.process.poll() is not None

    def death(self) -> Outcome:
        """The outcome of an emulator that ended before a command reported one."""
        status = self.process.wait()
        self.monitor.drain()
        return verdict.of_death(
            status, self.console.decode(errors="replace"), self.control.refused,
            self.monitor.events, self._said.read_text(errors="replace"))

    def port_taken(self) -> bool:
        """True if the emulator failed because another process took the host port first."""
        return self.ended and "host forwarding" in self._said.read_text(errors="replace")

    def stop(self) -> None:
        """Ends the emulator in any state; no process of it is left after the call."""
        if self._pidfd < 0:
            return
        self.process.kill()
        self.process.wait()
        android.keep(self.machine.folder / CONSOLE)
        self._poll.close()
        os.close(self._pidfd)
        self._pidfd = -1
        self._growth.close()
        self.monitor.socket.close()
        for file in self._ports.values():
            file.close()


Sink = Callable[[bytes], object]


@dataclass
class Follower:
    """Passes on the output of a guest's command until the command or the guest has ended."""

    emulator: Emulator
    out: Sink
    err: Sink
    backstop: float

    def __post_init__(self) -> None:
        self.deadline = time.monotonic() + self.backstop

    def look(self) -> Outcome | None:
        """Processes all pending output; returns the outcome, once there is one."""
        ended = self.emulator.ended
        fresh = self.emulator.take()
        for port, sink in ((STDOUT, self.out), (STDERR, self.err)):
            if fresh[port]:
                sink(fresh[port])
        outcome = self.emulator.control.outcome
        if outcome is None and ended:
            return self.emulator.death()
        if outcome is None and time.monotonic() >= self.deadline:
            outcome = Outcome(verdict.WEDGED, f"no end in {self.backstop:.0f} s of wall-clock time")
        if outcome is not None and outcome.problem:
            return Outcome(outcome.code, outcome.problem, self.emulator.last_lines())
        return outcome


def first_end(followers: dict[int, Follower]) -> tuple[int, Outcome]:
    """Follows several guests at the same time until one of them has ended; returns its key and
    outcome."""
    poll = select.poll()
    for follower in followers.values():
        poll.register(follower.emulator, select.POLLIN)
    while True:
        for key, follower in followers.items():
            if outcome := follower.look():
                follower.emulator.stop()
                return key, outcome
        left = min(f.deadline for f in followers.values()) - time.monotonic()
        poll.poll(max(0.0, left) * 1000)
        for follower in followers.values():
            follower.emulator.wait(0)


def start_with_port(make: Callable[[int], Machine]) -> Emulator:
    """Starts a machine that adb can reach; takes another port if another process got the first."""
    for _ in range(5):
        emulator = Emulator(make(qemu.free_port()))
        try:
            # QEMU sets up the forwarding before the guest runs, so the guest's first bytes show
            # success.
            while not (emulator.ended or emulator.take()[CONSOLE] or emulator.control.ready):
                emulator.wait()
        except BaseException:
            emulator.stop()
            raise
        if not emulator.port_taken():
            return emulator
        emulator.stop()
    raise LabError("no free TCP port on 127.0.0.1 in five tries; is the loopback in order?")
