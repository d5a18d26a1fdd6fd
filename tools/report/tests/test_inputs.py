# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""Attachments are read in any wrapping; unreadable ones are named."""

from __future__ import annotations

import bz2
import codecs
import gzip
import io
import json
import lzma
import os
import tarfile
import zipfile
from pathlib import Path

import pytest
from conftest import DATA
from storekeeper_report import cli
from storekeeper_report.dump import DumpError
from storekeeper_report.inputs import read

TEXT = (DATA / "new-ufs.json").read_bytes()
DUMP = json.loads(TEXT)
# adb of platform-tools up to 23 prints this on standard output.
STARTED = b"* daemon not running. starting it now on port 5037 *\n* daemon started successfully *\n"
REPORT = (b"== dumpstate: 2027-01-01\n{ 0.004s }\n" + b"DUMP OF SERVICE storekeeper:\n" + TEXT
          + b"\n--------- 0.012s was the duration of dumpsys storekeeper\n")
DOS = TEXT.replace(b"\n", b"\r\n").decode()


def zipped(**members: bytes) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, text in members.items():
            archive.writestr(name.replace("__", "."), text)
    return out.getvalue()


def tarred(mode: str, **members: bytes) -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode=mode) as archive:
        for name, text in members.items():
            member = tarfile.TarInfo(name.replace("__", "."))
            member.size = len(text)
            archive.addfile(member, io.BytesIO(text))
    return out.getvalue()


@pytest.mark.parametrize(("name", "content"), [
    ("as it is.json", TEXT),
    ("without a suffix", TEXT),
    ("with a byte order mark.json", codecs.BOM_UTF8 + TEXT),
    ("of PowerShell.json", DOS.encode("utf-16")),
    ("of PowerShell, the other order.json", codecs.BOM_UTF16_BE + DOS.encode("utf-16-be")),
    ("without a mark.json", DOS.encode("utf-16-le")),
    ("of an old adb.json", STARTED + TEXT),
    ("of an old adb, DOS.json", STARTED.replace(b"\n", b"\r\n") + DOS.encode()),
    ("of an old adb and PowerShell.json", (STARTED.decode() + DOS).encode("utf-16")),
    ("with a time below.json", TEXT + b"\n--------- 0.012s was the duration of dumpsys\n"),
    ("bugreport-2027.txt", REPORT),
    ("bugreport of PowerShell.txt", REPORT.decode().encode("utf-16")),
    ("bugreport with a log that is no UTF-8.txt", b"log \xff\xfe\xc3(\n" + REPORT),
    ("d.json.gz", gzip.compress(TEXT)),
    ("d.json.bz2", bz2.compress(TEXT)),
    ("d.json.xz", lzma.compress(TEXT)),
    ("packed whatever it is called.json", gzip.compress(codecs.BOM_UTF8 + TEXT)),
    ("bugreport.txt.gz", gzip.compress(REPORT)),
    ("bugreport.zip", zipped(**{"bugreport-x__txt": REPORT, "FS/other__json": b"{}"})),
    ("a folder in it.zip", zipped(**{"corvid/bugreport-x__txt": REPORT, "corvid/FS/o__json": b"{}",
                                     "corvid/main_entry__txt": b"bugreport-x.txt",
                                     "corvid/version__txt": b"2.0"})),
    ("zipped, whatever it is called.dat", zipped(d__txt=TEXT)),
    ("a dump.zip", zipped(d__json__gz=gzip.compress(TEXT))),
    ("a bug report in a.zip", zipped(b__zip=zipped(main_entry__txt=b"bugreport-x.txt",
                                                   **{"bugreport-x__txt": REPORT}))),
    ("a.tar", tarred("w", **{"d__json__gz": gzip.compress(TEXT)})),
    ("a.tgz", tarred("w:gz", **{"b/bugreport__txt": REPORT})),
    ("A.TGZ", tarred("w:gz", d__json=TEXT)),
    ("UTF-16 without a mark, the other order.txt", REPORT.decode().encode("utf-16-be")),
    ("of an old adb, with a mark, DOS.json", codecs.BOM_UTF8 + STARTED + DOS.encode()),
    ("with noise in its last line.json", TEXT.rstrip() + b"* daemon stopped *\n"),
    ("a cut one before it.txt", TEXT[:5000] + b"\n" + REPORT),
])
def test_a_dump_is_found_in_what_people_attach(tmp_path: Path, name: str, content: bytes) -> None:
    (tmp_path / name).write_bytes(content)
    assert read(str(tmp_path / name)) == [DUMP]


def test_an_archive_and_a_folder_have_all_their_dumps(tmp_path: Path) -> None:
    (tmp_path / "given/deep").mkdir(parents=True)
    (tmp_path / "given/deep/a.txt").write_bytes(REPORT)
    (tmp_path / "given/b.zip").write_bytes(zipped(b__json=TEXT, c__json=TEXT))
    assert read(str(tmp_path / "given")) == [DUMP] * 3
    assert cli.main([str(tmp_path / "given"), "-o", str(tmp_path / "r.html")]) == 0


@pytest.mark.parametrize(("name", "content"), [
    ("one after the other.json", TEXT + TEXT),
    ("a line each.json", json.dumps(DUMP).encode() + b"\n" + json.dumps(DUMP).encode()),
    ("in one text.txt", REPORT + REPORT),
    ("side by side.zip", zipped(**{"bugreport-x__txt": REPORT, "bugreport-y__txt": REPORT})),
    ("in a folder and beside it.zip", zipped(d__json__gz=gzip.compress(TEXT),
                                             **{"x/bugreport-x__txt": REPORT})),
    ("in a report.zip", zipped(**{"bugreport-x__txt": REPORT, "FS/d__json": TEXT})),
])
def test_every_one_of_several_dumps_counts(tmp_path: Path, name: str, content: bytes) -> None:
    (tmp_path / name).write_bytes(content)
    assert read(str(tmp_path / name)) == [DUMP] * 2


@pytest.mark.parametrize(("name", "content", "reported"), [
    ("empty.json", b"", "empty"),
    ("blank.txt", b" \r\n", "empty"),
    ("cut.json", TEXT[:5000], "not JSON"),
    ("cut.txt", STARTED + TEXT[:5000], "no whole JSON dump"),
    ("cut report.txt", REPORT[:5000], "no whole JSON dump"),
    ("latin.json", b'{"\xff": 1}', "not UTF-8 at byte 2"),
    ("cut.json.gz", gzip.compress(TEXT)[:900], "cannot be read: "),
    ("cut.zip", zipped(d__json=TEXT)[:900], "cannot be read: "),
    ("picture.png", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "no whole JSON dump"),
    ("text.txt", b"DUMP OF SERVICE storekeeper:\nStorage life: 0-10 % used\n",
     "dumpsys wrote text into it"),
    ("b.zip", zipped(**{"bugreport-x__txt": b"DUMP OF SERVICE battery:\n"}),
     "no whole JSON dump of storekeeper inside"),
    ("no-service.txt", b"Can't find service: storekeeper\n", "no whole JSON dump"),
    ("deep.zip", zipped(a__zip=zipped(b__zip=zipped(d__json=TEXT))), "deep.zip:a.zip:b.zip: an "
     "archive within two others"),
    ("other.zip", zipped(d__json=TEXT, notes__txt=b"mine"), "other.zip:notes.txt: no whole JSON"),
    ("large.json.gz", gzip.compress(bytes(130 << 20)), "unpacks to more than 128 MiB"),
])
def test_what_cannot_be_read_is_named(tmp_path: Path, name: str, content: bytes, reported: str
                                      ) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(DumpError) as e:
        read(str(tmp_path / name))
    problem, = e.value.problems
    assert problem.startswith(f"{tmp_path / name}")
    assert reported in problem


def test_links_and_pipes_of_a_folder_are_named(tmp_path: Path) -> None:
    (tmp_path / "given").mkdir()
    (tmp_path / "given/link.json").symlink_to(DATA / "new-ufs.json")
    os.mkfifo(tmp_path / "given/pipe.json")
    with pytest.raises(DumpError) as e:
        read(str(tmp_path / "given"))
    assert e.value.problems == tuple(
        f"{tmp_path}/given/{x}.json: neither a file nor a folder; in a folder, links are not "
        "followed" for x in ("link", "pipe"))
    assert read(str(tmp_path / "given/link.json")) == [DUMP]
