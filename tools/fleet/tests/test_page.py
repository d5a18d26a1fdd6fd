# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""The page, in Debian's Chromium as well."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from chromium import Chromium
from storekeeper_fleet import base, cli, engine, page
from storekeeper_fleet.dataset import Dataset
from storekeeper_fleet.queries import Answers

EVIL = "</script><script>alert(1)</script><img src=x onerror=alert(1)>\"'&{{7*7}}"
DRAWN = """[...document.querySelectorAll(".chart")].map((x) => x.querySelectorAll(
    ".plot-container .trace path.js-line, .trace path.point, .trace .point > path").length)"""
# Tables that would have to be scrolled sideways.
CUT = """(() => {
    for (const x of document.querySelectorAll("details")) x.open = true;
    return [...document.querySelectorAll("section .wide")].filter(
        (x) => x.scrollWidth > x.clientWidth)
        .map((x) => x.closest("section").textContent.slice(0, 40));
})()"""
# The headings of columns that are shown.
SHOWN = """[...document.querySelectorAll("thead th")].filter((x) => x.offsetWidth > 0)
    .map((x) => x.textContent)"""
# Short words and figures that are broken within.
BROKEN = """[...document.querySelectorAll("tbody th, tbody td")].filter((x) => {
    const text = document.createRange();
    text.selectNodeContents(x);
    const lines = new Set([...text.getClientRects()].map((y) => y.top)).size;
    return /^([a-z]{1,10}|[0-9,]+)$/.test(x.textContent) && lines > 1;
}).map((x) => x.textContent)"""


@pytest.fixture(scope="module")
def report(planted: tuple[Path, dict[str, Any]], tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("page") / "fleet.html"
    assert cli.main(["report", str(planted[0]), "-o", str(file)]) == 0
    return file


def test_it_asks_for_nothing_and_complains_of_nothing(report: Path) -> None:
    with Chromium() as browser:
        shown = browser.open(report, width=1400)
        drawn = shown.value(DRAWN)
        assert len(drawn) == 4
        assert all(n > 0 for n in drawn), drawn
        for chart in ("survival", "wear-rates"):
            shown.value(f"""(() => {{
                const select = document.getElementById("{chart}-by");
                select.value = "{chart}-build";
                select.dispatchEvent(new Event("change"));
            }})()""")
        assert all(n > 0 for n in shown.value(DRAWN))
        assert shown.value("document.documentElement.scrollWidth") == 1400
        assert shown.value(CUT) == []
        shown.resize(400, 900)
        shown.dark(True)
        assert shown.value("document.documentElement.scrollWidth") == 400
        assert shown.value(CUT) == []
        assert "Weeks left" in shown.value(SHOWN)
        assert shown.value(BROKEN) == []
        assert shown.complaints == []
        assert shown.requests == [report.as_uri()]
        shown.close()


def test_an_empty_fleet_claims_nothing(tmp_path: Path) -> None:
    (tmp_path / "d.json").write_text("{}")
    assert cli.main(["ingest", str(tmp_path / "d.json"), "--to", str(tmp_path / "fleet")]) == 65
    file = tmp_path / "fleet.html"
    assert cli.main(["report", str(tmp_path / "fleet"), "-o", str(file)]) == 0
    text = file.read_text()
    assert "The data set has no dump; 1 file was refused" in text
    for claim in ("Every device was trimmed", "90 %", "passed their rated life"):
        assert claim not in text.rpartition("</style>")[2].partition("<script")[0], claim
    # A table without a row says nothing.
    assert not re.search(r"<tbody>\s*</tbody>", text)


def test_equal_data_gives_equal_bytes_and_hostile_names_stay_text(
        planted: tuple[Path, dict[str, Any]], report: Path) -> None:
    with engine.start("duckdb", Dataset(planted[0])) as started:
        found = Answers(base.base(started)).every()
    assert page.render(found) == report.read_text()
    for rows in found.values():
        for row in rows:
            row.update({k: EVIL for k in row if k in (
                "value", "chip_model", "chip_firmware", "build", "before", "cause", "gate",
                "device_model", "name")})
    text = page.render(found)
    assert "<img src=x" not in text
    assert text.count("<script") == report.read_text().count("<script")
