# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""The tables of fleets whose truth is known."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import calibration
import numpy as np
import pyarrow.parquet as pq
import pytest
from conftest import of_chip, sample, small
from prometheus_client.openmetrics.parser import text_string_to_metric_families
from storekeeper_fleet import (
    base,
    charts,
    cli,
    engine,
    forecast,
    openmetrics,
    output,
    page,
    survival,
)
from storekeeper_fleet.dataset import Dataset
from storekeeper_fleet.queries import QUERIES, Answers
from storekeeper_fleet.simulate import simulate
from storekeeper_fleet.troubles import TROUBLES

Planted = tuple[Path, dict[str, Any]]


@pytest.fixture(scope="module")
def answers(planted: Planted):
    with engine.start("duckdb", Dataset(planted[0])) as started:
        yield Answers(base.base(started))


def test_endurance_is_the_truth_s(answers: Answers, planted: Planted) -> None:
    rows = [r for r in answers.rows("firmware") if r["gb_per_step"] and r["devices"] > 200]
    assert len(rows) >= 3
    for row in rows:
        true = planted[1]["bytes_per_step"][f"{row['chip_model']} {row['chip_firmware']}"] / 1e9
        assert row["gb_per_step"] == pytest.approx(true, rel=.02)


def test_the_planted_firmware_is_first_and_the_only_alarm(answers: Answers, planted: Planted
                                                          ) -> None:
    rows = answers.rows("firmware")
    assert [[r["chip_model"], r["chip_firmware"]] for r in rows if r["alarm"]] == \
        [planted[1]["planted"]["firmware"]]
    assert rows[0]["alarm"]
    assert rows[0]["wear_ratio"] == pytest.approx(1.7, rel=.05)


def test_the_planted_app_writes_most_where_it_is(answers: Answers, planted: Planted) -> None:
    rows = {r["uid"]: r for r in answers.rows("writers")}
    bad = rows.pop(planted[1]["planted"]["app"])
    assert bad["gb_per_day"] == pytest.approx(15, rel=.01)
    assert bad["share_of_writes"] > .4 > max(r["share_of_writes"] for r in rows.values())
    assert bad["is_first"] == 1


def test_the_planted_build_shows_before_and_after(answers: Answers, planted: Planted) -> None:
    model, after = planted[1]["planted"]["build"]
    for row in answers.rows("builds"):
        helped = row["device_model"] == model and row["after"] == after
        assert row["write_p99_us_after"] / row["write_p99_us_before"] == pytest.approx(
            .57 if helped else 1, rel=.05)
        assert (row["trimmed_after"] > .99) == helped
    trims = {r["value"]: r["trimmed_share"] for r in answers.rows("trims")}
    assert trims[f"{model} {after}"] > .99
    gates = {r["gate"] for r in answers.rows("gates")}
    assert {"battery", "untouched"} <= gates


def test_devices_to_look_at_have_causes(answers: Answers) -> None:
    rows = answers.rows("devices")
    assert rows == sorted(rows, key=lambda r: r["weeks_left"])
    causes = {r["cause"].split()[0] for r in rows}
    assert "firmware" in causes
    assert causes <= {"firmware", "writer", "closed", "use"}


def test_coverage_leaves_out_wrong_clocks(answers: Answers, planted: Planted) -> None:
    row, = answers.rows("coverage")
    assert row["samples_of_wrong_clocks"] == planted[1]["quirks"]["wrong_clocks"] > 0
    assert row["samples"] + row["samples_of_wrong_clocks"] == planted[1]["rows"]
    assert 0 < row["ledger_began_anew"] <= planted[1]["quirks"]["resets"]


def test_small_cells_are_left_out_and_say_so(tmp_path: Path) -> None:
    assert cli.main(["simulate", "--devices", "300", "--to", str(tmp_path / "fleet")]) == 0
    with engine.start("duckdb", Dataset(tmp_path / "fleet")) as started:
        answers = Answers(base.base(started))
        rows = answers.rows("wear")
        assert {r["left_out"] for r in rows} == {True, False}
        for row in rows:
            small_cell = row["devices"] < 100 or row["device_days"] < 10_000
            assert row["left_out"] == small_cell == (row["gb_per_day"] is None)
        assert all(r["years"] is None for r in answers.rows("survival") if r["left_out"])


def _dumps(count: int) -> Callable[[Path], None]:
    def make(folder: Path) -> None:
        given = folder.parent / "given"
        given.mkdir()
        (given / "none.json").write_text("{}")
        for number in range(count):
            (given / f"{number}.json").write_text(json.dumps(of_chip(small(sample()), number)))
        assert cli.main(["ingest", str(given), "--to", str(folder)]) == 65
    return make


def _simulated(months: int, devices: int = 600) -> Callable[[Path], None]:
    def make(folder: Path) -> None:
        assert cli.main(["simulate", "--devices", str(devices), "--months", str(months), "--to",
                         str(folder)]) == 0
    return make


@pytest.mark.parametrize(("make", "reason"), [
    (_dumps(0), "the fleet has no device within its rated life"),
    (_dumps(1), "0 weeks of data, 26 needed"),
    (_dumps(3), "0 weeks of data, 26 needed"),
    (_simulated(2), "8 weeks of data, 26 needed"),
    (_simulated(3), "13 weeks of data, 26 needed"),
    (_simulated(12, 8), "none of 7 devices can be forecast: 0 do not report their wear, 0 have no "
                        "rate of writes, 7 have a chip of which fewer than 30 steps were seen"),
], ids=["none", "one", "three", "2 months", "3 months", "few"])
def test_a_forecast_that_cannot_be_made_is_absent_with_its_reason(
        tmp_path: Path, make: Callable[[Path], None], reason: str) -> None:
    make(tmp_path / "fleet")
    with engine.start("duckdb", Dataset(tmp_path / "fleet")) as started:
        found = Answers(base.base(started)).every()
    assert found.keys() == QUERIES.keys()
    rows = list(csv.DictReader(io.StringIO(output.as_csv(found["replacements"]))))
    assert len(rows) == 8
    for row in rows:
        assert {k for k, v in row.items() if v} <= \
            {"quarter", "from_week", "to_week", "devices", "devices_left_out", "unknown"}
        assert row["unknown"] == reason
    for table in found.values():
        output.as_csv(table)
    families = {x.name.removeprefix("storekeeper_fleet_"): x.samples for x in
                text_string_to_metric_families(openmetrics.render(found))}
    assert "replacements_per_week" not in families
    assert [x.labels for x in families["replacements_unknown"]] == [{"reason": reason}]
    text = page.render(found)
    assert reason in text
    for claim in ("replacements a week", "90 % confidence", '<header class="good">'):
        assert claim not in text, claim


def test_what_no_device_reports_is_not_counted_as_none(tmp_path: Path) -> None:
    dump = of_chip(small(sample("old-emmc45")), 1)
    (tmp_path / "d.json").write_text(json.dumps(dump))
    assert cli.main(["ingest", str(tmp_path / "d.json"), "--to", str(tmp_path / "fleet")]) == 0
    with engine.start("duckdb", Dataset(tmp_path / "fleet")) as started:
        found = Answers(base.base(started)).every()
    coverage, = found["coverage"]
    assert (coverage["present"], coverage["wear_not_reported"]) == (1, 1)
    assert coverage["past_rated_life"] is None
    metrics = openmetrics.render(found)
    for name in ("devices_past_rated_life", "firmware_alarm", "firmware_bytes_per_step"):
        assert name not in metrics
    assert "0 in the fleet have passed it" not in page.render(found)


def test_a_forecast_counts_the_devices_that_it_leaves_out(answers: Answers) -> None:
    row = answers.rows("replacements")[0]
    coverage, = answers.rows("coverage")
    assert row["unknown"] == ""
    assert row["devices"] + row["devices_left_out"] + coverage["past_rated_life"] == \
        coverage["present"]
    assert row["devices"] > 1500
    assert row["devices_left_out"] > 0


def test_formats_agree(planted: Planted, query: Callable[..., bytes], tmp_path: Path) -> None:
    folder = planted[0]
    as_csv = list(csv.DictReader(io.StringIO(query(folder, "wear").decode())))
    as_json = json.loads(query(folder, "wear", "--format", "json"))
    assert cli.main(["query", str(folder), "wear", "--format", "parquet", "-o",
                     str(tmp_path / "w.parquet")]) == 0
    as_parquet = pq.ParquetFile(tmp_path / "w.parquet").read().to_pylist()
    assert as_json == as_parquet
    assert [{k: "" if v is None else str(v).lower() if isinstance(v, bool) else v
             for k, v in r.items() if not isinstance(v, float)} for r in as_json] == \
        [{k: type(as_json[i][k])(v) if isinstance(as_json[i][k], int) and v.isdigit() else v
          for k, v in r.items() if not isinstance(as_json[i][k], float)}
         for i, r in enumerate(as_csv)]
    assert query(folder, "--sql", "SELECT count(*) AS n FROM configs") == b"n\n24\n"
    assert cli.main(["query", str(folder), "--sql", "SELECT nothing FROM nowhere"]) == 64
    assert cli.main(["query", str(folder)]) == 64


def test_openmetrics_has_the_head_figures(planted: Planted, tmp_path: Path) -> None:
    assert cli.main(["query", str(planted[0]), "--openmetrics", str(tmp_path / "m.prom")]) == 0
    families = {x.name.removeprefix("storekeeper_fleet_"): x.samples for x in
                text_string_to_metric_families((tmp_path / "m.prom").read_text())}
    assert len(families) == 10
    chip, name = planted[1]["planted"]["firmware"]
    alarms = [x.labels for x in families["firmware_alarm"] if x.value]
    assert alarms == [{"chip_model": chip, "chip_firmware": name}]
    assert len(families["replacements_per_week"]) == 24


def test_text_of_devices_does_not_become_a_formula() -> None:
    assert output.as_csv([{"a": "=1+1", "b": 'x"y', "c": 1.5, "d": None}]) == \
        'a,b,c,d\n\'=1+1,"x""y",1.5,\n'


def test_a_data_set_that_is_none_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]
                                          ) -> None:
    assert cli.main(["query", str(tmp_path), "wear"]) == 66
    assert f"{tmp_path}: no data set" in capsys.readouterr().err
    (tmp_path / "fleet.json").write_text('{"schema": "storekeeper.fleet", "version": 2}')
    assert cli.main(["query", str(tmp_path), "wear"]) == 66
    assert "version 2; this program knows version 1" in capsys.readouterr().err


@pytest.mark.parametrize(("expected", "variance"), [(3.0, 1.5), (3.0, 3.0), (40.0, 90.0)])
def test_a_band_holds_ninety_per_cent(expected: float, variance: float) -> None:
    low, high = forecast.band(expected, variance)
    assert low < expected < high
    assert high - low == pytest.approx(3.29 * variance**.5, abs=1.5)


def test_lives_are_those_that_were_drawn() -> None:
    random = np.random.default_rng(5)
    age = random.weibull(3, 4000) * 60
    entry = random.uniform(0, 50, 4000)
    seen = (age > entry)
    age, entry = age[seen], entry[seen]
    end = entry + 13
    cells = [{"dimension": "d", "value": "v", "entry": int(e), "lower": int(min(a, x)),
              "upper": int(a) if a < x else -1, "devices": 1, "device_days": 364}
             for a, e, x in zip(age, entry, end, strict=True)]
    life, = survival.lives(cells)
    true = 60 * survival.UNIT_YEARS * np.log(2) ** (1 / 3)
    assert life["years_to_50_pct"] == pytest.approx(true, rel=.05)
    curve = {round(r["years"] / survival.UNIT_YEARS): r["within_rated_life"]
             for r in survival.curves(cells)}
    assert curve[40] == pytest.approx(np.exp(-(40 / 60) ** 3), abs=.03)


def test_rates_of_small_groups_are_left_out_as_in_the_other_tables(tmp_path: Path) -> None:
    assert cli.main(["simulate", "--devices", "300", "--to", str(tmp_path / "fleet")]) == 0
    with engine.start("duckdb", Dataset(tmp_path / "fleet")) as started:
        answers = Answers(base.base(started))
        rows, wear = answers.rows("wear-rates"), answers.rows("wear")
    assert {r["left_out"] for r in rows} == {True, False}
    # The group's own size stands beside a cell's.
    assert {(r["dimension"], r["value"]): (r["group_devices"], r["left_out"]) for r in rows} == \
        {(r["dimension"], r["value"]): (r["devices"], r["left_out"]) for r in wear}
    for row in rows:
        assert row["left_out"] == (row["pct_per_year"] is None) == (row["devices"] is None)


def test_trims_count_time_and_not_dumps(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(base, "MIN_DEVICES", 1)
    monkeypatch.setattr(base, "MIN_DEVICE_DAYS", 1)
    given = tmp_path / "given"
    given.mkdir()
    day, begin = 86_400, 1_798_794_000
    # One device reports daily and trims, the other five-weekly and does not.
    for number, every, age_days in ((1, 1, 0), (2, 35, 30)):
        for at in range(begin, begin + 35 * day + 1, every * day):
            dump = of_chip(small(sample()), number, at)
            dump["maintenance"]["last_complete_wall_s"] = at - age_days * day
            (given / f"{number}-{at}.json").write_text(json.dumps(dump))
    assert cli.main(["ingest", str(given), "--to", str(tmp_path / "fleet")]) == 0
    with engine.start("duckdb", Dataset(tmp_path / "fleet")) as started:
        rows = Answers(base.base(started)).rows("trims")
    assert [(r["devices"], r["device_days"], r["trimmed_share"]) for r in rows] == [(2, 70, .5)] * 2


def _cell(entry: int, end: int, past: bool, devices: int) -> dict[str, Any]:
    return {"dimension": "d", "value": "v", "entry": entry, "lower": end,
            "upper": end if past else -1, "devices": devices, "device_days": 28 * devices * 20}


def test_few_devices_at_an_age_do_not_decide_a_curve() -> None:
    # All that were seen young passed their rated life; so did all that became old.
    cells = [_cell(0, 3, True, 2), _cell(30, 60, False, 900), _cell(30, 45, True, 100),
             _cell(60, 90, True, 3)]
    rows = survival.curves(cells)
    assert {r["from_years"] for r in rows} == {30 * survival.UNIT_YEARS}
    assert min(r["years"] for r in rows) == 30 * survival.UNIT_YEARS
    assert max(r["years"] for r in rows) == pytest.approx(61 * survival.UNIT_YEARS)
    assert rows[-1]["within_rated_life"] == pytest.approx(.9)
    assert rows[-1]["low"] == pytest.approx(.885, abs=.002)


def test_a_curve_of_too_few_at_every_age_says_why() -> None:
    row, = survival.curves([_cell(10 * x, 10 * x + 5, True, 10) for x in range(40)])
    assert row["unknown"] == "at no age were 20 devices seen"
    assert row["years"] is row["within_rated_life"] is None
    assert not row["left_out"]
    assert charts.survival([row], "d") is None


def test_a_ledger_that_began_late_gives_no_age(tmp_path: Path) -> None:
    """Old chips with young ledgers would die young: the curve would fall where none is old."""
    true, found = [], []
    for trouble in ([], ["--trouble", "late-ledgers"]):
        folder = tmp_path / f"fleet{len(trouble)}"
        assert cli.main(["simulate", "--devices", "3000", "--seed", "5", *trouble,
                         "--to", str(folder)]) == 0
        with engine.start("duckdb", Dataset(folder)) as started:
            answers = Answers(base.base(started))
            late, = answers.rows("coverage")
            found.append(late["ledger_began_late"])
            points = [r for r in answers.rows("survival") if r["value"] == "Finch 2"
                      and r["years"] <= 1]
            true.append(points[-1]["within_rated_life"])
    assert found[0] < 30
    assert found[1] > 300
    assert true == pytest.approx([.99, .99], abs=.01)


def test_lives_of_too_few_events_say_why() -> None:
    life, = survival.lives([_cell(0, 12, False, 200), _cell(0, 6, True, 9)])
    assert life["years_to_50_pct"] is None
    assert life["unknown"] == "9 devices seen to pass their rated life, 10 needed"


def test_a_curve_without_an_event_has_a_width() -> None:
    row = survival.curves([_cell(0, 12, False, 200)])[-1]
    assert row["within_rated_life"] == row["high"] == 1
    # One event in some 200 is likely to be missed.
    assert .95 < row["low"] < .999


def test_a_curve_that_cannot_be_computed_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: Any, **__: Any) -> None:
        raise survival.StatError("too few early truncation times. More words.")
    monkeypatch.setattr(survival.KaplanMeierFitter, "fit", fail)
    row, = survival.curves([_cell(0, 12, True, 200)])
    assert row["unknown"] == "too few early truncation times"
    assert row["within_rated_life"] is None


@pytest.mark.parametrize("weeks", [6, 8, 13, 26])
def test_the_page_of_a_short_fleet_is_made(tmp_path: Path, weeks: int) -> None:
    simulate(1500, 12, 3, tmp_path / "fleet", [], trouble=tuple(TROUBLES), weeks=weeks)
    assert cli.main(["report", str(tmp_path / "fleet"), "-o", str(tmp_path / "f.html")]) == 0
    text = (tmp_path / "f.html").read_text()
    assert (f"No forecast: {weeks} weeks of data, 26 needed" in text) == (weeks < 26)


def test_the_short_calibration_holds() -> None:
    """A fleet of each kind. Bands of one fleet err together, so all are judged as one."""
    held = bands = 0
    for kind in calibration.KINDS:
        counts = calibration.calibrate(kind, 1, first_seed=100)
        assert counts.unknown == kind.startswith("short"), kind
        assert counts.planted_found == (kind == "firmware"), kind
        assert counts.false_alarms == 0, kind
        held += sum(counts.covered)
        bands += 0 if counts.unknown else len(counts.covered)
    # Nine of ten are expected to hold.
    assert held >= .75 * bands > 0
