# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""`lab test-arm`: every room but daemon with its unit tests, built for 32- and 64-bit ARM.

QEMU's user emulation runs them. Nothing of a foreign architecture is installed: all is unpacked
below out/.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import subprocess
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

from . import apt
from .build import Variant, cmake
from .paths import ARM, LAB, TOP, LabError
from .setup import link, suites

# From the suite with Android 14's tools, and from the release itself.
ANDROID = ["android-libbase-dev", "android-liblog-dev"]
LIBRARIES = ["libc6-dev", "libgmock-dev", "libgtest-dev", "libjsoncpp-dev", "libsqlite3-dev",
             "linux-libc-dev"]
PROGRAM = "storekeeper_test"
QEMU = ARM / "qemu"
# A test that needs longer than this hangs.
SECONDS = 300
# What cannot be observed under QEMU, by name, and why.
LEFT_OUT = {
    "FitrimProcessTest.AProgramThatIsNotThereIsSaid":
        "QEMU makes a fork of vfork, which takes posix_spawn() its way to report errors",
}


@dataclass(frozen=True)
class Architecture:
    """A Debian architecture and how QEMU calls it."""

    name: str
    triple: str
    qemu: str

    @property
    def root(self) -> Path:
        return ARM / self.name / "root"

    @property
    def android(self) -> Path:
        return ARM / self.name / "android"

    @property
    def variant(self) -> Variant:
        return Variant(self.name, TOP / "system-service", (
            f"-DCMAKE_TOOLCHAIN_FILE={LAB / 'arm' / self.name}.cmake",
            f"-DCMAKE_SYSROOT={self.root}", f"-DSTOREKEEPER_SYSROOT={self.android}",
            "-DSTOREKEEPER_BINDER=OFF"), (PROGRAM,))

    @property
    def emulator(self) -> list[str]:
        # The loader would look into the machine's cache of libraries first.
        libraries = ":".join(str(self.root / x / self.triple) for x in ("lib", "usr/lib"))
        return [str(QEMU / "usr/bin" / self.qemu), "-L", str(self.root),
                "-E", f"LD_LIBRARY_PATH={libraries}"]


ARCHITECTURES = [Architecture("armhf", "arm-linux-gnueabihf", "qemu-arm"),
                 Architecture("arm64", "aarch64-linux-gnu", "qemu-aarch64")]


def setup() -> None:
    """Unpacks the emulator and, for each architecture, the libraries; quick when they are there."""
    release, tools = suites()
    stamp = ARM / "setup.stamp"
    recipe = hashlib.sha256(Path(__file__).read_bytes() + Path(apt.__file__).read_bytes()
                            + release.encode()).hexdigest()
    if stamp.exists() and stamp.read_text() == recipe:
        return
    print(f"  unpacking libraries for {', '.join(a.name for a in ARCHITECTURES)}", flush=True)
    both = list(dict.fromkeys([release, tools]))
    own = apt.Suites(both)
    own.refresh()
    own.unpack([f"qemu-user/{tools}"], QEMU,
               only=tuple(f"usr/bin/{a.qemu}" for a in ARCHITECTURES))
    for architecture in ARCHITECTURES:
        foreign = apt.Suites(both, architecture.name)
        foreign.refresh()
        compiler = next(x for x in foreign.depends("g++", release) if re.match(r"g\+\+-\d", x))
        libraries = [*LIBRARIES, compiler.replace("g++", "libstdc++") + "-dev"]
        foreign.unpack(foreign.closure(libraries, release), architecture.root)
        foreign.unpack([x for x in foreign.closure(ANDROID, tools) if x.startswith("android-")],
                       architecture.android)
        link(architecture.root / "lib", architecture.root / "usr/lib")
    stamp.write_text(recipe)


@dataclass
class Share:
    """What one of several processes made of its part of the tests."""

    passed: int
    failed: list[str]
    output: str
    # What was skipped says why.
    skipped: list[str] = field(default_factory=list)


def _share(architecture: Architecture, index: int, shares: int) -> Share:
    folder = architecture.variant.folder
    answer = folder / f"tests-{index}.json"
    answer.unlink(missing_ok=True)
    command = [*architecture.emulator, str(folder / PROGRAM), "--gtest_brief=1",
               f"--gtest_filter=-{':'.join(LEFT_OUT)}", f"--gtest_output=json:{answer}"]
    try:
        done = subprocess.run(command, cwd=folder, text=True, errors="replace", timeout=SECONDS,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT,
                              env={**os.environ, "GTEST_TOTAL_SHARDS": str(shares),
                                   "GTEST_SHARD_INDEX": str(index)})
    except FileNotFoundError as e:
        raise LabError(f"{command[0]}: {e.strerror}; remove {ARM} and run `make test-arm`") from e
    except subprocess.TimeoutExpired as e:
        output = (e.output or b"").decode(errors="replace")
        return Share(0, [f"a part of them that did not end within {SECONDS} s"], output)
    if not answer.exists():
        return Share(0, [f"a part of them that ended early with {done.returncode}"], done.stdout)
    tests = [(f"{suite['name']}.{test['name']}", test) for suite in
             json.loads(answer.read_text())["testsuites"] for test in suite["testsuite"]]
    run = [(name, test) for name, test in tests if test["result"] == "COMPLETED"]
    failed = [name for name, test in run if test.get("failures")]
    skipped = [": ".join(reason) for reason in
               re.findall(r"^(\S+:\d+): Skipped\n(.*)$", done.stdout, re.M)]
    return Share(len(run) - len(failed), failed, done.stdout if failed else "", skipped)


def test() -> None:
    """Builds the tests, runs them on each architecture and reports how many passed."""
    setup()
    if not shutil.which("ld.lld"):
        raise LabError("ld.lld, which links for ARM, is not installed; run `lab/lab setup`")
    for architecture in ARCHITECTURES:
        cmake(architecture.variant, tests=False)
    cores = os.cpu_count() or 1
    shares = 4 * cores
    failed = []
    for architecture in ARCHITECTURES:
        with ThreadPoolExecutor(cores) as pool:
            parts = list(pool.map(lambda i, a=architecture: _share(a, i, shares), range(shares)))
        wrong = [name for part in parts for name in part.failed]
        for part in parts:
            if part.failed:
                print(part.output, flush=True)
        skipped = [reason for part in parts for reason in part.skipped]
        passed = sum(part.passed for part in parts)
        print(f"{architecture.name}: {passed} tests passed, {len(wrong)} failed, "
              f"{len(skipped)} skipped, {len(LEFT_OUT)} left out", flush=True)
        for reason in skipped:
            print(f"skipped {reason}", flush=True)
        failed += [f"{name} ({architecture.name})" for name in wrong]
    for name, reason in LEFT_OUT.items():
        print(f"left out {name}: {reason}", flush=True)
    if failed:
        again = [*ARCHITECTURES[0].emulator, str(ARCHITECTURES[0].variant.folder / PROGRAM)]
        raise LabError(f"failed on ARM: {', '.join(failed)}; see above. One of them again: "
                       f"{' '.join(again)} --gtest_filter=NAME")
