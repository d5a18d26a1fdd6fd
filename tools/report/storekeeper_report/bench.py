# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""Results of storekeeper_bench and its comparison of two. Medians, intervals and verdicts are those
that it reported: nothing is computed here a second time."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from .dump import DumpError, check_kind, check_schema, read_json

Row = dict[str, Any]

RESULT, COMPARISON = "storekeeper.bench", "storekeeper.bench_comparison"
# Names of the metrics in a comparison and in a result's summary.
METRICS = {"mb_per_s": "MB/s", "p50_ms": "p50", "p99_ms": "p99", "sync_p50_ms": "p50 of syncs"}
# Results are rounded to six digits.
ROUNDED = 1e-4


def check_result(name: str, value: Any) -> Row:
    check_kind(name, value, RESULT, "result of storekeeper_bench")
    return check_schema(name, value, "bench.schema.json")


def check_comparison(name: str, value: Any) -> Row:
    check_kind(name, value, COMPARISON, "comparison of two results")
    return check_schema(name, value, "bench_comparison.schema.json")


def read_result(word: str) -> Row:
    return check_result(word, read_json(word))


def read_comparison(word: str) -> Row:
    return check_comparison(word, read_json(word))


# The worst first.
LEVELS = ("invalid", "suspect", "note")


@dataclass(frozen=True)
class Reason:
    """A reason code of a figure, with how many of its repetitions have it."""

    code: str
    level: str
    text: str  # of the first
    count: int
    total: int


def reasons(figure: Row) -> list[Reason]:
    """Each of a level once, the worst level first, as storekeeper_bench's own table has it."""
    repetitions = figure["repetitions"]
    found: dict[tuple[str, str], list[str]] = {}
    for repetition in repetitions:
        here: dict[tuple[str, str], str] = {}
        for reason in repetition["reasons"]:
            here.setdefault((reason["level"], reason["code"]), reason["text"])
        for key, text in here.items():
            found.setdefault(key, []).append(text)
    return [Reason(code, level, texts[0], len(texts), len(repetitions))
            for (level, code), texts in sorted(found.items(), key=lambda x: LEVELS.index(x[0][0]))]


def typical(figure: Row) -> Row | None:
    """The repetition that stands for what has no summary: the middle one of those that count, of
    all when none does, as storekeeper_bench's own table has it."""
    rows = [x for x in figure["repetitions"] if x["verdict"] != "INVALID"] or figure["repetitions"]
    return rows[len(rows) // 2] if rows else None


def by_name(result: Row) -> dict[str, Row]:
    return {x["name"]: x for x in result["figures"]}


@dataclass(frozen=True)
class Pair:
    """A figure that both results have."""

    name: str
    before: Row
    after: Row
    suspect: bool
    problem: str  # why it is not compared
    metrics: dict[str, Row]


@dataclass(frozen=True)
class Bench:
    """One result, or two with what lies between them."""

    results: list[Row]
    pairs: list[Pair]

    @property
    def is_comparison(self) -> bool:
        return len(self.results) == 2

    @property
    def labels(self) -> list[str]:
        return ["Before", "After"] if self.is_comparison else ["Result"]

    @property
    def alone(self) -> list[tuple[str, list[str]]]:
        """Figures that only one of the two has."""
        if not self.is_comparison:
            return []
        before, after = (by_name(x) for x in self.results)
        found = [(label, [x for x in own if x not in other])
                 for label, own, other in (("before", before, after), ("after", after, before))]
        return [x for x in found if x[1]]


def one(result: Row) -> Bench:
    return Bench([result], [])


def two(before: Row, after: Row, comparison: Row, name: str) -> Bench:
    """An error when the comparison, `name`, is of other results or of these in the other order."""
    was, is_ = by_name(before), by_name(after)
    pairs, problems = [], []
    for row in comparison["figures"]:
        figure = row["name"]
        missing = [label for label, has in (("first", was), ("second", is_)) if figure not in has]
        if missing:
            problems.append(f"{name}: the {' and the '.join(missing)} result has no '{figure}'")
            continue
        pair = _pair(row, was[figure], is_[figure])
        problems += [f"{name}: {figure}: {x}" for x in _strange(pair)]
        pairs.append(pair)
    compared = {x["name"] for x in comparison["figures"]}
    problems += [f"{name}: '{x}' of both results is not in it" for x in was
                 if x in is_ and x not in compared]
    if problems:
        raise DumpError(problems[0], f"{name}: it is not the comparison of these two results in "
                        "this order; `storekeeper_bench compare BEFORE AFTER --json` makes it")
    order = list(was)
    return Bench([before, after], sorted(pairs, key=lambda x: order.index(x.name)))


def _pair(row: Row, before: Row, after: Row) -> Pair:
    problem = row["problem"]
    return Pair(row["name"], before, after, row["suspect"], problem,
                {} if problem else {k: v for k, v in row["metrics"].items() if k in METRICS})


def _strange(pair: Pair) -> Iterable[str]:
    """Medians that are not those of the results."""
    for metric, change in pair.metrics.items():
        for side, figure in (("before", pair.before), ("after", pair.after)):
            reported = (figure["summary"][metric] or {}).get("median")
            if reported is None or not math.isclose(reported, change[side], rel_tol=ROUNDED):
                yield (f"{metric} {side} is {change[side]:.6g}, the result says "
                       f"{'nothing of it' if reported is None else f'{reported:.6g}'}")
