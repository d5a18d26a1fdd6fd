#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""Compiles what Android.bp lists for the device as Soong would: `make check-android`.

Without trees, against AOSP's headers from Debian's archive. With them (`make check-android
ANDROID_TREES=DIR`), against each release in DIR, and links the programs. DIR holds one tree a
release, DIR/11 to DIR/16, or is a ROM's checkout. A warning is an error; exit 1 after any.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import time
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
sys.dont_write_bytecode = True
sys.path[:0] = [str(TOP / "lab"), str(Path(__file__).parent)]

import compiling  # noqa: E402
import debian  # noqa: E402
import link  # noqa: E402
import release  # noqa: E402
from target import FOLDER, Target  # noqa: E402

from labtool import apt  # noqa: E402
from labtool.graph import Graph  # noqa: E402
from labtool.paths import LabError  # noqa: E402
from labtool.suite import arm  # noqa: E402


def compile_part(graph: Graph, target: Target, title: str, kind: str, work: list[compiling.Job],
                 objects: bool) -> int:
    """Compiles files, prints the count and each that fails; returns how many fail."""
    began = time.monotonic()
    failed = compiling.compile_all(target, work, objects)
    print(f"{title}: {len(work) - len(failed)} of {len(work)} files of {kind} compile "
          f"({time.monotonic() - began:.0f} s)", flush=True)
    for job, output in failed:
        print(f"  {job.source.relative_to(graph.top)}: {compiling.first_error(output)}")
    return len(failed)


def check(target: Target, title: str, arguments: argparse.Namespace) -> int:
    """Compiles, and links if asked for; returns how many files and programs fail."""
    shutil.rmtree(FOLDER / target.name, ignore_errors=True)
    graph = Graph(arguments.project, target.variables, target.device)
    work = compiling.jobs(target, graph, arguments.file, tests=False)
    failed = compile_part(graph, target, title, "modules", work, arguments.link)
    if arguments.tests:
        modules = {x.module for x in work}
        # vts_storekeeper_test has the files and flags of storekeeper_test.
        rest = list({(x.source, x.command): x
                     for x in compiling.jobs(target, graph, arguments.file, tests=True)
                     if x.module not in modules}.values())
        failed += compile_part(graph, target, title, "tests", rest, objects=False)
    if arguments.link and not failed:
        for program, problems, what in link.link_programs(target, graph):
            print(f"{title}: {program} {'does not link' if problems else 'links'} ({what})",
                  flush=True)
            for problem in problems[:20]:
                print(f"  {problem}")
            failed += bool(problems)
    return failed


def from_debian(arguments: argparse.Namespace) -> int:
    arm.setup([arm.ARMHF])
    titles = {"host": "Android 14's headers, x86_64", "armhf": "Android 14's headers, arm",
              "older": "Android 14's headers less what 11 to 13 lack"}
    # armhf has all headers, older has 64 bits: together they find all that the host's pass would.
    wanted = [arguments.arch] if arguments.arch else ["armhf", "older"]
    return sum(check(t, titles[t.name], arguments) for t in debian.targets() if t.name in wanted)


def from_trees(arguments: argparse.Namespace) -> int:
    found = release.trees(arguments.trees)
    wanted = [int(x) for x in arguments.release.split(",")] if arguments.release else list(found)
    if absent := [n for n in wanted if n not in found]:
        raise LabError(f"{arguments.trees} has no tree of Android {absent[0]}")
    # libclang-rt has the header of the fuzzers.
    apt.install(["hidl-gen", *sorted({name.format(release.CLANG[n]) for n in wanted
                                      for name in ("clang-{}", "libclang-rt-{}-dev")})])
    machines = arguments.arch.split(",") if arguments.arch else release.DEVICES
    return sum(check(release.target(n, found[n], m), f"Android {n} {m}", arguments)
               for n in wanted for m in machines)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--trees", type=Path, help="a folder of trees, or a ROM's checkout")
    parser.add_argument("--release", default="", help="only these, as 11,13")
    parser.add_argument("--arch", default="", help="only these: arm64,arm; or host, armhf, older")
    parser.add_argument("--file", default="", help="only files whose path has this")
    parser.add_argument("--tests", action="store_true", help="unit tests, fuzzers, benchmarks, too")
    parser.add_argument("--link", action="store_true", help="link the programs, too")
    parser.add_argument("--project", type=Path, default=TOP, help="another copy of this project")
    arguments = parser.parse_args()
    arguments.project = arguments.project.resolve()
    try:
        return 1 if (from_trees if arguments.trees else from_debian)(arguments) else 0
    except LabError as e:
        print(f"check-android: {e}", file=sys.stderr)
        return 69


sys.exit(main())
