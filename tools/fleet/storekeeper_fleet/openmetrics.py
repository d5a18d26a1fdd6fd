# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""The head figures as OpenMetrics text, which the textfile collector of Prometheus' node_exporter
reads as well."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from prometheus_client.core import GaugeMetricFamily, Metric
from storekeeper_report.openmetrics import text

from .queries import Row, Rows

PREFIX = "storekeeper_fleet_"
Samples = Iterable[tuple[tuple[str, ...], float | None]]


def _head(found: dict[str, Rows], key: str) -> Samples:
    return [((), found["coverage"][0][key])]


def _replacements(rows: Rows) -> Samples:
    for r in rows:
        for bound, key in (("expected", "a_week"), ("low", "a_week_low"), ("high", "a_week_high")):
            yield (str(r["quarter"]), bound), r[key]


def _step_bytes(row: Row) -> float | None:
    return row["gb_per_step"] and row["gb_per_step"] * 1e9


def _families(found: dict[str, Rows]) -> Iterator[Metric]:
    def gauge(name: str, about: str, labels: tuple[str, ...], samples: Samples) -> Metric:
        family = GaugeMetricFamily(PREFIX + name, about, labels=labels)
        for values, x in samples:
            if x is not None:
                family.add_metric(values, x)
        return family

    yield gauge("devices", "Devices that the data set has.", (), _head(found, "devices"))
    yield gauge("devices_present", "Devices of these that are in the fleet.", (),
                _head(found, "present"))
    yield gauge("devices_past_rated_life", "Devices in the fleet past their rated life.", (),
                _head(found, "past_rated_life"))
    yield gauge("newest_dump_timestamp_seconds", "When the newest dump was made.", (),
                _head(found, "end_s"))
    yield gauge("rejected_files", "Files that were refused.", (), _head(found, "rejected_files"))
    yield gauge("replacements_per_week", "Expected replacements a week, and the 90 % band.",
                ("quarter", "bound"), _replacements(found["replacements"]))
    why = found["replacements"][0]["unknown"]
    yield gauge("replacements_unknown", "1: there is no forecast, for this reason.", ("reason",),
                [((why,), 1)] if why else [])
    chip = ("chip_model", "chip_firmware")
    chips = [(tuple(r[x] or "" for x in chip), r) for r in found["firmware"]]
    yield gauge("firmware_bytes_per_step", "Bytes written for each 10 % of life.", chip,
                ((names, _step_bytes(r)) for names, r in chips))
    yield gauge("firmware_alarm", "1: the firmware takes more of life than the chip's others.",
                chip, ((names, r["alarm"]) for names, r in chips))
    yield gauge("firmware_unknown", "1: endurance or comparison is not known, for this reason.",
                (*chip, "reason"), (((*names, r["unknown"]), 1) for names, r in chips
                                    if r["unknown"]))
    yield gauge("trimmed_ratio", "Share of the time with a complete trim in the week before.",
                ("device_model",), (((r["value"],), r["trimmed_share"]) for r in found["trims"]
                                    if r["dimension"] == "device_model"))


def render(found: dict[str, Rows]) -> str:
    return text(_families(found))
