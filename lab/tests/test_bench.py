# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""Trims that are ended, the soak's judges and the month: on tables, and in short runs of guests."""

from __future__ import annotations

import json

import pytest

from labtool.bench import (
    ageing,
    campaigns,
    days,
    guests,
    judge,
    ledger,
    maintenance,
    moments,
    soak,
)
from labtool.bench.days import HOUR, World
from labtool.paths import LabError


def test_the_plan_is_the_same_everywhere() -> None:
    plan = ageing.plan()
    assert plan == ageing.plan()
    assert plan[0] == ageing.File(192, False)
    kib = sum(f.kib for f in plan)
    assert kib == ageing.TOTAL_MIB * 1024
    assert 0.58 < sum(f.kib for f in plan if not f.kept) / kib < 0.61
    assert all(f.kib % 4 == 0 for f in plan)


# --- trims that were ended

DISK = f"@disk 2048 {4 * moments.GROUP_SECTORS}"


def test_an_ended_trim_is_timed_from_the_call_of_the_daemon() -> None:
    reported = moments.read([
        DISK, "@anew", "@run 1", "@b 0.5", "@i 1.0 2048 1024", "@m 1.001", "@b 1.002",
        "@c 1.004 2048 1024", "@i 1.004 3072 1024", "@c 1.009 3072 1024", "@end 72",
        "@run 2", "@m 3.0", "@end 72", "@held 8"])
    assert reported.held == 8
    assert [r.code for r in reported.runs] == [72, 72]
    assert moments.stop_ms(reported) == {"median": 3.5, "max": 7.0}
    # Both discards belong to the extent in flight.
    assert moments.last_extent_ms(reported) == 0.0


@pytest.mark.parametrize(("begins", "violations"), [
    # The discard comes while the stop is on its way, or after its latest arrival.
    (1.006, 0), (1.060, 0), (1.062, 1),
])
def test_no_extent_begins_when_the_stop_has_arrived(begins: float, violations: int) -> None:
    reported = moments.read([
        DISK, "@run 1", "@i 1.0 2048 1024", "@m 1.001", "@c 1.005 2048 1024",
        f"@i {begins} 9216 1024", f"@c {begins + 0.1} 9216 1024",
        f"@i {begins + 0.1} 10240 1024", f"@c {begins + 0.2} 10240 1024", "@end 72"])
    late = moments.last_extent_ms(reported)
    assert late == pytest.approx((begins - 1.001) * 1000)
    figures = {"abort": {"last_extent_ms": late, "discarded_again": 0, "bad": [], "times": []}}
    assert len(soak.violations(figures)) == violations


@pytest.mark.parametrize(("begin", "again"), [
    # The group in which the run was ended may be discarded again; a finished one may not.
    (["@run 2"], 1024 * 512),
    # A mount makes the file system forget its trimmed groups.
    (["@anew", "@run 2"], 0),
    # A freed block makes it forget that block's group alone.
    (["@run 2", "@f 1.9 32767 1"], 0),
    (["@run 2", "@f 1.9 32768 4"], 1024 * 512),
])
def test_finished_groups_discarded_again(begin: list[str], again: int) -> None:
    first, second = 2048, 2048 + moments.GROUP_SECTORS
    reported = moments.read([
        DISK, "@anew", "@run 1", f"@i 1.0 {first} 1024", f"@i 1.1 {second} 1024", "@m 1.2",
        "@end 72", *begin, f"@i 2.0 {first} 1024", f"@i 2.1 {second} 1024", "@end 0"])
    assert moments.discarded_again(reported) == again


@pytest.mark.parametrize(("times", "violations"), [
    ([0.0] * 60 + [300.0] * 40, 0),
    ([0.0] * 40 + [300.0] * 60, 1),
    # Five moments happen to meet steps.
    ([300.0] * 5, 0),
])
def test_most_moments_meet_a_pause(times: list[float], violations: int) -> None:
    figures = {"abort": {"last_extent_ms": 0.0, "discarded_again": 0, "bad": [], "times": times}}
    assert len(soak.violations(figures)) == violations


@pytest.mark.parametrize(("kind", "violations"), [
    ("abort", 1), ("touch", 1), ("kill", 0), ("cut", 0)])
def test_runs_ended_in_order_must_not_discard_again(kind: str, violations: int) -> None:
    figures = {kind: {"last_extent_ms": 0.0, "discarded_again": 4096, "bad": [], "times": []}}
    assert len(soak.violations(figures)) == violations


@pytest.mark.parametrize(("kind", "bad"), [("abort", 0), ("touch", 1)])
def test_only_an_abort_is_timed_from_a_call(kind: str, bad: int) -> None:
    part, = soak.parts({kind: 1})
    part.phone.lines += ["@disk 0 8192", "@run 1", "@i 1.0 0 8", "@m 1.0", "@c 1.1 0 8", "@b 1.2",
                         "@end 72", "@held 4"]
    figures: dict = {}
    part.into(figures)
    assert len(soak.violations(figures)) == bad


@pytest.mark.parametrize(("lines", "bad"), [
    (["@moment 5 unbind kernel trial 1", "@held 8", "@end kernel confirmed 1"], 0),
    (["@bad /data is not mounted: unbind", "@moment 5 unbind kernel trial 1", "@end none"], 1),
    (["@held 0", "@end none"], 1),
    (["@moment 5 unbind kernel trial 1"], 1),
])
def test_a_trial_that_ends_badly_is_told(lines: list[str], bad: int) -> None:
    part, = soak.parts({"trial": 1})
    part.phone.lines += lines
    figures: dict = {}
    part.into(figures)
    assert len(soak.violations(figures)) == bad
    assert soak.table(figures)


@pytest.mark.parametrize(("lines", "bad", "lost"), [
    (["@cut 5 12 12", "@end"], 0, 0),
    # The sync of one more entry had not returned.
    (["@cut 5 12 13", "@end"], 0, 0),
    (["@cut 5 12 10", "@end"], 1, 2),
    (["@cut 5 12 12"], 1, 0),
    (["@end"], 1, 0),
    (["@bad the ledger ended before its moment of 5 ms", "@cut 5 12 12", "@end"], 1, 0),
])
def test_an_entry_that_was_synced_and_is_lost_is_told(lines: list[str], bad: int,
                                                      lost: int) -> None:
    part, = soak.parts({"ledger": 1})
    part.phone.lines += lines
    figures: dict = {}
    part.into(figures)
    assert len(soak.violations(figures)) == bad
    assert figures["ledger"]["lost"] == lost
    assert soak.table(figures)


@pytest.mark.parametrize(("reasons", "bad"), [
    ([], 0), ([("free_space", "note")], 0), ([("time_short", "invalid")], 1),
    ([("background_io", "suspect")], 1),
])
def test_an_honest_phone_that_is_accused_is_told(reasons: list[tuple[str, str]], bad: int) -> None:
    part, = soak.parts({"honest": 1})
    part.phone.lines.append("@bench " + json.dumps({"figures": [{"name": "x", "repetitions": [
        {"verdict": "VALID" if not bad else "SUSPECT",
         "reasons": [{"code": code, "level": level, "text": "?"} for code, level in reasons]}]}]}))
    figures: dict = {}
    part.into(figures)
    assert len(soak.violations(figures)) == bad
    assert soak.table(figures)


@pytest.mark.parametrize(("stderr", "bad"), [
    ("", 0), ("records:4:0  record 0 is ''\n", 1)])
def test_a_campaign_in_memory_reports_what_repeats_a_failure(stderr: str, bad: int) -> None:
    result = json.dumps({"tried": 7, "failures": bad, "scenarios": {"records": 7}})
    figures = {"crash": campaigns.read("crash", result, stderr, 1.6)}
    assert (figures["crash"]["states"], figures["crash"]["seconds"]) == (7, 2)
    wrong = soak.violations(figures)
    assert len(wrong) == bad
    assert all("storekeeper_campaigns crash --only records:4:0)" in x for x in wrong)
    assert "7" in soak.table(figures)[0]


def test_a_campaign_that_dies_shows_its_end() -> None:
    with pytest.raises(LabError, match="AddressSanitizer"):
        campaigns.read("calls", "", "==1==ERROR: AddressSanitizer: leak", 1)


def test_moments_are_the_same_everywhere() -> None:
    assert moments.draw(3, seed=1) == moments.draw(3, seed=1)
    assert moments.draw(3, seed=1) != moments.draw(3, seed=2)
    assert sum(p.count for p in soak.parts({"kill": 60})) == 60
    assert [p.count for p in soak.parts({"trial": 12})] == [10, 2]
    with pytest.raises(LabError):
        soak.counts(["tickle=1"])


# --- the month

def at_rest(**more: object) -> World:
    return World(**{"last_input": -2 * HOUR, "level": 90, "temp": 250, **more})


@pytest.mark.parametrize(("world", "age_h", "gates"), [
    (at_rest(), 24, []),
    (at_rest(), 23, ["interval"]),
    (at_rest(screen_on=True), 24, ["untouched"]),
    (at_rest(last_input=-0.5 * HOUR), 24, ["untouched"]),
    (at_rest(level=79), 24, ["battery"]),
    (at_rest(level=31, ac=True), 24, []),
    (at_rest(level=29, ac=True), 24, ["battery"]),
    (at_rest(temp=401), 24, ["heat"]),
    # Overdue: soft gates open in steps, battery and heat stay safe.
    (at_rest(last_input=-0.8 * HOUR), 24 * 3, []),
    (at_rest(screen_on=True), 24 * 7, []),
    (at_rest(level=40), 24 * 7, []),
    (at_rest(level=39), 24 * 7, ["battery"]),
    (at_rest(temp=451), 24 * 7, ["heat"]),
])
def test_closed_gates(world: World, age_h: float, gates: list[str]) -> None:
    assert days.closed(world, 0.0, -age_h * HOUR, -30 * 24 * HOUR) == gates


def month(*lines: str) -> days.Month:
    return days.read([
        "@wall 10 1000010", "@e 10 ac 1", "@e 10 level 100", "@e 10 temp 250", "@e 10 screen off",
        *lines])


def hour(n: int, switches: int) -> str:
    return f"@h {10 + n * HOUR} {switches} 0 0 2000"


@pytest.mark.parametrize(("events", "violations"), [
    ([], 0),
    (["@e 7000 touch"], 1),
    # A touch ends the run: discards in flight at that time are no violation.
    (["@e 8018.5 touch"], 0),
    (["@e 8005 touch"], 1),
    (["@e 7000 temp 460"], 1),
    (["@e 7000 level 20"], 1),
])
def test_runs_with_a_closed_gate(events: list[str], violations: int) -> None:
    reported = month("@e 100 touch", *events, "@d 8000 8020 1000")
    assert len(days.violations(reported)) == violations


def test_a_month_s_figures() -> None:
    reported = month(hour(0, 0), hour(1, 3), hour(2, 8), f"@run {2 * HOUR} {1000000 + HOUR + 60}",
                 hour(3, 12), hour(4, 15))
    found = days.figures(reported)
    assert found["runs"] == 1
    assert found["missed_deadlines"] == 0
    # The hours after the run's own count; before it something was due.
    assert found["wakeups_per_hour_max"] == 4
    assert found["pss_kib"] == 2000


def test_an_hour_that_begins_while_a_run_ends_is_the_run_s() -> None:
    ended = f"@run {2 * HOUR} {1000000 + 10 + HOUR}"
    reported = month(hour(0, 0), hour(1, 3), hour(2, 31), ended, hour(3, 34))
    assert days.figures(reported)["wakeups_per_hour_max"] == 3


@pytest.mark.parametrize(("run_at_h", "missed"), [(24 * 7, 0), (24 * 7 + 2, 1)])
def test_missed_deadlines(run_at_h: int, missed: int) -> None:
    reported = month(f"@run 0 {1000000 + 10 + run_at_h * HOUR}", hour(24 * 8, 0),
                     hour(24 * 8 + 1, 0))
    assert days.missed_deadlines(reported) == missed


# --- in guests

ENDED = {"abort": 3, "kill": 1, "cut": 1}


@pytest.fixture(scope="module")
def ended() -> dict:
    return soak.measure(ENDED)


def test_trims_may_be_ended_at_any_moment(ended: dict) -> None:
    assert soak.violations(ended) == []
    assert {kind: record["moments"] for kind, record in ended.items()} == ENDED


@pytest.mark.long
def test_a_power_cut_finds_who_does_not_sync() -> None:
    """The ledger of an honest phone is intact, that of one with nobarrier is not."""
    figures: dict[str, dict] = {"honest": {}, "liar": {}}
    cuts = {name: ledger.Cuts(3, 1, guests.Phone(name, lambda _: None), record)
            for name, record in (("honest", ledger.PHONES[0]), ("liar", ledger.LIAR))}
    guests.run(list(cuts.values()))
    for name, cut in cuts.items():
        cut.into(figures[name])
    honest, liar = (figures[name][ledger.KIND] for name in cuts)
    assert honest["bad"] == []
    assert honest["held"] > 20
    assert liar["moments"] == honest["moments"] == 3
    assert liar["lost"] > 0


def test_a_month_begins_well(capsys: pytest.CaptureFixture[str]) -> None:
    figures: dict = {}
    # The simulation has two days, because the very first run also writes the canary and fills the
    # probe's file.
    task = maintenance.Days(guests.Phone("days", lambda _: None), days=2)
    guests.run([task])
    task.into(figures)
    assert figures["days"]["runs"] >= 2
    assert judge.violations({"cards": [], **figures}, ["days"]) == [], capsys.readouterr()
