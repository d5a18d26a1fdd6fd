# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""Query engines: DuckDB in this process, or Apache Spark. Both run the same expressions."""

from __future__ import annotations

import logging
import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import ibis
import ibis.expr.types as ir
import pyarrow as pa
import pyarrow.parquet as pq

from .dataset import CONFIGS, REJECTS, SAMPLES, Dataset
from .rows import tables

NAMES = (SAMPLES, CONFIGS, REJECTS)
ENGINES = ("duckdb", "spark")
LOCAL = "local[*]"
MEMORY_MIB = 1536


class EngineError(Exception):
    """Why it does not start, and what to do."""


class QueryError(Exception):
    """An error in SQL from the user."""


@dataclass
class Engine:
    """A connection and the tables of a data set."""

    connection: Any
    tables: dict[str, ir.Table]
    ask: Callable[[str], pa.Table]  # the engine's own SQL
    kept: list[Any] = field(default_factory=list)
    rows: list[ir.Table] = field(default_factory=list)  # of given(): views read them

    def run(self, expression: ir.Table) -> pa.Table:
        """The result, of the types that the expression says."""
        wanted = expression.schema().to_pyarrow()
        return self.connection.to_pyarrow(expression).cast(wanted)

    def keep(self, expression: ir.Table) -> ir.Table:
        """Computes a table that several queries use, once."""
        self.kept.append(expression.cache())
        return self.kept[-1]

    def given(self, name: str, rows: pa.Table) -> ir.Table:
        """A table of rows that this process has."""
        self.rows.append(ibis.memtable(rows))
        return self.connection.create_view(name, self.rows[-1], overwrite=True)

    def drop(self, kept: ir.Table) -> None:
        """Frees a table of keep()."""
        self.kept[:] = [x for x in self.kept if x is not kept]
        kept.release()

    def chips(self, first: int, last: int) -> ir.Table:
        """Samples of the chips in this range of their 64 bits."""
        return self.tables[SAMPLES].filter(ibis._.chip.between(first, last))

    def sql(self, text: str) -> list[dict[str, Any]]:
        """Rows of a query in the engine's own SQL over the tables."""
        try:
            return self.ask(text).to_pylist()
        except Exception as e:
            # Each engine has errors of its own.
            raise QueryError(f"--sql: {str(e).strip().splitlines()[0]}") from e

    def close(self) -> None:
        for table in self.kept:
            table.release()
        self.kept.clear()


@contextmanager
def _open(connection: Any, tables_: dict[str, ir.Table], ask: Callable[[str], pa.Table]
          ) -> Iterator[Engine]:
    engine = Engine(connection, tables_, ask)
    try:
        yield engine
    finally:
        engine.close()


@contextmanager
def duckdb(dataset: Dataset, memory_mib: int = MEMORY_MIB) -> Iterator[Engine]:
    """In this process; what does not fit into `memory_mib` goes to a folder of its own."""
    with tempfile.TemporaryDirectory(prefix="storekeeper-fleet.", dir=os.environ.get("TMPDIR")) \
            as folder:
        connection = ibis.duckdb.connect(f"{folder}/tables.duckdb", temp_directory=folder,
                                         memory_limit=f"{memory_mib}MiB",
                                         preserve_insertion_order=False)
        try:
            with _open(connection, {name: _duckdb_table(
                connection, _place(dataset, name, folder), name)
                                    for name in NAMES},
                       lambda text: connection.con.sql(text).to_arrow_table()) as engine:
                yield engine
        finally:
            connection.disconnect()


def _place(dataset: Dataset, name: str, folder: str) -> Path:
    """Paths of a table's files; for a table without any, an empty file in `folder`."""
    if dataset.files(name):
        return Path(dataset.folder, name).resolve()
    place = Path(folder, f"no-{name}")
    place.mkdir()
    pq.write_table(tables()[name].empty_table(), place / "none.parquet")
    return place


def _duckdb_table(connection: Any, place: Path, name: str) -> ir.Table:
    table = connection.read_parquet(f"{place}/**/*.parquet", table_name=name,
                                    hive_partitioning=False, union_by_name=False)
    return table.select(*tables()[name].names)


@contextmanager
def spark(dataset: Dataset, master: str = LOCAL, memory_mib: int = MEMORY_MIB,
          options: tuple[str, ...] = ()) -> Iterator[Engine]:
    """By the cluster's master, or in a JVM of this machine. `options`: KEY=VALUE of Spark's own."""
    try:
        from pyspark.sql import SparkSession
    except ImportError as e:
        raise EngineError("pyspark is not installed; `pip install 'storekeeper-fleet[spark]'`, or "
                          "use --engine duckdb") from e
    logging.getLogger("py4j").setLevel(logging.ERROR)
    with tempfile.TemporaryDirectory(prefix="storekeeper-fleet.", dir=os.environ.get("TMPDIR")) \
            as folder:
        conf = {"spark.ui.enabled": "false", "spark.ui.showConsoleProgress": "false",
                "spark.log.level": "ERROR", "spark.driver.memory": f"{memory_mib}m",
                "spark.sql.ansi.enabled": "false", "spark.sql.session.timeZone": "UTC",
                "spark.local.dir": folder, "spark.sql.warehouse.dir": f"{folder}/warehouse",
                **({"spark.sql.shuffle.partitions": "4"} if master.startswith("local") else {}),
                **dict(_option(x) for x in options)}
        builder = SparkSession.builder.master(master).appName("storekeeper-fleet")
        for key, value in conf.items():
            builder = builder.config(key, value)
        try:
            session = builder.getOrCreate()
        except Exception as e:
            raise EngineError("Spark does not start; it needs Java 17 (Debian: apt install "
                              f"default-jre-headless): {str(e).splitlines()[0]}") from e
        try:
            connection = ibis.pyspark.connect(session)
            with _open(connection, {name: _spark_table(
                connection, _place(dataset, name, folder), name)
                                    for name in NAMES},
                       lambda text: session.sql(text).toArrow()) as engine:
                yield engine
        finally:
            session.stop()


def _option(text: str) -> tuple[str, str]:
    key, equals, value = text.partition("=")
    if not equals:
        raise EngineError(f"{text}: give KEY=VALUE, an option of Spark")
    return key, value


def _spark_table(connection: Any, place: Path, name: str) -> ir.Table:
    # It finds month= by itself, which the rows do not need.
    return connection.read_parquet(str(place), table_name=name).select(*tables()[name].names)


@contextmanager
def start(name: str, dataset: Dataset, master: str = LOCAL, memory_mib: int = MEMORY_MIB,
          options: tuple[str, ...] = ()) -> Iterator[Engine]:
    with (spark(dataset, master, memory_mib, options) if name == "spark"
          else duckdb(dataset, memory_mib)) as engine:
        yield engine
