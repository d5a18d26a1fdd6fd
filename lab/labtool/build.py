# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""`lab build`: builds the virtual phone's programs and the tests that run on this machine."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from . import kernels
from .image import GUEST_PROGRAMS, SERVICE_PROGRAMS
from .paths import AOSP, BUILD, LAB, OUT, SYSROOT, TOP, LabError
from .suite import pure


@dataclass(frozen=True)
class Variant:
    """One CMake build of a source tree."""

    name: str
    source: Path
    options: tuple[str, ...] = ()
    # Targets that the guest and its tests need; empty: all.
    programs: tuple[str, ...] = ()
    # GoogleTest programs that run in shares (gtest.py); ctest runs the other tests.
    tests: tuple[str, ...] = ()
    # Tests that are not run: pattern and reason.
    left_out: Mapping[str, str] = field(default_factory=dict)
    # Sources that are not built: path and reason.
    not_built: Mapping[str, str] = field(default_factory=dict)

    @property
    def folder(self) -> Path:
        return BUILD / self.name


def _service(name: str, *options: str, programs: tuple[str, ...] = (),
             tests: tuple[str, ...] = (), left_out: Mapping[str, str] | None = None,
             not_built: Mapping[str, str] | None = None) -> Variant:
    return Variant(name, TOP / "system-service", (
        f"-DSTOREKEEPER_AOSP_PREFIX={AOSP}", f"-DSTOREKEEPER_SYSROOT={SYSROOT}",
        f"-DSTOREKEEPER_TESTS_NOT_BUILT={';'.join(not_built or ())}", *options),
        programs, tests, left_out or {}, not_built or {})


GUEST = _service("guest", "-DCMAKE_BUILD_TYPE=RelWithDebInfo",
                 programs=(*SERVICE_PROGRAMS, "storekeeper_latency", "storekeeper_fake_health",
                           "storekeeper_fake_packages", "storekeeper_history_writer"))
INIT = Variant("lab-init", LAB / "guest", (
    "-DCMAKE_BUILD_TYPE=RelWithDebInfo", f"-DSTOREKEEPER_SYSROOT={SYSROOT}",
    f"-DSTOREKEEPER_AOSP_PREFIX={AOSP}"), programs=GUEST_PROGRAMS)
# Its libraries count branches: fuzz.py runs the fuzz targets of this build, and coverage.py reads
# the branches that the unit tests take. A branch's count is a difference of counters, so threads
# must update them exactly. Without LLVM_PROFILE_FILE no counters are written. Sanitizer builds have
# no build type: they need only line tables as debug information.
ASAN = _service("asan", "-DSTOREKEEPER_FUZZ=ON",
                "-DSTOREKEEPER_SANITIZE=address,undefined",
                "-DCMAKE_CXX_FLAGS=-fprofile-instr-generate=/dev/null -fcoverage-mapping "
                "-fprofile-update=atomic",
                programs=("fuzzers",), tests=("storekeeper_test",))
_ONE_THREAD = "one thread alone works there; the build with ASan runs it"
# Unit tests run under sanitizers. A build of them without sanitizers takes 8 minutes, so neither
# this list nor `make check` has one; `ninja -C out/build/guest storekeeper_test` makes it.
TESTS = [
    ASAN,
    _service("tsan", "-DSTOREKEEPER_SANITIZE=thread",
             tests=("storekeeper_test",),
             left_out=dict.fromkeys(("CampaignTest.*", "*ForecastScoreTest.*"), _ONE_THREAD),
             not_built=dict.fromkeys(pure.tests(), _ONE_THREAD)),
    Variant("ftl", LAB / "kernel/test", ("-DCMAKE_BUILD_TYPE=RelWithDebInfo",)),
    Variant("properties", LAB / "properties", (
        "-DCMAKE_BUILD_TYPE=RelWithDebInfo", f"-DSYSROOT={SYSROOT}")),
]


def step(what: str, log: str, *commands: list[str]) -> None:
    """Runs build commands quietly; on failure shows the end of the log and where it is."""
    BUILD.mkdir(parents=True, exist_ok=True)
    path = BUILD / f"{log}.log"
    began = time.monotonic()
    with path.open("w") as out:
        for command in commands:
            try:
                done = subprocess.run(command, cwd=TOP, stdout=out, stderr=subprocess.STDOUT,
                                      stdin=subprocess.DEVNULL)
            except FileNotFoundError as e:
                raise LabError(f"building {what}: {command[0]} is not installed; run "
                               "`lab/lab setup`") from e
            if done.returncode:
                tail = "\n".join(path.read_text(errors="replace").splitlines()[-25:])
                raise LabError(f"building {what} failed; the whole log is {path}\n{tail}")
    took = time.monotonic() - began
    if took > 2:
        print(f"  built {what} ({took:.0f} s)", flush=True)


def forget_moved(folder: Path) -> None:
    """Removes a build folder made at another path: CMake refuses it, as after a checkout was
    moved."""
    cache = folder / "CMakeCache.txt"
    if not cache.exists():
        return
    made = re.search(r"^CMAKE_CACHEFILE_DIR:INTERNAL=(.*)$", cache.read_text(), re.M)
    if made is None or Path(made[1]).resolve() != folder.resolve():
        shutil.rmtree(folder)


def cmake(variant: Variant, tests: bool) -> None:
    forget_moved(variant.folder)
    configure = ["cmake", "-G", "Ninja", "-S", str(variant.source), "-B", str(variant.folder),
                 "-DCMAKE_C_COMPILER=clang", "-DCMAKE_CXX_COMPILER=clang++",
                 "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON", *variant.options]
    targets = () if tests else variant.programs
    step(variant.name, variant.name, configure, ["ninja", "-C", str(variant.folder), *targets])


def build(tests: bool = False) -> None:
    """Builds the guest's parts and, with `tests`, the unit tests of this machine."""
    for name in ("aosp", "initrc"):
        forget_moved(BUILD / name)
    step("AOSP's binder userspace", "aosp", [str(LAB / "aosp/build.sh"), str(OUT)])
    step("fio", "fio", [str(LAB / "fio/build.sh"), str(OUT)])
    step("kernel modules", "modules", kernels.DEFAULT.make(os.cpu_count() or 1))
    if tests:
        step("host_init_verifier", "initrc", [str(LAB / "initrc/build.sh"), str(OUT)])
    cmake(GUEST, False)
    for variant in (INIT, *(TESTS if tests else [])):
        cmake(variant, tests)
