# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""The benchmark's part "any": what is drawn, what must hold of it, one card in a guest."""

from __future__ import annotations

import copy
from pathlib import Path

import pytest

from labtool import bench_image, bench_maintenance, bench_phone
from labtool.bench_any import bounds, draw, task


def side(p50: float, p99: float, most: float) -> dict[str, float]:
    return {"p50_ms": p50, "p90_ms": p99, "p99_ms": p99, "max_ms": most}


def case(of: dict, duration: float, discarded: int = 1000) -> dict:
    return {"read": of, "write": copy.deepcopy(of), "duration_ms": duration,
            "discarded_bytes": discarded}


def good() -> dict:
    """A card on which every bound just holds: a discard takes 2 ms, with 1 MiB."""
    cases = {
        "alone": case(side(1, 2, 3), 10000, 0),
        "fstrim": case(side(20, 200, 500), 2000),
        "storekeeper": case(side(1.1, 20, 33), 12300, 990),
        "hurry": case(side(5, 30, 30), 3100),
    }
    return {
        "name": "any-1", "seed": 1,
        "card": {"fixed_us": 1000, "per_mib_us": 1000, "granularity_kib": 512, "program_us": 300,
                 "ftl": "page"},
        **task.ratios(cases),
        "repeat_discarded_bytes": 0, "discard_kib": 1024, "discard_ms": 2.0, "binds": {},
        "cases": cases,
    }


def test_what_just_holds_is_not_broken() -> None:
    assert bounds.broken([good()]) == []
    assert bounds.binds(good()) == []


@pytest.mark.parametrize(("path", "value", "said"), [
    (("storekeeper", "read", "p99_ms"), 20.1, "any-1: read p99_ms 20.1 > 20"),
    (("storekeeper", "write", "p99_ms"), 20.1, "any-1: write p99_ms"),
    (("storekeeper", "read", "p50_ms"), 1.11, "any-1: read p50_ms"),
    (("storekeeper", "write", "max_ms"), 33.1, "any-1: write max_ms"),
    (("storekeeper", "duration_ms"), 12301, "any-1: duration_ms"),
    (("hurry", "duration_ms"), 3101, "any-1: hurry's duration_ms"),
])
def test_what_does_not_hold_is_named(path: tuple[str, ...], value: float, said: str) -> None:
    entry = good()
    of = entry["cases"]
    for key in path[:-1]:
        of = of[key]
    of[path[-1]] = value
    broken = bounds.broken([entry])
    assert len(broken) == 1
    assert broken[0].startswith(said)


@pytest.mark.parametrize(("key", "value"), [
    ("discarded_ratio", 0.989), ("discarded_ratio", 1.011), ("repeat_discarded_bytes", 1)])
def test_counts_that_do_not_hold_are_named(key: str, value: float) -> None:
    broken = bounds.broken([{**good(), key: value}])
    assert len(broken) == 1
    assert key in broken[0]


def test_one_discard_may_be_more_than_a_tenth_of_fstrims_stall() -> None:
    entry = good()
    entry["cases"]["fstrim"] = case(side(2, 10, 20), 2000)
    entry["cases"]["storekeeper"] = case(side(1.1, 4, 33), 12300, 990)
    assert bounds.broken([entry]) == []
    entry["discard_ms"] = 1.9
    assert len(bounds.broken([entry])) == 2


def test_what_binds_is_reported_where_no_size_keeps_the_budget() -> None:
    entry = good()
    entry["card"]["fixed_us"] = 5000
    entry["binds"] = {"storekeeper": "a discard of 512 KiB takes 5 ms"}
    entry["cases"]["storekeeper"] = case(side(9, 90, 90), 99000, 990)
    assert bounds.broken([entry]) == []
    reported = bounds.binds(entry)
    assert len(reported) == 1
    assert "5.55 ms, more than the 5 ms of storekeeper" in reported[0]
    assert "a discard of 512 KiB takes 5 ms" in reported[0]
    assert reported[0] in bounds.table([entry])[-1]
    # In a hurry 8 ms are allowed.
    entry["cases"]["hurry"]["duration_ms"] = 3101
    assert len(bounds.broken([entry])) == 1


def test_the_table_has_the_worst_and_the_median() -> None:
    entries = [{**good(), "name": f"any-{i}", "hurry_ratio": i, "discarded_ratio": ratio}
               for i, ratio in ((1, 1.0), (2, 0.98), (6, 1.01))]
    lines = bounds.table(entries)
    assert next(x for x in lines if x.startswith("hurry_ratio")).split()[1:] == ["2", "6", "any-6"]
    assert next(x for x in lines if x.startswith("discarded_ratio")).split()[1:] == [
        "1", "0.98", "any-2"]


def test_a_card_whose_units_no_extent_holds_is_reported_and_not_compared() -> None:
    entry = good()
    entry["cases"]["fstrim"] = case(side(1, 1, 1), 10, 0)
    entry.update(task.ratios(entry["cases"]))
    assert entry["discarded_ratio"] is None
    assert bounds.broken([entry]) == []
    assert bounds.table([entry])[-1] == (
        "not compared: any-1: no free extent holds a unit of 512 KiB, fstrim discards nothing")
    # It takes nothing from the others' table, and a second pass is still one that does nothing.
    other = {**good(), "name": "any-2"}
    assert bounds.table([entry, other])[1].split()[1:] == bounds.table([other])[1].split()[1:]
    entry["repeat_discarded_bytes"] = 1
    assert len(bounds.broken([entry])) == 1


def test_a_seed_draws_the_same_again_and_another_one_others() -> None:
    first = [draw.drawn(name) for name in draw.names()]
    assert len(first) == draw.CARDS == 24
    assert first == [draw.drawn(name) for name in draw.names()]
    assert not {x.card for x in first} & {draw.drawn(name, 2).card for name in draw.names()}


def test_what_is_drawn_covers_the_ranges() -> None:
    drawn = [draw.drawn(name, seed) for seed in range(20) for name in draw.names()]
    for of, limits in ((lambda x: x.card.fixed_us, draw.FIXED_US),
                       (lambda x: x.card.program_us, draw.PROGRAM_US),
                       (lambda x: x.image.free, draw.FREE)):
        values = [of(x) for x in drawn]
        low, high = limits
        assert low <= min(values) < 1.1 * low
        assert 0.9 * high < max(values) <= high
    assert {x.card.granularity_kib for x in drawn} == set(draw.GRANULARITY_KIB)
    assert {x.card.ftl for x in drawn} == {"page", "hybrid"}
    assert {(x.image.fs, x.image.extents) for x in drawn} == {
        (fs, extents) for fs in ("ext4", "f2fs") for extents in draw.EXTENTS}
    assert min(x.card.per_mib_us for x in drawn) == 0
    assert {x.cases[2] for x in drawn} == {"storekeeper", "hurry"}


def test_an_image_frees_what_it_shall() -> None:
    for name in draw.names():
        drawn = draw.drawn(name)
        files = bench_image.plan(drawn.image.plan_mib, **drawn.plan)
        free = sum(x.kib for x in files if not x.kept) / sum(x.kib for x in files)
        assert free == pytest.approx(drawn.image.free, abs=0.15)


def test_names_choose_cards() -> None:
    assert bench_maintenance.expand(["days", "any"]) == ["days", *draw.names()]
    names = [x.phone.name for x in bench_maintenance.tasks(["any-3", "any-20"], seed=7)]
    assert names == ["any-3", "any-20"]


def test_a_card_in_a_guest(tmp_path: Path) -> None:
    """A small one: what is measured has the keys that the bounds ask for."""
    card = draw.Card(fixed_us=500, per_mib_us=2000, granularity_kib=512, program_us=200,
                     ftl="page")
    image = draw.Image(fs="f2fs", free=0.5, extents="small", capacity_mib=530)
    drawn = draw.Drawn("any-1", 1, card, image, hurry_first=True)
    phone = bench_phone.Phone("any-1", lambda _: None)
    measured = task.AnyCard(drawn, phone, bench_maintenance.latencies, tmp_path,
                            most_runs=2)
    bench_phone.run([measured])
    figures: dict = {"any": [{**good(), "name": "any-2"}]}
    measured.into(figures)
    entry = figures["any"][0]
    assert [x["name"] for x in figures["any"]] == ["any-1", "any-2"]
    assert entry["discarded_ratio"] == pytest.approx(1, abs=0.01)
    assert entry["repeat_discarded_bytes"] == 0
    # Short runs are repeated.
    assert {case: of["runs"] for case, of in entry["cases"].items()} == {
        "alone": 1, "fstrim": 2, "storekeeper": 2, "hurry": 2}
    assert entry["discard_kib"] >= 512
    assert bounds.table(figures["any"])
    assert {x.split(":")[0] for x in bounds.broken([entry])} <= {"any-1"}
