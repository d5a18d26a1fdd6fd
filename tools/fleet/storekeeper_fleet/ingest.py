# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""Dumps into a data set, a batch after the other.

A batch is a fixed number of inputs in their order. Its files hold what of it the data set does not
have yet, one for each month. An ingest that is done again therefore writes nothing that is there
and exactly what is missing, whenever the first was killed.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
from storekeeper_report import inputs
from storekeeper_report.inputs import Found

from . import rows
from .dataset import CONFIGS, REJECTS, SAMPLES, Dataset, writing
from .rows import Row

BATCH = 16_384


@dataclass
class Taken:
    """The results of some inputs."""

    samples: list[Row] = field(default_factory=list)
    configs: dict[int, Row] = field(default_factory=dict)
    rejects: list[Row] = field(default_factory=list)
    inputs: int = 0

    def add(self, found: Found) -> None:
        """The input as a row or as rejects."""
        self.inputs += 1
        try:
            if found.problem:
                raise rows.Refused(("", found.problem))
            sample, config = rows.of_dump(rows.checked(found.name, found.json))
        except rows.Refused as e:
            self.rejects += [{"file": found.name, "key": key, "reason": reason}
                             for key, reason in e.problems]
            return
        self.samples.append(sample)
        self.configs[config["config"]] = config


@dataclass
class Summary:
    """Counts of one ingest."""

    inputs: int = 0
    new: int = 0
    known: int = 0
    rejected: int = 0


def month_of(wall_s: int) -> str:
    return f"{datetime.fromtimestamp(wall_s, UTC):%Y-%m}"


class Writer:
    """Adds rows to a data set that does not have them."""

    def __init__(self, dataset: Dataset) -> None:
        self._dataset = dataset
        self._sql = duckdb.connect()
        self._sql.execute("SET threads = 1; SET preserve_insertion_order = true")
        self._configs = {x for file in dataset.files(CONFIGS)
                         for x in pq.read_table(file, columns=["config"])["config"].to_pylist()}

    def add(self, taken: Taken) -> int:
        """One batch; how many samples were new. Rows come last: what they refer to is there."""
        configs = [taken.configs[x] for x in sorted(taken.configs) if x not in self._configs]
        if configs:
            self._dataset.put(CONFIGS, pa.Table.from_pylist(configs, rows.tables()[CONFIGS]))
            self._configs |= {x["config"] for x in configs}
        months: dict[str, list[Row]] = defaultdict(list)
        for sample in taken.samples:
            months[month_of(sample["wall_s"])].append(sample)
        new = 0
        for month in sorted(months):
            new += self._put(SAMPLES, months[month], ("chip", "wall_s"), month)
        if taken.rejects:
            self._put(REJECTS, taken.rejects, ("file",))
        return new

    def _put(self, table: str, given: list[Row], keys: tuple[str, ...], month: str = "") -> int:
        """Those that differ from every row that is there. `keys` are what is compared first."""
        batch = pa.Table.from_pylist(given, rows.tables()[table])
        self._sql.register("batch", batch)
        files = self._dataset.files(table, month)
        known = ""
        if files:
            self._sql.execute(
                f"CREATE OR REPLACE TEMP TABLE near AS SELECT DISTINCT {', '.join(keys)} FROM "
                f"read_parquet({files!r}, hive_partitioning = false) SEMI JOIN batch "
                f"USING ({', '.join(keys)})")
            columns = ", ".join(batch.column_names)
            if self._sql.sql("SELECT * FROM near").fetchall():
                known = (f" EXCEPT SELECT {columns} FROM read_parquet({files!r}, "
                         f"hive_partitioning = false) SEMI JOIN near USING ({', '.join(keys)})")
        new = self._sql.sql(
            f"SELECT * FROM (SELECT DISTINCT * FROM batch{known}) ORDER BY ALL").to_arrow_table()
        self._sql.unregister("batch")
        if new.num_rows:
            self._dataset.put(table, new, month)
        return new.num_rows


def ingest(words: list[str], folder: Path, batch: int = BATCH,
           advance: Callable[[int, int], None] = lambda done, of: None) -> Summary:
    """Everything that `words` mean. `advance` is given how many files are done, of how many."""
    every = inputs.every(words, folder, advance)
    summary = Summary()
    with writing(folder) as dataset:
        writer = Writer(dataset)
        waiting = Taken()

        def put() -> None:
            nonlocal waiting
            new = writer.add(waiting)
            summary.inputs += waiting.inputs
            summary.new += new
            summary.known += len(waiting.samples) - new
            summary.rejected += len({x["file"] for x in waiting.rejects})
            waiting = Taken()

        for found in every:
            waiting.add(found)
            if waiting.inputs >= batch:
                put()
        put()
    return summary
