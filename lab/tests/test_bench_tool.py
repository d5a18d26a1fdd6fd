# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""storekeeper_bench: its figures beside fio's; honest runs are valid, dishonest ones are not."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

import pytest
from conftest import HERE, lab, unlike_schema

# `make soak` has more repetitions.
REPETITIONS = 2
# The card takes nearly all of the time: 1 ms a command, 50 us a page read.
CARD = ("--profile", "bench-dear", "--param", "vemmc.capacity_mib=200",
        "--param", "vemmc.t_cmd_r_us=1000", "--param", "vemmc.t_cmd_w_us=1000")
RESULTS = ("honest", "stretched", "cached", "repeated", "swallowed")
BY_HAND = ("seq-write", "rand-read", "sync-write")


@dataclass(frozen=True)
class Reported:
    """storekeeper_bench's results by run, ageing's result, fio's jobs by name. By name of the
    case: exit codes, files left, standard error (number of lines, the first line), milliseconds."""

    results: dict[str, dict]
    age: dict
    fio: dict[str, dict]
    exits: dict[str, int]
    left: dict[str, list[str]]
    output: dict[str, tuple[int, str]]
    took: dict[str, int]

    def figures(self, name: str) -> dict[str, dict]:
        return {figure["name"]: figure for figure in self.results[name]["figures"]}

    def codes(self, name: str, figure: str) -> dict[str, str]:
        """Reasons of a verdict and their levels."""
        first = self.figures(name)[figure]["repetitions"][0]
        return {reason["code"]: reason["level"] for reason in first["reasons"]}


@pytest.fixture(scope="module")
def reported(tmp_path_factory: pytest.TempPathFactory) -> Reported:
    folder = tmp_path_factory.mktemp("bench")
    names = (*RESULTS, "age", *(f"hand-{job}" for job in BY_HAND))
    get = [word for name in names for word in ("--get", f"/run/{name}.json:{folder}/{name}.json")]
    files = [(HERE / "guest/bench_tool.sh", "/tmp/bench_tool.sh"),
             (HERE / "guest/bench_honest.fio", "/tmp/honest.fio"),
             (HERE / "guest/bench_cached.fio", "/tmp/cached.fio")]
    given = [word for host, inside in files for word in ("--file", f"{host}:{inside}")]
    result = lab("run", "--measure", *CARD, *given, *get, "--", "sh", "/tmp/bench_tool.sh",
                 str(REPETITIONS))
    assert result.code == 0, result
    return read(result.out, folder)


def read(out: str, folder: Path) -> Reported:
    exits, left, output, took = {}, {}, {}, {}
    for line in out.splitlines():
        mark, *words = line.split() or [""]
        if mark == "@exit":
            exits[words[0]] = int(words[1])
        elif mark == "@left":
            # The shell leaves a pattern unchanged if no file matches.
            left[words[0]] = [word for word in words[1:] if word != "storekeeper*"]
        elif mark == "@said":
            output[words[0]] = int(words[1]), " ".join(words[2:])
        elif mark == "@took":
            took[words[0]] = int(words[1])
    results = {name: json.loads((folder / f"{name}.json").read_text()) for name in RESULTS}
    age = json.loads((folder / "age.json").read_text())
    fio = {}
    for job in BY_HAND:
        text = (folder / f"hand-{job}.json").read_text()
        fio[job] = json.loads(text[text.index("{"):])["jobs"][0]
    return Reported(results, age, fio, exits, left, output, took)


@pytest.mark.parametrize("name", RESULTS)
def test_results_are_as_the_schema_says(reported: Reported, name: str) -> None:
    assert unlike_schema("bench.schema.json", json.dumps(reported.results[name])) == ""


def test_ageing_is_as_the_schema_says(reported: Reported) -> None:
    assert unlike_schema("bench_age.schema.json", json.dumps(reported.age)) == ""
    assert reported.age["churn"]["writes"] == 200
    assert len(reported.age["samples"]) == 20
    assert reported.age["direct"]


def test_honest_runs_are_believed(reported: Reported) -> None:
    assert reported.exits["honest"] == 0
    assert reported.results["honest"]["device"]["build"] == "STOREKEEPER"
    for figure in reported.figures("honest").values():
        assert len(figure["repetitions"]) == REPETITIONS
        assert {one["verdict"] for one in figure["repetitions"]} == {"VALID"}, figure


@pytest.mark.parametrize("job", BY_HAND)
def test_fio_by_hand_says_the_same(reported: Reported, job: str) -> None:
    side = reported.fio[job]["write" if "write" in job else "read"]
    summary = reported.figures("honest")[job]["summary"]
    rate = side["io_bytes"] / side["runtime"] / 1000
    assert summary["mb_per_s"]["median"] == pytest.approx(rate, rel=0.01)
    p50 = side["clat_ns"]["percentile"]["50.000000"] / 1e6
    assert summary["p50_ms"]["median"] == pytest.approx(p50, rel=0.01)


def test_an_imposed_latency_is_reported(reported: Reported) -> None:
    # t_cmd_r_us + t_read_us of the card.
    p50 = reported.figures("honest")["rand-read"]["summary"]["p50_ms"]["median"]
    assert p50 == pytest.approx(1.050, rel=0.05)


@pytest.mark.parametrize("job", BY_HAND)
def test_stretched_time_is_called(reported: Reported, job: str) -> None:
    assert reported.codes("stretched", job).get("clock_rate") == "invalid"


def test_reads_from_the_cache_are_called(reported: Reported) -> None:
    assert reported.codes("cached", "cached-read").get("page_cache") == "invalid"


def test_data_that_repeats_itself_is_called(reported: Reported) -> None:
    assert reported.codes("repeated", "seq-write").get("duplicate_data") == "invalid"


def test_a_swallowed_fsync_is_called(reported: Reported) -> None:
    codes = reported.codes("swallowed", "sync-write")
    assert codes.get("flush_missing") == "invalid"
    assert codes.get("nobarrier") == "suspect"
    # A job that does not write is unaffected.
    assert reported.figures("swallowed")["rand-read"]["verdict"] == "VALID"


def test_nothing_is_left_behind(reported: Reported) -> None:
    for name in (*RESULTS, "stopped", "after", "errors"):
        assert reported.left[name] == [], name
    # A killed tool cannot clean up; the next start did.
    assert reported.left["killed"] == ["storekeeper_bench.age"]
    assert reported.exits["age"] == 0


def test_ageing_stops_within_a_second(reported: Reported) -> None:
    assert reported.exits["stopped"] == 75
    assert reported.took["stopped"] < 1000


@pytest.mark.parametrize(("name", "code", "output"), [
    ("pipe", 66, "/tmp/pipe is not a plain file"),
    ("nowhere", 66, "../../../nowhere/x"),
    ("hostile", 65, "line 2: '/dev/block/mmcblk0' is not a value for filename"),
    ("version", 69, "needs fio 3"),
    ("fio", 75, "killed by signal 9"),
    ("relative", 75, "killed by signal 9"),
    ("nofio", 69, "cannot find ./none"),
    ("output", 73, "cannot write /nowhere/x"),
    ("compare", 65, "no figure of the two could be compared"),
    ("stdout", 74, "cannot write to standard output"),
    ("full", 74, "No space left"),
    ("readonly", 73, "/data/local/tmp"),
    ("vanished", 74, ""),
])
def test_an_impossible_measurement_is_one_line_of_error(reported: Reported, name: str, code: int,
                                                        output: str) -> None:
    assert reported.exits[name] == code, reported.output[name]
    lines, first = reported.output[name]
    assert lines == 1
    assert first.startswith("storekeeper_bench: ")
    assert output in first
