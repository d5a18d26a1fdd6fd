# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""A data set on the disk: a folder of Parquet files, each of which is whole or absent.

A file is named by its content. It is written below tmp/, synced, and renamed; what a writer that
was killed left in tmp/ the next one removes. There is no list of files that could disagree.
"""

from __future__ import annotations

import fcntl
import hashlib
import io
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from .rows import tables

MARK = "fleet.json"
MARK_TEXT = '{"schema": "storekeeper.fleet", "version": 1}\n'
SAMPLES, CONFIGS, REJECTS = "samples", "configs", "rejects"
# Rows of a file are in the order of the chips: a query for some chips reads only a few groups.
GROUP_ROWS = 1 << 14


class DatasetError(Exception):
    """A problem of the folder, with the next step."""


class Dataset:
    """An existing data set."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        try:
            mark = json.loads((folder / MARK).read_text())
        except FileNotFoundError:
            raise DatasetError(f"{folder}: no data set; `storekeeper-fleet ingest INPUT... --to "
                               f"{folder}` makes one") from None
        except (OSError, ValueError) as e:
            raise DatasetError(f"{folder / MARK}: {e}") from e
        if not isinstance(mark, dict) or mark.get("schema") != "storekeeper.fleet":
            raise DatasetError(f"{folder / MARK}: not of a data set of storekeeper-fleet")
        if mark.get("version") != 1:
            raise DatasetError(f"{folder / MARK}: version {mark.get('version')!r}; this program "
                               "knows version 1, a newer one may know more")

    def files(self, table: str, month: str = "*") -> list[str]:
        """The Parquet files of a table, in the order of their names."""
        pattern = f"month={month}/*.parquet" if table == SAMPLES else "*.parquet"
        return sorted(map(str, (self.folder / table).glob(pattern)))

    def damaged(self) -> list[str]:
        """The files whose content is not what they were named after."""
        return [x for table in (SAMPLES, CONFIGS, REJECTS) for x in self.files(table)
                if _name_of(Path(x).read_bytes()) != Path(x).name]

    def put(self, table: str, rows: pa.Table, month: str = "") -> None:
        """One more file; nothing if the same is there."""
        rows = rows.cast(tables()[table])
        buffer = io.BytesIO()
        pq.write_table(rows, buffer, compression="zstd", row_group_size=GROUP_ROWS)
        data = buffer.getbuffer()
        name = _name_of(data)
        folder = self.folder / table / (f"month={month}" if month else "")
        _make(folder)
        temporary = self.folder / "tmp" / name
        with temporary.open("wb") as out:
            out.write(data)
            out.flush()
            os.fsync(out.fileno())
        temporary.rename(folder / name)
        _sync(folder)


def _name_of(content: bytes | memoryview) -> str:
    return hashlib.blake2b(content, digest_size=12).hexdigest() + ".parquet"


def _make(folder: Path) -> None:
    if not folder.is_dir():
        folder.mkdir(parents=True, exist_ok=True)
        _sync(folder.parent)


def _sync(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


@contextmanager
def writing(folder: Path) -> Iterator[Dataset]:
    """The data set, made where there is none; one writer at a time."""
    if folder.exists() and not (folder / MARK).exists() \
            and {x.name for x in folder.iterdir()} - {"lock", "tmp", f"{MARK}.new"}:
        raise DatasetError(f"{folder}: neither a data set nor empty; give another folder")
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise DatasetError(f"{folder}: another process writes to it; try again when it has "
                               "ended") from None
        tmp = folder / "tmp"
        tmp.mkdir(exist_ok=True)
        for left in tmp.iterdir():
            left.unlink()
        if not (folder / MARK).exists():
            new = folder / f"{MARK}.new"
            new.write_text(MARK_TEXT)
            new.rename(folder / MARK)
            _sync(folder)
        yield Dataset(folder)
