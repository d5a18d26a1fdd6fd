#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""device.py TREE BRANCH DIR: compiles the C++ files that the patches of BRANCH change, whole,
against the headers of its Android release, with the flags of vold and of Soong for arm64.

TREE is a vold with the patches on it. DIR has one tree a release, DIR/11 to DIR/16, or is a ROM's
checkout, as for `make check-android`; DIR/BRANCH goes first. Prints the files when all
compile; a release that DIR lacks is left out.
"""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.dont_write_bytecode = True
sys.path[:0] = [str(HERE), str(HERE.parent / "lab"), str(HERE.parent / "lab/android")]

import compiling  # noqa: E402
import release  # noqa: E402
import series  # noqa: E402
from graph import Graph  # noqa: E402
from target import FOLDER, Target, run  # noqa: E402

from labtool import apt  # noqa: E402
from labtool.paths import LabError  # noqa: E402

RELEASES = {"lineage-18.1": 11, "lineage-19.1": 12, "lineage-20.0": 13, "lineage-21.0": 14,
            "lineage-22.0": 15, "android11-release": 11, "android12-release": 12,
            "android13-release": 13, "android14-release": 14, "android15-release": 15, "main": 16}
HALS = "hardware/interfaces"
# Headers of the libraries that vold's Android.bp names; what a release has not is passed over.
HEADERS = [
    "bootable/recovery/bootloader_message/include", "external/boringssl/include",
    "external/boringssl/src/include", "external/scrypt/lib/crypto",
    "external/selinux/libselinux/include", "frameworks/native/libs/binder/include",
    "hardware/libhardware_legacy/include", f"{HALS}/keymaster/4.0/support/include",
    f"{HALS}/keymaster/4.1/support/include", f"{HALS}/security/keymint/support/include",
    "system/core/fs_mgr/include", "system/core/fs_mgr/include_fstab",
    "system/core/fs_mgr/libdm/include", "system/core/fs_mgr/libfstab/include",
    "system/core/libsysutils/include", "system/core/logwrapper/include",
    "system/extras/ext4_utils/include", "system/extras/f2fs_utils",
    "system/extras/libfscrypt/include", "system/gsid/include", "system/logging/logwrapper/include",
    *release.HIDL,
]
HIDL = [f"android.hardware.{x}" for x in ("health.storage@1.0", "keymaster@3.0", "keymaster@4.0",
                                          "keymaster@4.1")] + ["android.hidl.base@1.0",
                                                               "android.hidl.manager@1.0"]
ENGINE = "vendor/qcom/opensource/cryptfs_hw"
STABLE = ["--stability", "vintf", "--version", "1", "--hash", "0"]
# Files that use vold's own IVold, which imports AIDL from all over Android.
NOT_WHOLE = {"VoldNativeService.cpp"}
# AIDL with the NDK's C++: each folder that is compiled, and the folders that it imports.
AIDL = {
    f"{HALS}/health/storage/aidl": [],
    f"{HALS}/security/secureclock/aidl": [],
    f"{HALS}/security/rkp/aidl": [],
    f"{HALS}/security/keymint/aidl": [f"{HALS}/security/secureclock/aidl",
                                      f"{HALS}/security/rkp/aidl"],
    "system/hardware/interfaces/keystore2/aidl": [f"{HALS}/security/keymint/aidl",
                                                  f"{HALS}/security/secureclock/aidl"],
}


def hidl(target: Target, tree: Path) -> Path:
    """Headers of the HALs that vold calls by HIDL."""
    to = FOLDER / target.name / "hidl"
    for interface in HIDL:
        run(["hidl-gen", "-o", to, "-L", "c++-headers", "-r", f"android.hardware:{tree / HALS}",
             "-r", f"android.hidl:{tree}/system/libhidl/transport", interface],
            f"compiling {interface}")
    return to


def cpp_aidl(target: Target, tree: Path, vold: Path) -> Iterator[Path]:
    """Headers of vold's interfaces; not of binder/'s IVold, which imports from all over Android."""
    to = FOLDER / target.name
    own = [x for x in (vold / "binder").rglob("*.aidl") if x.name != "IVold.aidl"]
    stable = tree / "system/hardware/interfaces/vold"
    for name, folder, files, options in (
            ("binder", vold / "binder", own, ["-I", tree / "frameworks/native/aidl/binder"]),
            ("stable", stable, list((stable / "android").rglob("*.aidl")),
             [*target.structured, *STABLE])):
        if files:
            run([target.aidl, "--lang=cpp", *options, "-I", folder, "-h", to / name / "include",
                 "-o", to / name / "src", *sorted(files)], "compiling vold's interfaces")
            yield to / name / "include"


def ndk_aidl(target: Target, tree: Path) -> Iterator[Path]:
    for number, (place, imported) in enumerate(AIDL.items()):
        if (tree / place / "android").is_dir():
            made = target.generate(f"ndk{number}", tree / place / "android", *target.structured,
                                   *STABLE,
                                   *(y for x in (place, *imported) for y in ("-I", str(tree / x))))
            yield made / "include"


def command(target: Target, tree: Path, vold: Path) -> tuple[str, ...]:
    folders = [*cpp_aidl(target, tree, vold), hidl(target, tree), *ndk_aidl(target, tree),
               *(tree / x for x in HEADERS)]
    return (*(str(x) for x in target.command(Graph(vold, {}), "libvold")),
            *(f"-I{x}" for x in folders if x.is_dir()))


def changed(branch: str) -> list[str]:
    """vold's files that the series of a branch changes, but for NOT_WHOLE."""
    return sorted({name for change in series.changes()
                   for branches, diff in series.split(change.read_text())[1] if branch in branches
                   for name in series.joined([diff])} - NOT_WHOLE)


def first_error(output: str) -> str:
    return next(x for x in output.splitlines() if "error:" in x or "warning:" in x)


def main() -> int:
    if len(sys.argv) != 4 or sys.argv[2] not in series.branches():
        print(f"usage: device.py TREE {'|'.join(series.branches())} DIR", file=sys.stderr)
        return 2
    if sys.argv[2] not in RELEASES:
        return 0
    vold, branch, folder = Path(sys.argv[1]).resolve(), sys.argv[2], Path(sys.argv[3])
    if (folder / branch / "build/soong").is_dir():
        tree = folder / branch
    elif (found := release.trees(folder).get(RELEASES[branch])):
        tree = found
    else:
        return 0
    apt.install([f"clang-{release.CLANG[RELEASES[branch]]}", "hidl-gen"])
    target = release.target(RELEASES[branch], tree, "arm64")
    target.name = f"vold-{branch}"
    shutil.rmtree(FOLDER / target.name, ignore_errors=True)
    words = command(target, tree, vold)
    jobs = [compiling.Job("libvold", vold / name, words) for name in changed(branch)]
    if (tree / ENGINE).is_dir():
        jobs.append(compiling.Job("libvold", vold / "cryptfs.cpp",
                                  (*words, "-DCONFIG_HW_DISK_ENCRYPTION", f"-I{tree / ENGINE}")))
    failed = compiling.compile_all(target, jobs, objects=False, foreign=True)
    for job, output in failed:
        print(f"FAIL {job.source.name}: {first_error(output)}\n{output}")
    if not failed:
        print(", ".join(f"{job.source.name} {' '.join(job.command[len(words):][:1])}".strip()
                        for job in jobs))
    return 1 if failed else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except LabError as e:
        print(f"FAIL {e}")
        sys.exit(1)
