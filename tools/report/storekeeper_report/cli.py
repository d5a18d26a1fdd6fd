# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""`storekeeper-report`: all or nothing; either every input is in what it writes, or nothing is
written."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from rich.console import Console

from . import adb, bench, database, device, dump, inputs, openmetrics, page, summary
from .command import Parser
from .output import STDOUT, write

PAGE = Path("report.html")
Reader = Callable[[str], list[dump.Dump]]


def parser() -> argparse.ArgumentParser:
    top = Parser(
        prog="storekeeper-report",
        description="Makes an HTML page about the flash storage of devices from their dumps. "
        "`%(prog)s bench` makes one from results of storekeeper_bench.")
    top.add_argument("inputs", nargs="*", metavar="SERIAL|FILE|FOLDER",
                     help="a device by its adb serial, an output of `dumpsys storekeeper --json`, "
                     "a bug report, an archive or a folder of them (default: every device that adb "
                     "shows). Dumps of one chip at different times are merged")
    _add_output(top)
    top.add_argument("--openmetrics", type=Path, metavar="FILE",
                     help="write the newest figures as OpenMetrics text")
    top.add_argument("--sqlite", type=Path, metavar="FILE",
                     help="write all rows as an SQLite database. With --openmetrics or --sqlite "
                     "a page is made only with -o")
    return top


def bench_parser() -> argparse.ArgumentParser:
    top = Parser(
        prog="storekeeper-report bench",
        usage="%(prog)s [-h] [-o FILE] RESULT.json [AFTER.json COMPARISON.json]",
        description="Makes an HTML page about one result of storekeeper_bench, or about two and "
        "the output of `storekeeper_bench compare BEFORE AFTER --json`.")
    top.add_argument("files", nargs="+", metavar="RESULT.json",
                     help="output of `storekeeper_bench run --json`; for a comparison, the later "
                     "result and the output of compare follow")
    _add_output(top)
    return top


def _add_output(top: argparse.ArgumentParser) -> None:
    top.add_argument("-o", "--output", type=Path, metavar="FILE",
                     help=f"the page (default: {PAGE}); - as any FILE is standard output")


def _inputs(words: list[str]) -> list[str]:
    if words:
        return list(dict.fromkeys(words))
    try:
        return adb.devices()
    except adb.AdbError as e:
        raise dump.NoInput(str(e)) from e


def _read(words: Sequence[tuple[str, Reader]]) -> tuple[list[dump.Dump], int]:
    """The inputs that the words name, and the exit code of the worst problem; every problem is
    reported."""
    found, code = [], os.EX_OK
    for word, reader in words:
        try:
            found += reader(word)
        except dump.DumpError as e:
            _complain(*e.problems)
            of_this = os.EX_NOINPUT if isinstance(e, dump.NoInput) else os.EX_DATAERR
            code = of_this if code == os.EX_OK else min(code, of_this)
    return found, code


def _complain(*lines: str) -> None:
    for line in lines:
        print(f"storekeeper-report: {line}", file=sys.stderr)


def _finish(output: Path, text: str) -> int:
    return _written(output, lambda: write(output, text))


def _written(output: Path, writer: Callable[[], None]) -> int:
    try:
        writer()
    except OSError as e:
        _complain(f"{output}: {e.strerror}")
        return os.EX_CANTCREAT
    return os.EX_OK


def _console() -> Console:
    return Console(highlight=False, soft_wrap=not sys.stdout.isatty())


def _tell_size(output: Path) -> None:
    if not output.is_file():
        return
    print(f"{output}: {output.stat().st_size / 1e6:.1f} MB, opens in any browser")


def bench_main(argv: list[str]) -> int:
    top = bench_parser()
    args = top.parse_args(argv)
    if len(args.files) not in (1, 3):
        top.error("give one result, or two and their comparison: `storekeeper_bench compare "
                  "BEFORE.json AFTER.json --json` prints it")
    output = args.output or PAGE
    readers = (lambda x: [bench.read_result(x)], lambda x: [bench.read_result(x)],
               lambda x: [bench.read_comparison(x)])
    found, code = _read(list(zip(args.files, readers, strict=False)))
    try:
        given = None if code != os.EX_OK else (
            bench.one(found[0]) if len(found) == 1 else bench.two(*found, name=args.files[2]))
    except dump.DumpError as e:
        _complain(*e.problems)
        given, code = None, os.EX_DATAERR
    if given is None:
        _complain(f"{output} is not written")
        return code
    code = _finish(output, page.render_bench(given))
    if code == os.EX_OK and output != STDOUT:
        summary.show_bench(given, _console())
        _tell_size(output)
    return code


def main(argv: list[str] | None = None) -> int:
    argv = sys.argv[1:] if argv is None else argv
    if argv[:1] == ["bench"]:
        return bench_main(argv[1:])
    args = parser().parse_args(argv)
    try:
        words = _inputs(args.inputs)
    except dump.NoInput as e:
        _complain(*e.problems)
        return os.EX_NOINPUT
    outputs = _outputs(args)
    dumps, code = _read([(word, inputs.read) for word in words])
    if code != os.EX_OK:
        _complain(f"{', '.join(map(str, outputs))} {'is' if len(outputs) == 1 else 'are'} not "
                  "written")
        return code
    devices = device.devices(dumps)
    for output, writer in outputs.items():
        code = _written(output, lambda w=writer: w(devices))
        if code != os.EX_OK:
            return code
    if STDOUT not in outputs:
        summary.show(devices, _console())
        if args.output or not (args.openmetrics or args.sqlite):
            _tell_size(args.output or PAGE)
    return os.EX_OK


def _outputs(args: argparse.Namespace) -> dict[Path, Callable[[list[device.Device]], None]]:
    """The requested outputs and their writers."""
    found: dict[Path, Callable[[list[device.Device]], None]] = {}
    if args.openmetrics:
        found[args.openmetrics] = lambda x: write(args.openmetrics, openmetrics.render(x))
    if args.sqlite:
        found[args.sqlite] = lambda x: database.write(args.sqlite, x)
    if args.output or not found:
        html = args.output or PAGE
        found[html] = lambda x: write(html, page.render(x))
    return found
