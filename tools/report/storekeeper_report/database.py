# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""Devices as an SQLite database: the rows of their dumps in tables, and views of them."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from contextlib import closing
from importlib import resources
from pathlib import Path
from typing import Any

from .device import Device, Row
from .output import replacing


def _insert(db: sqlite3.Connection, table: str, rows: Iterable[Row], **more: Any) -> None:
    """Values of the table's columns from `rows`; columns that a row lacks come from `more`."""
    columns = [x[1] for x in db.execute(f"PRAGMA table_info({table})")]
    marks = ", ".join("?" * len(columns))
    db.executemany(f"INSERT INTO {table} VALUES ({marks})",
                   [[_stored({**row, **more}.get(x)) for x in columns] for row in rows])


def _stored(value: Any) -> Any:
    """A count beyond SQLite's integers is stored as its real."""
    return float(value) if isinstance(value, int) and value >= 2**63 else value


def _fill(db: sqlite3.Connection, device: Device, chip_id: int) -> None:
    health = device.section("health") or {}
    ledger = device.section("ledger") or {}
    latency = device.section("latency") or {}
    name = device.section("device") or {}
    _insert(db, "chip", [{**health.get("verdict", {}), **ledger.get("forecast", {})}],
            chip_id=chip_id, chip=ledger.get("chip") or health.get("chip"), model=device.chip_model,
            firmware=device.firmware, kind=health.get("kind"), device=name.get("model"),
            build=name.get("build"), made_wall_s=device.made_wall_s,
            written_bytes=ledger.get("written_bytes"))
    of_chip = {"wear": device.series, "alert": ledger.get("alerts"), "latency": device.latency,
               "uid_write": latency.get("uid_writes"),
               "filesystem": (device.section("mount_audit") or {}).get("mounts")}
    for table, rows in of_chip.items():
        _insert(db, table, rows or [], chip_id=chip_id)
    for run in device.receipts or []:
        run_id = db.execute("SELECT coalesce(max(run_id), 0) + 1 FROM run").fetchone()[0]
        _insert(db, "run", [run], run_id=run_id, chip_id=chip_id)
        _insert(db, "run_mount", run["mounts"], run_id=run_id)


def write(path: Path, devices: list[Device]) -> None:
    """Replaces the file. OSError where that is not possible; no part of it is left then."""
    if path.exists() and not path.is_file():
        raise OSError(0, "not a regular file")
    with replacing(path) as new:
        try:
            with closing(sqlite3.connect(new)) as db, db:
                db.executescript(resources.files(__package__).joinpath("tables.sql").read_text())
                for chip_id, device in enumerate(devices, 1):
                    _fill(db, device, chip_id)
        except sqlite3.Error as e:
            raise OSError(0, str(e)) from e
