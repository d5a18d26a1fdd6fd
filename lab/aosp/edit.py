#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""Copies the parts of AOSP that the lab builds and makes them run on a plain Linux kernel.

    edit.py SOURCE COPY

SOURCE is Debian's unpacked android-platform-tools source package and is only read. COPY gets the
trees in TREES, with EDITS applied; unchanged files keep their time stamps, so a second run makes
nothing build again. An edit that does not find exactly what it expects ends the run: then the
source package has changed and the edit has to be looked at.
"""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from pathlib import Path

SUFFIXES = (".aidl", ".c", ".cpp", ".h", ".txt")

TREES = (
    "frameworks/native/cmds/cmd",
    "frameworks/native/cmds/dumpsys",
    "frameworks/native/cmds/service",
    "frameworks/native/cmds/servicemanager",
    "frameworks/native/libs/android_runtime_lazy",
    "frameworks/native/libs/binder",
    "frameworks/native/libs/binderdebug",
    "frameworks/native/services/utils",
    "libnativehelper/include_jni",
    "system/core/libcutils/include",
    "system/core/libprocessgroup/include",
    "system/core/libutils",
)
# Nothing here is built for the lab, and it is most of the files.
SKIPPED = {"tests", "fuzzer", "rust", "trusty", "abi-dumps"}


@dataclass(frozen=True)
class Edit:
    """Replaces `old`, which must occur exactly `count` times in `file`, by `new`."""

    file: str
    old: str
    new: str
    why: str
    count: int = 1


BINDER = "frameworks/native/libs/binder/"
CMDS = "frameworks/native/cmds/"

EDITS = (
    Edit(
        BINDER + "include/binder/Parcel.h",
        "struct KernelFields {",
        "struct KernelFields { KernelFields() {}",
        "libstdc++'s std::variant cannot default-construct a nested class whose member "
        "initializers are not parsed yet",
    ),
    Edit(
        BINDER + "IPCThreadState.cpp",
        "#if defined(__ANDROID__)",
        "#if defined(__linux__)",
        "elsewhere than on Android every call would return -ENOSYS without asking the kernel",
        count=5,
    ),
    Edit(
        BINDER + "ProcessState.cpp",
        ".flags = FLAT_BINDER_FLAG_TXN_SECURITY_CTX,",
        ".flags = 0,",
        "without an SELinux policy the kernel has no security context to hand over and refuses "
        "every transaction to the context manager",
    ),
    Edit(
        BINDER + "ndk/include_cpp/android/binder_auto_utils.h",
        "#include <unistd.h>",
        "#include <string.h>\n#include <unistd.h>",
        "strerror() here and strcmp() in what aidl generates; libc++'s headers bring them along",
    ),
    Edit(
        "system/core/libcutils/include/cutils/atomic.h",
        "using std::memory_order::memory_order_",
        "using std::memory_order_",
        "in C++20 std::memory_order is a scoped enumeration with other names for its values",
        count=4,
    ),
    Edit(
        CMDS + "servicemanager/Access.cpp",
        "return CallingContext();",
        "return CallingContext{.debugPid = IPCThreadState::self()->getCallingPid(),"
        " .uid = IPCThreadState::self()->getCallingUid()};",
        "the host build answers uid 0 for everybody, which disables servicemanager's own checks "
        "(isolated uids, lazy services)",
    ),
    Edit(
        CMDS + "servicemanager/main.cpp",
        '#ifndef VENDORSERVICEMANAGER\n    if (!SetProperty("servicemanager.ready"',
        '#if 1\n    if (!SetProperty("servicemanager.ready"',
        "built as the vendor's servicemanager to do without libvintf, yet init waits for the "
        "property of the platform's",
    ),
    Edit(
        CMDS + "service/service.cpp",
        "#ifndef __ANDROID__",
        "#ifndef __linux__",
        "the host build looks for services through adb on another device",
    ),
    Edit(
        CMDS + "dumpsys/dumpsys.cpp",
        "std::max(diff.count(), 0LL)",
        "std::max<long long>(diff.count(), 0LL)",
        "glibc's 64-bit type of a duration is long, so the argument types differ",
    ),
)


class EditError(Exception):
    """A failure that one line explains."""


def read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="surrogateescape")
    except OSError as e:
        raise EditError(
            f"{path}: {e.strerror}; unpack Debian's android-platform-tools 34.0.5 there") from e


def apply_edits(file: str, text: str, edits: tuple[Edit, ...] = EDITS) -> str:
    for edit in edits:
        if edit.file != file:
            continue
        found = text.count(edit.old)
        if found != edit.count:
            raise EditError(
                f"{file}: the edit of `{edit.old.splitlines()[-1].strip()}` no longer applies: "
                f"found {found} times, expected {edit.count}. It is there because {edit.why}; "
                "adapt EDITS in lab/aosp/edit.py to this source version")
        text = text.replace(edit.old, edit.new)
    return text


def sources(source: Path, tree: str) -> list[str]:
    """The files of one tree that the build may read, as paths below `source`."""
    top = source / tree
    if not top.is_dir():
        raise EditError(f"{top}: no such folder; unpack Debian's android-platform-tools 34.0.5 "
                        f"source package into {source}")
    found = []
    for folder, folders, files in os.walk(top):
        folders[:] = sorted(set(folders) - SKIPPED)
        at = Path(folder).relative_to(source)
        found += [str(at / name) for name in sorted(files) if name.endswith(SUFFIXES)]
    return found


def copy_edited(source: Path, copy: Path) -> int:
    """Brings `copy` up to date and returns how many files changed."""
    wanted = [file for tree in TREES for file in sources(source, tree)]
    missing = {edit.file for edit in EDITS} - set(wanted)
    if missing:
        raise EditError(f"{source / min(missing)}: no such file, and an edit is due there; "
                        "adapt EDITS in lab/aosp/edit.py to this source version")
    changed = 0
    for file in wanted:
        text = apply_edits(file, read(source / file))
        to = copy / file
        if to.is_file() and read(to) == text:
            continue
        to.parent.mkdir(parents=True, exist_ok=True)
        partial = to.with_name(to.name + ".partial")
        partial.write_text(text, encoding="utf-8", errors="surrogateescape")
        partial.replace(to)
        changed += 1
    for stale in {p for tree in TREES for p in (copy / tree).rglob("*") if p.is_file()} - {
            copy / file for file in wanted}:
        stale.unlink()
        changed += 1
    return changed


def main(argv: list[str]) -> int:
    if len(argv) != 3:
        print(f"usage: {argv[0]} SOURCE COPY", file=sys.stderr)
        return 64
    try:
        copy_edited(Path(argv[1]), Path(argv[2]))
    except (EditError, OSError) as e:
        print(f"edit.py: {e}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
