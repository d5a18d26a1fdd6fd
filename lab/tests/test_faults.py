# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""A faulty vemmc does what its fault_ parameters say, and without them nothing of it."""

from __future__ import annotations

import re

import pytest
from conftest import HERE, Result, lab

SMALL = ("--profile", "pixel", "--param", "vemmc.capacity_mib=192")


def run(*words: str) -> Result:
    return lab("run", *SMALL, *words)


@pytest.fixture(scope="module")
def said() -> dict[str, list[str]]:
    """What each step of faults.sh printed, by its heading."""
    result = run("--file", f"{HERE}/guest/faults.sh:/tmp/faults.sh", "--", "sh", "/tmp/faults.sh")
    parts = re.split(r"^@@ (.*)\n", result.out, flags=re.M)
    steps = {name: text.splitlines() for name, text in zip(parts[1::2], parts[2::2], strict=True)}
    assert result.code == 0, (list(steps), result)
    return steps


def test_no_fault_is_armed_by_itself(said: dict[str, list[str]]) -> None:
    assert said["at_boot"] == ["0"]


def test_a_card_without_faults_loses_what_was_discarded_alone(said: dict[str, list[str]]) -> None:
    changed, zeros, *counted = said["none"]
    assert changed == "100-104"
    assert int(zeros) == 5 * 4096
    facts = dict(line.split() for line in counted)
    assert (facts.pop("armed"), facts.pop("discards")) == ("1", "1")
    assert set(facts.values()) == {"0"}, facts


def test_fstrim_damages_files_beside_free_space(said: dict[str, list[str]]) -> None:
    damaged, pages = map(int, said["file_system"])
    assert damaged > 0
    assert pages > 0


def test_neighbours_of_a_discard_get_other_content(said: dict[str, list[str]]) -> None:
    changed, discarded, before, pages = said["garble"]
    assert changed == "98-106"
    assert int(discarded) == 5 * 4096
    # Random bytes: one of 256 is zero.
    assert int(before) < 100
    assert pages == "4"


def test_only_some_discards_damage(said: dict[str, list[str]]) -> None:
    assert said["garble_every"] == ["10-10 19-21 30-30 39-41"]


def test_damage_may_show_after_the_next_power_up(said: dict[str, list[str]]) -> None:
    at_first, pending, rewritten, later, left, pages = said["garble_later"]
    assert at_first == "100-104"
    assert (pending, rewritten) == ("4", "3")
    assert later == "98-105"
    assert (left, pages) == ("0", "3")
    assert said["garble_later_cut"] == ["99-105"]


def test_a_dead_card_stays_dead(said: dict[str, list[str]]) -> None:
    # The first discard worked; nothing of what was to be printed after the second was.
    assert said["die"] == ["100-104", "1", "100-104"]


def test_a_parameter_of_a_run_strikes_from_the_first_discard_on() -> None:
    result = run("--param", "vemmc.fault_die=1", "--",
                 "grep discards /sys/kernel/debug/vemmc/faults; fstrim /cache; "
                 "grep -E 'discards|died' /sys/kernel/debug/vemmc/faults")
    assert result.code == 0, result
    # The file systems were made before.
    assert result.out.split() == ["discards", "0", "discards", "1", "died", "1"]


def test_a_bad_parameter_is_refused() -> None:
    result = run("--param", "vemmc.fault_garble_every=0", "--", "true")
    assert result.code != 0
    assert "the faults of vemmc" in result.err
