# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""`bench.py RESULT FOLDER PART...`: the figures of storekeeper-fleet, on two processors.

FOLDER holds the simulated fleets, which later runs use again. Each measurement is a process of its
own, whose peak of memory is its own.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import by_hand
import calibration
import duckdb
import ibis
import ibis.expr.types as ir
from storekeeper_fleet import base, engine
from storekeeper_fleet.dataset import SAMPLES, Dataset
from storekeeper_fleet.ingest import ingest
from storekeeper_fleet.queries import QUERIES, Answers
from storekeeper_fleet.simulate import simulate

HERE = Path(__file__).resolve().parent
PROCESSORS = 2
DUMPS, DUMP_BYTES = 10_000, 20_000
FLEETS = 40
MILLION = 1_000_000
COPIES = 10
MEMORY_MIB, LARGE_MEMORY_MIB, SPARK_MEMORY_MIB = 1400, 2800, 6000
BOUNDS = {"ingest.dumps_per_s": (500, None), "report.duckdb_s": (None, 20),
          "report.rss_mib": (None, 2048), "report.of_hand_sql": (None, 1.3),
          "large.duckdb_s": (None, 240), "large.rss_mib": (None, 4096)}
# Bounds of each kind of fleet, where the figure is measured.
OF_KIND = {"held_pct": (82, 97), "fleets_with_false_alarms": (0, 2), "gb_held_pct": (80, 97),
           "survival_held_pct": (80, 97), "trims_off": (0, .03)}
WIDTH, FOUND = .6, 38


def measured(function: str, *words: str) -> dict[str, Any]:
    """Runs a function of this file in its own process; returns its result, seconds and peak."""
    done = subprocess.run([sys.executable, "-B", __file__, "--call", function, *words],
                          capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"{function}: {done.stderr[-2000:]}")
    return json.loads(done.stdout.splitlines()[-1])


def _call(function: str, words: list[str]) -> None:
    began = time.monotonic()
    result = globals()[function](*words)
    used = resource.getrusage(resource.RUSAGE_SELF)
    print(json.dumps({"s": round(time.monotonic() - began, 1),
                      "cpu_s": round(used.ru_utime + used.ru_stime, 1),
                      "rss_mib": used.ru_maxrss >> 10,
                      **(result or {})}))


def make_dumps(folder: Path) -> None:
    """Dumps of some 20 KB, of as many devices."""
    dump = json.loads((HERE.parents[1] / "report/tests/testdata/worn-emmc.json").read_text())
    while len(text := json.dumps(dump)) > DUMP_BYTES and dump["latency"]["series"]:
        del dump["latency"]["series"][:8]
        del dump["receipts"][8:]
    folder.mkdir(parents=True)
    for i in range(DUMPS):
        dump["ledger"]["chip"] = f"{i * 0x9e3779b97f4a7c15 % (1 << 64):016x}"
        (folder / f"{i:06}.json").write_text(json.dumps(dump))
    print(f"  {DUMPS} dumps of {len(text)} bytes", flush=True)


def run_ingest(source: str, target: str) -> dict[str, Any]:
    began = time.monotonic()
    summary = ingest([source], Path(target))
    assert summary.new == DUMPS
    return {"dumps_per_s": round(DUMPS / (time.monotonic() - began))}


def run_report(folder: str, name: str, memory: str, copies: str = "1") -> dict[str, Any]:
    """All of the page's queries."""
    with engine.start(name, Dataset(Path(folder)), f"local[{PROCESSORS}]", int(memory)) as started:
        if name == "duckdb":
            started.connection.raw_sql(f"SET threads = {PROCESSORS}")
        started = Copied(started, int(copies))
        began = time.monotonic()
        answers = Answers(base.base(started))
        reduced = time.monotonic()
        for query in QUERIES.values():
            for expression in query.expressions:
                answers.result(expression)
        computed = time.monotonic()
        answers.every()
        head, = answers.rows("coverage")
        return {"queries_s": round(computed - began, 1), "base_s": round(reduced - began, 1),
                "statistics_s": round(time.monotonic() - computed, 1),
                "devices": head["devices"], "rows": head["samples"]}


def run_by_hand(folder: str, memory: str) -> dict[str, Any]:
    with engine.duckdb(Dataset(Path(folder))) as started:
        window = base.window(started)
    with tempfile.TemporaryDirectory() as temporary:
        sql = duckdb.connect(f"{temporary}/hand.duckdb")
        sql.execute(f"SET threads = {PROCESSORS}; SET memory_limit = '{memory}MiB'; "
                    f"SET temp_directory = '{temporary}'; SET preserve_insertion_order = false")
        for name in ("samples", "configs"):
            sql.execute(f"CREATE VIEW {name} AS FROM read_parquet('{folder}/{name}/**/*.parquet', "
                        "hive_partitioning = false)")
        began = time.monotonic()
        for statement in by_hand.statements(window):
            sql.execute(statement).fetchall()
        return {"hand_sql_s": round(time.monotonic() - began, 1)}


def fleet(folder: Path, devices: int) -> Path:
    """A simulated fleet, made once."""
    place = folder / f"fleet-{devices}"
    if not (folder / f"{place.name}.made").exists():
        subprocess.run(["rm", "-rf", place], check=True)
        print(f"  simulating {devices} devices", flush=True)
        simulate(devices, 12, 1, place, ["firmware", "app", "build"])
        (folder / f"{place.name}.made").touch()
    return place


def copied(samples: ir.Table, copies: int) -> ir.Table:
    """As many times the devices: other chips that lived the same, read from the same files."""
    # Bits of the hash that neither an engine's partitions nor base's ranges hang on.
    parts = [samples.mutate(chip=samples.chip ^ (copy << 20)) for copy in range(copies)]
    return ibis.union(parts[0], *parts[1:], distinct=False) if copies > 1 else samples


class Copied(engine.Engine):
    """An engine over as many copies; a range of the chips has the same range of each."""

    def __init__(self, of: engine.Engine, copies: int) -> None:
        super().__init__(of.connection, {**of.tables, SAMPLES: copied(of.tables[SAMPLES], copies)},
                         of.ask, of.kept)
        self._of, self._copies = of, copies

    def chips(self, first: int, last: int) -> ir.Table:
        return copied(self._of.chips(first, last), self._copies)


def bench_ingest(folder: Path) -> dict[str, Any]:
    with tempfile.TemporaryDirectory(dir=folder) as temporary:
        make_dumps(Path(temporary, "dumps"))
        return {"ingest": measured("run_ingest", f"{temporary}/dumps", f"{temporary}/fleet")}


def bench_killed(_: Path) -> dict[str, Any]:
    """The test, at fifty moments."""
    test = HERE.parent / "tests/test_ingest.py"
    done = subprocess.run([sys.executable, "-B", "-m", "pytest", "-q", "-p", "no:cacheprovider",
                           str(test), "-k", "killed_at_any"],
                          env={**os.environ, "STOREKEEPER_FLEET_KILLS": "50"})
    return {"killed": {"moments": 50, "equal": done.returncode == 0}}


def bench_calibration(_: Path) -> dict[str, Any]:
    found = {}
    for kind in calibration.KINDS:
        found[kind] = calibration.calibrate(kind, FLEETS).result()
        print(f"  {kind}: {json.dumps(found[kind])}", flush=True)
    return {"calibration": found}


def bench_report(folder: Path) -> dict[str, Any]:
    place = str(fleet(folder, MILLION))
    ours = measured("run_report", place, "duckdb", str(MEMORY_MIB))
    hand = measured("run_by_hand", place, str(MEMORY_MIB))
    again = measured("run_report", place, "duckdb", str(MEMORY_MIB))
    seconds = min(ours["queries_s"], again["queries_s"])
    return {"report": {
        "devices": ours["devices"], "rows": ours["rows"], "duckdb_s": seconds,
        "statistics_s": ours["statistics_s"], "cpu_s": ours["cpu_s"],
        "rss_mib": max(ours["rss_mib"], again["rss_mib"]), "hand_sql_s": hand["hand_sql_s"],
        "hand_cpu_s": hand["cpu_s"], "of_hand_sql": round(seconds / hand["hand_sql_s"], 2)}}


def bench_spark(folder: Path) -> dict[str, Any]:
    """Runs the queries over the data by Spark."""
    found = measured("run_report", str(fleet(folder, MILLION)), "spark", str(SPARK_MEMORY_MIB))
    return {"report": {"spark_s": found["queries_s"]}}


def bench_large(folder: Path) -> dict[str, Any]:
    ours = measured("run_report", str(fleet(folder, MILLION)), "duckdb", str(LARGE_MEMORY_MIB),
                    str(COPIES))
    return {"large": {"devices": ours["devices"], "rows": ours["rows"],
                      "duckdb_s": ours["queries_s"], "cpu_s": ours["cpu_s"],
                      "statistics_s": ours["statistics_s"],
                      "rss_mib": ours["rss_mib"]}}


def judge(found: dict[str, Any]) -> list[str]:
    """Bounds that do not hold."""
    failed = []
    for name, (least, most) in BOUNDS.items():
        part, key = name.split(".")
        value = found.get(part, {}).get(key)
        if value is not None and ((least is not None and value < least)
                                  or (most is not None and value > most)):
            failed.append(f"{name} is {value}, not {'at least' if least else 'at most'} "
                          f"{least or most}")
    for kind, figures in found.get("calibration", {}).items():
        failed += [f"calibration: {kind}: {name} is {figures[name]}, not {least} to {most}"
                   for name, (least, most) in OF_KIND.items()
                   if figures[name] is not None and not least <= figures[name] <= most]
        if kind == "plain" and figures["median_width"] > WIDTH:
            failed.append(f"calibration: {kind}: median_width is {figures['median_width']}, not at "
                          f"most {WIDTH}")
        if kind == "firmware" and figures["planted_found"] < FOUND:
            failed.append(f"calibration: {kind}: planted_found is {figures['planted_found']}, not "
                          f"at least {FOUND}")
    if not found.get("killed", {}).get("equal", True):
        failed.append("killed: a data set differs")
    return failed


def main(result: Path, folder: Path, parts: list[str]) -> int:
    folder.mkdir(parents=True, exist_ok=True)
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:PROCESSORS])
    benches: dict[str, Callable[[Path], dict[str, Any]]] = {
        "ingest": bench_ingest, "killed": bench_killed, "calibration": bench_calibration,
        "report": bench_report, "spark": bench_spark, "large": bench_large}
    found = json.loads(result.read_text()) if result.exists() else {}
    for part in parts:
        print(f"--- {part}", flush=True)
        measured_now = benches[part](folder)
        for name, figures in measured_now.items():
            found[name] = found.get(name, {}) | figures
        # The load of other processes on the machine disturbs the figures.
        found.setdefault("load_1_min", {})[part] = round(os.getloadavg()[0], 1)
        result.write_text(json.dumps(found, indent=1) + "\n")
        print(json.dumps(measured_now), flush=True)
    failed = found["not_held"] = judge(found)
    result.write_text(json.dumps(found, indent=1) + "\n")
    for line in failed:
        print(f"NOT HELD: {line}")
    return 1 if failed else 0


if __name__ == "__main__":
    if sys.argv[1] == "--call":
        _call(sys.argv[2], sys.argv[3:])
    else:
        sys.exit(main(Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3:]))
