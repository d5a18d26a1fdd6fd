# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""Accepted dumps, and the messages for refused ones."""

from __future__ import annotations

import io
import json
import os
import re
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import make_dumps
import pytest
from conftest import DATA, HERE, FakePhones
from rich.console import Console
from storekeeper_report import cli, summary
from storekeeper_report.device import devices
from storekeeper_report.dump import DumpError, check, parse_dump

Get = Callable[[str], dict[str, Any]]
SAMPLES = sorted(DATA.glob("*.json"))


def test_the_samples_are_what_their_generator_makes() -> None:
    assert {p.name: p.read_text() for p in SAMPLES} == {
        name: make_dumps.text(x) for name, x in make_dumps.dumps().items()}


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda p: p.stem)
def test_the_samples_satisfy_the_schema(sample: Path) -> None:
    whole = check(sample.name, parse_dump(sample.read_bytes()))
    assert whole == json.loads(sample.read_text())


def test_keys_of_a_later_version_1_are_passed_over(dump: Get) -> None:
    given = dump("worn-emmc")
    given["weather"] = {"sunny": True}
    given["ledger"]["colour"] = "blue"
    given["maintenance"]["gates"][0]["mood"] = 7
    assert len(devices([check("x", given)])) == 1


@pytest.mark.parametrize(("where", "value", "reported"), [
    (("schema",), "somebody.else", "schema: not 'storekeeper.dump'"),
    (("version",), 2, "version: 2; this program knows version 1"),
    (("version",), True, "version: true"),
    (("made_wall_s",), "today", "made_wall_s: \"today\" is not of type integer"),
    (("ledger", "series"), {}, "ledger.series: {} is not of type array"),
    (("ledger", "series", 3, "life_time_a"), 256, "ledger.series[3].life_time_a: 256 is greater"),
    (("health", "verdict", "level"), "splendid", "health.verdict.level: \"splendid\" is none of"),
    (("latency", "now", 0, "p50_us"), "1", "latency.now[0].p50_us: \"1\" is not of type number"),
    (("receipts", 0, "mounts"), None, "receipts[0].mounts: null is not of type array"),
    (("maintenance", "gates", 1, "pass"), 1, "maintenance.gates[1].pass: 1 is not of type bool"),
    (("mount_audit", "mounts"), "none", "mount_audit.mounts: \"none\" is not of type array"),
])
def test_what_the_schema_forbids_is_named_by_its_key(dump: Get, where: tuple[str | int, ...],
                                                      value: object, reported: str) -> None:
    given: Any = dump("worn-emmc")
    inner = given
    for key in where[:-1]:
        inner = inner[key]
    inner[where[-1]] = value
    with pytest.raises(DumpError) as e:
        check("d.json", given)
    assert f"d.json: {reported}" in str(e.value)


def test_a_key_that_must_be_there_is_missed(dump: Get) -> None:
    given = dump("worn-emmc")
    del given["ledger"]["forecast"]["reason"]
    del given["made_wall_s"]
    with pytest.raises(DumpError) as e:
        check("d.json", given)
    assert e.value.problems == ("d.json: ledger.forecast: 'reason' is missing",
                                "d.json: top level: 'made_wall_s' is missing")


def test_a_long_list_of_problems_is_cut_short(dump: Get) -> None:
    given = dump("worn-emmc")
    for row in given["ledger"]["series"]:
        row["wall_s"] = "x"
    with pytest.raises(DumpError) as e:
        check("d.json", given)
    assert len(e.value.problems) == 9
    assert e.value.problems[-1].endswith("more")


@pytest.mark.parametrize("text", [
    b"", b"{", b"[]", b"null", b"\xff\xfe", b"[" * 100_000, b'{"schema": NaN}',
    b"Can't find service: storekeeper", b'{"version": ' + b"9" * 5000 + b"}",
    b'{"version": 18446744073709551616}', b'{"version": 1e999}',
])
def test_what_is_no_dump_is_refused(tmp_path: Path, text: bytes,
                                    capsys: pytest.CaptureFixture[str]) -> None:
    file, page = tmp_path / "x.json", tmp_path / "r.html"
    file.write_bytes(text)
    assert cli.main([str(file), "-o", str(page)]) == 65
    assert str(file) in capsys.readouterr().err
    assert not page.exists()


def test_one_bad_input_of_several_leaves_no_page(tmp_path: Path,
                                                 capsys: pytest.CaptureFixture[str]) -> None:
    bad, page = tmp_path / "bad.json", tmp_path / "r.html"
    bad.write_text("{}")
    page.write_text("the page of yesterday")
    assert cli.main([str(SAMPLES[0]), str(bad), str(tmp_path / "none.json"), "-o", str(page)]) == 65
    reported = capsys.readouterr().err
    assert f"{bad}: schema" in reported
    assert f"{tmp_path / 'none.json'}: no such file" in reported
    assert page.read_text() == "the page of yesterday"
    assert sorted(x.name for x in tmp_path.iterdir()) == ["bad.json", "r.html"]


def test_a_page_that_cannot_be_written_is_told(tmp_path: Path,
                                               capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main([str(SAMPLES[0]), "-o", str(tmp_path / "no/r.html")]) == 73
    assert "No such file" in capsys.readouterr().err


def test_dumps_of_one_chip_become_one_device(dump: Get) -> None:
    early, late = dump("worn-emmc-earlier"), dump("worn-emmc")
    merged = devices([late, early])  # in whatever order they are given
    assert len(merged) == 1
    device = merged[0]
    assert device.made_wall_s == late["made_wall_s"]
    assert device.newest["maintenance"] == late["maintenance"]
    times = [x["wall_s"] for x in device.latency or []]
    assert times == sorted(times)
    assert times[0] == early["latency"]["series"][0]["wall_s"]
    assert times[-1] == late["latency"]["series"][-1]["wall_s"]
    assert len(device.series or []) == len(late["ledger"]["series"])
    started = [x["started_wall_s"] for x in device.receipts or []]
    assert started == sorted(set(started), reverse=True)
    assert len(started) > len(late["receipts"])


def test_chips_without_a_hash_are_never_put_together(dump: Get) -> None:
    one, other = dump("old-emmc45"), dump("old-emmc45")
    one["ledger"]["chip"] = other["ledger"]["chip"] = None
    assert len(devices([one, other])) == 2


def archive(path: Path, **members: str) -> Path:
    with zipfile.ZipFile(path, "w") as out:
        for name, text in members.items():
            out.writestr(name.replace("_", ".", 1), text)
    return path


def test_what_is_no_file_is_written_to_and_stays(tmp_path: Path) -> None:
    pipe, page, link = tmp_path / "pipe", tmp_path / "page.html", tmp_path / "link.html"
    os.mkfifo(pipe)
    read = tmp_path / "read.html"
    with read.open("wb") as out, subprocess.Popen(["cat", pipe], stdout=out) as reader:
        try:
            assert cli.main([str(SAMPLES[0]), "-o", str(pipe)]) == 0
            assert pipe.is_fifo()
            reader.wait(timeout=60)
        finally:
            reader.kill()
    link.symlink_to(page)
    assert cli.main([str(SAMPLES[0]), "-o", str(link)]) == 0
    assert link.is_symlink()
    assert page.read_bytes() == read.read_bytes()


def test_a_bug_report_with_a_dump_inside_is_read(tmp_path: Path, dump: Get) -> None:
    text = json.dumps(dump("new-ufs"), indent=2)
    report = archive(tmp_path / "b.zip", main_txt=(
        f"== dumpstate\n{{\n not JSON\nDUMP OF SERVICE storekeeper:\n{text}\n--- 0.01s\n"))
    assert cli.main([str(report), "-o", str(tmp_path / "r.html")]) == 0
    assert "Meadow 3" in (tmp_path / "r.html").read_text()


@pytest.mark.parametrize(("text", "why"), [
    ("DUMP OF SERVICE storekeeper:\nStorage life: 0-10 % used\n", "dumpsys wrote text into it"),
    ("DUMP OF SERVICE battery:\n", "no whole JSON dump of storekeeper inside"),
])
def test_a_bug_report_without_says_what_to_give(tmp_path: Path, text: str, why: str,
                                                capsys: pytest.CaptureFixture[str]) -> None:
    report = archive(tmp_path / "b.zip", main_txt=text)
    assert cli.main([str(report), "-o", str(tmp_path / "r.html")]) == 65
    reported = capsys.readouterr().err
    assert why in reported
    assert "dumpsys storekeeper --json" in reported


def test_devices_are_asked_over_adb(tmp_path: Path, phones: FakePhones) -> None:
    for serial, sample in (("AA1", "worn-emmc"), ("BB2", "new-ufs")):
        phones.add(serial)
        phones.command(serial, "dumpsys",
                       f'test "$*" = "storekeeper --json" && cat {DATA}/{sample}.json')
    phones.add("CC3", "unauthorized")
    page = tmp_path / "r.html"
    assert cli.main(["-o", str(page)]) == 0  # all that are ready
    both = page.read_text()
    assert "Corvid 5X" in both
    assert "Meadow 3" in both
    assert "AA1" not in both  # a serial identifies a person's phone
    assert cli.main(["BB2", "-o", str(page)]) == 0
    assert "Corvid 5X" not in page.read_text()


@pytest.mark.parametrize(("serial", "script", "reported"), [
    ("AA1", 'echo "Can\x27t find service: storekeeper"', "prints 'Can't find service"),
    ("AA1", "echo oops >&2; exit 3", "oops"),
    ("ZZ9", "", "device 'ZZ9' not found"),
    ("CC3", "", "unauthorized"),
])
def test_a_device_that_gives_no_dump_is_named(tmp_path: Path, phones: FakePhones, serial: str,
                                              script: str, reported: str,
                                              capsys: pytest.CaptureFixture[str]) -> None:
    phones.add("AA1")
    phones.add("CC3", "unauthorized")
    phones.command("AA1", "dumpsys", script)
    assert cli.main([serial, "-o", str(tmp_path / "r.html")]) == 66
    err = capsys.readouterr().err
    assert serial in err
    assert reported in err


def test_no_device_and_no_file_is_told(phones: FakePhones,
                                       capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main([]) == 66
    assert "no device is ready (adb shows none)" in capsys.readouterr().err
    phones.add("CC3", "unauthorized")
    assert cli.main([]) == 66
    assert "no device is ready (CC3 is unauthorized)" in capsys.readouterr().err


def test_the_terminal_is_told_the_remaining_life_first(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-B", "-m", "storekeeper_report", str(DATA / "worn-emmc.json"), "-o",
         str(tmp_path / "r.html")], cwd=HERE.parent, text=True, capture_output=True, check=True)
    lines = done.stdout.splitlines()
    assert lines[0].startswith("30–40 % left  Corvid 5X")
    assert any(x.split()[:2] == ["faults", "3"] for x in lines)
    assert "\x1b" not in done.stdout  # no colours into a pipe


@pytest.mark.parametrize(("missing", "faults"), [
    ((), "none"), (("ledger",), "ledger is not in this dump"),
    (("ledger", "mount_audit"), "ledger is not in this dump, mount_audit is not in this dump")])
def test_faults_that_nobody_looked_for_are_not_none(dump: Get, missing: tuple[str, ...],
                                                    faults: str) -> None:
    given = dump("new-ufs")
    given["mount_audit"]["findings"] = []
    for section in missing:
        del given[section]
    out = io.StringIO()
    summary.show(devices([check("x", given)]), Console(file=out, width=200))
    assert re.search(r"faults\s+(.*?)\s*$", out.getvalue(), re.M)[1] == faults
