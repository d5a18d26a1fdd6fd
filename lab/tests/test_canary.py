# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""The trust in a chip's discards: a canary tests it before anything else is trimmed. A card that
does harm stays in quarantine for ever, and a healthy one never enters it."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from conftest import HERE, Answer, answers, lab

from labtool.bench import guests, soak, trial
from labtool.bench.guests import Phone

# Bytes of the canary's gap, the least that the card discards.
GAP = 512 << 10
WRITTEN = 192 << 10
F2FS_WRITTEN = 320 << 10
# f2fs trims all free space of the segments that the gap lies in, 2 MiB each.
F2FS_GAP = 4 << 20
DEVICE_JSON = "/vendor/etc/storekeeper/device.json"
# The exit code, equal to that for a chip that TRIM is known to harm.
QUARANTINED = 76


class Story(dict[str, Answer]):
    """The output of each command, by its heading."""

    def chip(self, moment: str) -> dict:
        return json.loads(self[f"{moment} json"])["maintenance"]["chips"][0]

    def run(self, moment: str) -> dict:
        """The last run."""
        return json.loads(self[f"{moment} json"])["receipts"][0]

    def mount(self, moment: str, path: str = "/data") -> dict:
        return next(row for row in self.run(moment)["mounts"] if row["mount"] == path)

    def discarded(self, moment: str) -> int:
        return int(self[f"{moment} discarded"])


def play(*steps: str, params: tuple[str, ...] = (), config: Path | None = None) -> Story:
    given = ["--file", f"{config}:{DEVICE_JSON}"] if config is not None else []
    # A night passes at once in guest time.
    measure = ["--measure"] if "night" in steps else []
    result = lab("run", *measure, "--profile", "pixel",
                 *(word for param in params for word in ("--param", param)), *given,
                 "--file", f"{HERE}/guest/canary.sh:/tmp/canary.sh", "--", "sh", "/tmp/canary.sh",
                 *steps)
    assert result.code == 0, result
    return Story(answers(result))


@pytest.fixture
def patient(tmp_path: Path) -> Path:
    """A configuration with the product's wait for a restart, which the virtual phone skips."""
    file = tmp_path / "device.json"
    file.write_text('{"maintenance": {"canary_restart_s": 259200}}\n')
    return file


FILE_SYSTEMS = [
    (),
    ("crypto.target=dm-crypt", "crypto.cipher=aes-cbc-essiv:sha256"),
    ("data.fs=f2fs", "data.options=nodiscard"),
]


@pytest.mark.parametrize("params", [
    pytest.param(FILE_SYSTEMS[0], id="ext4"),
    pytest.param(FILE_SYSTEMS[1], id="dm-crypt", marks=pytest.mark.long),
    pytest.param(FILE_SYSTEMS[2], id="f2fs", marks=pytest.mark.long)])
def test_a_healthy_card_is_verified(params: tuple[str, ...]) -> None:
    story = play("trim", "first", "cut", "reboot", "started", "trim", "again", params=params)
    assert story["trim"].code == 0, story
    first = story.mount("first")
    assert (first["outcome"], first["canary"]) == ("trimmed", "verified")
    assert first["canary_note"] == "not yet after a restart"
    written = F2FS_WRITTEN if "data.fs=f2fs" in params else WRITTEN
    assert first["canary_written_bytes"] == written
    # The canary was read at the start, without any run.
    assert story.chip("started")["state"] == "passed"
    assert story.chip("started")["after_restart"]
    again = story.mount("again")
    assert (again["canary"], again["canary_note"], again["canary_written_bytes"]) == \
        ("verified", "", 0)
    assert story["again property"].strip() == ""


@pytest.mark.parametrize(("params", "reason", "bound"), [
    pytest.param(("vemmc.fault_garble=65536",), "16 of 16 blocks of 4 KiB right before a discard",
                 GAP, id="64 KiB"),
    pytest.param(("vemmc.fault_garble=4096",), "1 of 16 blocks of 4 KiB right before a discard",
                 GAP, id="4 KiB", marks=pytest.mark.long),
    pytest.param(("vemmc.fault_garble=65536", *FILE_SYSTEMS[1]), "16 of 16 blocks of 4 KiB", GAP,
                 id="dm-crypt", marks=pytest.mark.long),
    pytest.param(("vemmc.fault_garble=65536", *FILE_SYSTEMS[2]), "16 of 16 blocks of 4 KiB",
                 F2FS_GAP, id="f2fs"),
])
def test_a_card_that_garbles_is_in_quarantine(params: tuple[str, ...], reason: str,
                                              bound: int) -> None:
    story = play("trim", "found", "hurry", "cut", "after", "shell", "lift", "hurry", "lifted",
                 params=params)
    assert story["trim"].code == QUARANTINED, story
    assert story.mount("found")["canary"] == "quarantined"
    assert 0 < story.discarded("found") <= bound
    assert story["hurry"].code == QUARANTINED
    assert story["after dump"].startswith("Warning: the chip is in quarantine since")
    assert reason in story.chip("after")["why"]
    assert story.chip("after")["state"] == "quarantined"
    assert re.fullmatch(r"\d+\n", story["after property"])
    # The restart found the card anew.
    assert story.discarded("after") == 0
    assert story["shell"].code == 77
    # Lifting is no pardon: a new examination finds the harm again.
    assert story["lift"].code == 0
    assert story.chip("lifted")["state"] == "quarantined"
    assert story.discarded("lifted") <= bound


def test_a_card_that_dies_of_its_first_discard_is_in_quarantine() -> None:
    story = play("trim", "found", "hurry", "hurried", params=("vemmc.fault_die=1",))
    assert story["trim"].code == QUARANTINED, story
    assert "Warning: the chip is in quarantine" in story["found dump"]
    assert story["hurry"].code == QUARANTINED
    assert story.discarded("hurried") <= GAP


def test_the_policy_waits_for_a_restart(patient: Path) -> None:
    story = play("night", "first", "night", "second", "reboot", "night", "third", config=patient)
    run = story.run("first")
    assert (run["manual"], run["outcome"]) == (False, "busy"), run
    assert story.discarded("first") == GAP
    assert "canary" in {gate["name"] for gate in json.loads(story["first json"])["maintenance"]
                        ["gates"] if not gate["pass"]}
    # Nothing more is discarded before the restart.
    assert story.discarded("second") == GAP
    assert story.run("second")["started_wall_s"] == run["started_wall_s"]
    assert story.mount("third")["outcome"] == "trimmed"
    assert (story.mount("third")["canary"], story.mount("third")["canary_note"]) == ("verified", "")


def test_damage_that_shows_after_a_power_cycle_is_found_at_the_next_boot(patient: Path) -> None:
    story = play("night", "first", "reboot", "started", "night", "later", config=patient,
                 params=("vemmc.fault_garble=65536", "vemmc.fault_garble_later=1"))
    assert story.run("first")["outcome"] == "busy"
    assert story.discarded("first") == GAP
    assert story.chip("started")["state"] == "quarantined"
    assert story["started dump"].startswith("Warning: the chip is in quarantine since")
    assert story.discarded("later") == 0


@pytest.mark.parametrize("params", [
    ("data.options=discard",), ("data.fs=f2fs", "data.options=discard")], ids=["ext4", "f2fs"])
def test_it_says_what_it_cannot_know_of_discard(params: tuple[str, ...]) -> None:
    story = play("trim", "found", params=params)
    assert story["trim"].code == 0, story
    assert story.mount("found")["canary"] == "unverified"
    assert "mounted with discard" in story.mount("found")["canary_note"]


@pytest.mark.long
def test_a_canary_that_others_touch_or_a_full_disk_is_no_fault_of_the_card() -> None:
    story = play("fill", "trim", "full", "empty", "trim", "planted", "change", "trim", "changed",
                 "remove", "trim", "removed")
    assert story.mount("full")["canary"] == "unverified"
    assert " free, too little" in story.mount("full")["canary_note"]
    for moment in ("planted", "changed", "removed"):
        assert story.mount(moment)["canary"] == "verified", story[f"{moment} dump"]
    assert story.chip("removed")["written_bytes"] == 3 * WRITTEN


class Harmful(trial.Healthy):
    """A card with a fault that the campaign must find."""

    phones = (("pixel", ("vemmc.fault_garble=65536",)),)


def test_lives_of_healthy_cards_in_short() -> None:
    lives = [of(1, 3, Phone(of.__name__, lambda _: None))
             for of in (trial.Healthy, Harmful)]
    guests.run(lives)
    healthy, harmful = {}, {}
    for one, figures in zip(lives, (healthy, harmful), strict=True):
        one.into(figures)
    assert soak.violations(healthy) == []
    assert healthy[trial.HEALTHY]["early"] == {"verified": 1}
    assert any("the card is in quarantine" in line for line in soak.violations(harmful))
