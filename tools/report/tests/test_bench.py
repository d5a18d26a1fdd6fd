# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""Results of storekeeper_bench: which are taken, what is drawn of them and what is not."""

from __future__ import annotations

import json
import re
import shlex
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import make_bench
import plotly.graph_objects as go
import pytest
from conftest import DATA, EVIL, HERE, attack_bench
from storekeeper_report import bench_charts, cli, page, words
from storekeeper_report.bench import (
    Bench,
    check_comparison,
    check_result,
    one,
    reasons,
    two,
    typical,
)
from storekeeper_report.dump import DumpError
from test_page import colours

Get = Callable[[str], dict[str, Any]]
SAMPLES = DATA / "bench"
BEFORE, AFTER, COMPARISON = (str(SAMPLES / f"{x}.json") for x in ("before", "after", "comparison"))
PROGRAM = HERE.parents[2] / "out/build/guest/storekeeper_bench"


def both(get: Get, change: Callable[[Any], Any] = lambda x: x) -> Bench:
    before, after = (check_result(x, change(get(x))) for x in ("before", "after"))
    return two(before, after, check_comparison("c", change(get("comparison"))), "c")


def test_the_samples_are_what_their_generator_makes() -> None:
    found = {p.name: p.read_text() for p in SAMPLES.iterdir() if p.name != "comparison.json"}
    assert found == {name: make_bench.text(x) for name, x in make_bench.results().items()}


@pytest.mark.skipif(not PROGRAM.exists(), reason="storekeeper_bench is not built")
def test_the_sample_s_comparison_is_storekeeper_bench_s() -> None:
    done = subprocess.run([PROGRAM, "compare", BEFORE, AFTER, "--json"], capture_output=True,
                          text=True, check=True)
    assert done.stdout == Path(COMPARISON).read_text()


def test_the_samples_satisfy_the_schemas(bench: Get) -> None:
    for name in ("before", "after"):
        assert check_result(name, bench(name)) == bench(name)
    assert check_comparison("c", bench("comparison")) == bench("comparison")


def test_the_samples_have_what_a_page_must_tell(bench: Get) -> None:
    figures = bench("before")["figures"]
    assert {x["verdict"] for x in figures} == {"VALID", "SUSPECT", "INVALID"}
    assert any(x["summary"]["p50_ms"] is None for x in figures)
    assert any(x["repetitions"][0]["disk"] is None for x in figures)
    reported = [x["verdict"] for row in bench("comparison")["figures"]
                for x in row["metrics"].values()]
    assert set(reported) == {"faster", "slower", "no difference"}


def test_bars_are_the_comparison_s_and_leave_out_what_is_invalid(bench: Get) -> None:
    given = both(bench)
    comparison = {x["name"]: x for x in bench("comparison")["figures"]}
    left_out = {x.name for x in given.pairs if not x.metrics}
    assert left_out == {"rand-read-8k", "sync-write-4k"}
    assert bench_charts.metrics(given) == ["mb_per_s", "p50_ms", "p99_ms", "sync_p50_ms"]
    for metric in bench_charts.metrics(given):
        figure = bench_charts.bars(given, metric)
        names = figure["layout"]["yaxis"]["ticktext"]
        assert not left_out & set(names)
        before, *after = figure["data"]
        assert before["x"] == [100] * len(names)
        drawn = set()
        for trace in after:
            for n, at in enumerate(trace["y"]):
                reported = comparison[names[at]]["metrics"][metric]
                assert trace["name"] == f"after: {reported['verdict']}"
                assert trace["x"][n] == pytest.approx(100 + reported["change_pct"])
                ends = (trace["x"][n] - trace["error_x"]["arrayminus"][n],
                        trace["x"][n] + trace["error_x"]["array"][n])
                assert ends == pytest.approx((100 + reported["lower_pct"],
                                              100 + reported["upper_pct"]))
                drawn.add(names[at])
        assert drawn == set(names)


def test_curves_are_the_summaries_and_leave_out_what_is_invalid(bench: Get) -> None:
    curves, figures = page.bench_figures_of(both(bench))
    by_name = {x.name: x for x in curves}
    assert [label for label, _ in by_name["rand-read-8k"].figures] == ["after"]
    assert [label for label, _ in by_name["sync-write-4k"].figures] == ["before"]
    assert by_name["copy"].chart == ""
    lines = figures[by_name["sqlite-wal"].chart]["data"]
    assert [x["name"] for x in lines] == ["before", "after"]
    for line, (_, figure) in zip(lines, by_name["sqlite-wal"].figures, strict=True):
        assert line["x"] == ["p50", "p90", "p99", "p99.9"]
        assert line["y"] == [figure["summary"][x]["median"] * 1000
                             for x in ("p50_ms", "p90_ms", "p99_ms", "p99_9_ms")]


def test_reasons_stand_once_with_how_often(bench: Get) -> None:
    figure = next(x for x in bench("before")["figures"] if x["name"] == "rand-read-8k")
    assert [(x.code, x.level, x.count, x.total) for x in reasons(figure)] == [
        ("page_cache", "invalid", 4, 5), ("governor", "note", 5, 5)]


def test_reasons_are_counted_by_level_the_worst_first() -> None:
    def one(*levels: str) -> dict:
        return {"reasons": [{"code": "clock_rate", "level": x, "text": x} for x in levels]}
    figure = {"repetitions": [one("suspect"), one("invalid", "invalid"), one()]}
    assert [(x.level, x.count, x.total) for x in reasons(figure)] == [
        ("invalid", 1, 3), ("suspect", 1, 3)]


def test_what_has_no_summary_is_told_of_a_repetition_that_counts(bench: Get) -> None:
    figures = {x["name"]: x for x in bench("before")["figures"]}
    # All but that one are INVALID.
    assert typical(figures["rand-read-8k"]) is figures["rand-read-8k"]["repetitions"][3]
    for verdict, found in (("INVALID", 2), ("VALID", 3)):
        rows = [{"verdict": x} for x in ("VALID", "INVALID", "INVALID", verdict, verdict)]
        rows[0]["verdict"] = verdict
        assert typical({"repetitions": rows}) is rows[found]
    assert typical({"repetitions": []}) is None


def test_the_page_tells_verdicts_reasons_and_what_is_not_compared(bench: Get) -> None:
    text = page.render_bench(both(bench))
    assert text == page.render_bench(both(bench))
    assert "not compared: the second has 0 repetitions that count (5 are INVALID)" in text
    assert "<strong>flush_missing</strong> (5 of 5)" in text
    for word in ("faster", "slower", "no difference"):
        assert f">{word}</span>" in text
    data = re.search(r'<script type="application/json" id="figures">(.*?)</script>', text, re.S)
    assert data
    assert not set("<>&") & set(data[1])
    options = re.findall(r'<option value="([^"]*)"', text)
    assert len(options) == 4
    charts = re.findall(r'<div class="chart" id="(curve-\d+)"', text)
    assert {*options, *charts} == set(json.loads(data[1]))


def test_what_a_result_says_stays_text(bench: Get) -> None:
    text = page.render_bench(both(bench, attack_bench))
    clean = page.render_bench(both(bench))
    assert "&lt;/script&gt;" in text
    for tag in ("<script", "</script", "<img"):
        assert text.count(tag) == clean.count(tag), tag
    assert "{{7*7}}" in text
    for bad in (EVIL, "\u202e", "\x1b", "\ud800"):
        assert bad not in text


def test_plotly_knows_every_key_and_the_style_every_colour(bench: Get) -> None:
    _, figures = page.bench_figures_of(both(bench))
    for figure in figures.values():
        go.Figure(colours(figure))  # raises on a key that it does not know
    used = set(re.findall(r'"(--[a-z0-9]+)"', json.dumps(figures)))
    assert used >= {"--before", "--good", "--urgent"}
    style = (Path(page.__file__).parent / "templates/style.css").read_text()
    light, dark = style.split("prefers-color-scheme: dark", 1)
    for colour in used:
        assert f"{colour}:" in light, colour
        assert f"{colour}:" in dark, colour


def test_figures_of_nothing_and_beyond_reason_are_drawn_or_left_out(bench: Get) -> None:
    given = bench("before")
    figures = given["figures"]
    figures[0]["repetitions"] = []
    figures[1]["summary"] = dict.fromkeys(figures[1]["summary"])
    figures[2]["summary"]["p50_ms"] = {"median": 1e308, "lower": -1e308, "upper": 1e308, "n": 5}
    figures[3]["summary"]["p99_ms"] = {"median": 0, "lower": 0, "upper": 0, "n": 5}
    figures[4]["summary"]["p90_ms"] = {"median": 1e300, "lower": 1e300, "upper": 1e-300, "n": 1}
    page.render_bench(one(check_result("x", given)))
    before, after, comparison = (bench(x) for x in ("before", "after", "comparison"))
    rate = comparison["figures"][0]["metrics"]["mb_per_s"]
    rate.update(change_pct=1e308, lower_pct=-1e308, upper_pct=1e308)
    page.render_bench(two(before, after, check_comparison("c", comparison), "c"))


def test_no_figure_at_all_is_a_result_too(bench: Get) -> None:
    given = bench("before") | {"figures": []}
    assert "No figure." in page.render_bench(one(check_result("x", given)))


def test_figures_of_one_result_alone_are_named(bench: Get) -> None:
    before, after, comparison = (bench(x) for x in ("before", "after", "comparison"))
    del before["figures"][-1]
    comparison["figures"] = [x for x in comparison["figures"] if x["name"] != "copy"]
    assert two(before, after, comparison, "c").alone == [("after", ["copy"])]


@pytest.mark.parametrize(("files", "reported"), [
    ((AFTER, BEFORE, COMPARISON), "not the comparison of these two results in this order"),
    ((BEFORE, BEFORE, COMPARISON), "not the comparison of these two results in this order"),
    ((BEFORE, AFTER, AFTER), "this is no comparison of two results but a result"),
    ((BEFORE, COMPARISON, COMPARISON), "this is no result of storekeeper_bench but a comparison"),
    ((str(DATA / "new-ufs.json"),), "this is no result of storekeeper_bench but a dump"),
])
def test_files_in_each_other_s_place_are_refused(tmp_path: Path, files: tuple[str, ...],
                                                 reported: str,
                                                 capsys: pytest.CaptureFixture[str]) -> None:
    output = tmp_path / "r.html"
    assert cli.main(["bench", *files, "-o", str(output)]) == 65
    err = capsys.readouterr().err
    assert reported in err
    assert f"{output} is not written" in err
    assert not output.exists()


def test_a_result_is_no_dump_and_what_draws_it_is_told(tmp_path: Path,
                                                       capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main([BEFORE, "-o", str(tmp_path / "r.html")]) == 65
    assert f"`storekeeper-report bench {BEFORE}` draws it" in capsys.readouterr().err


@pytest.mark.parametrize("change", [
    lambda x: x["figures"].pop(), lambda x: x["figures"][0].update(name="another"),
    lambda x: x["figures"][0]["metrics"]["mb_per_s"].update(before=1)])
def test_a_comparison_of_others_is_refused(bench: Get, change: Callable[[Any], Any]) -> None:
    comparison = bench("comparison")
    change(comparison)
    with pytest.raises(DumpError, match="not the comparison of these two"):
        two(bench("before"), bench("after"), comparison, "c")


@pytest.mark.parametrize(("content", "code"), [
    (b"{", 65), (b"[]", 65), (b"\xff", 65), (b'{"schema": ["storekeeper.bench"]}', 65),
    (b'{"schema": "storekeeper.bench", "version": 2}', 65),
    (b'{"schema": "storekeeper.bench", "version": 1}', 65), (None, 66)])
def test_what_is_no_result_is_refused(tmp_path: Path, content: bytes | None, code: int,
                                      capsys: pytest.CaptureFixture[str]) -> None:
    file, output = tmp_path / "x.json", tmp_path / "r.html"
    if content is not None:
        file.write_bytes(content)
    assert cli.main(["bench", str(file), "-o", str(output)]) == code
    assert f"{file}: " in capsys.readouterr().err
    assert cli.main(["bench", str(tmp_path), "-o", str(output)]) == 66
    assert not output.exists()


@pytest.mark.parametrize(("where", "value", "reported"), [
    (("figures", 0, "verdict"), "GREAT", "figures[0].verdict: \"GREAT\" is none of VALID"),
    (("figures", 1, "summary", "p50_ms", "median"), "1", "figures[1].summary.p50_ms.median: \"1\""),
    (("figures", 2, "repetitions", 4, "reasons"), None, "figures[2].repetitions[4].reasons: null"),
    (("place", "free_bytes"), -1, "place.free_bytes: -1 is less than"),
])
def test_what_the_schema_forbids_is_named_by_its_key(bench: Get, where: tuple[str | int, ...],
                                                      value: object, reported: str) -> None:
    inner = given = bench("before")
    for key in where[:-1]:
        inner = inner[key]  # type: ignore[index]
    inner[where[-1]] = value  # type: ignore[index]
    with pytest.raises(DumpError) as e:
        check_result("b.json", given)
    assert f"b.json: {reported}" in str(e.value)


def test_two_results_without_their_comparison_are_wrong_usage(
        capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as e:
        cli.main(["bench", BEFORE, AFTER])
    assert e.value.code == 64
    assert "storekeeper_bench compare" in capsys.readouterr().err


def test_the_readme_s_commands_work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
                                    capsys: pytest.CaptureFixture[str]) -> None:
    readme = (HERE.parent / "README.md").read_text()
    given = re.findall(r"^    storekeeper-report (bench .*)$", readme, re.M)
    assert len(given) == 2
    shutil.copytree(SAMPLES, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    for line in given:
        assert cli.main(shlex.split(line, comments=True)) == 0
    reported = capsys.readouterr().out
    assert "8 figures: 6 VALID, 1 SUSPECT, 1 INVALID" in reported
    assert re.search(r"rand-write-4k +faster \(\+409\.2 % MB/s\), SUSPECT", reported)
    assert {x.name for x in tmp_path.glob("*.html")} == {"report.html", "trimmed.html"}


@pytest.mark.parametrize(("got", "wanted"), [
    (words.measured(.0503), "50.3 µs"), (words.measured(1.046), "1.05 ms"),
    (words.measured(128.04), "128 ms"), (words.measured(2500), "2.50 s"),
    (words.measured(None), "–"), (words.measured(0), "0 µs"), (words.number(0.0123), "0.0123"),
    (words.number(1234.5), "1234"), (words.number(1e300), "1e+300"),
    (words.change(-8.24), "−8.2 %"), (words.change(12), "+12.0 %"),
])
def test_figures_as_people_read_them(got: object, wanted: object) -> None:
    assert got == wanted
