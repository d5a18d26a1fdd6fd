# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""`storekeeper-report`: all or nothing; either every input is on the page, or there is none."""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from pathlib import Path

from rich.console import Console

from . import adb, device, dump, page, summary


def parser() -> argparse.ArgumentParser:
    top = argparse.ArgumentParser(
        prog="storekeeper-report",
        description="One page about the flash storage of your devices, from what storekeeperd "
        "knows of them.")
    top.add_argument("inputs", nargs="*", metavar="SERIAL|dump.json|bugreport.zip",
                     help="devices by their adb serial, outputs of `dumpsys storekeeper --json`, "
                     "or bug reports; without: every device that adb shows. Dumps of one chip at "
                     "different times are put together")
    top.add_argument("-o", "--output", type=Path, default=Path("report.html"), metavar="FILE",
                     help="the page (default: %(default)s)")
    return top


def write(path: Path, text: str) -> None:
    """The whole file or none of it."""
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as out:
            out.write(text)
            out.flush()
            os.fsync(out.fileno())
        umask = os.umask(0)
        os.umask(umask)
        Path(name).chmod(0o666 & ~umask)
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def _inputs(words: list[str]) -> list[str]:
    if words:
        return list(dict.fromkeys(words))
    try:
        return adb.devices()
    except adb.AdbError as e:
        raise dump.NoInput(str(e)) from e


def _read(words: list[str]) -> tuple[list[dump.Dump], int]:
    """The dumps, and the exit code of the worst problem; every problem is told."""
    dumps, code = [], os.EX_OK
    for word in words:
        try:
            dumps.append(dump.read(word))
        except dump.DumpError as e:
            _complain(*e.problems)
            found = os.EX_NOINPUT if isinstance(e, dump.NoInput) else os.EX_DATAERR
            code = found if code == os.EX_OK else min(code, found)
    return dumps, code


def _complain(*lines: str) -> None:
    for line in lines:
        print(f"storekeeper-report: {line}", file=sys.stderr)


def main(argv: list[str] | None = None) -> int:
    args = parser().parse_args(argv)
    try:
        words = _inputs(args.inputs)
        dumps, code = _read(words)
    except dump.NoInput as e:
        _complain(*e.problems)
        return os.EX_NOINPUT
    if code != os.EX_OK:
        _complain(f"{args.output} is not written")
        return code
    devices = device.devices(dumps)
    try:
        write(args.output, page.render(devices))
    except OSError as e:
        _complain(f"{args.output}: {e.strerror}")
        return os.EX_CANTCREAT
    console = Console(highlight=False, soft_wrap=not sys.stdout.isatty())
    summary.show(devices, console)
    print(f"{args.output}: {args.output.stat().st_size / 1e6:.1f} MB, opens in any browser")
    return os.EX_OK
