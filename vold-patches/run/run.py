#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""run.py TREE BRANCH: builds functions that the patches of BRANCH change, and tests what they do.

TREE is a vold with the patches on it.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.dont_write_bytecode = True
sys.path.insert(0, str(HERE.parent))
import typecheck  # noqa: E402
from typecheck import VOLD, Part  # noqa: E402

SERVICE = HERE.parents[1] / "system-service"
LIBRARIES = typecheck.OUT / "sysroot/usr/lib/x86_64-linux-gnu/android"

IDLE = Part("IdleMaint.cpp", ("void Trim(", "int RunIdleMaint(", "int AbortIdleMaint("), VOLD)


def run(tree: Path, branch: str, folder: Path) -> str:
    """Output of the tests or the compiler if they failed; empty on success."""
    mapping = typecheck.PARTS[branch][0]
    for name, part in (("idle_maint", IDLE), ("mapping", mapping)):
        (folder / f"{name}.inc").write_text(typecheck.translation_unit(tree, part))
    life = next((x for x in typecheck.PARTS[branch] if x.file == "VoldNativeService.cpp"), None)
    (folder / "life.inc").write_text(typecheck.translation_unit(tree, life) if life else
                                     '#include "vold_cpp.h"')
    can_fail = int("WakeLock::tryGet(" in (folder / "idle_maint.inc").read_text())
    function = mapping.functions[-1].rstrip("(").split()[-1]
    # TREE's headers come before hook/'s, which has the tests' own.
    includes = [folder, HERE.parent / "stubs", tree, HERE.parent / "hook", SERVICE]
    program = folder / "patched_test"
    build = ["clang++", "-std=gnu++20", "-O0", "-g1", "-Wall", "-Werror", "-Wno-unused-function",
             "-Wno-sign-compare", f"-DPATCHED_FUNCTION={function}",
             f"-DWAKE_LOCK_CAN_FAIL={can_fail}",
             f"-DLIFE_FUNCTIONS={len(life.functions) if life else 0}",
             *(f"-I{x}" for x in includes),
             *(f"-isystem{x}" for x in typecheck.INCLUDES), *HERE.glob("*.cpp"),
             HERE.parent / "hook/fake_properties.cpp", SERVICE / "testing/tree.cpp",
             *(SERVICE / f"base/{x}.cpp" for x in ("atomic_file", "file_reader", "syscalls")),
             f"-L{LIBRARIES}", f"-Wl,-rpath,{LIBRARIES}", "-lbase", "-llog", "-lgtest",
             "-lgtest_main", "-o", program]
    for command in (build, [program, "--gtest_brief=1"]):
        done = subprocess.run(command, text=True, capture_output=True)
        if done.returncode:
            return f"FAIL {Path(command[0]).name} {done.returncode}\n{done.stdout}{done.stderr}"
    return ""


def main() -> int:
    if len(sys.argv) != 3 or sys.argv[2] not in typecheck.PARTS:
        print(f"usage: run.py TREE {'|'.join(typecheck.PARTS)}", file=sys.stderr)
        return 2
    if sys.argv[2].startswith("cm-"):
        return 0
    with tempfile.TemporaryDirectory() as folder:
        problem = run(Path(sys.argv[1]).resolve(), sys.argv[2], Path(folder))
    if problem:
        print(problem)
    return 1 if problem else 0


if __name__ == "__main__":
    sys.exit(main())
