# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""Dumps in files, folders, archives and bug reports, one after the other and in the same order
every time. Nothing is unpacked to a disk: a member's name is a label and no path."""

from __future__ import annotations

import io
import os
import re
import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from storekeeper_report import dump as reader

from .rows import MAX_DUMP_BYTES

# The main text of a bug report is some tens of MB.
MAX_TEXT_BYTES = 128 << 20
# A bug report inside an archive.
MAX_INNER_ZIP_BYTES = 64 << 20
# Members that are too large have to be read past in a tar that is compressed.
MAX_PASSED_BYTES = 1 << 30
# A directory of a zip is read whole; a million dumps fit.
MAX_MEMBERS = 1 << 20
# What dumpstate calls a bug report's text, and the file that names it.
MAIN_TEXT = re.compile(r"bugreport[^/]*\.txt|main_entry\.txt")
ARCHIVES = (".zip", ".tar", ".tar.gz", ".tgz", ".tar.xz", ".tar.bz2")
BROKEN = (zipfile.BadZipFile, tarfile.TarError, NotImplementedError, RuntimeError, EOFError,
          zlib.error, ValueError, OSError)


@dataclass(frozen=True)
class Found:
    """A dump's text, or why there is none."""

    name: str
    text: bytes = b""
    problem: str = ""


class NoInput(Exception):
    """It is not there."""


def is_archive(name: str) -> bool:
    return name.endswith(ARCHIVES)


def files(words: list[str]) -> list[Path]:
    """The files that the words mean, those of a folder by name. Links in folders are left out: they
    may lead anywhere."""
    found: list[Path] = []
    for word in words:
        path = Path(word)
        if path.is_dir():
            for folder, names, members in os.walk(path):
                names.sort()
                found += [Path(folder) / x for x in sorted(members)
                          if (x.endswith(".json") or is_archive(x))
                          and not (Path(folder) / x).is_symlink()]
        elif path.is_file():
            found.append(path)
        else:
            raise NoInput(f"{word}: no such file or folder")
    return found


def dumps(path: Path) -> Iterator[Found]:
    """What one file holds."""
    name = reader.clean(str(path))
    try:
        if path.name.endswith(".zip"):
            with zipfile.ZipFile(path) as archive:
                yield from _of_zip(name, archive)
        elif is_archive(path.name):
            # A stream is read once, in order, and keeps nothing.
            with tarfile.open(path, "r|*") as archive:
                yield from _of_tar(name, archive)
        else:
            size = path.stat().st_size
            if size > MAX_DUMP_BYTES:
                yield Found(name, problem=_too_large(size, MAX_DUMP_BYTES))
            else:
                yield Found(name, path.read_bytes())
    except BROKEN as e:
        yield Found(name, problem=_broken(e))


def _too_large(size: int, limit: int) -> str:
    return f"{size} bytes; at most {limit >> 20} MiB are read"


def _broken(e: BaseException) -> str:
    return reader.clean(f"cannot be read: {getattr(e, 'strerror', None) or e or type(e).__name__}"
                        )[:300]


def _bounded(stream: IO[bytes], limit: int) -> bytes | None:
    """Not more than `limit`, whatever the archive says about the size."""
    text = stream.read(limit + 1)
    return None if len(text) > limit else text


def _of_zip(name: str, archive: zipfile.ZipFile, inner: bool = False) -> Iterator[Found]:
    members = [x for x in archive.infolist() if not x.is_dir()]
    if len(members) > MAX_MEMBERS:
        yield Found(name, problem=f"{len(members)} members; at most {MAX_MEMBERS} are read")
        return
    members.sort(key=lambda x: x.filename)
    dumps_ = [x for x in members if x.filename.endswith(".json")
              or (x.filename.endswith(".zip") and not inner)]
    # A bug report has files of its own, JSON among them.
    if not dumps_ or any(MAIN_TEXT.fullmatch(x.filename) for x in members):
        yield from _bug_report(name, archive, members)
        return
    for member in dumps_:
        label = f"{name}:{reader.clean(member.filename)[:200]}"
        if member.filename.endswith(".json"):
            yield _member(label, archive, member)
        else:
            yield from _inner(label, archive, member)


def _member(label: str, archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> Found:
    if member.file_size > MAX_DUMP_BYTES:
        return Found(label, problem=_too_large(member.file_size, MAX_DUMP_BYTES))
    try:
        with archive.open(member) as stream:
            text = _bounded(stream, MAX_DUMP_BYTES)
    except BROKEN as e:
        return Found(label, problem=_broken(e))
    return Found(label, text or b"", "" if text is not None
                 else "larger than its archive says")


def _inner(label: str, archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> Iterator[Found]:
    if member.file_size > MAX_INNER_ZIP_BYTES:
        yield Found(label, problem=_too_large(member.file_size, MAX_INNER_ZIP_BYTES))
        return
    try:
        with archive.open(member) as stream:
            text = _bounded(stream, MAX_INNER_ZIP_BYTES)
        with zipfile.ZipFile(io.BytesIO(text or b"")) as found:
            yield from _of_zip(label, found, inner=True)
    except BROKEN as e:
        yield Found(label, problem=_broken(e))


def _bug_report(name: str, archive: zipfile.ZipFile,
                members: list[zipfile.ZipInfo]) -> Iterator[Found]:
    too_large = ""
    for member in members:
        if not member.filename.endswith((".txt", ".json")):
            continue
        if member.file_size > MAX_TEXT_BYTES:
            too_large = f"{reader.clean(member.filename)[:200]}: " \
                + _too_large(member.file_size, MAX_TEXT_BYTES)
            continue
        with archive.open(member) as stream:
            text = _bounded(stream, MAX_TEXT_BYTES)
        found = reader.find(text.decode(errors="replace")) if text else None
        if found is not None:
            yield Found(name, found.encode(errors="replace"))
            return
    yield Found(name, problem=too_large or "no JSON dump inside; give the output of "
                "`adb shell dumpsys storekeeper --json`")


def _of_tar(name: str, archive: tarfile.TarFile) -> Iterator[Found]:
    passed = 0
    for number, member in enumerate(archive):
        # The list of members would grow without end.
        archive.members = []  # type: ignore[attr-defined]
        label = f"{name}:{reader.clean(member.name)[:200]}"
        if number >= MAX_MEMBERS:
            yield Found(name, problem=f"more than {MAX_MEMBERS} members; the rest is not read")
            return
        if not member.isreg() or not member.name.endswith((".json", ".zip")):
            passed += member.size
        elif member.size > (limit := MAX_DUMP_BYTES if member.name.endswith(".json")
                            else MAX_INNER_ZIP_BYTES):
            passed += member.size
            yield Found(label, problem=_too_large(member.size, limit))
        else:
            stream = archive.extractfile(member)
            text = _bounded(stream, limit) if stream else b""
            if member.name.endswith(".json"):
                yield Found(label, text or b"")
            else:
                try:
                    with zipfile.ZipFile(io.BytesIO(text or b"")) as found:
                        yield from _of_zip(label, found, inner=True)
                except BROKEN as e:
                    yield Found(label, problem=_broken(e))
        if passed > MAX_PASSED_BYTES:
            yield Found(name, problem=f"more than {MAX_PASSED_BYTES >> 20} MiB that are no dumps; "
                        "the rest is not read")
            return
