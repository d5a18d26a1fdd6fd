# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""The bytes for a step of wear, and firmware that is bad."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from storekeeper_fleet import endurance

Row = dict[str, Any]


def cells(name: str, whole: np.ndarray, wrote: np.ndarray, steps: np.ndarray) -> list[Row]:
    """A row for each whole step, and one for each device."""
    same = {"chip_maker": "m", "chip_model": "c", "chip_firmware": name, "devices": 1, "days": 365}
    return [{**same, "kind": endurance.WHOLE, "gb": int(g), "steps": 0, "steps_gb": 0}
            for g in whole] + [
        {**same, "kind": endurance.WROTE, "gb": int(g), "steps": int(n), "steps_gb": int(g)}
        for g, n in zip(wrote, steps, strict=True)]


def shown(seed: int, deviation: float, devices: int = 1500) -> list[Row]:
    """Devices whose steps differ about 1000 GB, seen while most write less than that."""
    random = np.random.default_rng(seed)
    step = 1000 * np.exp(random.normal(-deviation**2 / 2, deviation, devices))
    wrote = 900 * np.exp(random.normal(0, .5, devices))
    first = (1 - random.random(devices)) * step
    ends = np.where(wrote < first, 0, 1 + (wrote - first) // step)
    return cells("f", step[ends >= 2], wrote, ends)


@pytest.mark.parametrize("deviation", [.05, .2, .3])
def test_chips_that_show_more_steps_do_not_decide(deviation: float) -> None:
    found = [endurance.fits(shown(seed, deviation), [])[0] for seed in range(8)]
    off = [np.log(x["mean_gb"] / 1000) / x["error"] for x in found]
    # Eight errors of a mean: their own mean is within two of its deviations.
    assert abs(np.mean(off)) < 2 / 8**.5 + .3
    assert all(abs(x) < 3 for x in off)
    whole = [r["gb"] for r in shown(0, deviation) if r["kind"] == endurance.WHOLE]
    if deviation > .1:
        assert np.mean(whole) < 1000 * (1 - deviation**2)


def test_counters_that_stood_still_do_not_decide() -> None:
    rows = shown(1, .05)
    whole = [r for r in rows if r["kind"] == endurance.WHOLE]
    plain, = endurance.fits(rows, [])
    for row in whole[::30]:
        row["gb"] //= 3
    found, = endurance.fits(rows, [])
    assert found["mean_gb"] == pytest.approx(plain["mean_gb"], rel=.01)


def test_few_whole_steps_are_not_shown_but_serve_the_forecast() -> None:
    rows = cells("f", np.full(19, 1000), np.full(400, 300), np.full(400, .3) > np.arange(400) / 400)
    row, = endurance.fits(rows, [])
    assert row["mean_gb"] == pytest.approx(1000, rel=.01)
    assert row["error"] == pytest.approx(1 / 120**.5, rel=.01)
    found, = endurance.firmware([row], [])
    assert found["gb_per_step"] is found["wear_ratio"] is found["alarm"] is None
    assert found["unknown"] == "19 whole steps seen, 20 needed"


def test_steps_that_become_shorter_with_wear_are_a_line() -> None:
    whole = stays("a", {(k, 0): (50, 1000 - 20 * (k - 5)) for k in range(2, 9)}) + \
        stays("b", {(k, 0): (50, 500 - 10 * (k - 5)) for k in range(2, 9)})
    rows = [r for name in "ab" for r in cells(name, np.array([]), np.full(400, 300),
                                              np.arange(400) < 200)]
    for row in endurance.fits(rows, whole):
        assert row["wear"] == pytest.approx(5)
        assert row["slope"] == pytest.approx(-.02, rel=.01)
        assert row["slope_error"] == pytest.approx(.06 / (2 * 700**.5), rel=.3)


def test_too_few_steps_are_unknown() -> None:
    row, = endurance.fits(cells("f", np.array([]), np.full(400, 300), np.arange(400) < 29), [])
    assert row["mean_gb"] is None


def stays(name: str, strata: dict[tuple[int, int], tuple[int, float]]) -> list[Row]:
    """Whole steps by step of wear and year: their count, and GB that differ by a twentieth."""
    return [{"chip_maker": "m", "chip_model": "c", "chip_firmware": name, "whole_wear": wear,
             "years": years, "devices": n, "gb": round(n * gb),
             "gb_2": round(n * gb**2 * (1 + .05**2))}
            for (wear, years), (n, gb) in sorted(strata.items())]


def alarms(*groups: list[Row]) -> list[tuple[str, bool | None]]:
    whole = [r for g in groups for r in g]
    fits = [{"chip_maker": "m", "chip_model": "c", "chip_firmware": name, "devices": 400,
             "device_days": 10**5, "showing": 200, "own": True, "mean_gb": 1000.0,
             "deviation": .05, "error": .01}
            for name in dict.fromkeys(r["chip_firmware"] for r in whole)]
    return sorted((r["chip_firmware"], r["alarm"]) for r in endurance.firmware(fits, whole))


@pytest.mark.parametrize(("gb", "bad"), [
    ((1000, 1000, 1300), []), ((1000, 1300, 1300), [1000]), ((1000, 1300), [1000]),
    ((1000, 1300, 1300, 1300), [1000]), ((1000, 1000, 1000, 1300), [])], ids=str)
def test_a_firmware_is_compared_with_the_middle_of_the_others(gb: tuple[int, ...], bad: list[int]
                                                              ) -> None:
    groups = [stays(f"{i}:{x}", {(4, 1): (100, x)}) for i, x in enumerate(gb)]
    assert [int(name.split(":")[1]) for name, alarm in alarms(*groups) if alarm] == bad


def test_a_firmware_of_old_phones_is_compared_with_phones_of_its_age() -> None:
    """Old phones write less for each step, whichever firmware they have."""
    young, old = {(2, 0): (150, 1300), (3, 1): (50, 1250)}, {(8, 3): (150, 900), (3, 1): (50, 1250)}
    assert alarms(stays("new", young), stays("old", old)) == [("new", False), ("old", False)]
    worse = {**old, (3, 1): (50, 700)}
    assert alarms(stays("new", young), stays("old", worse)) == [("new", False), ("old", True)]


def test_firmwares_without_equal_phones_are_not_compared() -> None:
    assert alarms(stays("new", {(2, 0): (150, 1300)}), stays("old", {(8, 3): (150, 900)})) == \
        [("new", None), ("old", None)]
