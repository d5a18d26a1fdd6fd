# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""A faulty vemmc behaves as its fault_ parameters say; without them it has no fault."""

from __future__ import annotations

import re

import pytest
from conftest import HERE, Result, lab

SMALL = ("--profile", "pixel", "--param", "vemmc.capacity_mib=192")


def run(*words: str) -> Result:
    return lab("run", *SMALL, *words)


@pytest.fixture(scope="module")
def output() -> dict[str, list[str]]:
    """The output of each step of faults.sh, by its heading."""
    result = run("--file", f"{HERE}/guest/faults.sh:/tmp/faults.sh", "--", "sh", "/tmp/faults.sh")
    parts = re.split(r"^@@ (.*)\n", result.out, flags=re.M)
    steps = {name: text.splitlines() for name, text in zip(parts[1::2], parts[2::2], strict=True)}
    assert result.code == 0, (list(steps), result)
    return steps


def test_no_fault_is_armed_by_itself(output: dict[str, list[str]]) -> None:
    assert output["at_boot"] == ["0"]


def test_a_card_without_faults_loses_what_was_discarded_alone(output: dict[str, list[str]]) -> None:
    changed, zeros, *counted = output["none"]
    assert changed == "100-104"
    assert int(zeros) == 5 * 4096
    facts = dict(line.split() for line in counted)
    assert (facts.pop("armed"), facts.pop("discards")) == ("1", "1")
    assert set(facts.values()) == {"0"}, facts


def test_fstrim_damages_files_beside_free_space(output: dict[str, list[str]]) -> None:
    damaged, pages = map(int, output["file_system"])
    assert damaged > 0
    assert pages > 0


def test_neighbours_of_a_discard_get_other_content(output: dict[str, list[str]]) -> None:
    changed, discarded, before, pages = output["garble"]
    assert changed == "98-106"
    assert int(discarded) == 5 * 4096
    # The bytes are random: one of 256 is zero.
    assert int(before) < 100
    assert pages == "4"


def test_only_some_discards_damage(output: dict[str, list[str]]) -> None:
    assert output["garble_every"] == ["10-10 19-21 30-30 39-41"]


def test_damage_may_show_after_the_next_power_up(output: dict[str, list[str]]) -> None:
    at_first, pending, rewritten, later, left, pages = output["garble_later"]
    assert at_first == "100-104"
    assert (pending, rewritten) == ("4", "3")
    assert later == "98-105"
    assert (left, pages) == ("0", "3")
    assert output["garble_later_cut"] == ["99-105"]


def test_a_discard_may_do_nothing(output: dict[str, list[str]]) -> None:
    assert output["noop"] == ["none", "0", "1"]


def test_discarded_pages_may_keep_what_they_held(output: dict[str, list[str]]) -> None:
    # The card counts these pages as free.
    assert output["old"] == ["none", "5", "1"]


def test_discarded_pages_may_read_as_anything(output: dict[str, list[str]]) -> None:
    changed, zeros, count = output["random"]
    assert (changed, count) == ("100-104", "1")
    assert int(zeros) < 5 * 4096 / 100


def test_a_write_or_discard_may_stall(output: dict[str, list[str]]) -> None:
    written, stalls, hundredths = output["stall"]
    assert (written, stalls) == (".", "1")
    assert int(hundredths) >= 150


def test_reads_fail_for_a_while(output: dict[str, list[str]]) -> None:
    reads, changed = output["read_errors"]
    assert len(reads) == 60
    assert reads.startswith("." * 20 + "x")
    assert reads.count("x") >= 2
    assert ".x." in reads[20:]
    assert changed == "none"


def test_reads_may_lie_instead(output: dict[str, list[str]]) -> None:
    first, second, count = output["read_changes"]
    # The 256 pages are read one by one: 10 work, 5 do not.
    assert first.startswith("10-14 25-29 40-44 ")
    assert second.startswith("9-13 24-28 39-43 ")
    assert int(count) == 170


def test_a_flush_keeps_data(output: dict[str, list[str]]) -> None:
    assert output["flushed"] == ["50-53 60-60", "0"]


def test_a_flush_may_be_ignored(output: dict[str, list[str]]) -> None:
    changed, ignored = output["flush_ignored"]
    assert changed == "none"
    assert int(ignored) >= 2


def test_a_worn_card_cannot_write_some_pages(output: dict[str, list[str]]) -> None:
    below, once, again = output["wear"]
    assert below == "." * 60
    assert 6 <= once.count("x") <= 30
    assert again == once, "a page that cannot be written never can"


def test_a_dead_card_stays_dead(output: dict[str, list[str]]) -> None:
    # The first discard worked; the output of the commands after the second is missing.
    assert output["die"] == ["100-104", "1", "100-104"]


def test_a_parameter_of_a_run_strikes_from_the_first_discard_on() -> None:
    result = run("--param", "vemmc.fault_die=1", "--",
                 "grep discards /sys/kernel/debug/vemmc/faults; fstrim /cache; "
                 "grep -E 'discards|died' /sys/kernel/debug/vemmc/faults")
    assert result.code == 0, result
    # The file systems were made before the card died.
    assert result.out.split() == ["discards", "0", "discards", "1", "died", "1"]


def test_a_bad_parameter_is_refused() -> None:
    result = run("--param", "vemmc.fault_garble_every=0", "--", "true")
    assert result.code != 0
    assert "the faults of vemmc" in result.err
