# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""`lab test-arm`: every room but daemon with its unit tests, built for 32- and 64-bit ARM; `make
test` runs 32-bit ARM only.

QEMU's user emulation runs them. Nothing of a foreign architecture is installed: all is unpacked
below out/.
"""

from __future__ import annotations

import hashlib
import re
import shutil
from dataclasses import dataclass
from pathlib import Path

from .. import apt
from ..build import Variant, cmake
from ..paths import ARM, LAB, TOP, LabError
from ..setup import suites
from . import gtest

# Packages from the suite with Android 14's tools, and from the release itself.
ANDROID = ["android-libbase-dev", "android-liblog-dev"]
LIBRARIES = ["libc6-dev", "libgmock-dev", "libgtest-dev", "libjsoncpp-dev", "libsqlite3-dev",
             "linux-libc-dev"]
PROGRAM = "storekeeper_test"
QEMU = ARM / "qemu"
# Tests that fail under QEMU: pattern and reason.
LEFT_OUT = {
    "FitrimProcessTest.AProgramThatIsNotThereIsSaid":
        "QEMU makes a fork of vfork, which takes posix_spawn() its way to report errors",
    "CampaignTest.*": "minutes under QEMU; the build with ASan runs it",
    "*ForecastScoreTest.*": "minutes under QEMU; the build with ASan runs it",
}


@dataclass(frozen=True)
class Architecture:
    """A Debian architecture and its name in QEMU."""

    name: str
    triple: str
    qemu: str

    @property
    def root(self) -> Path:
        return ARM / self.name / "root"

    @property
    def stamp(self) -> Path:
        return ARM / self.name / "setup.stamp"

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
        # Without this path the loader would search the machine's cache of libraries first.
        libraries = ":".join(str(self.root / x / self.triple) for x in ("lib", "usr/lib"))
        return [str(QEMU / "usr/bin" / self.qemu), "-L", str(self.root),
                "-E", f"LD_LIBRARY_PATH={libraries}"]


ARMHF = Architecture("armhf", "arm-linux-gnueabihf", "qemu-arm")
ARM64 = Architecture("arm64", "aarch64-linux-gnu", "qemu-aarch64")
ARCHITECTURES = [ARMHF, ARM64]
# Architectures of `make test`. The host has 64 bits, so arm64 shows little that armhf does not.
SHORT = [ARMHF]


def setup(architectures: list[Architecture]) -> None:
    """Unpacks the emulator and each architecture's libraries; quick when they are there."""
    release, tools = suites()
    recipe = hashlib.sha256(Path(__file__).read_bytes() + Path(apt.__file__).read_bytes()
                            + release.encode()).hexdigest()
    missing = [a for a in architectures
               if not a.stamp.exists() or a.stamp.read_text() != recipe]
    if not missing:
        return
    print(f"  unpacking libraries for {', '.join(a.name for a in missing)}", flush=True)
    both = list(dict.fromkeys([release, tools]))
    own = apt.Suites(both)
    own.refresh()
    own.unpack([f"qemu-user/{tools}"], QEMU,
               only=tuple(f"usr/bin/{a.qemu}" for a in ARCHITECTURES))
    for architecture in missing:
        foreign = apt.Suites(both, architecture.name)
        foreign.refresh()
        compiler = next(x for x in foreign.depends("g++", release) if re.match(r"g\+\+-\d", x))
        libraries = [*LIBRARIES, compiler.replace("g++", "libstdc++") + "-dev"]
        foreign.unpack(foreign.closure(libraries, release), architecture.root)
        foreign.unpack([x for x in foreign.closure(ANDROID, tools) if x.startswith("android-")],
                       architecture.android)
        apt.link(architecture.root / "lib", architecture.root / "usr/lib")
        architecture.stamp.write_text(recipe)


def _run(architecture: Architecture) -> gtest.Tally:
    folder = architecture.variant.folder
    if not Path(architecture.emulator[0]).exists():
        raise LabError(f"{architecture.emulator[0]}: no such file; remove {ARM} and run "
                       "`make test-arm`")
    tally = gtest.run([*architecture.emulator, str(folder / PROGRAM)], folder, LEFT_OUT)
    gtest.report(tally, architecture.name, LEFT_OUT)
    return tally


def failures(architectures: list[Architecture]) -> list[str]:
    """Builds the tests, runs them on each architecture and reports how many passed; returns the
    names of failed tests."""
    setup(architectures)
    if not shutil.which("ld.lld"):
        raise LabError("ld.lld, which links for ARM, is not installed; run `lab/lab setup`")
    for architecture in architectures:
        cmake(architecture.variant, tests=False)
    failed = [f"{name} ({architecture.name})" for architecture in architectures
              for name in _run(architecture).names()]
    if failed:
        again = [*architectures[0].emulator, str(architectures[0].variant.folder / PROGRAM)]
        print(f"one of them again: {' '.join(again)} --gtest_filter=NAME", flush=True)
    return failed


def test() -> None:
    if failed := failures(ARCHITECTURES):
        raise LabError(f"failed on ARM: {', '.join(failed)}; see above")
