# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""Dumps put together by chip: the newest shows how it is, all together how it came to that."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from .dump import Dump
from .words import DASH

Row = dict[str, Any]
# The worst first.
LEVELS = ("urgent", "warning", "info", "good", "unknown")


@dataclass(frozen=True)
class Device:
    """One chip over time. A section is None where no dump has it."""

    dumps: int
    made_wall_s: int  # of the newest dump
    newest: Dump
    series: list[Row] | None
    steps: list[Row]
    events: list[Row]
    latency: list[Row] | None
    receipts: list[Row] | None

    def section(self, name: str) -> Row | None:
        return self.newest.get(name)

    @property
    def title(self) -> str:
        device = self.section("device") or {}
        return device.get("model") or "Unnamed device"

    @property
    def subtitle(self) -> str:
        """A name that distinguishes two devices of one model without naming an owner."""
        device = self.section("device") or {}
        chip = (self.section("ledger") or {}).get("chip")
        parts = [self.chip_model, device.get("build"), chip and f"chip {chip[:8]}"]
        return " · ".join(x for x in parts if x)

    # The names of eMMC's attributes, then those of UFS.
    @property
    def chip_model(self) -> str | None:
        return self.item("name") or self.item("product_name")

    @property
    def firmware(self) -> str | None:
        return self.item("fwrev") or self.item("product_revision")

    def item(self, name: str) -> str | None:
        """A value that the chip reports of itself."""
        items = (self.section("health") or {}).get("items", [])
        return next((x["value"] for x in items if x["name"] == name), None)

    @property
    def level(self) -> str:
        health = self.section("health")
        return health["verdict"]["level"] if health else "unknown"

    @property
    def problems(self) -> list[Row]:
        """Alerts, and findings that are urgent, the worst first."""
        alerts = (self.section("ledger") or {}).get("alerts", [])
        findings = (self.section("mount_audit") or {}).get("findings", [])
        return by_level([*alerts, *(
            {"level": x["level"], "text": f"{x['mount']}: {x['text']}", "since_wall_s": None}
            for x in findings if x["level"] == "urgent")])

    @property
    def worst(self) -> str:
        """The level of the verdict or of what is worse."""
        return by_level([{"level": self.level}, *self.problems])[0]["level"]

    @property
    def untrimmed(self) -> str | None:
        """Why /data is not trimmed whatever the gates allow; None where nothing says so."""
        maintenance = self.section("maintenance") or {}
        findings = (self.section("mount_audit") or {}).get("findings", [])
        last = (maintenance.get("last_run") or {}).get("mounts", [])
        reasons = [
            maintenance.get("state_problem"),
            *(x for x in maintenance.get("notes", []) if x.startswith("Nothing is trimmed")),
            *(x["text"] for x in findings if x["code"] == "no_discard" and x["mount"] == "/data"),
            *(x["reason"] for x in last if x["outcome"] == "no_discard" and x["mount"] == "/data")]
        return next((x for x in reasons if x), None)

    @property
    def left(self) -> str:
        """Remaining life and its direction, the first line of the page."""
        verdict = (self.section("health") or {}).get("verdict")
        if not verdict or verdict["used_from_pct"] is None or verdict["used_to_pct"] is None:
            return "Remaining life unknown"
        low, high = 100 - verdict["used_to_pct"], 100 - verdict["used_from_pct"]
        return f"{low} % left" if low == high else f"{low}{DASH}{high} % left"

    @property
    def line(self) -> str:
        health = self.section("health")
        return health["verdict"]["line"] if health else "Health is not in this dump."


def by_level(rows: list[Row]) -> list[Row]:
    return sorted(rows, key=lambda x: LEVELS.index(x["level"]))


def devices(dumps: list[Dump]) -> list[Device]:
    """In the order in which they were given; equal chips become one."""
    groups: dict[object, list[Dump]] = {}
    for number, dump in enumerate(dumps):
        chip = dump.get("ledger", {}).get("chip")
        # A chip without a hash could be anybody's: it stays on its own.
        groups.setdefault(chip or number, []).append(dump)
    return [_merged(sorted(x, key=lambda d: d["made_wall_s"])) for x in groups.values()]


def urgent_first(devices_: list[Device]) -> list[Device]:
    """For people; the others stay in their order."""
    return sorted(devices_, key=lambda x: x.worst != "urgent")


def _merged(dumps: list[Dump]) -> Device:
    """`dumps`: oldest first."""
    newest: Dump = {}
    for dump in dumps:
        newest.update(dump)
    return Device(
        dumps=len(dumps),
        made_wall_s=newest["made_wall_s"],
        newest=newest,
        series=_united(dumps, "ledger", "series", _by("wall_s")),
        steps=_united(dumps, "ledger", "steps", _by("wall_s", "field")) or [],
        events=_united(dumps, "ledger", "events", _by("wall_s", "kind", "text")) or [],
        latency=_united(dumps, "latency", "series", _by("wall_s", "source", "kind")),
        receipts=_newest_first(_united(dumps, "receipts", None, _by("started_wall_s", "manual"))))


def _by(*keys: str) -> Callable[[Row], tuple[Any, ...]]:
    return lambda row: tuple(row[k] for k in keys)


def _united(dumps: list[Dump], section: str, key: str | None,
            identity: Callable[[Row], tuple[Any, ...]]) -> list[Row] | None:
    """The rows of all dumps in order, those of equal identity once, as the newest reports them."""
    have = [d[section] for d in dumps if section in d]
    if not have:
        return None
    rows = {identity(row): row for x in have for row in (x[key] if key else x)}
    return [rows[k] for k in sorted(rows)]


def _newest_first(rows: list[Row] | None) -> list[Row] | None:
    return rows[::-1] if rows is not None else None
