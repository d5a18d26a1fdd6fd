# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""Targets from Debian's archive alone: AOSP's headers as Debian's source of Android 14's tools has
them, Soong's flags as Debian's Soong has them, clang 19 with its libc++.

They stand for releases whose trees are absent. They lack bionic, and each release's own versions
of the libraries, except for the removals of `older`.
"""

from __future__ import annotations

import re
import shutil
from pathlib import Path

from target import FOLDER, Target

from labtool.paths import LAB, SRC, LabError
from labtool.suite import arm

SOONG = Path("/usr/share/gocode/src/android/soong")
LIBCXX = Path("/usr/lib/llvm-19/include/c++/v1")
COMPILER = "clang++-19"
# Edits of Android 14's libbase that remove what 11, 12 or 13 lack.
OLDER = [
    ("errors.h", "#define OR_RETURN(expr)", "#define OR_RETURN_IS_NOT_IN_ANDROID_12(expr)"),
    ("strings.h", "std::vector<std::string> Tokenize(const std::string& s, "
                  "const std::string& delimiters);\n", ""),
    ("hex.h", "std::string HexString(const void* bytes, size_t len);\n", ""),
    ("result.h", "    if constexpr (std::is_same_v<T, void>) {\n      assert(IsOk(val));\n"
                 "      return;\n    } else {\n      return std::move(val.value());\n    }\n",
     "    return std::move(val.value());\n"),
]
# Edits of clang 19's libc++ that remove what libc++ 8 of Android 11 to 14 lacks. A header that
# libc++ 8 lacks as a whole is replaced by an error.
CONTAINERS = ["deque", "list", "map", "set", "string", "unordered_map", "unordered_set", "vector"]
LATER_HEADERS = ["barrier", "expected", "latch", "numbers", "semaphore", "source_location",
                 "stop_token", "syncstream"]
_CONTAINS = re.compile(r"\bcontains(?=\(const \w+& __k\) const \{)")
_ERASED = re.compile(r"[\w:]* ?\w*(?:<[\w, ]+>)?(?:::size_type)?\n"
                     r"(erase(?:_if)?\([^\n]*\{\n)(.*?)^\}\n", re.DOTALL | re.MULTILINE)


def older_libcxx(libcxx: Path) -> Path:
    """Headers of libc++ that hide its own: containers without contains(), whose std::erase() and
    std::erase_if() return nothing."""
    to = FOLDER / "older-libcxx"
    shutil.rmtree(to, ignore_errors=True)
    to.mkdir(parents=True)
    for name in CONTAINERS:
        whole = (libcxx / name).read_text()
        text, members = _CONTAINS.subn("contains_is_not_in_android_14", whole)
        text, functions = _ERASED.subn(
            lambda m: "void\n" + m[1] + re.sub(r"\breturn (.*);", r"(void)(\1);", m[2]) + "}\n",
            text)
        if not functions or (not members and name.endswith(("map", "set"))):
            raise LabError(f"{libcxx}/{name}: no longer written as older_libcxx() in "
                           "lab/android/debian.py expects it; look there")
        (to / name).write_text(text)
    # Its size() is signed, and it has neither front() nor back().
    span = (libcxx / "span").read_text()
    text, ends = re.subn(r"\b(front|back)(?=\(\) const noexcept \{)", r"\1_is_not_in_android_13",
                         span)
    text, sizes = re.subn(r"\bsize_type(?= size\(\) const noexcept \{)", "ptrdiff_t", text)
    if not ends or not sizes:
        raise LabError(f"{libcxx}/span: no longer written as older_libcxx() in "
                       "lab/android/debian.py expects it; look there")
    (to / "span").write_text(text)
    for name in LATER_HEADERS:
        (to / name).write_text(f"#error <{name}> is not in Android 14's libc++\n")
    return to


def older(libbase: Path) -> Path:
    """A copy of libbase's headers without what older releases lack."""
    to = FOLDER / "older-libbase"
    shutil.rmtree(to, ignore_errors=True)
    shutil.copytree(libbase, to)
    for name, text, instead in OLDER:
        file = to / "android-base" / name
        whole = file.read_text()
        if text not in whole:
            raise LabError(f"{libbase}/android-base/{name} no longer has what older releases lack; "
                           "look at OLDER in lab/android/debian.py")
        file.write_text(whole.replace(text, instead))
    return to


def _sqlite() -> Path:
    """sqlite3.h in a folder of its own; beside it lies everything else of the machine."""
    folder = FOLDER / "sqlite"
    folder.mkdir(parents=True, exist_ok=True)
    header = folder / "sqlite3.h"
    header.unlink(missing_ok=True)
    header.symlink_to("/usr/include/sqlite3.h")
    return folder


def targets() -> list[Target]:
    source = next(iter(SRC.glob("android-platform-tools-*")), None)
    for need in (SOONG, LIBCXX, source):
        if need is None or not need.is_dir():
            raise LabError(f"{need or SRC / 'android-platform-tools-*'} is missing: run "
                           "`lab/lab setup`")
    assert source is not None
    libbase = source / "system/libbase/include"
    ndk = source / "frameworks/native/libs/binder/ndk"
    folders = {
        "libbase": [libbase, source / "external/fmtlib/include"],
        "liblog": [source / "system/logging/liblog/include"],
        "libcutils": [source / "system/core/libcutils/include"],
        "libbinder_ndk": [ndk / "include_cpp", ndk / "include_ndk", ndk / "include_platform"],
        "libjsoncpp": [Path("/usr/include/jsoncpp")],
        "libsqlite": [_sqlite()],
        "libpower": [LAB / "power/include"],
    }

    def target(name: str, machine: list[str], system: list[Path], old: bool = False) -> Target:
        def headers(library: str) -> list[Path]:
            if library == "android.hardware.health-V1-ndk":
                made = found.generate("health", LAB / "health/aidl")
                return [made / "include", *folders["libbinder_ndk"]]
            if library == "libbase" and old:
                return [older_libbase, *folders[library][1:]]
            return folders.get(library, [])

        libcxx = [older_libcxx(LIBCXX), LIBCXX] if old else [LIBCXX]
        found = Target(name, COMPILER, SOONG, machine, [*libcxx, *system], headers,
                       device=False)
        return found

    older_libbase = older(libbase)
    here = [Path("/usr/include/x86_64-linux-gnu"), Path("/usr/include")]
    armhf = arm.ARMHF
    there = [armhf.root / "usr/include" / armhf.triple, armhf.root / "usr/include"]
    return [target("host", [], here),
            target("armhf", ["-target", armhf.triple, "-march=armv7-a", "-mfloat-abi=hard"], there),
            target("older", [], here, old=True)]
