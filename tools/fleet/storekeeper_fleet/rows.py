# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""A dump as rows of docs/fleet.schema.json: pure, of what was checked before."""

from __future__ import annotations

import hashlib
import json
import re
from functools import cache
from importlib import resources
from typing import Any

import jsonschema_rs
import pyarrow as pa
from storekeeper_report import dump as reader
from storekeeper_report.words import has_date

Row = dict[str, Any]
SCHEMA_FILE = "fleet.schema.json"
WRITERS = 3
# A name beyond this is no name.
MAX_TEXT = 96
CONFIG_BITS = 40
# These make a run due; while one is closed nothing is kept from a run.
DUE_GATES = ("interval", "written", "retry")
# The items of a chip that say the same, of dumps from before the flat fields.
OLDER = {"chip_maker": ("manfid", "manufacturer_name"), "chip_model": ("name", "product_name"),
         "chip_firmware": ("fwrev", "product_revision")}


class Refused(Exception):
    """Why a dump is no row: pairs of a key and a reason."""

    def __init__(self, *problems: tuple[str, str]) -> None:
        super().__init__("\n".join(f"{key}: {reason}" for key, reason in problems))
        self.problems = problems


@cache
def tables() -> dict[str, pa.Schema]:
    """The Arrow schemas of docs/fleet.schema.json."""
    text = resources.files(__package__).joinpath(SCHEMA_FILE).read_text("utf-8")
    return {name: pa.schema([
        pa.field(column, getattr(pa, spec["type"])(), nullable=spec.get("nullable", False))
        for column, spec in table["columns"].items()])
        for name, table in json.loads(text)["tables"].items()}


@cache
def _validator() -> jsonschema_rs.Draft202012Validator:
    """docs/dump.schema.json compiled; as for storekeeper-report, a section may be missing."""
    schema = dict(reader.validator(reader.SCHEMA_FILE).schema)
    return jsonschema_rs.Draft202012Validator(schema | {"required": list(reader.FRAME)})


def checked(name: str, dump: Any) -> reader.Dump:
    """The dump, if it is what docs/dump.schema.json allows."""
    try:
        # Reports each key that is wrong, and is slower.
        return dump if _validator().is_valid(dump) else reader.check(name, dump)
    except reader.DumpError as e:
        raise Refused(*(_split(name, x) for x in e.problems)) from e


def _split(name: str, problem: str) -> tuple[str, str]:
    text = problem.removeprefix(f"{name}: ")
    key, colon, reason = text.partition(": ")
    found = re.fullmatch(r"[\w.\[\]]+", key)
    return (key, reason[:300]) if colon and found else ("", text[:300])


def text_of(value: object) -> str:
    """Safe to show and to group by."""
    return "" if value is None else reader.clean(str(value)).replace("\n", " ").strip()[:MAX_TEXT]


def chip_key(chip: str) -> int:
    """The 64 bits of a hash of 16 digits; what is none is hashed."""
    if not re.fullmatch(r"[0-9a-f]{16}", chip):
        chip = hashlib.blake2b(chip.encode(errors="replace"), digest_size=8).hexdigest()
    value = int(chip, 16)
    return value - (1 << 64) if value >= 1 << 63 else value


def chip_text(key: int) -> str:
    return f"{key & 0xffffffffffffffff:016x}"


def config_row(device_model: str, build: str, chip_kind: str, chip_maker: str, chip_model: str,
               chip_firmware: str, capacity_bytes: int | None) -> Row:
    rest = {"device_model": device_model, "build": build, "chip_kind": chip_kind,
            "chip_maker": chip_maker, "chip_model": chip_model, "chip_firmware": chip_firmware,
            "capacity_bytes": capacity_bytes}
    digest = hashlib.blake2b(json.dumps(list(rest.values())).encode(), digest_size=8).digest()
    return {"config": int.from_bytes(digest, "big") >> 64 - CONFIG_BITS, **rest}


def _config(dump: reader.Dump) -> Row:
    device, health = dump.get("device") or {}, dump.get("health") or {}
    items = {x["name"]: x for x in health.get("items", [])}

    def said(field: str) -> str:
        if health.get(field) is not None:
            return text_of(health[field])
        for name in OLDER[field]:
            item = items.get(name)
            if item and item["value"] is not None:
                # A maker's number has its name as the explanation.
                return text_of(item["explanation"] if name == "manfid" and item["explanation"]
                               else item["value"])
        return ""
    kind = health.get("kind") or _kind(health.get("device", ""))
    return config_row(text_of(device.get("model")), text_of(device.get("build")), kind,
                      said("chip_maker"), said("chip_model"), said("chip_firmware"),
                      _signed(health.get("capacity_bytes")))


def _kind(disk: str) -> str:
    return "emmc" if disk.startswith("mmcblk") else "ufs" if disk.startswith("sd") else "unknown"


def _signed(value: int | float | None) -> int | None:
    """As an int64; more than fits is no figure of a device."""
    return None if value is None or value >= 1 << 63 else int(value)


def _wear(dump: reader.Dump) -> tuple[int, int | None]:
    health, ledger = dump.get("health") or {}, dump.get("ledger") or {}
    source = next((x for x in health.get("sources", [])
                   if x["name"] == health.get("wear_source")), None)
    if source is None:
        source = (ledger.get("series") or [{}])[-1]
    steps = [x for x in (source.get("life_time_a"), source.get("life_time_b"))
             if x is not None and 1 <= x <= 11]
    pre_eol = source.get("pre_eol_info")
    return max(steps, default=0), pre_eol if pre_eol in (1, 2, 3) else None


def _p99(dump: reader.Dump, kind: str) -> int | None:
    now = (dump.get("latency") or {}).get("now", [])
    for source in ("bpf", "probe"):
        for x in now:
            if x["source"] == source and x["kind"] == kind and x["p99_us"] is not None \
                    and 0 <= x["p99_us"] < 1 << 31:
                return round(x["p99_us"])
    return None


def of_dump(dump: reader.Dump) -> tuple[Row, Row]:
    """The rows of samples and configs."""
    health, ledger = dump.get("health") or {}, dump.get("ledger") or {}
    chip = ledger.get("chip") or health.get("chip")
    made = dump["made_wall_s"]
    if not chip:
        raise Refused(("ledger.chip", "not reported: nothing says which dumps are of one device"))
    if not has_date(made):
        raise Refused(("made_wall_s", f"{made}: the clock of the device was not set"))
    config = _config(dump)
    since = ledger.get("since_wall_s")
    wear, pre_eol = _wear(dump)
    maintenance = dump.get("maintenance") or {}
    last_run = maintenance.get("last_complete_wall_s")
    gates = sorted({text_of(x["name"]).replace(",", " ") for x in maintenance.get("gates", [])
                    if not x["pass"] and x["name"] not in DUE_GATES})
    if maintenance.get("state") == "report_only":
        gates = ["report_only"]
    row: Row = {
        "chip": chip_key(chip), "config": config["config"], "wall_s": made,
        "since_wall_s": since if has_date(since) and since <= made else made,
        "wear": wear, "pre_eol_info": pre_eol,
        "written_bytes": _signed(ledger.get("written_bytes")),
        "bytes_per_day": _signed(ledger.get("forecast", {}).get("bytes_per_day")),
        "read_p99_us": _p99(dump, "read"), "write_p99_us": _p99(dump, "write"),
        "trim_age_s": max(made - last_run, 0) if has_date(last_run) else None,
        "closed_gates": ",".join(gates[:16])}
    # Dumps of older daemons lack device_bytes_per_day, the bytes that reached the flash; the bytes
    # that the uid wrote replace it.
    writers = sorted(({"uid": x["uid"], "bytes_per_day": x.get("device_bytes_per_day",
                                                                x["bytes_per_day"])}
                      for x in (dump.get("latency") or {}).get("uid_writes", [])),
                     key=lambda x: (-x["bytes_per_day"], x["uid"]))
    for number in range(1, WRITERS + 1):
        have = writers[number - 1] if number <= len(writers) else None
        fits = have is not None and have["uid"] < 1 << 31
        row[f"writer{number}_uid"] = have["uid"] if fits else None
        row[f"writer{number}_bytes_per_day"] = _signed(have["bytes_per_day"]) if fits else None
    return row, config
