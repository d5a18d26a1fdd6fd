# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""Results as CSV, JSON and Parquet."""

from __future__ import annotations

import csv
import io
import json
import math
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

Row = dict[str, Any]
FORMATS = ("csv", "json", "parquet")
# Digits of a figure with a fraction. Engines add in different orders, which changes only digits far
# behind these.
DIGITS = 6


def value(x: Any) -> Any:
    """A figure with the digits that count; what is no number is not known."""
    if isinstance(x, float):
        return float(f"{x:.{DIGITS}g}") if math.isfinite(x) else None
    return x


def _text(x: Any) -> str:
    x = value(x)
    if x is None:
        return ""
    if isinstance(x, bool):
        return "true" if x else "false"
    if isinstance(x, float):
        return f"{x:.{DIGITS}g}"
    # A spreadsheet would take it for a formula.
    return f"'{x}" if isinstance(x, str) and x[:1] in ("=", "+", "-", "@") else str(x)


def as_csv(rows: list[Row]) -> str:
    if not rows:
        return ""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(rows[0])
    writer.writerows([_text(x) for x in r.values()] for r in rows)
    return out.getvalue()


def as_json(rows: list[Row]) -> str:
    return json.dumps([{k: value(v) for k, v in r.items()} for r in rows], indent=1,
                      allow_nan=False, default=str) + "\n"


def as_parquet(rows: list[Row]) -> bytes:
    out = io.BytesIO()
    pq.write_table(pa.Table.from_pylist([{k: value(v) for k, v in r.items()} for r in rows]), out)
    return out.getvalue()


def encode(rows: list[Row], form: str) -> bytes:
    if form == "parquet":
        return as_parquet(rows)
    return (as_csv(rows) if form == "csv" else as_json(rows)).encode()
