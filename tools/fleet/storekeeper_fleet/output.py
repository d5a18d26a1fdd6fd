# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""Results as CSV, JSON, Parquet, and for Prometheus."""

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
# Of a figure with a fraction; what engines add in another order differs far behind these.
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


def _label(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")


def openmetrics(found: dict[str, list[Row]]) -> str:
    """The head figures for the textfile collector of Prometheus' node_exporter."""
    lines: list[str] = []

    def gauge(name: str, about: str, *series: tuple[dict[str, str], Any]) -> None:
        lines.append(f"# TYPE storekeeper_fleet_{name} gauge")
        lines.append(f"# HELP storekeeper_fleet_{name} {about}")
        for labels, x in series:
            if x is None:
                continue
            inner = ",".join(f'{k}="{_label(v)}"' for k, v in labels.items())
            lines.append(f"storekeeper_fleet_{name}{'{' + inner + '}' if inner else ''} "
                         f"{_text(int(x) if isinstance(x, bool) else x)}")

    head = found["coverage"][0]
    gauge("devices", "Devices that the data set has.", ({}, head["devices"]))
    gauge("devices_present", "Devices of these that are in the fleet.", ({}, head["present"]))
    gauge("devices_past_rated_life", "Devices in the fleet past their rated life.",
          ({}, head["past_rated_life"]))
    gauge("newest_dump_timestamp_seconds", "When the newest dump was made.", ({}, head["end_s"]))
    gauge("rejected_files", "Files that were refused.", ({}, head["rejected_files"]))
    gauge("replacements_per_week", "Expected replacements a week, and the 90 % band.", *(
        ({"quarter": str(r["quarter"]), "bound": bound}, r[key])
        for r in found["replacements"] for bound, key in (
            ("expected", "a_week"), ("low", "a_week_low"), ("high", "a_week_high"))))
    chips = [({"chip_model": r["chip_model"], "chip_firmware": r["chip_firmware"]}, r)
             for r in found["firmware"]]
    gauge("firmware_bytes_per_step", "Bytes written for each 10 % of life.", *(
        (k, r["gb_per_step"] and r["gb_per_step"] * 1e9) for k, r in chips))
    gauge("firmware_alarm", "1: the firmware takes more of life than the chip's others.", *(
        (k, r["alarm"]) for k, r in chips))
    gauge("trimmed_ratio", "Share of the time with a complete trim in the week before.", *(
        ({"device_model": r["value"]}, r["trimmed_share"]) for r in found["trims"]
        if r["dimension"] == "device_model"))
    return "\n".join(lines) + "\n# EOF\n"
