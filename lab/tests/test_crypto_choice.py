# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""The choice of a crypto backend on a virtual phone: same data, gain, trial and return."""

from __future__ import annotations

import re

import pytest
from conftest import HERE, TOP, Result, finish, start

from labtool.bench import crypto, soak, trial

# Size of the file that is written before and read after, and dd's count of 256 KiB blocks. The
# seed's dd has a count of 300.
MIB = 4
COUNT = 24


def run(profile: str, *words: str) -> Result:
    result = finish(start("run", "--measure", "--profile", profile, "--file",
                          f"{HERE}/guest/crypto_choice.sh:/tmp/crypto_choice.sh", "--file",
                          f"{TOP}/lab/bench/crypto.sh:/tmp/crypto.sh", "--",
                          "sh", "/tmp/crypto_choice.sh", *words))
    assert result.code == 0, result
    return result


def lines(result: Result, word: str) -> dict[str, str]:
    """Lines "WORD MOMENT REST"."""
    rows = [line.split(" ", 2) for line in result.out.splitlines() if line.startswith(f"{word} ")]
    return {row[1]: row[2] if len(row) > 2 else "" for row in rows}


@pytest.fixture(scope="module")
def switched() -> Result:
    return run("xperia-z", "switch", str(MIB), str(COUNT))


def test_data_is_bit_identical_on_a_real_dm_crypt(switched: Result) -> None:
    """Data written by the engine is read by the CPU, and the other way round."""
    sums = lines(switched, "sha256")
    assert set(sums) == {"engine", "kernel", "hardware"}
    assert len(set(sums.values())) == 1
    states = lines(switched, "state")
    assert states == {"engine": "hw-offload", "kernel": "cpu", "hardware": "hw-offload"}


def test_the_choice_is_applied_confirmed_and_taken_back(switched: Result) -> None:
    early = lines(switched, "early")
    assert early["kernel"] in ("unbind", "priority")
    assert early["hardware"] == "none"
    assert lines(switched, "confirmed")["0"].startswith("kernel confirmed")


@pytest.mark.parametrize("side", crypto.SIDES)
def test_the_choice_gains_what_the_seed_gained(switched: Result, side: str) -> None:
    us = {m: int(n) for m, n in
          re.findall(rf"^speed (engine|kernel) {side}_us (\d+)$", switched.out, re.M)}
    seed = dict(zip(crypto.SIDES, crypto.seed_gains(), strict=True))[side]
    assert us["engine"] / us["kernel"] == pytest.approx(seed, rel=crypto.FROM_GAIN)


def test_two_unconfirmed_boots_end_in_auto() -> None:
    result = run("xperia-z", "unconfirmed")
    early = lines(result, "early")
    assert early["1"] == early["2"]
    assert early["1"] in ("unbind", "priority")
    assert early["3"] == "refused:trial_failed"
    assert early["4"] == "refused:nothing_chosen"
    assert set(lines(result, "data")) == {"1", "2", "3", "4"}
    assert lines(result, "choice")["4"].startswith("auto none")


def test_power_cuts_during_a_trial() -> None:
    """The first moments of `make soak`'s kind."""
    figures = soak.measure({trial.KIND: 1})
    assert soak.violations(figures) == []
    assert figures[trial.KIND]["moments"] == 1
