# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""Each part of a dump that becomes a row does so once and whole."""

from __future__ import annotations

import gzip
import json
import os
import random
import signal
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from conftest import DATA, ENVIRONMENT, HERE, files_of, of_chip, sample, small
from storekeeper_fleet import cli, dataset, ingest, rows

WEEK = 604_800


def samples(folder: Path) -> list[dict[str, object]]:
    return [row for file in dataset.Dataset(folder).files("samples")
            for row in pq.ParquetFile(file).read().to_pylist()]


def rejects(folder: Path) -> list[dict[str, str]]:
    return [row for file in dataset.Dataset(folder).files("rejects")
            for row in pq.ParquetFile(file).read().to_pylist()]


def test_a_dump_is_the_row_that_the_schema_documents() -> None:
    row, config = rows.of_dump(rows.checked("d.json", sample()))
    assert list(row) == rows.tables()["samples"].names
    assert list(config) == rows.tables()["configs"].names
    assert rows.chip_text(row["chip"]) == "5a1c9e04b7d2f360"
    assert (row["wear"], row["written_bytes"], row["closed_gates"]) == \
        (7, 13_243_422_966_117, "battery,untouched")
    assert (row["writer1_uid"], row["writer1_bytes_per_day"]) == (10_142, 5_190_080_000)
    assert row["trim_age_s"] == row["wall_s"] - 1_798_686_000
    assert (config["chip_maker"], config["chip_model"], config["build"]) == \
        ("SanDisk", "DF4064", "RQ3A.210805")


def test_report_only_stands_for_the_gates_that_such_a_device_lacks() -> None:
    dump = sample()
    dump["maintenance"] |= {"state": "report_only", "gates": []}
    assert rows.of_dump(rows.checked("d.json", dump))[0]["closed_gates"] == "report_only"


def test_flat_fields_of_the_chip_come_before_its_items() -> None:
    dump = sample()
    dump["health"] |= {"kind": "emmc", "chip_maker": "Western Digital", "chip_model": "X",
                       "chip_firmware": None, "capacity_bytes": 62_537_072_640}
    _, config = rows.of_dump(rows.checked("d.json", dump))
    assert (config["chip_maker"], config["chip_model"], config["capacity_bytes"]) == \
        ("Western Digital", "X", 62_537_072_640)
    # An item that an older daemon did not have is no reason to call it unknown.
    assert config["chip_firmware"] == "0x3000000000000000"


def test_what_is_not_known_is_null(tmp_path: Path) -> None:
    assert ingest.ingest([str(DATA / "old-emmc45.json")], tmp_path / "fleet").new == 1
    row, = samples(tmp_path / "fleet")
    assert row["wear"] == 0
    assert row["pre_eol_info"] is row["read_p99_us"] is row["writer1_uid"] is None


def test_folders_archives_and_bug_reports_are_read_and_the_same_dump_twice_is_one_row(
        tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    given = tmp_path / "given"
    (given / "deep/er").mkdir(parents=True)
    texts = [json.dumps(of_chip(small(sample()), i)).encode() for i in range(6)]
    (given / "0.json").write_bytes(texts[0])
    (given / "deep/er/1.json").write_bytes(texts[1])
    with zipfile.ZipFile(given / "bugreport.zip", "w") as z:
        z.writestr("FS/data/other.json", "{}")
        z.writestr("bugreport-x.txt", b"DUMP OF SERVICE storekeeper:\n" + texts[2] + b"\n---\n")
    with zipfile.ZipFile(given / "several.zip", "w") as z:
        z.writestr("a.json", texts[3])
        z.write(given / "bugreport.zip", "inner.zip")
    with tarfile.open(given / "all.tar.gz", "w:gz") as t:
        for name, text in (("b.json", texts[4]), ("twice.json", texts[0])):
            (tmp_path / name).write_bytes(text)
            t.add(tmp_path / name, name)
    assert cli.main(["ingest", str(given), "--to", str(tmp_path / "fleet")]) == 0
    assert capsys.readouterr().out.endswith("5 new, 2 known, 0 refused\n")
    assert sorted(x["chip"] for x in samples(tmp_path / "fleet")) == [0, 1, 2, 3, 4]
    before = files_of(tmp_path / "fleet")
    (given / "again.json").write_bytes(texts[5])
    assert cli.main(["ingest", str(given), str(given), "--to", str(tmp_path / "fleet")]) == 0
    assert "1 new, 15 known" in capsys.readouterr().out
    assert len(files_of(tmp_path / "fleet")) == len(before) + 1
    assert cli.main(["ingest", str(tmp_path / "nowhere"), "--to", str(tmp_path / "fleet")]) == 66


def test_a_folder_of_texts_and_packed_files_is_read_and_what_is_no_dump_is_counted(
        tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    given = tmp_path / "given"
    given.mkdir()
    texts = [json.dumps(of_chip(small(sample()), i), indent=1) for i in range(4)]
    (given / "a.txt").write_bytes(texts[0].encode("utf-16"))
    (given / "b.json.gz").write_bytes(gzip.compress(texts[1].encode()))
    (given / "c.txt.gz").write_bytes(gzip.compress(b"* daemon started successfully\n"
                                                   + texts[2].encode()))
    (given / "bugreport.txt").write_text(f"DUMP OF SERVICE storekeeper:\n{texts[3]}\n---\n")
    (given / "notes.txt").write_text("no dump")
    (given / "picture.png").write_bytes(b"\x89PNG\r\n")
    # The data set below the folder is no input of itself.
    for known in ("4 new, 0 known", "0 new, 4 known"):
        assert cli.main(["ingest", str(given), "--to", str(given / "fleet")]) == 65
        printed = capsys.readouterr()
        assert printed.out.endswith(f"{known}, 2 refused\n")
        assert "2 of 6 inputs are refused" in printed.err
    assert {Path(x["file"]).name for x in rejects(given / "fleet")} == {"notes.txt", "picture.png"}


def test_what_is_refused_has_a_row_and_the_rest_goes_in(
        tmp_path: Path, query: Callable[..., bytes]) -> None:
    given = tmp_path / "given"
    given.mkdir()
    spoilt = {"version": {**sample(), "version": 2}, "key": sample(), "chip": sample(),
              "clock": {**sample(), "made_wall_s": 86_400}, "section": sample()}
    spoilt["key"]["ledger"]["samples"] = "many"
    spoilt["chip"]["ledger"]["chip"] = None
    del spoilt["section"]["crypto"]
    for name, dump in spoilt.items():
        (given / f"{name}.json").write_text(json.dumps(dump))
    assert cli.main(["ingest", str(given), "--to", str(tmp_path / "fleet")]) == 65
    found = {Path(x["file"]).stem: (x["key"], x["reason"]) for x in rejects(tmp_path / "fleet")}
    assert found == {
        "version": ("version", "2; this program knows version 1, a newer one may know more"),
        "key": ("ledger.samples", '"many" is not of type integer'),
        "chip": ("ledger.chip", "not reported: nothing says which dumps are of one device"),
        "clock": ("made_wall_s", "86400: the clock of the device was not set")}
    assert len(samples(tmp_path / "fleet")) == 1
    before = files_of(tmp_path / "fleet")
    assert cli.main(["ingest", str(given), "--to", str(tmp_path / "fleet")]) == 65
    assert files_of(tmp_path / "fleet") == before
    assert query(tmp_path / "fleet", "rejects").decode().startswith("file,key,reason\n")


def _hostile(folder: Path) -> dict[str, str]:
    """Files by name, and what is said of each."""
    whole = json.dumps(sample()).encode()
    (folder / "nan.json").write_text('{"schema": NaN}')
    (folder / "deep.json").write_text("[" * 400_000)
    (folder / "number.json").write_text('{"schema": 1e999}')
    (folder / "latin.json").write_bytes(b'{"\xff": 1}')
    with (folder / "huge.json").open("wb") as f:
        f.truncate(1 << 30)
    with zipfile.ZipFile(folder / "bomb.zip", "w", zipfile.ZIP_DEFLATED) as z, \
            z.open("bomb.json", "w", force_zip64=True) as f:
        for _ in range(64):
            f.write(bytes(1 << 20))
    with zipfile.ZipFile(folder / "text.zip", "w", zipfile.ZIP_DEFLATED) as z, \
            z.open("bugreport.txt", "w", force_zip64=True) as f:
        for _ in range(200):
            f.write(bytes(1 << 20))
    with zipfile.ZipFile(folder / "up.zip", "w") as z:
        z.writestr("../../../up.json", whole)
    with tarfile.open(folder / "up.tar", "w") as t:
        t.add(folder / "nan.json", "../../up-too.json")
        link = tarfile.TarInfo("link.json")
        link.type, link.linkname = tarfile.SYMTYPE, "/etc/passwd"
        t.addfile(link)
    (folder / "cut.zip").write_bytes((folder / "up.zip").read_bytes()[:2000])
    (folder / "cut.tar.gz").write_bytes(b"\x1f\x8b\x08\x00rest")
    (folder / "link.json").symlink_to("/etc/passwd")
    # Lies about the size of its member.
    lying = bytearray((folder / "bomb.zip").read_bytes())
    directory = lying.rfind(b"PK\x01\x02")
    lying[directory + 24:directory + 28] = (100).to_bytes(4, "little")
    (folder / "lying.zip").write_bytes(lying)
    return {"nan.json": "NaN is no JSON number", "deep.json": "nested too deeply",
            "number.json": "1e999 is too large", "latin.json": "not UTF-8",
            "huge.json": "1073741824 bytes; at most 128 MiB",
            "bomb.zip:bomb.json": "no whole JSON dump", "link.json": "links are not followed",
            "up.tar:link.json": "links are not followed",
            "text.zip": "at most 128 MiB", "up.tar:../../up-too.json": "NaN is no JSON number",
            "cut.zip": "cannot be read", "cut.tar.gz": "cannot be read",
            "lying.zip:bomb.json": "cannot be read"}


LIMITED = """
import resource, sys
resource.setrlimit(resource.RLIMIT_AS, (3 << 30, 3 << 30))
from storekeeper_fleet.cli import main
code = main(sys.argv[1:])
print("peak_mib", resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10)
sys.exit(code)
"""


def test_hostile_input_is_refused_in_bounded_memory_and_writes_nothing_elsewhere(
        tmp_path: Path) -> None:
    given = tmp_path / "a/b/given"
    given.mkdir(parents=True)
    expected = _hostile(given)
    before = {p for p in tmp_path.rglob("*") if "fleet" not in p.parts}
    done = subprocess.run([sys.executable, "-B", "-c", LIMITED, "ingest", str(given), "--to",
                           str(tmp_path / "a/b/fleet")], env=ENVIRONMENT, text=True,
                          capture_output=True, cwd=given)
    assert done.returncode == 65, done.stderr
    found = {x["file"].removeprefix(f"{given}/"): x["reason"]
             for x in rejects(tmp_path / "a/b/fleet")}
    assert found.keys() == expected.keys()
    for name, reason in expected.items():
        assert reason in found[name], name
    # The dump in up.zip is a dump, wherever its name would have led.
    assert len(samples(tmp_path / "a/b/fleet")) == 1
    after = {p for p in tmp_path.rglob("*") if "fleet" not in p.parts}
    assert after == before
    # Memory of the libraries, one dump and one text of a bug report.
    assert int(done.stdout.split("peak_mib ")[1]) < 700


def test_a_folder_of_somebody_else_is_not_written_to(
        tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "mine.txt").write_text("mine")
    assert cli.main(["ingest", str(DATA), "--to", str(tmp_path)]) == 66
    assert "neither a data set nor empty" in capsys.readouterr().err
    assert files_of(tmp_path) == {"mine.txt": b"mine"}


def test_one_writer_at_a_time(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with dataset.writing(tmp_path / "fleet"):
        assert cli.main(["ingest", str(DATA), "--to", str(tmp_path / "fleet")]) == 66
    assert "another process writes to it" in capsys.readouterr().err


KILLED = HERE / "killed.py"
# `make bench-fleet` takes more.
KILLS = int(os.environ.get("STOREKEEPER_FLEET_KILLS", "8"))


def test_killed_at_any_moment_the_next_ingest_makes_the_same_bytes(tmp_path: Path) -> None:
    given = tmp_path / "given"
    given.mkdir()
    for i in range(60):
        dump = of_chip(small(sample()), i % 20, 1_798_794_000 + i // 20 * 5 * WEEK)
        (given / f"{i:02}.json").write_text(json.dumps(dump) if i % 9 else "broken")

    def run(folder: Path, stop: int) -> int:
        return subprocess.run([sys.executable, "-B", str(KILLED), str(given), str(folder),
                               str(stop)], env=ENVIRONMENT, capture_output=True).returncode
    calls = run(tmp_path / "counted", -1)
    assert 20 < calls < 250
    assert ingest.ingest([str(given)], tmp_path / "whole", batch=16).new == 53
    whole = files_of(tmp_path / "whole")
    for number, stop in enumerate(random.Random(3).sample(range(calls), min(KILLS, calls))):
        folder = tmp_path / f"killed-{number}"
        assert run(folder, stop) == -signal.SIGKILL
        ingest.ingest([str(given)], folder, batch=16)
        assert files_of(folder) == whole, stop
