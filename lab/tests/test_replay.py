# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""Power cuts on ext4 and f2fs, replayed: the short form of `make soak`'s kind, and broken copies of
the product that it must find."""

from __future__ import annotations

import json
import time

import pytest

from labtool import guest
from labtool.bench import guests, replay, soak
from labtool.bench.guests import Phone
from labtool.paths import LabError

SHORT = 20
# File system, seed and scenarios on which each broken copy is run.
BROKEN = {
    "no-file-sync": ("ext4", 1, "records-first"),
    "no-folder-sync": ("f2fs", 1, "choice-first"),
    "late-count": ("ext4", 1, "choice-first"),
}


@pytest.fixture(scope="module")
def short() -> dict:
    return soak.measure({replay.KIND: SHORT})


def test_no_state_of_a_real_file_system_loses_what_was_kept(short: dict) -> None:
    assert soak.violations(short) == []


def test_each_scenario_is_tried_on_each_file_system(short: dict) -> None:
    record = short[replay.KIND]
    print("\n".join(soak.table(short)))
    ext4, f2fs = record["ext4"], record["f2fs"]
    assert min(ext4["marks"], f2fs["marks"]) >= SHORT
    assert set(ext4["scenarios"]) == set(f2fs["scenarios"])
    assert len(ext4["scenarios"]) == 17


@pytest.mark.long
def test_broken_copies_of_the_product_are_found() -> None:
    words = [f"replay-{fs} --seed {seed} --only {only} --flaw {flaw} --stride 3"
             for flaw, (fs, seed, only) in BROKEN.items()]
    phone = Phone("replay flaws", guests.teller("replay flaws", time.monotonic()))
    outcome = guest.run(replay.job(*words), phone.out, phone.errors.extend)
    phone.check(outcome)
    results, rest = [], "\n".join(phone.lines)
    while rest.strip():
        one, end = json.JSONDecoder().raw_decode(rest.lstrip())
        results.append(one)
        rest = rest.lstrip()[end:]
    found = {flaw: one["failures"] for flaw, one in zip(BROKEN, results, strict=True)}
    print(found)
    assert all(found.values())
    # Lost data reveals them, not a campaign that cannot be made.
    assert b"no campaign" not in phone.errors


def part(count: int, tried: int, stderr: str) -> tuple[dict, list[str]]:
    """The figures and the problems of guests, one for each file system, with this report."""
    figures: dict = {}
    for one in replay.parts(count, 0.0):
        one.phone.out(json.dumps({"tried": tried, "failures": len(stderr.splitlines()),
                                  "scenarios": {"records": tried}}).encode() + b"\n")
        one.phone.errors.extend(stderr.encode())
        one.into(figures)
    return figures, soak.violations(figures)


def test_figures_add_up_and_a_failure_comes_with_what_repeats_it() -> None:
    figures, wrong = part(replay.PAIR, replay.PAIR // 2, "")
    assert figures["replay"]["f2fs"]["marks"] == replay.PAIR
    assert figures["replay"]["f2fs"]["failures"] == 0
    assert wrong == []
    assert len(soak.table(figures)) == 2
    figures, wrong = part(10, 10, "records:1:95  record 0 is ''\n")
    assert len(wrong) == 2
    assert "storekeeper_campaigns replay-ext4 --seed 1 --only records:1:95)" in wrong[1]
    assert figures["replay"]["ext4"]["failures"] == 1


def test_fewer_marks_than_asked_for_are_reported() -> None:
    assert part(10, 9, "")[1] == ["replay: f2fs: 9 marks, 10 were to be tried",
                                  "replay: ext4: 9 marks, 10 were to be tried"]


def test_a_guest_without_figures_shows_its_end() -> None:
    one = replay.parts(10, 0.0)[0]
    one.phone.errors.extend(b"storekeeper_campaigns: Segmentation fault")
    with pytest.raises(LabError, match="Segmentation fault"):
        one.into({})
