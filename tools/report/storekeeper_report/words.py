# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""Figures as people read them. An unknown figure is a dash, never 0."""

from __future__ import annotations

import math
from datetime import UTC, datetime
from typing import Any

DASH = "\u2013"
# A clock that was never set counts from 1970 or from the day the ROM was built.
FIRST_WALL_S = 946_684_800  # 2000-01-01
LAST_WALL_S = 4_102_444_800  # 2100-01-01

# android_filesystem_config.h
AIDS = {0: "root", 1000: "system", 1001: "radio", 1002: "bluetooth", 1013: "media",
        1017: "keystore", 1021: "gps", 1023: "media_rw", 1036: "logd", 1041: "audioserver",
        1046: "mediacodec", 1066: "statsd", 2000: "shell"}
AID_APP_START = 10_000
AID_SDK_SANDBOX_START, AID_SDK_SANDBOX_END, AID_ISOLATED_START = 20_000, 30_000, 90_000
AID_USER_OFFSET = 100_000


def has_date(wall_s: int | None) -> bool:
    """True if the clock had been set."""
    return wall_s is not None and FIRST_WALL_S <= wall_s < LAST_WALL_S


def moment(wall_s: int | None) -> str:
    """2026-01-31 12:30 UTC"""
    if not has_date(wall_s):
        return DASH if wall_s is None else "clock not set"
    return f"{datetime.fromtimestamp(wall_s, UTC):%Y-%m-%d %H:%M} UTC"


def day(wall_s: int | None) -> str:
    """2026-01-31"""
    return moment(wall_s).partition(" ")[0] if has_date(wall_s) else moment(wall_s)


def iso(wall_s: int) -> str:
    """For a chart, which takes it as UTC."""
    return f"{datetime.fromtimestamp(wall_s, UTC):%Y-%m-%dT%H:%M:%S}"


def _scaled(value: float, step: int, units: tuple[str, ...]) -> str:
    at = 0
    while value >= step and at < len(units) - 1:
        value /= step
        at += 1
    digits = 0 if at == 0 or value >= 100 else 1
    return f"{value:.{digits}f} {units[at]}"


def size(count: float | None) -> str:
    """Decimal, as chips are sold: 31.9 GB"""
    if count is None:
        return DASH
    return _scaled(count, 1000, ("B", "kB", "MB", "GB", "TB", "PB"))


def budget(mib: int | None) -> str:
    """4.3 GB, in the page's unit; it is configured in MiB."""
    return "none" if mib is None else size(mib << 20)


def micros(us: float | None) -> str:
    if us is None:
        return DASH
    return f"{us:.0f} \u00b5s" if us < 1000 else millis(us / 1000)


def digits(value: float) -> str:
    """The three that count, of a figure that was measured: 0.0123, 1.23, 12.3, 1230"""
    if value == 0 or not 1e-6 <= abs(value) < 1e7:
        return f"{value:.3g}"
    return f"{value:.{max(2 - math.floor(math.log10(abs(value))), 0)}f}"


def number(value: float | None) -> str:
    return DASH if value is None else digits(value)


def whole(count: int | None) -> str:
    """96,000"""
    return DASH if count is None else f"{count:,}"


def measured(ms: float | None) -> str:
    """A time that was measured: 50.3 \u00b5s, 1.05 ms"""
    if ms is None:
        return DASH
    if ms < 1:
        return f"{digits(ms * 1000)} \u00b5s"
    return f"{digits(ms)} ms" if ms < 1000 else f"{digits(ms / 1000)} s"


def change(percent_: float) -> str:
    """+12.5 %, with a minus as wide as the plus"""
    return f"{percent_:+.1f} %".replace("-", "\u2212")


def millis(ms: float | None) -> str:
    if ms is None:
        return DASH
    if ms < 1000:
        return f"{ms:.{0 if ms >= 100 else 1}f} ms"
    if ms < 100_000:
        return f"{ms / 1000:.1f} s"
    return seconds(ms / 1000) if ms >= 600_000 else f"{ms / 1000:.0f} s"


def seconds(s: float | None) -> str:
    """The two largest units: 2 d 4 h"""
    if s is None:
        return DASH
    left, parts = abs(round(s)), []
    for length, name in ((86400, "d"), (3600, "h"), (60, "min"), (1, "s")):
        count, left = divmod(left, length)
        if count:
            parts.append(f"{count} {name}")
    return ("\u2212" if s < 0 else "") + (" ".join(parts[:2]) or "0 s")


def gate_value(value: int | None, unit: str) -> str:
    if value is None:
        return "not known"
    match unit:
        case "s":
            return seconds(value)
        case "pct":
            return f"{value} %"
        case "dC":
            return f"{value / 10:.1f} \u00b0C"
        case "yes":
            return "yes" if value else "no"
    return f"{value} {unit}"


def gate_limit(gate: dict[str, Any]) -> str:
    if gate["unit"] == "yes":
        return f"must be {gate_value(gate['limit'], 'yes')}"
    limit = gate_value(gate["limit"], gate["unit"])
    return f"at {'most' if gate['at_most'] else 'least'} {limit}"


def percent(value: float | None) -> str:
    """Two digits that count: 0.031 %, 1.2 %, 24 %"""
    if value is None:
        return DASH
    if value == 0:
        return "0 %"
    return f"{value:.0f} %" if value >= 10 else f"{value:.2g} %"


def uid(number: int) -> str:
    """The name of a uid in Android's own tools: u0_a123, or the name of a system uid."""
    user, app = divmod(number, AID_USER_OFFSET)
    if app >= AID_ISOLATED_START:
        return f"u{user}_i{app - AID_ISOLATED_START}"
    if AID_SDK_SANDBOX_START <= app < AID_SDK_SANDBOX_END:
        return f"u{user}_a{app - AID_SDK_SANDBOX_START}_sdk_sandbox"
    if app >= AID_APP_START:
        return f"u{user}_a{app - AID_APP_START}"
    name = AIDS.get(app, f"uid {app}")
    return name if user == 0 else f"u{user}_{name}"


def writer_title(row: dict[str, Any]) -> str:
    """com.example.app (u0_a123), or the latter alone."""
    name = row.get("name")
    kind = {"sdk_sandbox": ", SDK sandbox", "isolated": ", isolated"}.get(row.get("kind", ""), "")
    return f"{name}{kind} ({uid(row['uid'])})" if name else uid(row["uid"])


def writer(row: dict[str, Any]) -> dict[str, Any]:
    """A row of uid_writes with what dumps of before lack, and what the page calls it."""
    flash = row.get("device_bytes_per_day")
    return {"fsyncs_per_day": None, "fsync_storm": False, **row, "device_bytes_per_day": flash,
            "flash_bytes": row["bytes_per_day"] if flash is None else flash,
            "title": writer_title(row)}


def encryption(state: str) -> str:
    """The encrypting engine in words; the states are those of crypto/volume_state.h."""
    return {"none": "nobody: not encrypted", "hw-offload": "an engine beside the processor",
            "cpu": "the processor", "inline": "the storage controller, inline",
            "hw-key": "the storage controller, with wrapped keys"}.get(state, "not known")


def life_range(value: int | None) -> tuple[int, int] | None:
    """JESD84-B51 DEVICE_LIFE_TIME_EST_TYP_A: 1 to 10 are steps of 10 %, 11 is past the rated life;
    0 and the rest say nothing."""
    if value is None or not 1 <= value <= 11:
        return None
    return (100, 100) if value == 11 else (value * 10 - 10, value * 10)
