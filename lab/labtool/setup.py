# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""`lab setup`: puts tools, guest kernel and Debian sources in place, once."""

from __future__ import annotations

import hashlib
import shutil
from pathlib import Path

from . import apt, kernel_packages, kernels
from .apt import TOOL_SUITE
from .paths import AIDL, OUT, SRC, SYSROOT, USERLAND, LabError

# Tools from the machine's own suites.
BUILD_TOOLS = [
    "build-essential", "clang", "libclang-rt-dev", "cmake",
    "ninja-build", "debian-archive-keyring", "libbenchmark-dev", "libgtest-dev", "libgmock-dev",
    "libjsoncpp-dev", "libsqlite3-dev", "linux-libc-dev", "lld", "python3-pytest",
    "python3-pytest-xdist", "python3-venv", "zlib1g-dev",
    "e2fsprogs", "f2fs-tools", "dmsetup", "fdisk", "xz-utils", "zstd", "libelf1",
]
# Checkers of our files and of those that Android's build would check: policy, init scripts. A demo
# goes without them.
CHECK_TOOLS = [
    "clang-format", "clang-tidy", "shellcheck",
    "checkpolicy", "libcap-dev", "libprotobuf-dev", "m4", "policycoreutils", "protobuf-compiler",
    "setools",
    # The compiler nearest to Android 15's and 16's, and its library: `make check-android`.
    "clang-19", "libc++-19-dev", "libc++abi-19-dev", "llvm",
    # Soong, as it was at Android 11, and its formatter.
    "blueprint-tools", "golang-android-soong-dev", "golang-github-google-blueprint-dev",
    "golang-go", "golang-goprotobuf-dev",
]
# Guest and host parts that are only unpacked. They come from the suite with Android 14's tools.
ANDROID = [
    "adb", "adbd", "android-libbase", "android-libbase-dev", "android-libcutils",
    "android-libcutils-dev", "android-liblog", "android-liblog-dev", "android-libutils",
    "android-libutils-dev", "android-libziparchive", "android-libbacktrace",
    "android-libboringssl", "android-platform-system-core-headers",
]
GUEST_TOOLS = ["busybox-static", "toybox"]
# The guest's Debian programs, and libraries that its other programs need. The machine's own copies
# may be older or from its security suite, and the virtual phone's figures depend on them.
USERLAND_TOOLS = ["dash", "dmsetup", "e2fsprogs", "f2fs-tools", "fdisk", "libbrotli1",
                  "libjsoncpp-dev", "liblzma5", "libprotobuf-dev", "libsqlite3-dev", "libstdc++6",
                  "libsystemd0", "util-linux"]
# Reference programs that tests compare our results with.
TEST_TOOLS = ["mmc-utils", "cryptsetup-bin"]
# Libraries for the aidl with --lang=ndk, which is linked against a newer C library than the
# machine's.
AIDL_LIBS = [
    "libc6", "libstdc++6", "libgcc-s1", "libatomic1", "android-libbase", "android-libcutils",
    "android-liblog", "libfmt10",
]
# Suites in order of preference; the first that still has aidl is used.
AIDL_SUITES = ["forky", "sid"]


def suites() -> tuple[str, str]:
    """The machine's release, and the suite that has Android 14's tools for it."""
    release = apt.codename()
    if release not in TOOL_SUITE:
        known = ", ".join(TOOL_SUITE)
        raise LabError(f"Debian {release} is not known here; use one of: {known}")
    return release, TOOL_SUITE[release]


def setup(checkers: bool = False) -> None:
    """Makes the machine ready to build and run the lab and, with `checkers`, for `make check`;
    quick when it already is."""
    release, tools = suites()
    apt.install(BUILD_TOOLS + (CHECK_TOOLS if checkers else []))
    stamp = OUT / "setup.stamp"
    # If this checkout lies in a ROM's tree, Soong must not read the Android.bp files below out/.
    OUT.mkdir(parents=True, exist_ok=True)
    (OUT / ".find-ignore").touch()
    files = [Path(x.__file__).read_bytes() for x in (apt, kernel_packages)]
    recipe = hashlib.sha256(b"".join([Path(__file__).read_bytes(), *files, release.encode()])
                            ).hexdigest()
    if stamp.exists() and stamp.read_text() == recipe:
        return
    print("  reading package lists", flush=True)
    near = apt.Suites(list(dict.fromkeys([release, tools])))
    near.refresh()
    _sysroot(near, release, tools)
    _userland(release)
    kernel_packages.unpack(kernels.DEFAULT, near, tools)
    far = apt.Suites([*TOOL_SUITE, *AIDL_SUITES])
    far.refresh()
    _aidl(far)
    print("  unpacking sources: android-platform-tools, fio", flush=True)
    far.source("android-platform-tools", ["trixie"], SRC)
    far.source("fio", [release, *TOOL_SUITE], SRC)
    stamp.write_text(recipe)


def _sysroot(suites: apt.Suites, release: str, tools: str) -> None:
    print(f"  unpacking QEMU and the Android tools of {tools}", flush=True)
    wanted = ["qemu-system-x86", "qemu-system-common", "qemu-system-data", *ANDROID]
    extra = [x for x in suites.closure(wanted, tools) if x.split("=")[0] not in wanted]
    suites.unpack([f"{p}/{tools}" for p in wanted] + extra, SYSROOT)
    suites.unpack([f"{p}/{release}" for p in GUEST_TOOLS + TEST_TOOLS], SYSROOT)
    extra = [x for x in suites.closure(TEST_TOOLS, release) if x.split("=")[0] not in TEST_TOOLS]
    suites.unpack(extra, SYSROOT)
    apt.link(SYSROOT / "bin", SYSROOT / "usr/bin")


def _userland(release: str) -> None:
    print(f"  unpacking the guest's programs of {release}", flush=True)
    suites = apt.Suites([release], apt.run(["dpkg", "--print-architecture"], "asking dpkg").strip())
    suites.refresh()
    suites.unpack(suites.closure(USERLAND_TOOLS, release), USERLAND)
    apt.link(USERLAND / "lib", USERLAND / "usr/lib")


def _aidl(suites: apt.Suites) -> None:
    print("  unpacking the AIDL compiler", flush=True)
    last = ""
    for suite in AIDL_SUITES:
        try:
            suites.unpack([f"aidl/{suite}"], AIDL)
            break
        except LabError as e:
            last = str(e)
    else:
        raise LabError(f"no usable aidl: {last}")
    suites.unpack([f"{p}/trixie" for p in AIDL_LIBS], AIDL)


def free_space_check(need_gib: int = 6) -> None:
    """Refuses early if the free space would end a build half way."""
    OUT.mkdir(parents=True, exist_ok=True)
    free = shutil.disk_usage(OUT).free >> 30
    if free < need_gib:
        raise LabError(f"{OUT}: {free} GiB free, {need_gib} GiB needed; make room or set "
                       "STOREKEEPER_OUT to another folder")
