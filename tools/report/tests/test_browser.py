# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""The page in Debian's Chromium, opened from the disk."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from chromium import Chromium
from conftest import DATA, attack, attack_bench
from storekeeper_report import cli

Get = Callable[[str], dict[str, Any]]
DRAWN = """[...document.querySelectorAll(".chart")].map(
    (x) => x.querySelectorAll(
        ".plot-container .trace path.js-line, .trace path.point, .trace .point > path").length)"""
WAIT = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    page = tmp_path_factory.mktemp("report") / "report.html"
    names = ("worn-emmc-earlier", "worn-emmc", "new-ufs", "old-emmc45")
    assert cli.main([*(str(DATA / f"{n}.json") for n in names), "-o", str(page)]) == 0
    return page


@pytest.fixture(scope="module")
def browser() -> Iterator[Chromium]:
    with Chromium() as started:
        yield started


def test_charts_are_drawn_and_nothing_is_asked_for_outside(browser: Chromium, report: Path) -> None:
    page = browser.open(report)
    drawn = page.value(DRAWN)
    assert len(drawn) == 5  # wear of two, latency of three
    assert all(n > 0 for n in drawn), drawn
    assert page.complaints == []
    assert page.requests == [report.as_uri()]
    # Sections stand side by side: each begins at the same height on all three.
    tops = page.value("""[...document.querySelectorAll("article")].map((a) =>
        [...a.querySelectorAll("section")].map((s) => Math.round(s.offsetTop)))""")
    assert len(tops) == 3
    assert tops[0] == tops[1] == tops[2]
    # Another source, another time.
    for select, value in (("source-2", "d2-diskstats"), ("days-2", "30")):
        page.value(f"""(() => {{
            const select = document.getElementById("{select}");
            select.value = "{value}";
            select.dispatchEvent(new Event("change"));
        }})()""")
    legend = "document.querySelector('#latency-2 ~ .legend').textContent"
    assert page.value(legend) == "meanmaintenance run"
    begin, end = page.value("document.getElementById('latency-2').layout.xaxis.range")
    assert datetime.fromisoformat(end) - datetime.fromisoformat(begin) == timedelta(days=30)
    assert end[:10] > "2026-12-31"
    assert page.complaints == []
    page.close()


# Tables that would have to be scrolled sideways, with all of them open.
CUT = """(() => {
    for (const x of document.querySelectorAll("details")) x.open = true;
    return [...document.querySelectorAll(".wide")].filter((x) => x.scrollWidth > x.clientWidth)
        .map((x) => `${x.scrollWidth}>${x.clientWidth} ${x.textContent.slice(0, 60)}`);
})()"""


@pytest.mark.parametrize("names", [
    ["worn-emmc"], ["new-ufs"], ["old-emmc45"], ["worn-emmc", "new-ufs", "old-emmc45"]],
    ids=len)
@pytest.mark.parametrize("width", [360, 400, 1400])
def test_no_column_is_cut(browser: Chromium, tmp_path: Path, names: list[str], width: int) -> None:
    report = tmp_path / "report.html"
    assert cli.main([*(str(DATA / f"{n}.json") for n in names), "-o", str(report)]) == 0
    page = browser.open(report, width=width)
    assert page.value("document.documentElement.scrollWidth") == width
    assert page.value(CUT) == []
    page.close()


def test_it_fits_a_phone_and_follows_the_dark(browser: Chromium, report: Path) -> None:
    page = browser.open(report, width=360, height=740)
    assert page.value("document.documentElement.scrollWidth") == 360
    line = "getComputedStyle(document.querySelector('#latency-1 path.js-line')).stroke"
    light = page.value(line)
    page.dark(True)
    page.value(WAIT)
    assert page.value(line) != light
    assert all(n > 0 for n in page.value(DRAWN))
    assert page.complaints == []
    page.close()


def test_a_hostile_device_stays_text(browser: Chromium, tmp_path: Path, dump: Get) -> None:
    given, report = tmp_path / "d.json", tmp_path / "report.html"
    given.write_text(json.dumps(attack(dump("worn-emmc"))))
    assert cli.main([str(given), "-o", str(report)]) == 0
    page = browser.open(report, width=360, height=740)
    assert page.value("document.documentElement.scrollWidth") == 360
    event = page.value("""(() => {
        const chart = document.getElementById("d1-wear");
        const event = chart.data.findIndex((x) => x.name === "event");
        Plotly.Fx.hover(chart, [{curveNumber: event, pointNumber: 0}]);
        return chart.querySelector(".hoverlayer").textContent;
    })()""")
    assert "</script>" in event
    assert page.value("document.images.length") == 0
    assert page.value("document.scripts.length") == 3
    assert page.complaints == []
    assert page.requests == [report.as_uri()]
    page.close()


def test_a_hostile_benchmark_is_drawn_and_stays_text(browser: Chromium, tmp_path: Path,
                                                     bench: Get) -> None:
    files = [tmp_path / f"{x}.json" for x in ("before", "after", "comparison")]
    for file in files:
        file.write_text(json.dumps(attack_bench(bench(file.stem))))
    report = tmp_path / "report.html"
    assert cli.main(["bench", *map(str, files), "-o", str(report)]) == 0
    page = browser.open(report, width=360, height=740)
    assert page.value("document.documentElement.scrollWidth") == 360
    drawn = page.value(DRAWN)
    assert len(drawn) == 8  # the bars, and curves of all but the copy
    assert all(n > 0 for n in drawn), drawn
    legend = "document.querySelector('#bars ~ .legend').textContent"
    assert page.value(legend) == "beforeafter: fasterafter: slowerafter: no difference"
    page.value("""(() => {
        const select = document.getElementById("metric");
        select.value = "bars-sync_p50_ms";
        select.dispatchEvent(new Event("change"));
    })()""")
    assert page.value(legend) == "beforeafter: slower"
    names = page.value("[...document.querySelectorAll('tbody th')].map((x) => x.textContent)")
    assert any("<script>" in x for x in names)
    assert page.value("document.images.length") == 0
    assert page.value("document.scripts.length") == 3
    assert page.complaints == []
    assert page.requests == [report.as_uri()]
    page.close()


def test_this_test_would_see_an_outside_request_and_an_error(browser: Chromium,
                                                              tmp_path: Path) -> None:
    file = tmp_path / "bad.html"
    file.write_text('<img src="http://127.0.0.1:9/x.png"><script>nothing();</script>')
    page = browser.open(file)
    assert "http://127.0.0.1:9/x.png" in page.requests
    assert any("nothing is not defined" in x for x in page.complaints)
    page.close()
