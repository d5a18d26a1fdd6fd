#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""Writes tests/testdata: invented phones, as storekeeperd would report them, always the same."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

DATA = Path(__file__).resolve().parent / "testdata"
DAY = 86_400
NOW = 1_798_794_000  # 2027-01-01 09:00 UTC
GB = 10**9

Json = dict[str, Any]


def gate(name: str, unit: str, value: int | None, limit: int, at_most: bool,
         note: str = "") -> Json:
    passes = value is not None and (value <= limit if at_most else value >= limit)
    margin = None if value is None else (limit - value if at_most else value - limit)
    return {"name": name, "unit": unit, "value": value, "limit": limit, "at_most": at_most,
            "margin": margin, "relaxed_by": 0, "overridden": False, "pass": passes, "since_s": 60,
            "opens_in_s": None, "look_in_s": None, "note": note}


def gates(untouched_s: int, battery: int, charging: bool, since_run_s: int) -> list[Json]:
    return [
        gate("interval", "s", since_run_s, DAY, False),
        gate("retry", "s", since_run_s, 3600, False),
        gate("untouched", "s", untouched_s, 3600, False, "screen off"),
        gate("battery", "pct", battery, 30 if charging else 80, False,
             "on charger" if charging else "off charger"),
        gate("heat", "dC", 274, 400, True, "battery"),
        gate("zones", "dC", 391, 700, True, "soc-thermal"),
        gate("storage", "pct", 3, 10, True),
        gate("checkpoint", "yes", 0, 0, True),
        gate("framework", "yes", 0, 0, True),
        gate("chip", "yes", 0, 0, True),
    ]


# Apps of the worn phone by uid: name and fsyncs a day.
WRITERS = {10142: ("com.example.messenger", 96_000), 10087: ("com.example.camera", 310),
           10211: ("shared:com.example.sync", 145_000), 1000: (None, 21_000)}
FSYNC_BYTES = 20_480
BUDGET_MIB = 5000


def writer(uid: int, gb: float, per_step: int) -> Json:
    name, fsyncs = WRITERS.get(uid, (None, 900))
    flash = int(gb * GB * 1.04) + fsyncs * FSYNC_BYTES
    kind = "system" if uid < 10_000 else "shared" if name and name.startswith("shared:") else "app"
    return {"uid": uid, "kind": kind, "name": name, "bytes_per_day": int(gb * GB),
            "device_bytes_per_day": flash, "fsyncs_per_day": fsyncs,
            "fsync_storm": fsyncs > max(int(gb * GB) // 16_384, 9_999),
            "life_pct_per_year": round(flash * 365 / per_step * 10, 3)}


def offender(uid: int, days: list[tuple[int, float]]) -> Json:
    """`days`: how many before NOW's, and GB on the flash."""
    over = [{"wall_s": NOW // DAY * DAY - ago * DAY, "bytes": int(gb * GB)} for ago, gb in days]
    return {"uid": uid, "kind": "app", "name": WRITERS[uid][0], "budget_bytes": BUDGET_MIB << 20,
            "days_over": len(days), "today": days[-1][0] == 0, "repeats": len(days) >= 3,
            "first": over[0], "last": over[-1], "most": max(over, key=lambda x: x["bytes"])}


def run(at: int, data_bytes: int, took_ms: int, discard_us: int | None, outcome: str = "trimmed",
        reason: str = "", manual: bool = False) -> Json:
    def mount(name: str, count: int, share: float) -> Json:
        return {"mount": name, "outcome": outcome, "code": 0 if outcome == "trimmed" else 4,
                "reason": reason, "range_start_bytes": 0, "range_length_bytes": 25 * GB,
                "filesystem_bytes": count, "block_layer_bytes": count,
                "duration_ms": int(took_ms * share), "trimming_ms": int(took_ms * share / 3),
                "slices": 64, "throttled": True, "discard_us": discard_us, "note": ""}
    mounts = [mount("/data", data_bytes, .9)]
    if outcome == "trimmed":
        mounts.append(mount("/cache", data_bytes // 40, .1))
    return {"manual": manual, "started_wall_s": at, "started_boot_s": 4000, "duration_ms": took_ms,
            "outcome": outcome, "code": mounts[0]["code"], "reason": reason,
            "complete": outcome == "trimmed", "mounts": mounts}


def maintenance(now: int, the_gates: list[Json], receipts: list[Json], mounts: list[str],
                notes: list[str]) -> Json:
    complete = [x["started_wall_s"] for x in receipts if x["complete"]]
    return {"state": "idle", "trimming_mount": "", "stopping": False, "gates": the_gates,
            "due": True, "relaxed_pct": 0, "interval_s": DAY, "deadline_in_s": 5 * DAY,
            "refused": [], "config_files": [], "would_run": False, "next_check_in_s": 3540,
            "waits_for_power": False, "mounts": mounts, "notes": notes, "now_wall_s": now,
            "uptime_s": 400_000, "last_complete_wall_s": max(complete, default=None),
            "last_run": receipts[0] if receipts else None,
            "wakeups": {"total": 900, "last_hour": 2, "most_in_an_hour": 11}}


def latency(random_: random.Random, at: int, span: int, source: str, kind: str, count: int,
            p50: float, tail: float) -> Json:
    """`tail`: how much longer each of the next percentiles is."""
    p50 *= random_.uniform(.93, 1.07)
    p90 = p50 * (1 + .5 * tail) * random_.uniform(.92, 1.08)
    p99 = p90 * (1 + 1.4 * tail) * random_.uniform(.85, 1.15)
    p999 = p99 * (1 + 2 * tail) * random_.uniform(.8, 1.3)
    reported = source != "diskstats"
    return {"wall_s": at, "span_s": span, "source": source, "kind": kind, "count": count,
            "mean_us": round(p50 * (1 + tail / 2), 1),
            **{name: round(value, 1) if reported else None for name, value in
               (("p50_us", p50), ("p90_us", p90), ("p99_us", p99), ("p999_us", p999))}}


def newest(series: list[Json]) -> list[Json]:
    found = {(x["source"], x["kind"]): x for x in series}
    return [found[k] for k in sorted(found)]


def item(name: str, value: str | None, explanation: str = "") -> Json:
    return {"name": name, "state": "not_reported" if value is None else "reported", "value": value,
            "explanation": explanation, "problem": ""}


def health(verdict: Json, device: str, source: str, items: list[Json]) -> Json:
    return {"verdict": verdict, "device": device, "problem": "", "wear_source": source,
            "items": items, "ext_csd": None}


def mount(name: str, kind: str, source: str, options: str, size: int | None, free: int | None,
          layer: str) -> Json:
    return {"mount": name, "type": kind, "source": source, "options": options, "size_bytes": size,
            "free_bytes": free, "layer": layer}


def finding(code: str, level: str, where: str, text: str, cost: str, change: str) -> Json:
    return {"code": code, "level": level, "mount": where, "text": text, "cost": cost,
            "change": change}


def dump(now: int, model: str, build: str, **sections: Any) -> Json:
    return {"schema": "storekeeper.dump", "version": 1, "made_wall_s": now,
            "device": {"model": model, "build": build}, **sections}


def crypto(*volumes: tuple[str, str, str | None, str | None, int],
           notes: list[str] | None = None) -> Json:
    """As long as nothing was chosen or measured."""
    return {"mode": "auto", "choice": {"mode": "auto", "stage": "none", "boots": 0, "reason": "",
                                       "baseline": None},
            "choice_file": "/metadata/storekeeper/crypto",
            "volumes": [{"mount": mount, "state": state, "confidence": "high", "cipher": cipher,
                         "driver": driver, "unit_bytes": unit, "evidence": ["dm's uevent"]}
                        for mount, state, cipher, driver, unit in volumes],
            "drivers": [], "notes": notes or [], "measured": None}


def worn(now: int = NOW) -> Json:
    """Four years on an eMMC 5.1 that runs out of life: 60 to 70 % used, a step every 210 days."""
    random_, wear_random = random.Random(7), random.Random(8)
    began = NOW - 1430 * DAY
    a_steps, b_steps = 520 * DAY, 212 * DAY
    series, steps, written = [], [], 0
    last = (1, 1)
    since_step = [0, 0]
    for at in range(began, now + 1, 22 * DAY):
        step = int(9.4 * GB * 22 * wear_random.uniform(.7, 1.3)) if at > began else 0
        written += step
        since_step = [x + step for x in since_step]
        wear = (1 + (at - began) // a_steps, 1 + (at - began) // b_steps)
        for n, field in enumerate(("life_time_a", "life_time_b")):
            if wear[n] != last[n]:
                steps.append({"field": field, "from": last[n], "to": wear[n], "wall_s": at,
                              "written_bytes": since_step[n]})
                since_step[n] = 0
        last = wear
        series.append({"wall_s": at, "life_time_a": wear[0], "life_time_b": wear[1],
                       "pre_eol_info": 1, "written_bytes": written})
    receipts, points = [], []
    for number, day in enumerate(range(149, -1, -1)):
        at = NOW - day * DAY - 6 * 3600
        ran = number % 4 == 0 and number > 21
        if ran:
            receipts.append(run(at, int(random_.uniform(.6, 4.2) * GB),
                                random_.randint(40_000, 96_000), random_.randint(4_000, 14_000)))
        # Nothing was trimmed in the first three weeks; then the tail shrinks.
        tail = 4.4 if number < 22 else max(1.1, 3.4 - (number - 22) * .11)
        for kind, p50, base in (("read", 210, .5), ("write", 720, 1.)):
            points.append(latency(random_, at, DAY, "probe", kind, 96, p50, base * tail))
        for kind, p50, count in (("read", 260, 41_000), ("write", 1_350, 58_000),
                                 ("flush", 2_900, 7_400), ("discard", 5_200, 64)):
            if number % 4 == 0 and (kind != "discard" or ran):
                points.append(latency(random_, at, 4 * DAY, "diskstats", kind, count, p50,
                                      tail / 2))
    receipts.append(run(receipts[-2]["started_wall_s"] + 2 * DAY, 310_000_000, 8_400, 6_100,
                        "aborted", "/data: stopped after 12 of 64 slices: the screen went on"))
    receipts = sorted((x for x in receipts if x["started_wall_s"] < now),
                      key=lambda x: -x["started_wall_s"])[:20]
    points = [x for x in points if now - 90 * DAY < x["wall_s"] < now]
    line = ("End of rated life between 2028-07 and 2029-08 at today's 9.4 GB a day "
            "(80 % confidence)")
    per_step = 1_990 * GB
    used = (last[1] - 1) * 10
    uids = [(10_142, 3.1), (10_087, 2.2), (1000, 1.4), (10_211, .9), (1013, .6), (0, .4),
            (10_060, .25)]
    return dump(
        now, "Corvid 5X", "RQ3A.210805",
        health=health(
            {"level": "warning", "used_from_pct": used, "used_to_pct": used + 10,
             "line": f"Storage life: {used}-{used + 10} % used ({90 - used}-{100 - used} % left), "
                     "pre-EOL normal, at this rate its end comes within two years"},
            "mmcblk0", "sysfs",
            [item("name", "DF4064"), item("manfid", "0x000045", "SanDisk"), item("oemid", "0x0100"),
             item("date", "08/2022"), item("prv", "0x1"), item("fwrev", "0x3000000000000000"),
             item("rev", "0x8", "eMMC 5.1"),
             item("cid", "45010044463430363401********a6**", "serial number hidden"),
             item("life_time", f"0x{last[0]:02x} 0x{last[1]:02x}",
                  f"A: {last[0] * 10 - 10}-{last[0] * 10} % used, B: {used}-{used + 10} % used"),
             item("pre_eol_info", "0x01", "normal")]),
        ledger={
            "chip": "5a1c9e04b7d2f360", "since_wall_s": began, "samples": 1431,
            "written_bytes": written, "steps": steps,
            "bytes_per_step": {"low": 1_760 * GB, "middle": per_step, "high": 2_240 * GB},
            "forecast": {"state": "range", "reason": "", "earliest_wall_s": NOW + 560 * DAY,
                         "latest_wall_s": NOW + 950 * DAY, "confidence_pct": 80,
                         "bytes_per_day": int(9.4 * GB), "line": line},
            "alerts": [{"code": "forecast", "level": "warning", "since_wall_s": NOW - 34 * DAY,
                        "text": "The rated life may end within two years."}],
            "events": [{"kind": "first_seen", "wall_s": began,
                        "text": "This chip was seen for the first time."},
                       {"kind": "factory_reset", "wall_s": began + 610 * DAY,
                        "text": "/data was made anew: a factory reset."}],
            "series": series},
        latency={
            "sources": [{"name": "diskstats", "on": True, "why": ""},
                        {"name": "probe", "on": True, "why": ""},
                        {"name": "bpf", "on": False, "why": "this ROM is built without it"}],
            "now": newest(points), "series": points,
            "uid_writes": sorted((writer(uid, gb, per_step) for uid, gb in uids),
                                 key=lambda x: -x["device_bytes_per_day"]),
            "uid_names": {"on": True, "why": ""},
            "budgets": {"app_mib": BUDGET_MIB, "system_mib": None, "offenders": [
                offender(10_142, [(19, 5.4), (12, 6.1), (3, 7.9), (0, 5.9)]),
                offender(10_087, [(8, 9.2)])]},
            "write_path": {"filesystem": "ext4", "span_s": DAY, "uid_bytes": int(8.6 * GB),
                           "filesystem_bytes": int(9.4 * GB), "disk_bytes": int(9.6 * GB)}},
        crypto=crypto(("/data", "hw-offload", "cbc(aes)", "qcrypto-cbc-aes", 512),
                      notes=["The engine is asked for 512 bytes at a time."]),
        mount_audit={
            "findings": [
                finding("fuse", "warning", "/storage/emulated",
                        "Photos and downloads go through sdcardfs above FUSE.",
                        "each file operation is answered by a process, not the kernel; small reads "
                        "take about twice as long",
                        "remove the FUSE daemon from init's storage rc, sdcardfs alone is enough"),
                finding("free_space", "warning", "/data", "11 % of /data is free.",
                        "below 20 % the card moves pages about before it can write: more wear, "
                        "longer waits", "delete or move 2.4 GB"),
                finding("discard_mount", "info", "/data", "Mounted with discard.",
                        "each deletion waits for the card", "mount with nodiscard, runs trim it")],
            "mounts": [
                mount("/data", "ext4", "/dev/block/dm-0",
                      "rw,seclabel,nosuid,nodev,noatime,discard,noauto_da_alloc,data=ordered",
                      int(25.4 * GB), int(2.8 * GB), "dm-crypt"),
                mount("/cache", "ext4", "/dev/block/mmcblk0p22", "rw,seclabel,nosuid,nodev,noatime",
                      int(.4 * GB), int(.38 * GB), "none"),
                mount("/storage/emulated", "fuse", "/dev/fuse", "rw,nosuid,nodev,noexec,noatime",
                      int(25.4 * GB), int(2.8 * GB), "")]},
        maintenance=maintenance(now, gates(12, 64, False, 30_000), receipts,
                                ["/data", "/cache", "/mnt/expand/*"], []),
        receipts=receipts)


def fresh() -> Json:
    """A month with a new UFS 3.1: too early for a forecast; every request is measured."""
    random_ = random.Random(11)
    began = NOW - 31 * DAY
    series = [{"wall_s": at, "life_time_a": 1, "life_time_b": 1, "pre_eol_info": 1,
               "written_bytes": (at - began) // DAY * 21 * GB} for at in range(began, NOW + 1, DAY)]
    receipts, points = [], []
    for day in range(30, -1, -1):
        at = NOW - day * DAY - 5 * 3600
        if day % 2 == 0:
            receipts.insert(0, run(at, int(random_.uniform(2, 9) * GB),
                                   random_.randint(9_000, 22_000), random_.randint(700, 2_100)))
        for kind, p50, tail in (("read", 92, .9), ("write", 61, 1.5), ("flush", 410, 1.),
                                ("discard", 640, 1.2)):
            if kind != "discard" or day % 2 == 0:
                points.append(latency(random_, at, DAY, "bpf", kind, 310_000, p50, tail))
        for kind, p50, tail in (("read", 118, .7), ("write", 330, .8)):
            points.append(latency(random_, at, DAY, "probe", kind, 96, p50, tail))
    uids = [(10_231, 6.4), (10_198, 4.), (1000, 2.2), (1023, 1.8), (0, .5)]
    return dump(
        NOW, "Meadow 3", "BP1A.250505",
        health=health(
            {"level": "good", "used_from_pct": 0, "used_to_pct": 10,
             "line": "Storage life: 0-10 % used (90-100 % left), pre-EOL normal"},
            "sda", "ufs",
            [item("manufacturer_name", "KIOXIA"), item("product_name", "THGJFAT0T44BAILB"),
             item("specification_version", "0x0310", "UFS 3.1"),
             item("bPreEOLInfo", "0x01", "normal"),
             item("bDeviceLifeTimeEstA", "0x01", "0-10 % used"),
             item("bDeviceLifeTimeEstB", "0x01", "0-10 % used"),
             item("wb_life_time_est", "0x01", "0-10 % used")]),
        ledger={
            "chip": "c81f22d09b6ee417", "since_wall_s": began, "samples": 32,
            "written_bytes": 31 * 21 * GB, "steps": [], "bytes_per_step": None,
            "forecast": {"state": "unknown",
                         "reason": "no step of wear has been seen yet; one of 10 % is needed",
                         "earliest_wall_s": None, "latest_wall_s": None, "confidence_pct": None,
                         "bytes_per_day": 21 * GB,
                         "line": "unknown: no step of wear has been seen in 31 days"},
            "alerts": [], "events": [{"kind": "first_seen", "wall_s": began,
                                      "text": "This chip was seen for the first time."}],
            "series": series},
        latency={
            "sources": [{"name": "diskstats", "on": True, "why": ""},
                        {"name": "probe", "on": True, "why": ""},
                        {"name": "bpf", "on": True, "why": ""}],
            "now": newest(points), "series": points,
            "uid_writes": [{"uid": uid, "bytes_per_day": int(gb * GB), "life_pct_per_year": None}
                           for uid, gb in uids]},
        crypto=crypto(("/data", "inline", None, None, 4096)),
        mount_audit={
            "findings": [],
            "mounts": [mount("/data", "f2fs", "/dev/block/dm-51",
                             "rw,lazytime,seclabel,nosuid,nodev,noatime,background_gc=on,"
                             "nodiscard,inlinecrypt,fsync_mode=nobarrier",
                             118 * GB, 71 * GB, "dm-default-key"),
                       mount("/metadata", "ext4", "/dev/block/sda11", "rw,sync,seclabel,nosuid",
                             64_000_000, 51_000_000, "none")]},
        maintenance=maintenance(NOW, gates(5_400, 97, True, 2 * DAY), receipts,
                                ["/data", "/metadata"], []),
        receipts=receipts)


def old() -> Json:
    """An eMMC 4.5 of 2012: no register for wear; nothing but means; its trims are forbidden."""
    random_ = random.Random(3)
    began = NOW - 200 * DAY
    points = [latency(random_, at, 5 * DAY, "diskstats", kind, count, p50, 2.)
              for at in range(began, NOW + 1, 5 * DAY)
              for kind, p50, count in (("read", 900, 21_000), ("write", 7_400, 30_000))]
    receipts = [run(NOW - 150 * DAY, 0, 12, None, "no_discard",
                    "/data: its dm-crypt lets no discards through (allow_discards is not set)",
                    manual=True)]
    return dump(
        NOW - 2 * DAY, "Slate 7 (2012)", "LMY47V",
        health=health(
            {"level": "unknown", "used_from_pct": None, "used_to_pct": None,
             "line": "Storage life: not reported (EXT_CSD_REV 6; reported from 7, eMMC 5.0, "
                     "on)"},
            "mmcblk0", "sysfs",
            [item("name", "MMC16G"), item("manfid", "0x000070", "Kingston"),
             item("oemid", "0x0100"), item("date", "07/2012"), item("fwrev", "0x0"),
             item("rev", "0x6", "eMMC 4.5"),
             item("cid", "7001004d4d4331364751********7e**", "serial number hidden"),
             item("life_time", None), item("pre_eol_info", None)]),
        ledger={
            "chip": "09d4e37718ab5c62", "since_wall_s": began, "samples": 201,
            "written_bytes": 870 * GB, "steps": [], "bytes_per_step": None,
            "forecast": {"state": "unknown", "reason": "this chip does not report its wear",
                         "earliest_wall_s": None, "latest_wall_s": None, "confidence_pct": None,
                         "bytes_per_day": int(4.3 * GB),
                         "line": "unknown: this chip does not report its wear"},
            "alerts": [{"code": "write_rate", "level": "warning", "since_wall_s": NOW - 9 * DAY,
                        "text": "4.3 GB a day are written, three times as much as a month ago."}],
            "events": [{"kind": "first_seen", "wall_s": began,
                        "text": "This chip was seen for the first time."},
                       {"kind": "clock_jumped", "wall_s": NOW - 60 * DAY,
                        "text": "The clock was set back by 14 days."}],
            "series": [{"wall_s": at, "life_time_a": None, "life_time_b": None,
                        "pre_eol_info": None, "written_bytes": (at - began) // DAY * 4_300_000_000}
                       for at in range(began, NOW + 1, 20 * DAY)]},
        latency={
            "sources": [{"name": "diskstats", "on": True, "why": ""},
                        {"name": "probe", "on": False, "why": "its budget is 0 KiB a day"},
                        {"name": "bpf", "on": False, "why": "Linux 3.4 has no BPF for it"}],
            "now": newest(points), "series": points, "uid_writes": []},
        crypto=crypto(("/data", "cpu", "cbc(aes)", "cbc(aes-neon)", 512)),
        mount_audit={
            "findings": [
                finding("no_discard", "urgent", "/data",
                        "No discard can reach the card: dm-crypt is set up without allow_discards.",
                        "deleted data is kept and moved about; writes slow down for good",
                        "set allow_discards in vold's table, or decrypt"),
                finding("nobarrier", "urgent", "/data",
                        "Mounted nobarrier while the card's cache is on (CACHE_CTRL 1).",
                        "a power cut can break the file system",
                        "remove nobarrier from the fstab")],
            "mounts": [mount("/data", "ext4", "/dev/block/dm-0",
                             "rw,nosuid,nodev,noatime,nobarrier", int(13.2 * GB), int(5.1 * GB),
                             "dm-crypt")]},
        maintenance=maintenance(
            NOW - 2 * DAY, gates(7_200, 55, True, 150 * DAY), receipts, ["/data"],
            ["/data cannot be trimmed until its dm-crypt lets discards through."]),
        receipts=receipts)


def dumps() -> dict[str, Json]:
    without_crypto = worn(NOW - 70 * DAY)  # of a daemon that did not report it yet
    del without_crypto["crypto"]
    return {"worn-emmc.json": worn(), "worn-emmc-earlier.json": without_crypto,
            "new-ufs.json": fresh(), "old-emmc45.json": old()}


def text(dump_: Json) -> str:
    return json.dumps(dump_, indent=1, sort_keys=True) + "\n"


def main() -> None:
    DATA.mkdir(exist_ok=True)
    for name, dump_ in dumps().items():
        (DATA / name).write_text(text(dump_))


if __name__ == "__main__":
    main()
