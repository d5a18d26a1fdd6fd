# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""A guest for one command: boots, runs it, returns its output, leaves nothing behind."""

from __future__ import annotations

import fcntl
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from . import image, kmodules, profiles, verdict
from .emulator import Emulator, Follower, Sink, first_end
from .image import Run
from .kernels import DEFAULT, Kernel
from .paths import RUN, LabError
from .profiles import Profile
from .qemu import CONSOLE, Machine
from .verdict import Outcome

# A day of idling and a margin, in seconds of guest time.
DEFAULT_TIMEOUT = 2 * 24 * 3600
# Seconds of wall-clock time for an emulator that makes no progress. No figure or verdict uses it.
BACKSTOP = 30 * 60


@dataclass
class Job:
    """One job of `lab run`. `files`: host path and guest path; `get`: guest path and host path."""

    command: list[str]
    profile: Profile
    kernel: Kernel = DEFAULT
    measure: bool = False
    timeout: int = DEFAULT_TIMEOUT
    backstop: float = BACKSTOP
    properties: dict[str, str] = field(default_factory=dict)
    files: list[tuple[Path, str]] = field(default_factory=list)
    modules: list[str] = field(default_factory=list)
    get: list[tuple[str, Path]] = field(default_factory=list)
    # Seconds of guest time after which a hanging guest is ended. The watchdog is petted four times
    # as often, which is most of an idle guest's work: use more for jobs with idle days.
    heartbeat: int | None = None


def words(command: list[str]) -> list[str]:
    """One argument is a line for the guest's shell; several are a program and its arguments."""
    return ["sh", "-c", command[0]] if len(command) == 1 else command


@contextmanager
def run_folder() -> Iterator[Path]:
    """A folder below out/run, removed even if this process is killed (by the next run)."""
    RUN.mkdir(parents=True, exist_ok=True)
    _sweep()
    folder = Path(tempfile.mkdtemp(prefix="run-", dir=RUN))
    try:
        # The folder gets its name once it is locked: a named folder whose lock is free has no
        # owner.
        with (folder / "unlocked").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            (folder / "unlocked").rename(folder / "lock")
            yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _sweep() -> None:
    """Removes the folders of killed runs, whose locks are free."""
    for lock in RUN.glob("run-*/lock"):
        with suppress(OSError), lock.open("w") as file:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            shutil.rmtree(lock.parent, ignore_errors=True)


def _start(job: Job, folder: Path) -> Emulator:
    if job.measure and not job.profile.disk.model:
        raise LabError(f"profile {job.profile.name} cannot measure: its disk takes as long as this "
                       "machine does; use one whose disk is modelled, such as ufs-hid")
    given = Run(profile=job.profile, kernel=job.kernel, measure=job.measure,
                properties=job.properties, files=job.files, modules=job.modules,
                command=words(job.command), timeout=job.timeout, get=[g for g, _ in job.get],
                heartbeat=job.heartbeat)
    archive = folder / "initramfs"
    image.initramfs(given, archive)
    return Emulator(Machine(folder, archive, job.profile.memory_mib, job.measure,
                            kernel_cmdline=tuple(job.profile.kernel_cmdline),
                            ufs_mib=job.profile.ufs_mib, kernel=job.kernel))


def _collect(job: Job, emulator: Emulator, outcome: Outcome) -> Outcome:
    """Saves the files that the guest sent; a missing file is a problem of its own."""
    for index, (guest_path, host_path) in enumerate(job.get):
        if index in emulator.control.files:
            host_path.write_bytes(emulator.control.files[index])
        elif not outcome.problem:
            outcome = Outcome(verdict.DIED, f"the guest has no file {guest_path} to get")
    if outcome.problem:
        shutil.copy(emulator.machine.folder / CONSOLE, RUN / "last-failure.console")
    return outcome


def run_all(jobs: list[tuple[Job, Sink, Sink]], at_once: int | None = None) -> list[Outcome]:
    """Runs each command in a guest of its own, `at_once` at the same time; outcomes in order.

    The sinks get a command's standard output and error as they come. One thread follows all
    guests, so an exception, including Ctrl-C, ends every guest.
    """
    outcomes: dict[int, Outcome] = {}
    waiting = list(range(len(jobs)))
    running: dict[int, Follower] = {}
    with ExitStack() as stack:
        ends: dict[int, ExitStack] = {}
        while waiting or running:
            while waiting and len(running) < (at_once or len(jobs)):
                key = waiting.pop(0)
                job, out, err = jobs[key]
                if not job.command:
                    raise LabError("no command to run in the guest")
                ends[key] = stack.enter_context(ExitStack())
                emulator = ends[key].enter_context(
                    _start(job, ends[key].enter_context(run_folder())))
                running[key] = Follower(emulator, out, err, job.backstop)
            key, outcome = first_end(running)
            outcomes[key] = _collect(jobs[key][0], running.pop(key).emulator, outcome)
            ends[key].close()
    return [outcomes[i] for i in range(len(jobs))]


def run(job: Job, out: Sink, err: Sink) -> Outcome:
    """Runs one command in a guest of its own."""
    return run_all([(job, out, err)])[0]


def load_profile(name: str, parameters: list[str]) -> Profile:
    """The named profile with some of its module parameters overridden."""
    profile = profiles.load(name)
    for text in parameters:
        profiles.set_parameter(profile, text)
    for module in profiles.MODULES:
        for name in getattr(profile, module):
            if name not in (known := kmodules.parameters(module)):
                raise LabError(f"{module} has no parameter '{name}'; it has "
                               f"{', '.join(sorted(known))}")
    return profile
