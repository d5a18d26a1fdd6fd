# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""The page in a few lines, for the terminal."""

from __future__ import annotations

from rich.console import Console
from rich.table import Table
from rich.text import Text

from .device import Device
from .words import moment

STYLES = {"good": "green", "warning": "yellow", "urgent": "bold red"}


def _faults(device: Device) -> str:
    """Alerts and findings that ask for something."""
    rows = [*(device.section("ledger") or {}).get("alerts", []),
            *(device.section("mount_audit") or {}).get("findings", [])]
    counts = [(level, sum(x["level"] == level for x in rows)) for level in ("urgent", "warning")]
    return ", ".join(f"{n} {level}" for level, n in counts if n) or "none"


def _last_run(device: Device) -> str:
    if device.receipts is None:
        return "not in this dump"
    if not device.receipts:
        return "no run yet"
    return f"{moment(device.receipts[0]['started_wall_s'])}, " + \
        device.receipts[0]["outcome"].replace("_", " ")


def show(devices: list[Device], console: Console) -> None:
    """A block for each device; the first line is the remaining life."""
    for device in devices:
        style = STYLES.get(device.level, "dim")
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
