# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""The page in a few lines, for the terminal."""

from __future__ import annotations

from rich.console import Console
from rich.table import Table
from rich.text import Text

from .bench import Bench
from .device import Device, Row, urgent_first
from .words import change, moment

STYLES = {"good": "green", "warning": "yellow", "urgent": "bold red"}
VERDICTS = ("VALID", "SUSPECT", "INVALID")


def _faults(device: Device) -> str:
    """Alerts and findings that ask for something; none only where both sections say so."""
    sections = {"ledger": "alerts", "mount_audit": "findings"}
    rows = [x for name, key in sections.items() for x in (device.section(name) or {}).get(key, [])]
    counts = [(level, sum(x["level"] == level for x in rows)) for level in ("urgent", "warning")]
    known = [f"{n} {level}" for level, n in counts if n]
    missing = [f"{x} is not in this dump" for x in sections if device.section(x) is None]
    return ", ".join(known + missing) or "none"


def _last_run(device: Device) -> str:
    if device.receipts is None:
        return "not in this dump"
    if not device.receipts:
        return "no run yet"
    return f"{moment(device.receipts[0]['started_wall_s'])}, " + \
        device.receipts[0]["outcome"].replace("_", " ")


def show(devices: list[Device], console: Console) -> None:
    """A block for each device; the first line is the remaining life."""
    for device in urgent_first(devices):
        style = STYLES.get(device.worst, "dim")
        # Text, not markup: what a device says is shown as it is.
        console.print(Text.assemble((device.left, f"bold {style}"), f"  {device.title}  ",
                                    (device.subtitle, "dim")))
        table = Table.grid(padding=(0, 2))
        forecast = (device.section("ledger") or {}).get("forecast", {})
        for name, text in (("verdict", f"{device.level}. {device.line}"),
                           ("forecast", forecast.get("line", "not in this dump")),
                           ("last run", _last_run(device)), ("faults", _faults(device))):
            table.add_row(Text(f"  {name}", style="dim"), Text(text))
        console.print(table)


def figures_line(result: Row) -> str:
    """7 figures: 5 VALID, 2 INVALID"""
    found = [x["verdict"] for x in result["figures"]]
    counts = ", ".join(f"{found.count(v)} {v}" for v in VERDICTS if v in found)
    return f"{len(found)} figure{'' if len(found) == 1 else 's'}" + (f": {counts}" if found else "")


def show_bench(given: Bench, console: Console) -> None:
    """A line for each result, then one for each change of MB/s and each figure left out."""
    table = Table.grid(padding=(0, 2))
    for label, result in zip(given.labels, given.results, strict=True):
        table.add_row(Text(label, style="bold"), Text(figures_line(result)))
    for pair in given.pairs:
        rate = pair.metrics.get("mb_per_s")
        note = pair.problem or (rate and f"{rate['verdict']} ({change(rate['change_pct'])} MB/s)"
                                + (", SUSPECT" if pair.suspect else ""))
        if note:
            table.add_row(Text(f"  {pair.name}", style="dim"), Text(note))
    console.print(table)
