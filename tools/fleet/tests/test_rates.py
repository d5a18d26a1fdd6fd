# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""The course of the rate of writes: what is believed of a change, a season and a trend."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from storekeeper_fleet import rates

WEEK = 7 * 86_400
DAY = 86_400
END = 200 * WEEK
DEVICES = 400
CONFIGS = [{"config": 1, "device_model": "Finch", "build": "1", "step_mb": 1e6},
           {"config": 2, "device_model": "Finch", "build": "2", "step_mb": 1e6}]


def dumps(weekly_mb: np.ndarray, config: np.ndarray | None = None) -> dict[str, np.ndarray]:
    """One dump at the beginning of each week, and one at the end of the last."""
    devices, weeks = weekly_mb.shape
    mb = np.concatenate([np.zeros((devices, 1)), np.cumsum(weekly_mb, axis=1)], axis=1)
    shape = np.ones((devices, weeks + 1), np.int64)
    config = shape if config is None else np.concatenate([config, config[:, -1:]], axis=1)
    return {"chip": (np.arange(devices)[:, None] * shape).ravel(), "config": config.ravel(),
            "since_wall_s": 0 * shape.ravel(), "mb": mb.astype(np.int64).ravel(),
            "wall_s": (END - (weeks - np.arange(weeks + 1)) * WEEK * shape).ravel()}


def fleet(weeks: int, common: np.ndarray | float = 1.0) -> np.ndarray:
    """MB that devices write in each week: each has a rate of its own, and weeks scatter."""
    random = np.random.default_rng(3)
    rate = 60_000 * np.exp(random.normal(0, .5, (DEVICES, 1)))
    return rate * np.exp(random.normal(0, .3, (DEVICES, weeks))) * common


def course(weekly_mb: np.ndarray, config: np.ndarray | None = None) -> rates.Course:
    weeks = weekly_mb.shape[1]
    return rates.course(dumps(weekly_mb, config), CONFIGS, END, weeks, 8)


def quarters(found: rates.Course) -> np.ndarray:
    return found.season.reshape(8, 13).mean(axis=1)


@pytest.mark.parametrize("factor", [.5, 2.0])
@pytest.mark.parametrize("week", [12, 30, 45])
def test_a_change_at_a_date_ends_where_it_ends(factor: float, week: int) -> None:
    found = course(fleet(52, np.where(np.arange(52) < week, 1, factor)))
    change, = found.found
    assert change.factor == pytest.approx(factor, rel=.05)
    # The newest quarter has both: the level after the change counts from now on.
    part = max(week - 39, 0) / 13
    assert found.level["Finch"] == pytest.approx(factor / (part + (1 - part) * factor), rel=.05)
    assert quarters(found) == pytest.approx(np.ones(8), abs=.05)
    assert found.doubt[-1] < .1


@pytest.mark.parametrize("factor", [.5, 2.0])
def test_a_change_by_a_build_is_found_at_the_devices_updates(factor: float) -> None:
    # They come over half a year, so that no date shows a change.
    update = np.random.default_rng(4).integers(20, 46, DEVICES)[:, None]
    after = np.arange(52) >= update
    found = course(fleet(52) * np.where(after, factor, 1), 1 + after.astype(int))
    assert [(x.at, round(x.factor / factor, 1)) for x in found.found] == [("build 2", 1.0)]
    assert quarters(found) == pytest.approx(np.ones(8), abs=.05)
    assert found.doubt[-1] < .1


def test_a_season_goes_on_and_is_no_change() -> None:
    week = np.arange(156)
    wave = 1 + .2 * np.cos(2 * np.pi * (week - 7) / rates.YEAR_WEEKS)
    found = course(fleet(52, wave[:52]))
    assert found.found == []
    true = wave[52:].reshape(8, 13).mean(axis=1) / wave[39:52].mean()
    assert true.max() > 1.15
    assert (np.abs(np.log(quarters(found) / true)) < 2 * found.doubt).all()
    assert found.doubt[-1] < .1


def test_a_season_that_half_a_year_cannot_show_is_doubt() -> None:
    week = np.arange(26)
    wave = 1 + .2 * np.cos(2 * np.pi * week / rates.YEAR_WEEKS)
    half, plain = course(fleet(26, wave)), course(fleet(26))
    assert quarters(half) == pytest.approx(np.ones(8))
    # It has moved by .4 and moves back in half a year.
    assert half.doubt[1] * 1.64 > .4 > plain.doubt[1] * 1.64


def test_a_trend_is_not_extended_but_doubted() -> None:
    """The band reaches a growth that goes on for as long as it was seen."""
    growth = np.exp(.3 * np.arange(52) / 52)
    found = course(fleet(52, growth))
    assert found.found == []
    assert quarters(found) == pytest.approx(np.ones(8), abs=.03)
    lasting = .3 * np.arange(1, 9) / 4
    assert (found.doubt[:4] * 1.64 > lasting[:4]).all()
    assert course(fleet(52)).doubt[3] * 1.64 < .1


def test_a_counter_that_stands_still_says_nothing() -> None:
    weekly = fleet(52)
    stands = weekly.copy()
    stands[:80, 40:50] = 0
    frozen, plain = course(stands), course(weekly)
    assert frozen.found == []
    assert frozen.doubt == pytest.approx(plain.doubt, abs=.02)


def test_devices_that_count_nothing_are_no_fleet() -> None:
    nothing = {name: of[:0] for name, of in dumps(fleet(52)).items()}
    assert rates.course(nothing, CONFIGS, END, 52, 8).unknown.startswith("in fewer than 25 weeks")


def test_too_few_devices_are_no_fleet() -> None:
    few = rates.course(dumps(fleet(52)[:50]), CONFIGS, END, 52, 8)
    assert few.unknown == ("in fewer than 25 weeks were 100 devices seen that count what they "
                           "write")


def test_dumps_five_weeks_apart_fill_the_weeks_between() -> None:
    weekly = fleet(50, np.where(np.arange(50) < 20, 1, 2))
    every = dumps(weekly)
    kept: dict[str, Any] = {k: v.reshape(DEVICES, 51)[:, ::5].ravel() for k, v in every.items()}
    found = rates.course(kept, CONFIGS, END, 50, 8)
    assert [round(x.factor, 1) for x in found.found] == [2.0]
