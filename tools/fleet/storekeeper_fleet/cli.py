# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""`storekeeper-fleet`: dumps of many devices in, one page and its tables out."""

from __future__ import annotations

import argparse
import dataclasses
import json
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import duckdb
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from storekeeper_report.command import Parser
from storekeeper_report.dump import NoInput
from storekeeper_report.output import STDOUT, write

from . import engine, openmetrics, output
from .base import base
from .dataset import Dataset, DatasetError
from .engine import Engine, EngineError, QueryError
from .ingest import ingest
from .queries import QUERIES, Answers
from .troubles import TROUBLES

Advance = Callable[[int, int], None]


def parser() -> argparse.ArgumentParser:
    top = Parser(
        prog="storekeeper-fleet",
        description="What a fleet of devices reports about its flash: replacements to expect, "
        "endurance by chip firmware, writers, builds, trims.")
    sub = top.add_subparsers(dest="command", required=True, metavar="COMMAND")
    add = sub.add_parser("ingest", help="read dumps into a data set")
    add.add_argument("inputs", nargs="+", metavar="INPUT",
                     help="outputs of `dumpsys storekeeper --json`, bug reports, archives and "
                     "folders of them")
    add.add_argument("--to", type=Path, required=True, metavar="DATASET", help="a folder")
    add.set_defaults(do=_ingest)
    add = sub.add_parser("report", help="draw the page")
    _add_data(add)
    add.add_argument("-o", "--output", type=Path, default=Path("fleet.html"), metavar="FILE",
                     help="the page (default: %(default)s)")
    add.set_defaults(do=_report)
    add = sub.add_parser(
        "query", help="print one table",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="queries:\n" + "\n".join(f"  {name:14}{q.about}" for name, q in QUERIES.items()))
    _add_data(add)
    add.add_argument("name", nargs="?", choices=QUERIES, metavar="NAME",
                     help="of the queries below")
    add.add_argument("--sql", metavar="TEXT",
                     help="in the engine's SQL, of samples, configs and rejects")
    add.add_argument("--format", choices=output.FORMATS, default="csv",
                     help="default: %(default)s")
    add.add_argument("-o", "--output", type=Path, default=STDOUT, metavar="FILE",
                     help="default: standard output, %(default)s")
    add.add_argument("--openmetrics", type=Path, metavar="FILE",
                     help="the head figures for a Prometheus textfile collector")
    add.set_defaults(do=_query)
    add = sub.add_parser(
        "simulate", help="make the data set of a fleet of known truth",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="troubles:\n" + "\n".join(f"  {name:16}{x}" for name, x in TROUBLES.items()))
    add.add_argument("--devices", type=_count, required=True, metavar="N")
    add.add_argument("--months", type=_count, default=12, metavar="M", help="default: %(default)s")
    add.add_argument("--seed", type=int, default=1, metavar="S", help="default: %(default)s")
    add.add_argument("--plant", action="append", default=[], choices=("firmware", "app", "build"),
                     help="a firmware of 1.7 times the wear, an app that writes, a build that "
                     "helps")
    add.add_argument("--trouble", action="append", default=[], choices=TROUBLES, metavar="TROUBLE",
                     help="one of the troubles below; may be given several times")
    add.add_argument("--to", type=Path, required=True, metavar="DATASET",
                     help="a folder that does not exist yet")
    add.add_argument("--truth", type=Path, metavar="FILE", help="what the data set cannot know")
    add.set_defaults(do=_simulate)
    return top


def _count(text: str) -> int:
    value = int(text)
    if value < 1:
        raise argparse.ArgumentTypeError(f"{text}: give 1 or more")
    return value


def _add_data(add: argparse.ArgumentParser) -> None:
    add.add_argument("dataset", type=Path, metavar="DATASET")
    add.add_argument("--engine", choices=engine.ENGINES, default="duckdb",
                     help="who computes (default: %(default)s)")
    add.add_argument("--master", default=engine.LOCAL, metavar="URL",
                     help="of Spark: a cluster's master (default: this machine, %(default)s)")
    add.add_argument("--conf", action="append", default=[], metavar="KEY=VALUE",
                     help="of Spark: an option of its own")
    add.add_argument("--memory", type=_count, default=engine.MEMORY_MIB, metavar="MIB",
                     help="of the engine; the rest goes to a temporary folder, in TMPDIR "
                     "(default: %(default)s)")


def _complain(*lines: str) -> None:
    for line in lines:
        print(f"storekeeper-fleet: {line}", file=sys.stderr)


@contextmanager
def _progress(what: str, unit: str) -> Iterator[Advance]:
    """A progress bar, on terminals only."""
    console = Console(stderr=True)
    with Progress(TextColumn(what), BarColumn(), MofNCompleteColumn(), TextColumn(unit),
                  TimeRemainingColumn(), console=console, transient=True,
                  disable=not console.is_terminal) as bar:
        task = bar.add_task(what, total=None)
        yield lambda done, of: bar.update(task, completed=done, total=of)


def _ingest(args: argparse.Namespace) -> int:
    try:
        with _progress("reading", "files") as advance:
            summary = ingest(args.inputs, args.to, advance=advance)
    except NoInput as e:
        _complain(str(e))
        return os.EX_NOINPUT
    print(f"{args.to}: {summary.new} new, {summary.known} known, {summary.rejected} refused")
    if summary.rejected:
        _complain(f"{summary.rejected} of {summary.inputs} inputs are refused; `storekeeper-fleet "
                  f"query {args.to} rejects` prints why")
        return os.EX_DATAERR
    return os.EX_OK


def _started(args: argparse.Namespace) -> AbstractContextManager[Engine]:
    return engine.start(args.engine, Dataset(args.dataset), args.master, args.memory,
                        tuple(args.conf))


@contextmanager
def _answers(args: argparse.Namespace) -> Iterator[Answers]:
    with _started(args) as started:
        yield Answers(base(started))


def _report(args: argparse.Namespace) -> int:
    from . import page
    with _progress("computing", "tables") as advance:
        advance(0, len(QUERIES))
        with _answers(args) as answers:
            found = answers.every(advance)
    write(args.output, page.render(found))
    if args.output.is_file():
        print(f"{args.output}: {args.output.stat().st_size / 1e6:.1f} MB, opens in any browser")
    return os.EX_OK


def _query(args: argparse.Namespace) -> int:
    if not (args.name or args.sql or args.openmetrics):
        _complain("query: give a NAME, --sql TEXT or --openmetrics FILE")
        return os.EX_USAGE
    if args.sql and (args.name or args.openmetrics):
        _complain("query: --sql stands alone")
        return os.EX_USAGE
    if args.sql:
        with _started(args) as started:
            return _put(args, started.sql(args.sql))
    with _answers(args) as answers:
        if args.openmetrics:
            write(args.openmetrics, openmetrics.render(answers.every()))
        return _put(args, answers.rows(args.name)) if args.name else os.EX_OK


def _put(args: argparse.Namespace, rows: list[output.Row]) -> int:
    write(args.output, output.encode(rows, args.format))
    return os.EX_OK


def _simulate(args: argparse.Namespace) -> int:
    from .simulate import simulate
    if args.to.exists() and any(args.to.iterdir()):
        _complain(f"{args.to}: not empty; give a folder that does not exist yet")
        return os.EX_CANTCREAT
    with _progress("simulating", "devices") as advance:
        truth = simulate(args.devices, args.months, args.seed, args.to, args.plant, advance,
                         tuple(args.trouble))
    if args.truth:
        write(args.truth, json.dumps(dataclasses.asdict(truth), indent=1) + "\n")
    print(f"{args.to}: {truth.rows} rows of {args.devices} devices")
    return os.EX_OK


# The packages whose exceptions say that a data set cannot be read or computed.
LIBRARIES = ("duckdb", "_duckdb", "pyarrow", "pyspark", "py4j")


def _failed(args: argparse.Namespace, error: Exception) -> int:
    """Why the engine gave up."""
    folder = getattr(args, "dataset", None) or args.to
    damaged = Dataset(folder).damaged()
    if damaged:
        _complain(*(f"{x}: damaged, its content is not what it was named after; remove it and "
                    "ingest the same inputs again" for x in damaged))
        return os.EX_NOINPUT
    first = (str(error).strip().splitlines() or [type(error).__name__])[0]
    if isinstance(error.__cause__ or error, duckdb.OutOfMemoryException):
        _complain(f"--memory {args.memory}: too little for this data set; give more MiB ({first})")
        return os.EX_UNAVAILABLE
    _complain(first)
    return os.EX_USAGE if isinstance(error, QueryError) else os.EX_UNAVAILABLE


def main(argv: list[str] | None = None) -> int:
    args = parser().parse_args(argv)
    try:
        return args.do(args)
    except (DatasetError, EngineError) as e:
        _complain(str(e))
        return os.EX_NOINPUT if isinstance(e, DatasetError) else os.EX_UNAVAILABLE
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return os.EX_OK
    except KeyboardInterrupt:
        _complain("interrupted; the same command goes on")
        return 130
    except Exception as e:
        # Some of Arrow's are an OSError without a number.
        if isinstance(e, OSError) and e.errno is not None:
            _complain(f"{e.filename or 'output'}: {e.strerror}")
            return os.EX_CANTCREAT
        if isinstance(e, (QueryError, OSError)) or type(e).__module__.split(".")[0] in LIBRARIES:
            return _failed(args, e)
        raise
