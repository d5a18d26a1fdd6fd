# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""Dumps in files, folders, archives and bug reports, for storekeeper-report and storekeeper-fleet.

Each file of a folder and each member of an archive is one input; a bug report is one as a whole. Of
several dumps in one input each counts.
The first bytes of an input give its type; only a tar needs the ending of its name, since it is read
as a stream. An input gives a dump or the reason why there is none, so that every input is counted.
The order is the same every time. Nothing is unpacked to a disk: a member's name is a label and no
path. Sizes in an archive's headers are not trusted.
"""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import os
import re
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from . import dump as reader
from .dump import Dump, DumpError, NoInput

# The main text of a bug report is some tens of MB.
MAX_TEXT_BYTES = 128 << 20
# Members that are no dump must be unpacked, too, to get past them.
MAX_PASSED_BYTES = 1 << 30
# A directory of a zip is read whole; a million dumps fit.
MAX_MEMBERS = 1 << 20
# dumpstate's name for a bug report's text, and for the file that names the text.
MAIN_TEXT = re.compile(r"bugreport[^/]*\.txt|main_entry\.txt")
TARS = (".tar", ".tar.gz", ".tgz", ".tar.xz", ".tar.bz2")
ZIP = (b"PK\x03\x04", b"PK\x05\x06")
PACKED: dict[bytes, Callable[[Any], IO[bytes]]] = {
    b"\x1f\x8b": gzip.open, b"BZh": bz2.open, b"\xfd7zXZ": lzma.open}  # type: ignore[dict-item]
BROKEN = (zipfile.BadZipFile, tarfile.TarError, NotImplementedError, RuntimeError, EOFError,
          zlib.error, lzma.LZMAError, ValueError, OSError)
NO_FILE = "neither a file nor a folder; in a folder, links are not followed"


@dataclass(frozen=True)
class Found:
    """The JSON of an input, or the reason why there is none."""

    name: str
    json: Any = None
    problem: str = ""


def read(word: str) -> list[Dump]:
    """All dumps that a file, a folder or a device has; every problem is reported."""
    if not reader.is_file_name(word):
        return [reader.from_device(word)]
    dumps, problems = [], []
    for found in every([word]):
        try:
            if found.problem:
                raise DumpError(f"{found.name}: {found.problem}")
            dumps.append(reader.check(found.name, found.json))
        except DumpError as e:
            problems += e.problems
    if not (dumps or problems):
        problems.append(f"{word}: nothing is in it")
    if problems:
        raise DumpError(*problems)
    return dumps


def every(words: Iterable[str], leave_out: Path | None = None,
          advance: Callable[[int, int], None] = lambda done, total: None) -> Iterator[Found]:
    """All inputs that the words mean; NoInput at once where one is not there. `advance` is given
    how many files are done, of how many."""
    paths = files(words, leave_out)

    def found() -> Iterator[Found]:
        for number, (path, problem) in enumerate(paths, 1):
            name = reader.clean(str(path))
            if problem:
                yield Found(name, problem=problem)
            else:
                yield from _of_file(name, path)
            advance(number, len(paths))
    return found()


def files(words: Iterable[str], leave_out: Path | None = None) -> list[tuple[Path, str]]:
    """The files that the words mean, those of a folder by name, and what keeps one from being read.
    Links in folders may lead anywhere; a pipe would never end."""
    found: list[tuple[Path, str]] = []
    left_out = leave_out and leave_out.resolve()
    for word in words:
        path = Path(word)
        if path.is_dir():
            for folder, names, members in os.walk(path):
                names[:] = sorted(x for x in names if Path(folder, x).resolve() != left_out)
                found += [(x, "" if x.is_file() and not x.is_symlink() else NO_FILE)
                          for x in (Path(folder, m) for m in sorted(members))]
        elif path.is_file():
            found.append((path, ""))
        else:
            raise NoInput(f"{word}: no such file or folder")
    return found


def _of_file(name: str, path: Path) -> Iterator[Found]:
    try:
        if path.name.lower().endswith(TARS):
            # A stream is read once, in order, and keeps nothing.
            with tarfile.open(path, "r|*") as archive:
                yield from _of_members(name, _of_tar(archive))
        else:
            with path.open("rb") as stream:
                yield from _of_stream(name, stream)
    except BROKEN as e:
        yield Found(name, problem=_broken(e))


def _of_stream(name: str, stream: IO[bytes], depth: int = 0) -> Iterator[Found]:
    """The inputs in a file, or in a member at this depth of archives."""
    size = stream.seek(0, os.SEEK_END)
    stream.seek(0)
    head = stream.read(6)
    stream.seek(0)
    if head.startswith(ZIP):
        # A bug report in an archive is the deepest that makes sense.
        if depth > 1:
            yield Found(name, problem="an archive within two others; unpack it")
            return
        with zipfile.ZipFile(stream) as archive:
            yield from _of_zip(name, archive, depth)
        return
    if size > MAX_TEXT_BYTES:
        yield Found(name, problem=f"{size} bytes; at most {MAX_TEXT_BYTES >> 20} MiB are read")
        return
    for magic, unpack in PACKED.items():
        if head.startswith(magic):
            stream = unpack(stream)
    text = _bounded(stream)
    if text is None:
        yield Found(name, problem=f"unpacks to more than {MAX_TEXT_BYTES >> 20} MiB")
    else:
        yield from _of_text(name, text)


def _of_text(name: str, text: bytes) -> Iterator[Found]:
    try:
        yield from (Found(name, x) for x in reader.parse_dumps(text))
    except DumpError as e:
        yield Found(name, problem=str(e))


def _bounded(stream: IO[bytes]) -> bytes | None:
    """Not more than the limit, whatever an archive says about the size."""
    text = stream.read(MAX_TEXT_BYTES + 1)
    return None if len(text) > MAX_TEXT_BYTES else text


def _broken(e: BaseException) -> str:
    return reader.clean(f"cannot be read: {getattr(e, 'strerror', None) or e or type(e).__name__}"
                        )[:300]


# The name of a member, its size as the archive says, and what opens it.
Member = tuple[str, int, Callable[[], IO[bytes] | None]]


def _of_zip(name: str, archive: zipfile.ZipFile, depth: int) -> Iterator[Found]:
    members = sorted((x for x in archive.infolist() if not x.is_dir()), key=lambda x: x.filename)
    given: list[Member] = [(x.filename, x.file_size, lambda x=x: archive.open(x)) for x in members]
    main = [x.filename for x in members if MAIN_TEXT.fullmatch(_base(x.filename))]
    folder = min((x[:-len(_base(x))] for x in main), key=len, default="")
    # Several texts side by side are several reports; main_entry.txt is none.
    if not main or sum(x.startswith(f"{folder}bugreport") for x in main) > 1:
        yield from _of_members(name, given, depth)
        return
    # A bug report has files of its own, JSON among them.
    yield from _of_members(name, (x for x in given if not x[0].startswith(folder)), depth)
    texts = [x for x in given if x[0].startswith(folder) and x[0].endswith((".txt", ".json"))]
    found = list(_of_members(name, texts, depth))
    whole = [Found(name, x.json) for x in found if _is_dump(x.json)]
    told_problems = [x.problem for x in found if x.problem and MAIN_TEXT.fullmatch(_base(x.name))]
    yield from whole or [Found(name, problem=(told_problems or [reader.NO_DUMP])[0])]


def _base(name: str) -> str:
    return re.split("[/:]", name)[-1]


def _is_dump(value: object) -> bool:
    return isinstance(value, dict) and value.get("schema") == reader.SCHEMA


def _of_tar(archive: tarfile.TarFile) -> Iterator[Member]:
    for member in archive:
        # The list of members would grow without end.
        archive.members = []  # type: ignore[attr-defined]
        if not member.isdir():
            yield member.name, member.size, lambda m=member: (
                archive.extractfile(m) if m.isreg() else None)


def _of_members(name: str, members: Iterable[Member], depth: int = 0) -> Iterator[Found]:
    passed = 0
    for number, (member, size, open_) in enumerate(members):
        if number >= MAX_MEMBERS:
            yield Found(name, problem=f"more than {MAX_MEMBERS} members; the rest is not read")
            return
        label = f"{name}:{reader.clean(member)[:200]}"
        for found in _of_member(label, size, open_, depth + 1):
            passed += size if found.problem else 0
            yield found
        if passed > MAX_PASSED_BYTES:
            yield Found(name, problem=f"more than {MAX_PASSED_BYTES >> 20} MiB that are no dumps; "
                        "the rest is not read")
            return


def _of_member(label: str, size: int, open_: Callable[[], IO[bytes] | None], depth: int
               ) -> Iterator[Found]:
    if size > MAX_TEXT_BYTES:
        yield Found(label, problem=f"{size} bytes; at most {MAX_TEXT_BYTES >> 20} MiB are read")
        return
    try:
        stream = open_()
        if stream is None:
            yield Found(label, problem=NO_FILE)
            return
        with stream:
            text = _bounded(stream)
        if text is None:
            yield Found(label, problem="larger than its archive says")
        else:
            yield from _of_stream(label, io.BytesIO(text), depth)
    except BROKEN as e:
        yield Found(label, problem=_broken(e))
