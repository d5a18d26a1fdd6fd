# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""The maintenance benchmark's cards: drawing, reading of logs, bounds, one card in a guest."""

from __future__ import annotations

import copy
import json
from dataclasses import asdict

import pytest

from labtool.bench import ageing, cards, guests, judge, maintenance
from labtool.paths import LabError

DRAWN = cards.names()


def side(p50: float, p99: float, most: float, late: float = 0) -> dict[str, float]:
    return {"late_per_mille": late, "p50_ms": p50, "p99_ms": p99, "max_ms": most}


def case(times: dict, **more: float) -> dict:
    return {"read": times, "write": copy.deepcopy(times), **more}


def good_card(name: str = "dear") -> dict:
    """A card on which every bound just holds: the smallest discard takes 1.55 ms."""
    return {
        "name": name,
        "card": {"fixed_us": 1000, "per_mib_us": 1000, "granularity_kib": 512, "program_us": 300,
                 "ftl": "page"},
        "image": asdict(cards.PHONE),
        "alone": case(side(1, 2, 3)),
        "fstrim": case(side(20, 200, 500, 100), duration_ms=3000),
        "storekeeper": case(side(1.1, 18.7, 36.4, 2), duration_ms=18000, discarded_ratio=0.99,
                            repeat_discarded_bytes=0),
        "hurry": case(side(5, 30, 60, 50), duration_ms=7000, discarded_ratio=1.01),
    }


def good() -> dict:
    return {
        "cards": [good_card("dear"), good_card("any-1")],
        "abort_ms": {"median": 1.0, "max": 560.0},
        "days": {"runs": 29, "missed_deadlines": 0, "runs_with_closed_gate": 0,
                 "wakeups_per_hour_max": 4, "cpu_s_per_day": 1.0, "written_bytes_per_day": 131072,
                 "pss_kib": 4096},
        "seed": 1,
    }


ALL = ["days", "dear", "abort", "any-1"]


def test_figures_at_the_limits_hold() -> None:
    assert judge.violations(good(), ALL) == []


@pytest.mark.parametrize(("path", "value", "line"), [
    (("storekeeper", "read", "p50_ms"), 1.11, "any-1: read p50_ms 1.11 > 1.1 (1.1 x alone's)"),
    (("storekeeper", "write", "p99_ms"), 18.8, "any-1: write p99_ms 18.8 > 18.7 (alone's"),
    (("storekeeper", "read", "max_ms"), 36.5, "any-1: read max_ms 36.5 > 36.4 (alone's"),
    (("storekeeper", "duration_ms"), 18100, "any-1: duration_ms 18100 > 18000 (6 x"),
    (("hurry", "duration_ms"), 7100, "any-1: hurry's duration_ms 7100 > 7000 (2 x"),
    (("storekeeper", "discarded_ratio"), 0.989, "any-1: storekeeper's discarded_ratio is off"),
    (("hurry", "discarded_ratio"), 1.011, "any-1: hurry's discarded_ratio is off 1 by 0.011 >"),
    (("storekeeper", "repeat_discarded_bytes"), 1, "any-1: repeat_discarded_bytes 1 > 0"),
    # A pass without an I/O has no percentiles.
    (("storekeeper", "read"), {}, "any-1: read p50_ms - > 1.1"),
])
def test_each_bound_of_a_card(path: tuple[str, ...], value: object, line: str) -> None:
    figures = good()
    parent = figures["cards"][1]
    for key in path[:-1]:
        parent = parent[key]
    parent[path[-1]] = value
    assert judge.violations(figures, ALL)[0].startswith(line)
    assert judge.violations(figures, ["days", "dear", "abort"]) == []


@pytest.mark.parametrize(("part", "key", "value", "line"), [
    ("abort_ms", "median", 1.1, "abort: median ms"),
    ("abort_ms", "max", 561, "abort: max ms 561 > 560 (fstrim's longest stall on dear + 60 ms)"),
    ("days", "missed_deadlines", 1, "days: missed_deadlines"),
    ("days", "runs_with_closed_gate", 1, "days: runs_with_closed_gate"),
    ("days", "wakeups_per_hour_max", 5, "days: wakeups_per_hour_max"),
    ("days", "cpu_s_per_day", 1.01, "days: cpu_s_per_day"),
    ("days", "written_bytes_per_day", 131073, "days: written_bytes_per_day"),
    ("days", "pss_kib", 4097, "days: pss_kib"),
    ("days", "runs", 0, "days: days without a run"),
])
def test_each_bound_of_aborts_and_days(part: str, key: str, value: float, line: str) -> None:
    figures = good()
    figures[part][key] = value
    violations = judge.violations(figures, ALL)
    assert len(violations) == 1
    assert violations[0].startswith(line)


def test_an_abort_has_no_limit_without_the_dear_card() -> None:
    figures = {**good(), "cards": []}
    assert "dear, not measured," in judge.violations(figures, ["abort"])[0]


def test_any_run_may_take_15_s() -> None:
    figures = good()
    card = figures["cards"][1]
    card["fstrim"]["duration_ms"] = 300
    card["hurry"]["duration_ms"] = 1600
    card["storekeeper"]["duration_ms"] = 15000
    assert judge.violations(figures, ALL) == []


@pytest.mark.parametrize(("part", "key", "value", "why"), [
    ("card", "fixed_us", 5000, "its smallest discard takes 5.55 ms"),
    ("alone", "write", side(1, 18, 20, 12), "alone, 12 of 1000 writes are late"),
    ("hurry", "discarded_ratio", None, "no free extent holds a unit of 512 KiB"),
])
def test_a_card_with_another_limit_is_reported_and_not_judged(part: str, key: str, value: object,
                                                              why: str) -> None:
    figures = good()
    card = figures["cards"][1]
    card["storekeeper"] = case(side(9, 90, 90, 200), duration_ms=99000, discarded_ratio=1,
                               repeat_discarded_bytes=0)
    assert len(judge.violations(figures, ALL)) == 7
    card[part][key] = value
    assert judge.violations(figures, ALL) == []
    assert any(f"any-1, no bounds: {why}" in x for x in judge.summary(figures))


def test_the_summary_has_the_worst_and_the_median_of_each_column() -> None:
    figures = good()
    figures["cards"] += [good_card("any-2"), good_card("any-3")]
    figures["cards"][2]["hurry"]["duration_ms"] = 3000
    figures["cards"][3]["hurry"]["duration_ms"] = 9000
    figures["cards"][2]["hurry"]["read"]["max_ms"] = 1234.5
    # fstrim ended before an I/O came.
    figures["cards"][2]["fstrim"]["write"] = {}
    lines = judge.summary(figures)
    assert "| worst of 3 drawn | hurry | 50/50 | 5/30/1230 | 5/30/60 | 3 |" in lines
    assert "| median of 3 drawn | hurry | 50/50 | 5/30/60 | 5/30/60 | 2.33 |" in lines
    assert "| median of 3 drawn | fstrim | 100/100 | 20/200/500 | 20/200/500 | 1 |" in lines
    assert not any("any-2" in x for x in lines)
    assert any(x.startswith("| any-2 | alone") for x in judge.summary(figures, ["any-2"]))
    assert judge.summary({"cards": []}) == judge.HEAD


def test_latencies_are_of_the_time_of_the_trim() -> None:
    # I/Os at 10 ms, 20 ms ...: one ended before the spans, some within, one began after.
    log = "\n".join(f"{at}, {took}, 0, 4096, 0" for at, took in (
        (10, 9_000_000), (20, 1_000_000), (40, 17_000_000), (41, 3_000_000), (60, 50_000)))
    found = maintenance.latencies(log, [(15_000_000, 45_000_000)])
    assert found == {"late_per_mille": 333.333, "p50_ms": 3.0, "p99_ms": 17.0, "max_ms": 17.0}
    # An I/O between two runs is in neither.
    found = maintenance.latencies(log, [(15_000_000, 20_000_000), (50_000_000, 70_000_000)])
    assert found == {"late_per_mille": 0, "p50_ms": 0.05, "p99_ms": 1.0, "max_ms": 1.0}
    assert maintenance.latencies(log, [(900_000_000, 950_000_000)]) == {}
    with pytest.raises(LabError):
        maintenance.latencies("", [(0, 1)])


def test_a_seed_draws_the_same_again_and_another_one_others() -> None:
    first = [cards.drawn(name) for name in DRAWN]
    assert len(first) == cards.CARDS == 24
    assert first == [cards.drawn(name) for name in DRAWN]
    assert not {x.card for x in first} & {cards.drawn(name, 2).card for name in DRAWN}
    # A seed must draw the same card in every version: figures of different versions are compared.
    assert first[2] == cards.Drawn(
        "any-3", 1, cards.Card(399, 1317, 512, 710, "page"),
        cards.Image("ext4", 0.49, "large", 4114), hurry_first=True)


def test_drawn_cards_cover_the_ranges() -> None:
    drawn = [cards.drawn(name, seed) for seed in range(20) for name in DRAWN]
    for read, limits in ((lambda x: x.card.fixed_us, cards.FIXED_US),
                         (lambda x: x.card.program_us, cards.PROGRAM_US),
                         (lambda x: x.image.free, cards.FREE)):
        values = [read(x) for x in drawn]
        low, high = limits
        assert low <= min(values) < 1.1 * low
        assert 0.9 * high < max(values) <= high
    assert {x.card.granularity_kib for x in drawn} == set(cards.GRANULARITY_KIB)
    assert {x.card.ftl for x in drawn} == {"page", "hybrid"}
    assert {(x.image.fs, x.image.extents) for x in drawn} == {
        (fs, extents) for fs in ("ext4", "f2fs") for extents in cards.EXTENTS}
    assert min(x.card.per_mib_us for x in drawn) == 0
    assert {x.cases[2] for x in drawn} == {"storekeeper", "hurry"}


@pytest.mark.parametrize("name", ["dear", *DRAWN])
def test_an_image_frees_its_share(name: str) -> None:
    drawn = cards.drawn(name)
    size = drawn.size()
    files = ageing.plan(size.plan_mib, **size.plan)
    free = sum(x.kib for x in files if not x.kept) / sum(x.kib for x in files)
    assert free == pytest.approx(drawn.image.free, abs=0.15)


def test_names_choose_tasks() -> None:
    assert maintenance.expand([]) == maintenance.NAMES
    assert maintenance.expand(["any", "days"]) == ["days", *DRAWN]
    assert maintenance.expand(["any-20", "any-3"]) == ["any-3", "any-20"]
    with pytest.raises(LabError, match="dear/fstrim"):
        maintenance.expand(["dear/fstrim"])


@pytest.mark.parametrize(("seed", "names"), [(1, ["dear", "any-1"]), (7, ["dear"])])
def test_parts_keep_the_rest(seed: int, names: list[str]) -> None:
    found = maintenance.kept(json.dumps(good()), seed)
    assert [x["name"] for x in found["cards"]] == names
    assert found["abort_ms"] == good()["abort_ms"]


def test_a_card_in_a_guest(tmp_path: object, monkeypatch: pytest.MonkeyPatch) -> None:
    """The card is small; fstrim is felt on it, storekeeper is not."""
    monkeypatch.setattr(maintenance, "LOGS", tmp_path)
    card = cards.Card(fixed_us=500, per_mib_us=5000, granularity_kib=512, program_us=200,
                      ftl="page")
    image = cards.Image(fs="f2fs", free=0.5, extents="small", capacity_mib=530)
    drawn = cards.Drawn("any-1", 1, card, image, hurry_first=True)
    task = maintenance.OneCard(drawn, guests.Phone("any-1", lambda _: None), most_runs=1)
    guests.run([task])
    figures = {"cards": [good_card("any-2")], "seed": 1}
    task.into(figures)
    assert [x["name"] for x in figures["cards"]] == ["any-1", "any-2"]
    entry = figures["cards"][0]
    assert entry.keys() == good_card().keys()
    assert all(entry[case].keys() == good_card()[case].keys() for case in judge.CASES)
    assert entry["fstrim"]["read"]["late_per_mille"] > 0
    assert judge.violations(figures, ["any-1"]) == []
