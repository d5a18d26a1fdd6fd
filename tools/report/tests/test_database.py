# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""The database: each view against the dumps that are in it."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from conftest import DATA, HERE
from storekeeper_report import cli, database
from storekeeper_report.device import devices

Get = Callable[[str], dict[str, Any]]
SAMPLES = [str(DATA / f"{x}.json")
           for x in ("worn-emmc-earlier", "worn-emmc", "new-ufs", "old-emmc45")]


def rows(file: Path, query: str) -> list[tuple[Any, ...]]:
    with closing(sqlite3.connect(file)) as db:
        return db.execute(query).fetchall()


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    made = tmp_path_factory.mktemp("db") / "phones.db"
    assert cli.main([*SAMPLES, "--sqlite", str(made)]) == 0
    assert [x.name for x in made.parent.iterdir()] == ["phones.db"]
    yield made


def test_life(file: Path) -> None:
    assert rows(file, "SELECT device, level, remaining_pct, used_to_pct, gb_per_day, earliest_end "
                "FROM life ORDER BY chip_id") == [
        ("Corvid 5X", "warning", 40, 70, 9.4, "2028-07-14"),
        ("Meadow 3", "good", 100, 10, 21.0, None),
        ("Slate 7 (2012)", "unknown", None, None, 4.3, None)]


def test_wear_over_time(file: Path, dump: Get) -> None:
    series = dump("worn-emmc")["ledger"]["series"]
    found = rows(file, "SELECT used_a_pct, used_b_pct, written_gb FROM wear_over_time "
                 "WHERE chip_id = 1 ORDER BY at")
    assert len(found) == len(series)
    assert found[-1] == (20, 60, round(series[-1]["written_bytes"] / 1e9, 3))
    # 0 is "not defined", not 0 % used
    assert set(rows(file, "SELECT used_a_pct FROM wear_over_time WHERE chip_id = 3")) <= {(None,)}


def test_written_by_month(file: Path, dump: Get) -> None:
    series = dump("worn-emmc")["ledger"]["series"]
    [(total, months)] = rows(file, "SELECT sum(written_gb), count(*) FROM written_by_month "
                             "WHERE chip_id = 1")
    more = [b["written_bytes"] - a["written_bytes"]
            for a, b in zip(series, series[1:], strict=False)]
    assert total == pytest.approx(sum(x for x in more if x >= 0) / 1e9, abs=months * 1e-3)
    assert rows(file, "SELECT min(month) FROM written_by_month WHERE chip_id = 1") == [("2023-02",)]


def test_latency_by_month(tmp_path: Path, dump: Get) -> None:
    given = dump("worn-emmc")
    first = {"wall_s": 1_796_083_200, "span_s": 60, "source": "probe", "kind": "write", "count": 1,
             "mean_us": 1000.0, "p50_us": 1.0, "p90_us": 2.0, "p99_us": 3000.0, "p999_us": None}
    given["latency"]["series"] = [first, {**first, "wall_s": first["wall_s"] + 60, "count": 3,
                                          "mean_us": 2000.0, "p99_us": 5000.0}]
    database.write(tmp_path / "x.db", devices([given]))
    assert rows(tmp_path / "x.db", "SELECT * FROM latency_by_month") == [
        (1, "2026-12", "probe", "write", 4, 1.75, 5.0)]


def test_writers(file: Path, dump: Get) -> None:
    given = dump("worn-emmc")["latency"]["uid_writes"]
    found = rows(file, "SELECT uid, user, gb_per_day, flash_gb_per_day, share_pct FROM writers "
                 "WHERE chip_id = 1 ORDER BY flash_gb_per_day DESC")
    total = sum(x["device_bytes_per_day"] for x in given)
    flash = given[0]["device_bytes_per_day"]
    assert found[0] == (10142, 0, 3.1, round(flash / 1e9, 3), round(100 * flash / total, 1))
    assert [x[0] for x in found] == [x["uid"] for x in given]
    assert sum(x[4] for x in found) == pytest.approx(100, abs=1)
    # A phone that does not count them has shares of what the uids wrote.
    assert rows(file, "SELECT flash_gb_per_day, share_pct FROM writers WHERE chip_id = 2 "
                "AND uid = 10231") == [(None, round(640 / 14.9, 1))]


def test_runs(file: Path) -> None:
    assert rows(file, "SELECT started, outcome, manual, complete, seconds, discarded_gb, "
                "discard_ms FROM runs WHERE chip_id = 1 ORDER BY started DESC LIMIT 1") == [
        ("2026-12-31 03:00:00", "trimmed", 0, 1, 67.411, 1.166, 10.746)]
    # A run without mounts is one, too, and dumps of one chip are put together.
    assert rows(file, "SELECT count(*) FROM runs") == rows(file, "SELECT count(*) FROM run")


def test_free_space(file: Path) -> None:
    assert rows(file, "SELECT type, size_gb, free_gb, free_pct FROM free_space "
                "WHERE chip_id = 1 AND mount = '/data'") == [("ext4", 25.4, 2.8, 11.0)]


def test_alert(file: Path) -> None:
    assert rows(file, "SELECT code, level FROM alert WHERE chip_id = 1") == \
        [("forecast", "warning")]


def test_every_view_is_documented_and_has_a_test(file: Path) -> None:
    views = [x for x, in rows(file, "SELECT name FROM sqlite_master WHERE type = 'view'")]
    readme = (HERE.parent / "README.md").read_text()
    assert re.findall(r"^\| (\w+) \|", readme.partition("## A database")[2], re.M)[1:] == views
    assert all(f"test_{x}" in globals() for x in views)


def test_the_readme_s_commands_do_what_they_say(tmp_path: Path,
                                                monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    readme = (HERE.parent / "README.md").read_text()
    [options] = re.findall(r"^    storekeeper-report (--openmetrics .*)$", readme, re.M)
    assert cli.main([*SAMPLES, *options.split()]) == 0
    [(file, query)] = re.findall(r'^    sqlite3 (\S+) "(.*)"$', readme, re.M)
    assert len(rows(tmp_path / file, query)) == 3
    assert sorted(x.name for x in tmp_path.iterdir()) == ["phones.db", "storekeeper.prom"]


def test_a_file_is_replaced_and_a_broken_input_leaves_it(tmp_path: Path) -> None:
    made = tmp_path / "x.db"
    made.write_text("not a database")
    assert cli.main(["no.json", "--sqlite", str(made)]) == 66
    assert made.read_text() == "not a database"
    assert cli.main([SAMPLES[0], "--sqlite", str(made)]) == 0
    assert rows(made, "SELECT count(*) FROM chip") == [(1,)]


def test_what_is_no_file_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main([SAMPLES[0], "--sqlite", str(tmp_path)]) == 73
    assert f"{tmp_path}: not a regular file" in capsys.readouterr().err


def test_counts_beyond_sqlite_are_kept_as_reals(tmp_path: Path, dump: Get) -> None:
    given = dump("worn-emmc")
    given["ledger"]["written_bytes"] = 2**64 - 1
    database.write(tmp_path / "x.db", devices([given]))
    assert rows(tmp_path / "x.db", "SELECT written_bytes FROM chip") == [(float(2**64),)]
