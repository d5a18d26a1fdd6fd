# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""The `lab` command line: arguments in, exit code out."""

from __future__ import annotations

import argparse
import os
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from . import build, commands, demo, setup
from .bench import kinds, soak
from .paths import LabError
from .suite import arm, coverage, fuzz, on_android, page, stages


def _setup(args: argparse.Namespace) -> int:
    setup.free_space_check()
    setup.setup(args.checkers)
    return 0


def _build(args: argparse.Namespace) -> int:
    if not args.tests:
        build.build()
        return 0
    # Downloads run beside the compilers, which need no network.
    with ThreadPoolExecutor(1) as pool:
        pool.submit(stages.fetch)
        build.build(tests=True)
    return 0


def _host(args: argparse.Namespace) -> int:
    try:
        os.execvp(args.words[0], args.words)
    except OSError as e:
        raise LabError(f"{args.words[0]}: {e.strerror}") from e


def _test_arm(_: argparse.Namespace) -> int:
    arm.test()
    return 0


# The commands that work with a virtual phone add themselves: commands.register(subparsers) calls
# subparsers.add_parser(...).set_defaults(handler=function); function(args) returns the exit code.
def parser() -> argparse.ArgumentParser:
    top = argparse.ArgumentParser(prog="lab", description="Storekeeper's virtual phone")
    sub = top.add_subparsers(dest="command", required=True, metavar="COMMAND")
    add = sub.add_parser("setup", help="download and unpack tools, kernel and sources")
    add.add_argument("--checkers", action="store_true",
                     help="also install the programs of `make check`")
    add.set_defaults(handler=_setup)
    add = sub.add_parser("build", help="build the programs of the virtual phone")
    add.add_argument("--tests", action="store_true",
                     help="also build the unit tests for this machine")
    add.set_defaults(handler=_build)
    sub.add_parser("demo", help="measure a Nexus 7 new, full, and after a trim").set_defaults(
        handler=lambda _: demo.demo())
    for one in kinds.BENCHMARKS:
        add = sub.add_parser(f"bench-{one.name}", help=one.does)
        one.arguments(add)
        add.set_defaults(handler=one.run)
    add = sub.add_parser("soak", help="end trims at random moments, hundreds of times")
    soak.arguments(add)
    add.set_defaults(handler=soak.soak)
    add = sub.add_parser("fuzz", help="fuzz the parsers with sanitizers")
    add.add_argument("seconds", nargs="?", type=int, default=fuzz.SECONDS,
                     help="time for each target (default: %(default)s)")
    add.add_argument("target", nargs="*", help="a parser, such as mountinfo (default: all)")
    add.set_defaults(handler=lambda args: fuzz.fuzz(args.seconds, args.target))
    sub.add_parser("coverage", help="print branch coverage of the unit tests by folder"
                   ).set_defaults(handler=lambda _: coverage.coverage())
    add = sub.add_parser("host", help="run a command on this machine, or in the Debian root "
                         "below out/ if the lab needs it")
    add.add_argument("--remove", action="store_true", help="remove that root instead")
    add.add_argument("words", nargs="+", metavar="-- COMMAND")
    add.set_defaults(handler=_host)
    add = sub.add_parser("test", help="run the unit tests, then the tests on the virtual phone")
    add.add_argument("pytest", nargs="*", help="only these tests on the virtual phone")
    add.set_defaults(handler=lambda args: stages.run_tests(args.pytest))
    add = sub.add_parser("test-arm", help="build the unit tests for ARM and run them in QEMU")
    add.set_defaults(handler=_test_arm)
    add = sub.add_parser("page", help="test the page of Settings")
    add.add_argument("--screens", type=Path, metavar="DIR", help="put a picture of each screen "
                     "there")
    add.add_argument("level", nargs="*", type=int, help="API levels (default: "
                     f"{', '.join(map(str, page.SHORT))}; all: "
                     f"{' '.join(map(str, page.FRAMEWORKS))})")
    add.set_defaults(handler=lambda args: page.test(args.level, args.screens))
    add = sub.add_parser("test-android", help="run unit tests and scenarios on the user space of "
                         "an x86_64 product")
    add.add_argument("output", metavar="DIR", help="$ANDROID_PRODUCT_OUT; ANDROID_TREES as for up")
    add.add_argument("pytest", nargs="*", help="these instead of all scenarios")
    add.set_defaults(handler=lambda args: on_android.test(args.output, args.pytest))
    commands.register(sub)
    return top


def main(argv: list[str] | None = None) -> int:
    args = parser().parse_args(argv)
    try:
        return args.handler(args)
    except LabError as e:
        print(f"lab: {e}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("lab: interrupted", file=sys.stderr)
        return 130
