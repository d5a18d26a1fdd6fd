# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""DuckDB and Spark print the same."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Any

import ibis.expr.types as ir
import pytest
from conftest import SPARK
from storekeeper_fleet import base, cli, engine, output
from storekeeper_fleet.dataset import Dataset
from storekeeper_fleet.queries import QUERIES, Answers


def results(name: str, folder: Path) -> tuple[dict[str, str], list[dict[str, Any]]]:
    with engine.start(name, Dataset(folder), "local[1]", 1024, SPARK) as started:
        answers = Answers(base.base(started))
        return ({query: output.as_csv(answers.rows(query)) for query in QUERIES},
                started.sql("SELECT count(*) AS n, max(chip) AS c FROM samples"))


def test_every_query_is_the_same_bytes_on_both(planted: tuple[Path, dict[str, Any]]) -> None:
    by_duckdb, by_spark = results("duckdb", planted[0]), results("spark", planted[0])
    for query in QUERIES:
        assert by_duckdb[0][query] == by_spark[0][query], query
    assert by_duckdb[1] == by_spark[1]
    assert sum(text.count("\n") > 1 for text in by_duckdb[0].values()) == len(QUERIES) - 1


def test_a_large_fleet_that_goes_by_parts_has_the_same_results(
        planted: tuple[Path, dict[str, Any]], monkeypatch: pytest.MonkeyPatch) -> None:
    at_once = results("duckdb", planted[0])
    asked = []
    plain = engine.Engine.chips

    def chips(self: engine.Engine, first: int, last: int) -> ir.Table:
        asked.append((first, last))
        return plain(self, first, last)
    monkeypatch.setattr(engine.Engine, "chips", chips)
    monkeypatch.setattr(base, "PART_SAMPLES", 50_000)
    assert results("duckdb", planted[0]) == at_once
    # The last is for the course of the rates: of so few, all.
    *parts, sample = asked
    assert len(parts) == 3
    assert sample == (parts[0][0], parts[-1][1]) == (-1 << 63, (1 << 63) - 1)
    assert all(last + 1 == first for (_, last), (first, _) in pairwise(parts))


def test_no_query_is_written_twice() -> None:
    """Neither engine's SQL is in the package."""
    for file in Path(engine.__file__).parent.glob("*.py"):
        if file.name != "ingest.py":  # which finds what is there already
            assert "SELECT" not in file.read_text(), file.name


def test_spark_s_options_are_checked(planted: tuple[Path, dict[str, Any]],
                                     capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["query", str(planted[0]), "wear", "--engine", "spark", "--conf",
                     "no-option"]) == 69
    assert "no-option: give KEY=VALUE" in capsys.readouterr().err
