# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""A card that fails, is full or comes and goes, and foreign state files: the service stays, its
receipts are true, and its state is there again when the card is."""

from __future__ import annotations

import json
import re

import pytest
from conftest import HERE, Answer, answers, lab, unwrapped

# A discard takes 5 ms a MiB: a trim lasts long enough to lose the card in the middle of it.
DEAR = ("--profile", "pixel", "--param", "vemmc.t_trim_mib_us=5000")
WARNING = "Warning: the state cannot be saved, so nothing is trimmed: "


def play(*step: str) -> dict[str, Answer]:
    """The output of each command of a step of card.sh."""
    result = lab("run", "--measure", *DEAR, "--file", f"{HERE}/guest/common.sh:/tmp/common.sh",
                 "--file", f"{HERE}/guest/card.sh:/tmp/card.sh", "--", "sh", "/tmp/card.sh", *step)
    return answers(result)


def outcomes(receipts: list[dict], mount: str) -> list[str]:
    """The results for the mount, oldest first."""
    return [row["outcome"] for receipt in reversed(receipts) for row in receipt["mounts"]
            if row["mount"] == mount]


@pytest.fixture(scope="module")
def read_only() -> dict[str, Answer]:
    return play("read_only")


@pytest.fixture(scope="module")
def full() -> dict[str, Answer]:
    return play("full")


def warning(dump: str) -> str:
    """The first paragraph of a dump."""
    return unwrapped(dump).splitlines()[0]


@pytest.fixture(scope="module")
def unbound() -> dict[str, Answer]:
    return play("unbound")


def test_a_daemon_killed_on_a_read_only_data_serves_again(read_only: dict[str, Answer]) -> None:
    assert read_only["restarted"].code == 0, read_only["restarted"]
    assert warning(read_only["dump_read_only"]).startswith(WARNING)
    assert "Read-only file system" in warning(read_only["dump_read_only"])
    assert "Storage life: 0-10 % used" in read_only["dump_read_only"]
    assert "Storage life: 0-10 % used" in read_only["health"]


def test_it_trims_nothing_there_and_says_why(read_only: dict[str, Answer]) -> None:
    assert (read_only["trim_read_only"].code, read_only["trim_cache"].code) == (73, 73)
    assert "/data: mounted read-only" in read_only["trim_read_only"]
    assert read_only["maintain_read_only"].code == 75
    assert "state (the state cannot be saved" in read_only["maintain_read_only"]
    # Records from before the failure can be read.
    before = read_only["receipts_before"].receipts()
    assert read_only["receipts_read_only"].receipts()[-1] == before[0]


def test_its_state_is_there_again_with_data(read_only: dict[str, Answer]) -> None:
    assert read_only["trim_again"].code == 0
    assert "Warning" not in read_only["dump_again"]
    assert read_only["restarted_again"].code == 0
    after = read_only["receipts_after"].receipts()
    assert outcomes(after, "/data") == ["trimmed", "read_only", "trimmed"]
    # `trim /cache` is a refusal, and no run: it is read-only as well.
    assert outcomes(after, "/cache") == ["read_only"]
    assert json.loads(read_only["json_after"])["maintenance"]["state_problem"] is None
    assert "corrupt" not in read_only["files"]


def test_a_full_data_without_any_state_is_served(full: dict[str, Answer]) -> None:
    assert full["started"].code == 0, full["started"]
    assert warning(full["dump_full"]).startswith(WARNING)
    assert "No space left on device" in warning(full["dump_full"])
    assert "Storage life: 0-10 % used" in full["health"]
    assert full["trim_full"].code == 70
    assert "the state cannot be saved" in full["trim_full"]


def test_its_state_is_kept_once_there_is_room(full: dict[str, Answer]) -> None:
    assert full["trim_again"].code == 0
    assert "Warning" not in full["dump_again"]
    assert outcomes(full["receipts_after"].receipts(), "/data") == ["failed", "trimmed"]


def test_a_card_that_goes_away_during_a_trim_is_no_success(unbound: dict[str, Answer]) -> None:
    assert unbound["trim"].code == 74, unbound["trim"]
    assert re.search(r"/data: the kernel has removed its block device \d+:\d+", unbound["trim"])
    assert unbound["trim_cache"].code == 74
    assert "Trimmed" not in unbound["trim"] + unbound["trim_cache"]


def test_the_service_stays_without_its_card(unbound: dict[str, Answer]) -> None:
    assert warning(unbound["dump_unbound"]).startswith(WARNING)
    assert unbound["restarted"].code == 0, unbound["restarted"]
    assert warning(unbound["dump_restarted"]).startswith(WARNING)
    assert "Input/output error" in warning(unbound["dump_restarted"])
    assert unbound["trim_restarted"].code == 74


def test_all_is_well_again_with_the_card(unbound: dict[str, Answer]) -> None:
    assert unbound["trim_bound"].code == 0, unbound["trim_bound"]
    assert "Warning" not in unbound["dump_bound"]
    before = unbound["receipts_before"].receipts()
    after = unbound["receipts_after"].receipts()
    assert after[-1] == before[0]
    assert outcomes(after, "/data") == ["trimmed"]


@pytest.mark.parametrize("kind", [
    "nested", "link", *(pytest.param(x, marks=pytest.mark.long)
                        for x in ("fifo", "sparse", "folder"))])
def test_state_files_that_are_not_ours_are_set_aside(kind: str) -> None:
    output = play("hostile", kind)
    assert output["started"].code == 0, output["log"]
    assert "The memory of earlier runs was lost: " in output["dump"]
    assert output["trim"].code == 0
    assert "terminate" not in output["log"]
    assert output["restarted"].code == 0
    assert outcomes(output["receipts"].receipts(), "/data") == ["trimmed"]
    assert "Note:" not in output["dump_restarted"]
    assert "state.log.corrupt" in output["files"]


def test_vold_gets_its_trims_back_where_the_battery_cannot_be_read() -> None:
    output = play("beat")
    assert output["at_first"] == "storekeeper\n"
    assert output["restarted"].code == 0
    assert output["unreadable"] == "\n"
    assert output["readable"] == "storekeeper\n"
