# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""The story of `make demo`: its figures against the published ones, and the trim as the repair.

The determinism of a story is tested by its two phones, which demo.result() compares until they
diverge, and by test_run.py.
"""

from __future__ import annotations

import pytest

from labtool import demo
from labtool.bench import seeds
from labtool.paths import OUT


@pytest.fixture(scope="module")
def stories() -> dict[str, demo.Story]:
    return demo.run_phones()


@pytest.fixture(scope="module")
def rows(stories: dict[str, demo.Story]) -> dict[str, dict]:
    return {row["state"]: row for row in demo.result(stories)["rows"]}


def fills(rows: dict[str, dict], column: str) -> float:
    return sum(rows[f"fill{i}"][column] for i in (1, 2, 3)) / 3


@pytest.mark.parametrize("column", demo.COLUMNS)
def test_a_new_phone_is_as_fast_as_published(rows: dict[str, dict], column: str) -> None:
    published = rows["fresh"]["seed"][column]
    assert rows["fresh"][column] == pytest.approx(published, rel=0.10)


def test_a_full_phone_is_slow(rows: dict[str, dict]) -> None:
    assert fills(rows, "seq_write") <= 0.20 * rows["fresh"]["seq_write"]
    assert fills(rows, "rand_write") <= 0.35 * rows["fresh"]["rand_write"]


@pytest.mark.parametrize("column", demo.COLUMNS)
def test_maintenance_makes_it_new(rows: dict[str, dict], column: str) -> None:
    assert rows["after"][column] >= 0.95 * rows["fresh"][column]


def test_without_the_trim_it_stays_slow(rows: dict[str, dict]) -> None:
    assert rows["after_no_trim"]["rand_write"] < 0.35 * rows["fresh"]["rand_write"]


def test_accuracy_md_has_these_figures(rows: dict[str, dict]) -> None:
    cells = seeds.story_cells(rows)
    generated = OUT / "tests/accuracy.md"
    generated.parent.mkdir(parents=True, exist_ok=True)
    generated.write_text(seeds.accuracy(cells))
    assert len(cells) == 20
    assert seeds.drifted(cells) == [], generated


def test_both_partitions_were_trimmed(stories: dict[str, demo.Story]) -> None:
    assert set(stories["trim"].trimmed) == {"/data", "/cache"}
    assert all(stories["trim"].trimmed.values())
    assert not stories["none"].trimmed


def test_the_log_has_the_lines_of_old(stories: dict[str, demo.Story]) -> None:
    log = "\n".join(stories["trim"].log)
    assert "Starting fstrim work..." in log
    assert "Invoking FITRIM ioctl on /cache" in log
    assert "Finished fstrim work." in log


def test_the_dump_begins_with_the_remaining_life(stories: dict[str, demo.Story]) -> None:
    assert "% left" in stories["trim"].dump[0]
