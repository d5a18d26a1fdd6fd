#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""typecheck.py TREE BRANCH: compiles the functions that the patches of BRANCH change.

TREE is a vold with the patches on it. Of each changed file only the functions named below are
taken; what they use of the rest comes from stubs/. The hooks are TREE's own.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
OUT = Path(os.environ.get("STOREKEEPER_OUT") or HERE.parent / "out").resolve()
INCLUDES = [OUT / "sysroot/usr/include/android", OUT / "sysroot/usr/include"]


@dataclass(frozen=True)
class Part:
    """Functions of one file, by how their definitions begin."""

    file: str
    functions: tuple[str, ...]
    namespace: str = ""
    options: tuple[str, ...] = ()


HARDWARE = ("-DCONFIG_HW_DISK_ENCRYPTION",)
VOLD = "android::vold"
METADATA = Part("MetadataCrypt.cpp", ("static bool create_crypto_blk_dev(",), VOLD)
FOOTER = Part("cryptfs.cpp", ("static int create_crypto_blk_dev(",))
ENGINE = Part("cryptfs.cpp", ("static int create_crypto_blk_dev_hw(",), options=HARDWARE)
EXT_VOLUME = Part("cryptfs.cpp", ("int cryptfs_setup_ext_volume(",))
EXT_VOLUME_13 = Part("cryptfs.cpp", ("static int add_sector_size_param(",
                                     "int cryptfs_setup_ext_volume("))
IDLE = Part("IdleMaint.cpp", ("void Trim(", "int RunIdleMaint("), VOLD)
LIFE_13 = Part("VoldNativeService.cpp", ("binder::Status VoldNativeService::getStorageLifeTime(",),
               VOLD)
LIFE = Part("VoldNativeService.cpp", (
    *LIFE_13.functions, "binder::Status VoldNativeService::getStorageRemainingLifetime("), VOLD)

PARTS = {
    **dict.fromkeys(("lineage-18.1", "lineage-19.1"), [FOOTER, ENGINE, METADATA, IDLE]),
    **dict.fromkeys(("android11-release", "android12-release"), [FOOTER, METADATA, IDLE]),
    **dict.fromkeys(("lineage-20.0", "android13-release"),
                    [EXT_VOLUME_13, METADATA, IDLE, LIFE_13]),
    "android14-release": [EXT_VOLUME, METADATA, IDLE, LIFE_13],
    **dict.fromkeys(("lineage-21.0", "lineage-22.0", "android15-release", "main"),
                    [EXT_VOLUME, METADATA, IDLE, LIFE]),
}


def cut_out(file: str, lines: list[str], beginning: str) -> list[str]:
    """A definition, with the line numbers it has in its file."""
    first = [n for n, line in enumerate(lines) if line.startswith(beginning)]
    if len(first) != 1:
        raise SystemExit(f"FAIL {file}: {beginning} begins {len(first)} lines, not one")
    last = next(n for n in range(first[0], len(lines)) if lines[n].startswith("}"))
    return [f'#line {first[0] + 1} "{file}"', *lines[first[0]:last + 1]]


def translation_unit(tree: Path, part: Part) -> str:
    lines = (tree / part.file).read_text(errors="replace").splitlines()
    hooks = [x for x in lines if re.fullmatch(r'#include "Storekeeper\w+\.h"', x)]
    body = [x for f in part.functions for x in cut_out(part.file, lines, f)]
    if not any("storekeeper_" in x for x in body):
        raise SystemExit(f"FAIL none of the functions of {part.file} calls a hook")
    if part.namespace:
        body = [f"namespace {part.namespace} {{", *body, "}"]
    return "\n".join(['#include "vold_cpp.h"', *hooks, *body, ""])


def check(tree: Path, part: Part) -> str:
    # Static functions that nobody calls here, and what vold's makefiles leave unwarned.
    command = ["clang++", "-fsyntax-only", "-x", "c++", "-std=gnu++20", "-D_GNU_SOURCE", "-Wall",
               "-Werror", "-Wno-unused-function", "-Wno-unused-variable",
               "-Wno-unknown-warning-option",
               f"-I{HERE / 'stubs'}", f"-I{tree}", *(f"-isystem{x}" for x in INCLUDES),
               *part.options, "-"]
    done = subprocess.run(command, input=translation_unit(tree, part), text=True,
                          capture_output=True)
    return done.stderr if done.returncode else ""


def main() -> int:
    if len(sys.argv) != 3 or sys.argv[2] not in PARTS:
        print(f"usage: typecheck.py TREE {'|'.join(PARTS)}", file=sys.stderr)
        return 2
    if not INCLUDES[0].is_dir():
        print(f"FAIL {INCLUDES[0]} is missing: run `lab/lab setup`")
        return 1
    failed = 0
    for part in PARTS[sys.argv[2]]:
        problem = check(Path(sys.argv[1]).resolve(), part)
        if problem:
            failed = 1
            print(f"FAIL {part.file} does not compile\n{problem}")
    return failed


if __name__ == "__main__":
    sys.exit(main())
