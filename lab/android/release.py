# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""Targets from real trees of Android releases, laid out as AOSP's."""

from __future__ import annotations

import re
from pathlib import Path

from debian import LIBCXX
from target import FOLDER, Target, run

from labtool.paths import LabError

# Debian's compilers that are nearest to each release's own.
CLANG = {11: 14, 12: 14, 13: 14, 14: 16, 15: 19, 16: 19}
SDK = {30: 11, 31: 12, 32: 12, 33: 13, 34: 14, 35: 15, 36: 16}
MACHINES = {
    "arm64": ["-target", "aarch64-linux-android10000", "-march=armv8-a"],
    "arm": ["-target", "armv7a-linux-androideabi10000", "-march=armv7-a", "-mfloat-abi=softfp",
            "-mfpu=neon", "-mthumb"],
    "x86_64": ["-target", "x86_64-linux-android10000", "-march=x86-64", "-msse4.2", "-mpopcnt"],
}
# The virtual phone runs x86_64 and no device does: check-android compiles it when asked.
DEVICES = ["arm64", "arm"]
# Folders of each library's headers; missing ones of a release are passed over.
_NDK = [f"frameworks/native/libs/binder/ndk/{x}" for x in
        ("include_cpp", "include_ndk", "include_platform")] + [
            "system/core/libvendorsupport/include_llndk"]
HEADERS = {
    "libbase": ["system/libbase/include", "system/core/base/include", "external/fmtlib/include"],
    "liblog": ["system/logging/liblog/include", "system/core/liblog/include"],
    "libcutils": ["system/core/libcutils/include"],
    "libutils": ["system/core/libutils/include", "system/core/libsystem/include"],
    "libjsoncpp": ["external/jsoncpp/include"],
    "libpower": ["hardware/libhardware_legacy/include"],
    "libbinder_ndk": _NDK,
    "libgtest": ["external/googletest/googletest/include"],
    "libgmock": ["external/googletest/googlemock/include"],
    "libbenchmark": ["external/google-benchmark/include"],
}
# Include folders of HIDL, and the interfaces whose headers are generated.
HIDL = ["system/libhidl/base/include", "system/libhidl/transport/include",
        "system/libhwbinder/include", "system/libfmq/base", *HEADERS["libutils"],
        *HEADERS["libcutils"]]
INTERFACES = ["android.hardware.health@1.0", "android.hardware.health@2.0",
              "android.hidl.base@1.0", "android.hidl.manager@1.0", "android.hidl.manager@1.1",
              "android.hidl.manager@1.2"]
# Android's build puts its compilers here; in a tree that was never built, ours serve.
AIDL = "out/host/linux-x86/bin/aidl"
HEALTH = "hardware/interfaces/health/aidl/aidl_api/android.hardware.health/1"


def release_of(tree: Path) -> int | None:
    """The release of a ROM's checkout, by its SDK version."""
    places = [tree / "build/make/core/version_defaults.mk",
              *sorted(tree.glob("build/release/flag_values/*/RELEASE_PLATFORM_SDK_VERSION.textproto"))]
    for place in places:
        if not place.exists():
            continue
        found = re.search(r'PLATFORM_SDK_VERSION := (\d+)|string_value:\s*"(\d+)"',
                          place.read_text())
        if found:
            return SDK.get(int(found[1] or found[2]))
    return None


def trees(folder: Path) -> dict[int, Path]:
    """A folder with one tree a release, called by its number, or a ROM's checkout."""
    if (folder / "build/soong").is_dir():
        release = release_of(folder)
        if release is None:
            raise LabError(f"{folder}: build/make does not say which release it is; put it, or a "
                           "link to it, into a folder under the release's number (11 to 16)")
        return {release: folder}
    found = {n: folder / str(n) for n in CLANG if (folder / str(n) / "build/soong").is_dir()}
    if not found:
        raise LabError(f"{folder} is no checkout of Android (no build/soong) and has none in "
                       f"{', '.join(map(str, CLANG))}")
    return found


def hidl(target: Target, tree: Path) -> Path:
    """Headers of the health HAL's HIDL, by Debian's hidl-gen."""
    to = FOLDER / target.name / "hidl"
    if not to.is_dir():
        for interface in INTERFACES:
            run(["hidl-gen", "-o", to, "-L", "c++-headers",
                 "-r", f"android.hardware:{tree}/hardware/interfaces",
                 "-r", f"android.hidl:{tree}/system/libhidl/transport", interface],
                f"compiling {interface}")
    return to


def sqlite_headers(tree: Path) -> list[Path]:
    found = [x for x in (tree / "external/sqlite/dist").glob("**/sqlite3.h")
             if "orig" not in x.parts]
    return [sorted(found)[-1].parent] if found else []


def target(release: int, tree: Path, machine: str) -> Target:
    if machine not in MACHINES:
        raise LabError(f"{machine} is no architecture; use {' or '.join(MACHINES)}")
    libc = tree / "bionic/libc"

    def headers(library: str) -> list[Path]:
        if library == "libsqlite":
            return sqlite_headers(tree)
        if library == "android.hardware.health-V1-ndk":
            if not (tree / HEALTH).is_dir():
                return []
            made = found.generate("health", tree / HEALTH, "--structured", "--stability", "vintf",
                                  "--version", "1", "--hash", "0", "--min_sdk_version=29")
            return [made / "include", *headers("libbinder_ndk")]
        if library == "android.hardware.health@2.0":
            return [hidl(found, tree), *(tree / x for x in HIDL if (tree / x).is_dir())]
        return [tree / x for x in HEADERS.get(library, []) if (tree / x).is_dir()]

    # From 15 on libc++ comes with the compiler.
    cxx = [tree / "external/libcxx/include", tree / "external/libcxxabi/include"]
    if not cxx[0].is_dir():
        cxx = [LIBCXX]
    asm = "x86" if machine == "x86_64" else machine
    system = [*cxx, libc / "include", *(libc / "kernel" / x for x in (
        "uapi", f"uapi/asm-{asm}", "android/scsi", "android/uapi"))]
    found = Target(f"{release}-{machine}", f"clang++-{CLANG[release]}", tree / "build/soong",
                   MACHINES[machine], system, headers,
                   default_std="gnu++17" if release < 15 else "gnu++20",
                   # As storekeeper.mk sets them.
                   variables={"before_13": release < 13})
    if (tree / AIDL).exists():
        found.aidl = tree / AIDL
    if release < 13:
        found.structured = ("--structured",)
    return found
