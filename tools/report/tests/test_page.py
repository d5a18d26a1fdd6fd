# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""The page as a file: equal bytes, nothing from outside, and no text of a device comes to life."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import plotly.graph_objects as go
import pytest
from conftest import DATA, EVIL, attack
from storekeeper_report import charts, page, words
from storekeeper_report.device import devices
from storekeeper_report.dump import check, sections

Get = Callable[[str], dict[str, Any]]
NAMES = ("worn-emmc", "new-ufs", "old-emmc45")
def test_equal_dumps_give_equal_bytes(dump: Get) -> None:
    first, again = (page.render(devices([dump(n) for n in NAMES])) for _ in range(2))
    assert first == again


def test_what_a_device_says_stays_text(dump: Get) -> None:
    text = page.render(devices([check("x", attack(dump(n))) for n in NAMES]))
    clean = page.render(devices([dump(n) for n in NAMES]))
    assert "&lt;/script&gt;" in text
    for tag in ("<script", "</script", "<img"):
        assert text.count(tag) == clean.count(tag), tag
    assert "{{7*7}}" in text
    assert EVIL not in text
    for bad in ("\u202e", "\x1b", "\ud800"):
        assert bad not in text


def test_the_data_block_is_json_and_holds_no_markup(dump: Get) -> None:
    text = page.render(devices([check("x", attack(dump("worn-emmc")))]))
    found = re.search(r'<script type="application/json" id="figures">(.*?)</script>', text, re.S)
    assert found
    assert not set("<>&") & set(found[1])
    assert set(json.loads(found[1])) == {"d1-wear", "d1-probe", "d1-diskstats"}


def test_only_the_page_s_own_scripts_may_run(dump: Get) -> None:
    text = page.render(devices([dump("new-ufs")]))
    policy = re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', text)
    assert policy
    assert policy[1].startswith("default-src 'none';")
    scripts = html.unescape(policy[1].split("script-src ")[1])
    assert re.fullmatch(r"'sha256-\S{44}' 'sha256-\S{44}'", scripts)
    assert not re.search(r"<(script|link|img|iframe)[^>]*\s(src|href)=", text[:20_000])


@pytest.mark.parametrize("section", sections())
def test_a_section_that_is_missing_is_said_to_be(dump: Get, section: str) -> None:
    given = dump("worn-emmc")
    del given[section]
    text = page.render(devices([check("x", given)]))
    assert section == "device" or "not in this dump" in text
    assert text.count("<section>") == 9


def test_each_section_has_a_row_of_its_own(dump: Get) -> None:
    text = page.render(devices([dump("new-ufs")]))
    style = (Path(page.__file__).parent / "templates/style.css").read_text()
    rows = re.search(r"article \{[^}]*grid-row: span (\d+)", style)
    assert rows
    assert int(rows[1]) == 1 + text.count("<section>")  # the header has one, too


def test_nothing_but_the_frame_is_a_dump_too() -> None:
    given = {"schema": "storekeeper.dump", "version": 1, "made_wall_s": 0}
    text = page.render(devices([check("x", given)]))
    assert "Remaining life unknown" in text
    assert "clock not set" in text


def colours(value: Any) -> Any:
    if isinstance(value, dict):
        return {k: colours(v) for k, v in value.items()}
    if isinstance(value, list):
        return [colours(x) for x in value]
    return "red" if isinstance(value, str) and value.startswith("--") else value


@pytest.mark.parametrize("name", NAMES)
def test_plotly_knows_every_key_of_the_figures(dump: Get, name: str) -> None:
    _, figures = page.figures_of(devices([dump(name)]))
    assert figures
    for figure in figures.values():
        go.Figure(colours(figure))  # raises on a key that it does not know


def test_every_colour_has_a_light_and_a_dark_value(dump: Get) -> None:
    _, figures = page.figures_of(devices([dump(n) for n in NAMES]))
    used = set(re.findall(r'"(--[a-z0-9]+)"', json.dumps(figures)))
    style = (Path(page.__file__).parent / "templates/style.css").read_text()
    light, dark = style.split("prefers-color-scheme: dark", 1)
    assert used >= {"--p50", "--run", "--forecast"}
    for colour in used:
        assert f"{colour}:" in light, colour
        assert f"{colour}:" in dark, colour


def test_the_forecast_is_a_band_and_an_unknown_one_is_none(dump: Get) -> None:
    def names(name: str) -> list[str]:
        figure = charts.wear(devices([dump(name)])[0])
        return [x["name"] for x in figure["data"]] if figure else []
    assert "forecast" in names("worn-emmc")
    assert names("new-ufs") == ["type B (MLC)", "type A (SLC)"]
    assert names("old-emmc45") == []


def test_maintenance_runs_are_marked_where_they_were(dump: Get) -> None:
    device = devices([dump("worn-emmc")])[0]
    figure = charts.latency(device, "probe")
    marks = next(x for x in figure["data"] if x["name"] == "maintenance run")
    assert marks["x"] == [words.iso(x["started_wall_s"]) for x in device.receipts or []]
    assert [x["x0"] for x in figure["layout"]["shapes"]] == marks["x"]


def _urgent(dump: Get) -> dict[str, Any]:
    given = dump("worn-emmc")
    since = given["made_wall_s"]
    given["ledger"]["alerts"] = [
        {"code": "x", "level": level, "since_wall_s": since, "text": f"Alert, {level}."}
        for level in ("warning", "urgent")]
    given["mount_audit"]["findings"] = [
        {"code": "x", "level": level, "mount": "/data", "text": f"Finding, {level}", "cost": "",
         "change": ""} for level in ("info", "warning", "urgent")]
    return given


def test_what_is_urgent_comes_first(dump: Get) -> None:
    text = page.render(devices([dump("new-ufs"), _urgent(dump), dump("old-emmc45")]))
    titles = re.findall(r'<span class="name">(.*?)</span>', text)
    # The tablet has an urgent finding and reports no wear.
    assert titles == ["Corvid 5X", "Slate 7 (2012)", "Meadow 3"]
    assert re.findall(r'<header class="(\w+)">', text) == ["urgent", "urgent", "good"]
    header = text.split("<header")[1].split("</header>")[0]
    places = [header.index(x) for x in (
        "Alert, urgent.", "/data: Finding, urgent", "Storage life", "Forecast", "Alert, warning.")]
    assert places == sorted(places)
    assert "Finding, warning" not in header
    assert text.index("Finding, info") > text.index("Finding, warning")


def _audited(dump: dict[str, Any]) -> str:
    dump["mount_audit"]["findings"] = [{
        "code": "no_discard", "level": "warning", "mount": "/data", "cost": "", "change": "",
        "text": "discards do not reach the chip"}]
    return "discards do not reach the chip"


def _ran(dump: dict[str, Any]) -> str:
    run = dump["receipts"][0]
    run["mounts"][0] |= {"mount": "/data", "outcome": "no_discard", "reason": "no discards there"}
    dump["maintenance"]["last_run"] = run
    return "no discards there"


def _refused(dump: dict[str, Any]) -> str:
    dump["maintenance"]["notes"] = ["Nothing is trimmed on this device. Its loop is read-only."]
    return "Nothing is trimmed on this device. Its loop is read-only."


def _stateless(dump: dict[str, Any]) -> str:
    dump["maintenance"]["state_problem"] = "/data/misc/storekeeper: Read-only file system"
    return "/data/misc/storekeeper: Read-only file system"


@pytest.mark.parametrize("spoil", [_audited, _ran, _refused, _stateless])
def test_open_gates_are_not_said_to_trim_what_cannot_be_trimmed(
        dump: Get, spoil: Callable[[dict[str, Any]], str]) -> None:
    given = dump("new-ufs")
    assert "every gate is open" in page.render(devices([check("x", given)]))
    reason = spoil(given)
    text = page.render(devices([check("x", given)]))
    assert "every gate is open" not in text
    assert f"<strong>Does not trim /data:</strong> {reason}" in text


def test_a_report_only_device_is_not_said_to_run(dump: Get) -> None:
    given = dump("new-ufs")
    given["maintenance"] |= {"state": "report_only", "gates": [], "last_complete_wall_s": 0}
    text = page.render(devices([check("x", given)]))
    assert "<strong>Report only:</strong> Storekeeper does not trim this device" in text
    assert "every gate is open" not in text
    assert "Last complete run" not in text


def test_bytes_that_are_not_counted_have_the_reason(dump: Get) -> None:
    given = dump("new-ufs")
    given["ledger"] |= {"written_bytes": None, "written_why": "queue/iostats is 0 on sda"}
    assert "<dd>not known: queue/iostats is 0 on sda</dd>" in page.render(
        devices([check("x", given)]))
    del given["ledger"]["written_why"]  # of an older daemon
    assert "<dd>not known</dd>" in page.render(devices([check("x", given)]))


def test_who_is_over_a_budget_is_listed(dump: Get) -> None:
    given = dump("worn-emmc")

    def text() -> str:
        return page.render(devices([check("x", given)]))
    rows = re.findall(r'<th scope="row" class="writer">([^<]+)(?: <span class="badge warning">'
                      r"([^<]+)</span>)?</th>(.*?)</tr>", text())
    # Rows of the first table have a bar.
    assert [x[:2] for x in rows] == [
        ("com.example.messenger (u0_a142)", "repeat offender"),
        ("com.example.camera (u0_a87)", "")]
    cells = re.findall(r'<td class="n(?: when)?">(.*?)</td>', rows[0][2])
    assert cells == ["4", '<span class="n">7.9 GB<br>2026-12-29</span>',
                     '<span class="n">5.9 GB<br>2027-01-01</span>']
    assert "Budgets a day: 5.2 GB for an app, none for a uid of the system." in text()
    given["latency"]["budgets"]["offenders"] = []
    assert "Nobody was over a budget" in text()
    given["latency"]["budgets"] = None
    assert "budget" not in text().partition("<style>")[0] + text().rpartition("</style>")[2]
    del given["latency"]["budgets"]
    assert "repeat offender" not in text()


def test_times_of_a_clock_that_was_not_set_stay_out_of_the_charts(dump: Get) -> None:
    given = dump("worn-emmc")
    for row in (given["ledger"]["series"][0], given["latency"]["series"][0],
                given["receipts"][-1], given["ledger"]["events"][0]):
        row["wall_s" if "wall_s" in row else "started_wall_s"] = 5
    given["ledger"]["forecast"]["latest_wall_s"] = 10**18
    _, figures = page.figures_of(devices([check("x", given)]))
    assert "1970" not in json.dumps(figures)
    page.render(devices([given]))


def test_figures_beyond_reason_are_drawn_or_left_out(dump: Get) -> None:
    given = dump("worn-emmc")
    rows = given["latency"]["series"]
    for row, value in zip(rows, (-1, 0, 1e-300, 1e300), strict=False):
        row["p50_us"] = value
    given["ledger"]["written_bytes"] = given["receipts"][0]["duration_ms"] = 2**64 - 1
    given["latency"]["now"][0]["mean_us"] = 1e300
    given["ledger"]["forecast"]["latest_wall_s"] += 60 * 365 * 86_400
    devices_ = devices([check("x", given)])
    page.render(devices_)
    layout = charts.latency(devices_[0], "probe")["layout"]
    assert len(layout["yaxis"]["tickvals"]) <= 6
    wear = charts.wear(devices_[0])
    assert wear
    assert wear["layout"]["xaxis"]["dtick"] != "M12"


@pytest.mark.parametrize(("got", "wanted"), [
    (words.size(0), "0 B"), (words.size(999), "999 B"), (words.size(31_900_000_000), "31.9 GB"),
    (words.size(None), "–"), (words.micros(999), "999 µs"), (words.micros(1500), "1.5 ms"),
    (words.millis(67_400), "67.4 s"), (words.millis(700_000), "11 min 40 s"),
    (words.seconds(0), "0 s"), (words.seconds(183_600), "2 d 3 h"),
    (words.seconds(-61), "−1 min 1 s"),
    (words.percent(0.0312), "0.031 %"), (words.percent(24.4), "24 %"), (words.percent(None), "–"),
    (words.uid(10_142), "u0_a142"), (words.uid(1_010_142), "u10_a142"), (words.uid(1000), "system"),
    (words.uid(5), "uid 5"), (words.life_range(0), None), (words.life_range(1), (0, 10)),
    (words.life_range(11), (100, 100)), (words.life_range(12), None),
    (words.life_range(None), None),
    (words.gate_value(274, "dC"), "27.4 °C"), (words.gate_value(None, "s"), "not known"),
    (words.gate_value(1, "yes"), "yes"), (words.moment(0), "clock not set"),
    (words.moment(10**18), "clock not set"), (words.day(1_798_794_000), "2027-01-01"),
])
def test_figures_as_people_read_them(got: object, wanted: object) -> None:
    assert got == wanted


def test_the_samples_are_all_shown() -> None:
    assert {p.stem for p in DATA.glob("*.json")} == {*NAMES, "worn-emmc-earlier"}
