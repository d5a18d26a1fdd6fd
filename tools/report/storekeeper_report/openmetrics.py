# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""Devices as OpenMetrics text, for Prometheus and what reads its format.

A sample has the labels chip, model and firmware, so that each chip has one set of metrics. What a
dump does not know has no sample.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from prometheus_client.core import (
    CounterMetricFamily,
    GaugeMetricFamily,
    InfoMetricFamily,
    Metric,
    StateSetMetricFamily,
)
from prometheus_client.openmetrics.exposition import generate_latest

from .device import Device, Row
from .words import has_date, life_range

CHIP_LABELS = ("chip", "model", "firmware")
LEVELS = ("unknown", "good", "warning", "urgent")
# JESD84-B51 PRE_EOL_INFO and JESD220 bPreEOLInfo.
PRE_EOL = {1: "normal", 2: "warning", 3: "urgent"}
DAY_S = 86_400

Rows = Iterable[tuple[tuple[str, ...], float | None]]
Labels = tuple[str, ...]


def _section(device: Device, name: str) -> Row:
    return device.section(name) or {}


def _worn(device: Device) -> Row:
    """The newest estimates of the chip."""
    return (device.series or [{}])[-1]


def _used(device: Device) -> Rows:
    for cells, key in (("a", "life_time_a"), ("b", "life_time_b")):
        step = life_range(_worn(device).get(key))
        for bound, used in zip(("lower", "upper"), step or (), strict=False):
            yield (cells, bound), used / 100


def _remaining(device: Device) -> Rows:
    low = _section(device, "health").get("verdict", {}).get("used_from_pct")
    yield (), None if low is None else (100 - low) / 100


def _written(device: Device) -> Rows:
    yield (), _section(device, "ledger").get("written_bytes")


def _per_step(device: Device) -> Rows:
    step = _section(device, "ledger").get("bytes_per_step") or {}
    yield from (((name,), step.get(name)) for name in ("low", "middle", "high"))


def _rate(device: Device) -> Rows:
    a_day = _section(device, "ledger").get("forecast", {}).get("bytes_per_day")
    yield (), None if a_day is None else a_day / DAY_S


def _end(device: Device) -> Rows:
    forecast = _section(device, "ledger").get("forecast", {})
    yield from (((bound,), forecast.get(f"{bound}_wall_s")) for bound in ("earliest", "latest"))


def _alerts(device: Device) -> Rows:
    yield from (((x["code"], x["level"]), 1) for x in _section(device, "ledger").get("alerts", []))


def _latency(device: Device) -> Rows:
    for row in _section(device, "latency").get("now", []):
        for name in ("mean", "p50", "p90", "p99", "p999"):
            us = row[f"{name}_us"]
            yield (row["source"], row["kind"], name), None if us is None else us / 1e6


def _uids(device: Device) -> Rows:
    yield from (((str(x["uid"]),), x["bytes_per_day"] / DAY_S)
                for x in _section(device, "latency").get("uid_writes", []))


def _uids_on_flash(device: Device) -> Rows:
    for row in _section(device, "latency").get("uid_writes", []):
        a_day = row.get("device_bytes_per_day")
        yield (str(row["uid"]),), None if a_day is None else a_day / DAY_S


def _days_over(device: Device) -> Rows:
    budgets = _section(device, "latency").get("budgets") or {}
    yield from (((str(x["uid"]),), x["days_over"]) for x in budgets.get("offenders", []))


def _free(device: Device) -> Rows:
    yield from (((x["mount"],), x["free_bytes"])
                for x in _section(device, "mount_audit").get("mounts", []))


def _size(device: Device) -> Rows:
    yield from (((x["mount"],), x["size_bytes"])
                for x in _section(device, "mount_audit").get("mounts", []))


def _gates(device: Device) -> Rows:
    yield from (((x["name"],), int(x["pass"]))
                for x in _section(device, "maintenance").get("gates", []))


def _complete(device: Device) -> Rows:
    at = _section(device, "maintenance").get("last_complete_wall_s")
    yield (), at if has_date(at) else None


def _last_run(device: Device) -> Row:
    return next(iter(device.receipts or []), {})


def _took(device: Device) -> Rows:
    ms = _last_run(device).get("duration_ms")
    yield (), None if ms is None else ms / 1000


def _discarded(device: Device) -> Rows:
    yield from (((x["mount"],), x["block_layer_bytes"])
                for x in _last_run(device).get("mounts", []))


def _discard(device: Device) -> Rows:
    times = [x.get("discard_us") for x in _last_run(device).get("mounts", [])]
    yield (), max((x / 1e6 for x in times if x is not None), default=None)


def _made(device: Device) -> Rows:
    yield (), device.made_wall_s


# Name, unit at its end ("" where there is none), help, further labels, samples.
Gauge = tuple[str, str, str, Labels, Callable[[Device], Rows]]
GAUGES: tuple[Gauge, ...] = (
    ("storekeeper_life_used_ratio", "ratio",
     "Used part of the rated life by the chip's own estimate: bounds of its step of 10 %.",
     ("cells", "bound"), _used),
    ("storekeeper_life_remaining_ratio", "ratio",
     "Remaining part of the rated life: of the worse of A and B, at the lower bound of the used "
     "part, as Android's getInternalStorageRemainingLifetime() has it.", (), _remaining),
    ("storekeeper_life_step_written_bytes", "bytes",
     "Bytes written for each 10 % of life.", ("estimate",), _per_step),
    ("storekeeper_write_rate_bytes_per_second", "bytes_per_second",
     "Mean rate of writes of the file system of /data.", (), _rate),
    ("storekeeper_life_end_timestamp_seconds", "seconds",
     "Forecast end of the rated life, since the epoch.", ("bound",), _end),
    ("storekeeper_alert_active", "", "1 for each alert that stands.", ("code", "level"), _alerts),
    ("storekeeper_io_latency_seconds", "seconds",
     "Newest latency of requests by source, kind and statistic.",
     ("source", "kind", "statistic"), _latency),
    ("storekeeper_uid_write_rate_bytes_per_second", "bytes_per_second",
     "Mean rate of writes of those uids that write most, by themselves.", ("uid",), _uids),
    ("storekeeper_uid_flash_write_rate_bytes_per_second", "bytes_per_second",
     "The same on the flash, with the journal, metadata and garbage collection they cause.",
     ("uid",), _uids_on_flash),
    ("storekeeper_uid_days_over_budget", "",
     "Days of the last 30 on which the uid was over its budget of writes.", ("uid",), _days_over),
    ("storekeeper_filesystem_free_bytes", "bytes", "Free space.", ("mount",), _free),
    ("storekeeper_filesystem_size_bytes", "bytes", "Size of the file system.", ("mount",), _size),
    ("storekeeper_gate_open", "", "1 where the gate of maintenance is open.", ("gate",), _gates),
    ("storekeeper_last_complete_run_timestamp_seconds", "seconds",
     "Begin of the last complete run of maintenance, since the epoch.", (), _complete),
    ("storekeeper_last_run_duration_seconds", "seconds", "Duration of the last run.", (), _took),
    ("storekeeper_last_run_discarded_bytes", "bytes",
     "Bytes that the block layer discarded in the last run.", ("mount",), _discarded),
    ("storekeeper_last_run_discard_seconds", "seconds",
     "Time of one discard of the last run; a read meanwhile may wait for it.", (), _discard),
    ("storekeeper_dump_timestamp_seconds", "seconds",
     "Time at which the device reported all this, since the epoch.", (), _made),
)


def _identities(devices: list[Device]) -> list[Labels]:
    """chip, model and firmware of each; chips without a hash are numbered, for a set of metrics is
    one chip's alone."""
    found, nameless = [], 0
    for device in devices:
        chip = _section(device, "ledger").get("chip") or _section(device, "health").get("chip")
        if not chip:
            nameless += 1
            chip = f"unknown-{nameless}"
        found.append((chip, device.chip_model or "", device.firmware or ""))
    return found


def _families(devices: list[Device]) -> Iterator[Metric]:
    chips = list(zip(devices, _identities(devices), strict=True))
    info = InfoMetricFamily("storekeeper_device", "The device that has the chip.",
                            labels=CHIP_LABELS)
    level = StateSetMetricFamily("storekeeper_health_level", "The verdict on the chip.",
                                 labels=CHIP_LABELS)
    pre_eol = StateSetMetricFamily("storekeeper_pre_eol", "Reserved blocks by PRE_EOL_INFO.",
                                   labels=CHIP_LABELS)
    written = CounterMetricFamily(
        "storekeeper_written_bytes", "Bytes written by the file system of /data while the chip "
        "was watched.", labels=CHIP_LABELS, unit="bytes")
    for device, chip in chips:
        name = _section(device, "device")
        info.add_metric(chip, {"device": name.get("model") or "", "build": name.get("build") or "",
                               "kind": _section(device, "health").get("kind", "unknown")})
        level.add_metric(chip, {x: x == device.level for x in LEVELS})
        state = PRE_EOL.get(_worn(device).get("pre_eol_info"))
        if state:
            pre_eol.add_metric(chip, {x: x == state for x in PRE_EOL.values()})
        for _, value in _written(device):
            if value is not None:
                written.add_metric(chip, value)
    yield from (info, level, pre_eol, written)
    for title, unit, text, labels, samples in GAUGES:
        gauge = GaugeMetricFamily(title, text, labels=(*CHIP_LABELS, *labels), unit=unit)
        for device, chip in chips:
            # If two rows have equal labels, the first counts.
            rows: dict[Labels, float | None] = {}
            for more, value in samples(device):
                rows.setdefault(more, value)
            for more, value in rows.items():
                if value is not None:
                    gauge.add_metric((*chip, *more), value)
        yield gauge


class _Collected:
    def __init__(self, families: Iterable[Metric]) -> None:
        self._families = families

    def collect(self) -> Iterator[Metric]:
        return (x for x in self._families if x.samples)


def text(families: Iterable[Metric]) -> str:
    """The OpenMetrics text of all gauges that have a sample."""
    return generate_latest(_Collected(families)).decode()


def render(devices: list[Device]) -> str:
    return text(_families(devices))
