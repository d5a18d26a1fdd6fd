# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""The bounds of `make bench-forecast`; campaigns/forecast_score_test.cpp is its short form."""

from __future__ import annotations

import pytest

from labtool.bench import forecast

HELD = {"phones": 500, "ranges": 480, "covered_pct": 84.0, "median_width": 0.30,
        "not_before": 300, "not_before_broken_pct": 0.5}


def figures(**changed: dict) -> dict:
    cases = {*forecast.WIDTH, *forecast.CHANGES_COVERED_PCT}
    return {"1": {"days": {case: {**HELD, **changed.get(case, {})} for case in sorted(cases)}}}


def test_figures_within_bounds_are_no_violation() -> None:
    assert forecast.violations(figures()) == []
    # Ranges may hold more often, and be wider, when use changes.
    assert forecast.violations(figures(habits={"covered_pct": 95, "median_width": 2})) == []
    assert len(forecast.table(figures())) == 1 + 5


@pytest.mark.parametrize("case, change", [
    ("steady", {"covered_pct": 77.9}), ("steady", {"covered_pct": 92.1}),
    ("steady", {"median_width": 0.41}), ("drift", {"median_width": 0.46}),
    ("bursts", {"median_width": 0.91}), ("habits", {"covered_pct": 69.9}),
    ("change", {"covered_pct": 49.9}), ("steady", {"not_before_broken_pct": 2.1}),
    ("bursts", {"ranges": 449})])
def test_a_violation_names_seed_and_case(case: str, change: dict) -> None:
    [line] = forecast.violations(figures(**{case: change}))
    assert line.startswith(f"seed 1, days, {case}: ")


def test_chance_bounds_the_share_that_a_range_covers() -> None:
    # 68.3 % of a normal distribution lie within a standard deviation, which is a factor here.
    assert forecast.most_covered(1.6487 - 0.6065) == pytest.approx(73, abs=1)
    assert forecast.most_covered(0.90) < 70 < forecast.most_covered(0.97)
