# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""The published tables reproduced: the comparison, its method, and short runs of its phones."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from labtool import demo
from labtool.bench import crypto, guests, seeds, soak
from labtool.bench.seeds import Row
from labtool.paths import LabError


def result(rates: dict[str, float], p50_ms: float) -> str:
    def figure(name: str, rate: float) -> dict:
        return {"name": name, "repetitions": [{
            "mb_per_s": rate, "latency_ms": {"p50": p50_ms}, "sync_latency_ms": {"p50": 0.0}}]}
    return "@bench " + json.dumps({"figures": [
        *(figure(*rate) for rate in rates.items()), figure(seeds.SYNCED, 1.0)]})


def as_published() -> seeds.Campaign:
    campaign = seeds.campaign()
    campaign.nexus7.phone.lines += [
        f"@row {state} {column} {value}" for state, values in demo.PUBLISHED.items()
        for column, value in zip(demo.COLUMNS, values, strict=True)]
    campaign.tortured.phone.lines += [f"@row worst {column} {value}"
                                      for column, value in seeds.WORST.items()]
    for name, state in campaign.xperia.items():
        state.phone.facts["engine_requests"] = str(400000 if name == "engine" else 0)
        for side, value in zip(crypto.SIDES, crypto.SEED[name], strict=True):
            us = round(state.count * crypto.BLOCK / value)
            state.phone.facts |= {f"{side}_us": str(us), f"{side}_busy": "1", f"{side}_ticks": "2"}
    plain = seeds.NEXUS5
    campaign.plain.phone.lines.append(result(plain, 1.0))
    campaign.encrypted.phone.lines.append(result(
        {name: rate * (1 - seeds.NEXUS6.get(name, 0)) for name, rate in plain.items()}, 1.0))
    for name, p50_ms in seeds.P50_MS.items():
        campaign.phones[name].phone.lines.append(result({}, p50_ms))
    return campaign


def test_published_figures_have_a_ratio_of_one() -> None:
    rows = as_published().rows()
    assert [row for row in rows if row.ratio != pytest.approx(1, abs=0.001)] == []
    assert seeds.violations(rows) == []
    assert {row.seed for row in rows} == {"nexus7-2012", "xperia-z", "nexus5", "nexus6", "pixel",
                                          "moto-z"}
    assert len(seeds.table(rows)) == len(rows) + 1
    # The number of published figures: 22 of the Nexus 7, 6 and 2 gains of the Xperia Z, 4 and 3 of
    # the Nexus 5 and 6, 2 and their quotient of Pixel and Moto Z.
    assert len(rows) == 40


@pytest.mark.parametrize(("value", "violations"), [(1.19, 0), (0.81, 0), (1.21, 1), (0.79, 1)])
def test_a_fifth_is_allowed(value: float, violations: int) -> None:
    assert len(seeds.violations([Row("pixel", "p50", 3.3, 3.3 * value)])) == violations


@pytest.mark.parametrize(("cell", "allowed"), [
    ("seq write, new, MB/s", 0.05), ("rand read, full, 1st run, MB/s", 0.05),
    ("rand write, full, 2nd run, MB/s", 0.25), ("seq write, worst of a torture, MB/s", 0.25)])
def test_a_cell_unlike_the_committed_one_is_reported(cell: str, allowed: float) -> None:
    _, ours = seeds.committed()["nexus7-2012", cell]

    def violations(factor: float) -> list[str]:
        return seeds.drifted([Row("nexus7-2012", cell, 1, ours * factor)])
    assert violations(1) == violations(1 + 0.9 * allowed) == violations(1 - 0.9 * allowed) == []
    assert f"nexus7-2012: {cell}: " in violations(1 + 1.1 * allowed)[0]
    assert "run `make bench-seeds`" in violations(1 - 1.1 * allowed)[0]


def test_a_cell_that_the_committed_file_lacks_is_reported() -> None:
    assert "another: not in " in seeds.drifted([Row("nexus7-2012", "another", 1, 1)])[0]


def test_the_soak_generates_the_table_and_reports_what_differs(
        tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(seeds, "_measure", as_published)
    monkeypatch.setattr(seeds, "GENERATED", tmp_path / "bench/accuracy.md")
    figures = soak.measure({"accuracy": 1})
    # The published figures differ from the models' own, which are committed.
    violations = soak.violations(figures)
    assert "accuracy: nexus7-2012: seq read, full, 1st run, MB/s: 22.25, 25.27 in" in violations[0]
    line, = soak.table(figures)
    assert f"37 cells in {seeds.GENERATED}, {len(violations)} unlike" in line
    assert seeds.GENERATED.read_text().count("+0.0 %") == 37
    with pytest.raises(LabError, match="accuracy=2: "):
        soak.measure({"accuracy": 2})


def test_a_figure_that_is_missing_is_told() -> None:
    bench = seeds.Bench(guests.Phone("nexus6", lambda _: None), "nexus6")
    with pytest.raises(LabError, match="nexus6: storekeeper_bench reported no result"):
        bench.rate("seq-read-256k")
    bench.phone.lines.append(result({}, 1.0))
    with pytest.raises(LabError, match="nexus6: storekeeper_bench reported no .* seq-read-256k"):
        bench.rate("seq-read-256k")


@pytest.mark.long
def test_the_barrier_makes_the_difference_between_pixel_and_moto_z(
        capsys: pytest.CaptureFixture[str]) -> None:
    campaign = seeds.campaign()
    guests.run(list(campaign.phones.values()))
    p50 = {name: bench.p50_ms() for name, bench in campaign.phones.items()}
    assert p50 == {name: pytest.approx(value, rel=seeds.ALLOWED)
                   for name, value in seeds.P50_MS.items()}, capsys.readouterr()
    codes = {reason["code"] for reason in campaign.phones["moto-z"].once(seeds.SYNCED)["reasons"]}
    assert "nobarrier" in codes
