#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""Writes docs/cost.md: the files, bytes and rules that Storekeeper adds to an image.

Files and rules are counted in this tree. With --trees DIR check.py first links the programs for
the releases in DIR. A program in out/android gives its size; docs/cost.md keeps that of any other.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
sys.dont_write_bytecode = True
sys.path[:0] = [str(TOP / "lab"), str(Path(__file__).parent)]

from release import DEVICES  # noqa: E402
from target import FOLDER  # noqa: E402

from labtool.graph import Graph  # noqa: E402

COST = TOP / "docs/cost.md"
# The first platform SDK of each release.
SDKS = {11: 30, 12: 31, 13: 33, 14: 34, 15: 35, 16: 36}
PACKAGES = {"user build": "PRODUCT_PACKAGES", "userdebug adds": "PRODUCT_PACKAGES_DEBUG"}
POLICY = ("SYSTEM_EXT_PUBLIC_SEPOLICY_DIRS", "SYSTEM_EXT_PRIVATE_SEPOLICY_DIRS",
          "BOARD_PLAT_PUBLIC_SEPOLICY_DIR", "BOARD_PLAT_PRIVATE_SEPOLICY_DIR")
# math_gt_or_eq stands for build/make's function.
MAKEFILE = f"""
math_gt_or_eq = $(if $(shell test $(1) -ge $(2) && echo y),true)
include storekeeper.mk
include BoardConfigStorekeeper.mk
$(foreach v,{" ".join((*PACKAGES.values(), *POLICY))},$(info $(v)=$($(v))))
all: ;
"""
# First characters of a statement in a policy's source; other lines continue the one above.
TYPE = re.compile(r"type |system_\w+_prop\(")
RULE = re.compile(r"allow(xperm)? |(?!system_\w+_prop)\w+\(")
# Libraries that AOSP's target/product/base_system.mk has installed since 11: by name, and as needs
# of storaged libbase and the HIDL ones.
BASE_IMAGE = {"libbase", "libbinder_ndk", "liblog", "libpower", "libsqlite", "libutils",
              "libhidlbase", "android.hardware.health@1.0", "android.hardware.health@2.0"}
# The cell of a program that check.py has not linked for the release.
NOT_LINKED = "not linked"
# Cells of a table by row and release.
Rows = dict[str, dict[int, str]]


def read_makefiles(sdk: int) -> dict[str, list[str]]:
    """The lists that our makefiles add to a build of this platform SDK."""
    done = subprocess.run(["make", "-s", "-f", "-", f"PLATFORM_SDK_VERSION={sdk}"], cwd=TOP,
                          input=MAKEFILE, text=True, capture_output=True, check=True)
    pairs = (line.split("=", 1) for line in done.stdout.splitlines())
    return {name: value.split() for name, value in pairs}


def find_programs(graph: Graph, packages: list[str]) -> list[str]:
    return [x for x in packages if "cc_binary" in graph.modules[x].kind]


def find_texts(graph: Graph, name: str) -> Iterator[Path]:
    """Files that a package installs beside its program."""
    if graph.modules[name].kind == "prebuilt_etc":
        yield graph.folder(name) / graph.words(name, "src")[0]
    for group in graph.words(name, "init_rc"):
        yield from (graph.folder(group[1:]) / x for x in graph.words(group[1:], "srcs"))
    for needed in graph.words(name, "required"):
        yield from find_texts(graph, needed)


def count_rows(sdk: int) -> dict[str, str]:
    """The cells of one release that need no tree of Android."""
    given = read_makefiles(sdk)
    graph = Graph(TOP, {"before_13": sdk < 33})
    rows: dict[str, str | int] = {}
    needed = set()
    for build, key in PACKAGES.items():
        programs = find_programs(graph, given[key])
        needed |= {x for y in programs for x in graph.words(y, "shared_libs") if not graph.aidl(x)}
        others = [file for x in given[key] for file in find_texts(graph, x)]
        rows[f"{build}: programs"] = len(programs)
        rows[f"{build}: scripts and settings"] = len(others)
        rows[f"{build}: their bytes"] = sum(file.stat().st_size for file in others)
    rows["needed shared libraries in AOSP's base image"] = (
        f"{len(needed & BASE_IMAGE)} of {len(needed)}")
    folders = [TOP / x.removeprefix("system/storekeeper/") for key in POLICY for x in given[key]]
    policy = [x for y in folders for f in y.glob("*.te") for x in f.read_text().splitlines()]
    rows["types of policy"] = sum(bool(TYPE.match(x)) for x in policy)
    rows["rules of policy; a macro is one"] = sum(bool(RULE.match(x)) for x in policy)
    labels = [x for y in folders for f in y.glob("property_contexts")
              for x in f.read_text().splitlines()]
    rows["names and prefixes of properties"] = sum(" u:object_r:" in x for x in labels)
    return {name: str(cell) for name, cell in rows.items()}


def format_table(rows: Rows) -> list[str]:
    lines = [["Android", *map(str, SDKS)], ["---"] * (len(SDKS) + 1)]
    lines += [[name, *(cells.get(n, NOT_LINKED) for n in SDKS)] for name, cells in rows.items()]
    return ["| " + " | ".join(line) + " |" for line in lines]


def read_sizes(text: str) -> Rows:
    """The sizes in a text of docs/cost.md."""
    rows = re.findall(r"^\| (\w+, arm(?:64)?) \|(.*)\|$", text, re.M)
    return {name: {n: x for n, x in zip(SDKS, map(str.strip, cells.split("|")), strict=True)
                   if x != NOT_LINKED} for name, cells in rows}


def measure_programs(kept: Rows) -> Rows:
    """The sizes of the programs in out/android; of others the kept ones."""
    given = read_makefiles(SDKS[16])
    packages = [x for key in PACKAGES.values() for x in given[key]]
    rows: Rows = {}
    for name in find_programs(Graph(TOP, {}), packages):
        for machine in DEVICES:
            row = rows[f"{name}, {machine}"] = dict(kept.get(f"{name}, {machine}", {}))
            for n in SDKS:
                if (file := FOLDER / f"{n}-{machine}" / name).is_file():
                    row[n] = f"{file.stat().st_size / 1024:.0f}"
    return rows


def format_page(sizes: Rows) -> str:
    """The text of docs/cost.md."""
    rows: Rows = {}
    for n, sdk in SDKS.items():
        for name, cell in count_rows(sdk).items():
            rows.setdefault(name, {})[n] = cell
    return "\n".join([
        "<!-- SPDX-License-Identifier: Apache-2.0 -->",
        "<!-- Copyright (C) 2026 The Storekeeper Project -->",
        "# What an image pays", "",
        "What does Storekeeper add to an image? storekeeper.mk and BoardConfigStorekeeper.mk with",
        "default options add this; `lab/android/cost.py --trees DIR` writes this page.", "",
        *format_table(rows), "",
        *format_programs(sizes), "",
        "The table `days` of docs/figures.md has memory, wake-ups, CPU and bytes written of a day.",
        "storekeeperd starts after sys.boot_completed. Before /data is mounted, init waits for",
        "storekeeper_crypto_early, for a time that no device has measured; the option",
        "`without_crypto` leaves it out. The page of Settings (`settings_page`) is not counted: no",
        "APK has been built.",
        ""])


def format_programs(sizes: Rows) -> list[str]:
    """The part with the programs' sizes."""
    return ["Stripped programs in KiB, linked by `make check-android ANDROID_TREES=DIR` without",
            "LTO. They contain libbase, which a device shares, and the AIDL interface, which is a",
            "library of its own in an image.", "",
            *format_table(sizes)]


def main() -> int:
    parser = argparse.ArgumentParser(description="Writes docs/cost.md.")
    parser.add_argument("--trees", type=Path, help="link the programs first, as check.py does")
    trees = parser.parse_args().trees
    if trees and subprocess.run([TOP / "lab/android/check.py", "--trees", trees,
                                 "--link"]).returncode:
        return 1
    kept = read_sizes(COST.read_text()) if COST.exists() else {}
    COST.write_text(format_page(measure_programs(kept)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
