# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""vemmc keeps data: checksums, trims, rebinding and power cuts, in both models of its FTL."""

from __future__ import annotations

import pytest
from conftest import HERE, Result, finish, start

from labtool.bench import cards

MODELS = ("hybrid", "page")


def both(script: str, *words: str, capacity_mib: int = 96,
         parameters: tuple[str, ...] = ()) -> dict[str, Result]:
    """Runs a guest script on a card of each model, at the same time."""
    running = {
        model: start("run", "--measure", "--timeout", "3600",
                     "--param", f"vemmc.capacity_mib={capacity_mib}",
                     "--param", f"vemmc.ftl={model}",
                     *(w for p in parameters for w in ("--param", p)),
                     "--file", f"{HERE}/guest/{script}:/tmp/{script}", "--",
                     "sh", f"/tmp/{script}", *words)
        for model in MODELS}
    return {model: finish(process) for model, process in running.items()}


@pytest.fixture(scope="module")
def verified() -> dict[str, Result]:
    return both("verify.sh")


@pytest.mark.parametrize("model", MODELS)
def test_data_stays_what_was_written(verified: dict[str, Result], model: str) -> None:
    result = verified[model]
    assert result.code == 0, result
    facts = dict(line.split() for line in result.out.splitlines()[:-1])
    assert result.out.splitlines()[-1] == "intact"
    # The test did exercise the FTL: blocks were reclaimed, ranges trimmed.
    assert int(facts["trims"]) > 0
    assert int(facts["erases"]) > 0


@pytest.fixture(scope="module", params=["1", pytest.param("2", marks=pytest.mark.long)])
def cut(request: pytest.FixtureRequest) -> dict[str, Result]:
    return both("powercut.sh", request.param)


@pytest.mark.parametrize("model", MODELS)
def test_a_power_cut_loses_only_what_was_not_synced(cut: dict[str, Result], model: str) -> None:
    result = cut[model]
    assert result.code == 0, result
    lines = result.out.splitlines()
    facts = dict(line.split() for line in lines if " " in line)
    assert facts["power_cuts"] == "1"
    assert int(facts["lost_pages"]) > 0
    assert "intact" in lines
    assert lines[-1] == "sound"


@pytest.fixture(scope="module")
def discarded() -> dict[str, Result]:
    return both("discards.sh", capacity_mib=1042,
                parameters=("vemmc.t_trim_us=100", "vemmc.t_trim_mib_us=0"))


@pytest.mark.parametrize("model", MODELS)
def test_a_long_discard_takes_what_the_parameters_say(discarded: dict[str, Result],
                                                      model: str) -> None:
    result = discarded[model]
    assert result.code == 0, result
    before, after = ([int(x) for x in line.split()] for line in result.out.splitlines())
    number, took_ms = (b - a for a, b in zip(before, after, strict=True))
    assert number >= 100
    # Guest time is the same at each run. Two discards are under way at a time.
    takes_ms = (100 + cards.COMMANDS_US) / 1000
    assert took_ms / number == pytest.approx(2 * takes_ms, rel=0.1)
