# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""`make bench-seeds`: reproduces each published table that a profile is calibrated to.

lab/kernel/accuracy.md, which it writes, has each published cell with ours and the error.
`lab/lab soak accuracy` generates that table anew and compares it with the committed one.

A row is one published figure beside the lab's. What counts is how a figure changes, not its height:
a drop, a gain, one phone beside another. Each phone is a guest of its own in measuring mode.
"""

from __future__ import annotations

import argparse
import os
import time
from dataclasses import dataclass
from pathlib import Path

from .. import demo, guest
from ..paths import LAB, OUT, LabError
from . import crypto, guests, honest
from .bounds import ALLOWED, DRIFT, DRIFT_FULL
from .guests import Phone

FIGURES = OUT / "bench/seeds.json"
ACCURACY = LAB / "kernel/accuracy.md"
# What `lab/lab soak accuracy` generates.
GENERATED = OUT / "bench/accuracy.md"
# AnandTech, 2013: the worst seen after a day of torture, MB/s. Over which time, nobody says; the
# story's are the slowest five seconds.
WORST = {"seq_write": 0.81, "rand_write": 0.02}
# AnandTech, 2014. Nexus 5 on Android 4.4, Androbench, MB/s, by job of the matrix; and what full
# disk encryption costs a Nexus 6, as a share.
NEXUS5 = {"seq-read-256k": 76.29, "seq-write-256k": 15.00, "rand-read-4k": 10.06,
          "rand-write-4k": 0.75}
NEXUS6 = {"rand-read-4k": 0.629, "rand-write-4k": 0.505, "seq-read-256k": 0.807}
# Pixel against Moto Z, 2016: half of the random writes of 4 KiB, each made durable, take longer;
# ms.
P50_MS = {"pixel": 3.3, "moto-z": 0.5}
SYNCED = "sync-write-4k"


@dataclass(frozen=True)
class Row:
    """A published figure. Values that are shares are given in per cent."""

    seed: str
    figure: str
    seed_value: float
    lab_value: float

    @property
    def ratio(self) -> float:
        return self.lab_value / self.seed_value


def _share(seed: str, figure: str, published: float, measured: float) -> Row:
    return Row(seed, f"{figure}, %", 100 * published, 100 * measured)


def _cell(column: str, state: str, published: float, measured: float) -> Row:
    return Row("nexus7-2012", f"{column.replace('_', ' ')}, {state}, MB/s", published, measured)


def story_cells(measured: dict[str, dict[str, float]]) -> list[Row]:
    """Those that the story of `make demo` has, from its rows."""
    return [_cell(column, demo.STATES[state], value, measured[state][column])
            for state, published in demo.PUBLISHED.items()
            for column, value in zip(demo.COLUMNS, published, strict=True)]


class Nexus7:
    """A phone of the demo's story: the one that is maintained, or one that is tortured on."""

    def __init__(self, mode: str, phone: Phone) -> None:
        self.mode = mode
        self.phone = phone

    def job(self, _: Path) -> guest.Job:
        return demo.job(self.mode)

    def measured(self) -> dict[str, dict[str, float]]:
        return demo.read_story(self.phone.lines).rows

    def rows(self, tortured: Nexus7) -> list[Row]:
        measured = self.measured()
        made = []
        for state, published in demo.PUBLISHED.items():
            for column, value in zip(demo.COLUMNS, published, strict=True):
                name = f"{column.replace('_', ' ')}, {demo.STATES[state]}"
                of = measured[state][column]
                if state == "fresh":
                    made.append(Row("nexus7-2012", f"{name}, MB/s", value, of))
                    continue
                was = value / demo.PUBLISHED["fresh"][demo.COLUMNS.index(column)]
                now = of / measured["fresh"][column]
                # A read does not drop, and after maintenance nothing does: what is left of it.
                if state != "after" and column.endswith("write"):
                    made.append(_share("nexus7-2012", f"{name}: drop", 1 - was, 1 - now))
                else:
                    made.append(_share("nexus7-2012", f"{name}: of new", was, now))
        for column, value in WORST.items():
            was = value / demo.PUBLISHED["fresh"][demo.COLUMNS.index(column)]
            now = tortured.measured()["worst"][column] / measured["fresh"][column]
            made.append(_share("nexus7-2012", f"{column.replace('_', ' ')}, worst: drop", 1 - was,
                               1 - now))
        return made

    def cells(self, tortured: Nexus7) -> list[Row]:
        """As published, in MB/s."""
        worst = tortured.measured()["worst"]
        return [*story_cells(self.measured()),
                *(_cell(column, "worst of a torture", value, worst[column])
                  for column, value in WORST.items())]


class Bench:
    """A phone measured by storekeeper_bench with the matrix "seed"."""

    def __init__(self, phone: Phone, profile: str, parameters: tuple[str, ...] = ()) -> None:
        self.phone = phone
        self.profile = profile
        self.parameters = parameters

    def job(self, _: Path) -> guest.Job:
        return honest.seed_matrix(self.profile, list(self.parameters), 1)

    def once(self, name: str) -> dict:
        """The one repetition of a job."""
        for figure in honest.result(self.phone)["figures"]:
            if figure["name"] == name:
                return figure["repetitions"][0]
        raise LabError(f"{self.phone.name}: storekeeper_bench reported no figure {name}")

    def rate(self, name: str) -> float:
        return self.once(name)["mb_per_s"]

    def p50_ms(self) -> float:
        """Of a write and of the fdatasync after it, which fio counts apart."""
        of = self.once(SYNCED)
        return of["latency_ms"]["p50"] + of["sync_latency_ms"]["p50"]


@dataclass
class Campaign:
    """All phones."""

    nexus7: Nexus7
    tortured: Nexus7
    xperia: dict[str, crypto.State]
    plain: Bench
    encrypted: Bench
    phones: dict[str, Bench]

    def rows(self) -> list[Row]:
        return [*self.nexus7.rows(self.tortured), *self._xperia(), *self._nexus(), *self._pixel()]

    def cells(self) -> list[Row]:
        """What was published, without what only follows from it."""
        others = [*self._xperia(), *self._nexus(), *self._pixel()]
        return [*self.nexus7.cells(self.tortured),
                *(row for row in others if not row.figure.endswith(", x"))]

    def _xperia(self) -> list[Row]:
        figures: dict = {}
        for state in self.xperia.values():
            state.into(figures)
        of = figures["xperia_z"]
        rows = [Row("xperia-z", f"{side}, {state}, MB/s", value, of[state][f"{side}_mbps"])
                for state, published in crypto.SEED.items()
                for side, value in zip(crypto.SIDES, published, strict=True)]
        return rows + [
            Row("xperia-z", f"{side}, CPU to engine, x", seed, gain) for side, seed, gain in
            zip(crypto.SIDES, crypto.seed_gains(), crypto.gains(of), strict=True)]

    def _nexus(self) -> list[Row]:
        rows = [Row("nexus5", f"{name}, MB/s", value, self.plain.rate(name))
                for name, value in NEXUS5.items()]
        return rows + [
            _share("nexus6", f"{name}: drop by encryption", drop,
                   1 - self.encrypted.rate(name) / self.plain.rate(name))
            for name, drop in NEXUS6.items()]

    def _pixel(self) -> list[Row]:
        p50 = {name: bench.p50_ms() for name, bench in self.phones.items()}
        pixel, moto = P50_MS
        return [*(Row(n, f"{SYNCED}, p50, ms", value, p50[n]) for n, value in P50_MS.items()),
                Row(pixel, f"{SYNCED}, p50 to {moto}, x", P50_MS[pixel] / P50_MS[moto],
                    p50[pixel] / p50[moto])]


def campaign() -> Campaign:
    began = time.monotonic()

    def phone(name: str) -> Phone:
        return Phone(name, guests.teller(name, began))

    return Campaign(
        nexus7=Nexus7("trim", phone("nexus7-2012")),
        tortured=Nexus7("worst", phone("nexus7-2012 tortured")),
        xperia={name: crypto.State(name, phone(f"xperia-z {name}"))
                for name in crypto.STATES},
        plain=Bench(phone("nexus6"), "nexus6"),
        encrypted=Bench(phone("nexus6 encrypted"), "nexus6", ("crypto.target=dm-crypt",)),
        phones={name: Bench(phone(name), name) for name in P50_MS})


def broken(rows: list[Row]) -> list[str]:
    """Ratios that are too far from 1, one line each."""
    return [f"{row.seed}: {row.figure}: {row.lab_value:.3g} is {row.ratio:.2f} of "
            f"{row.seed_value:.3g} ({1 - ALLOWED:.2f} to {1 + ALLOWED:.2f})"
            for row in rows if abs(row.ratio - 1) > ALLOWED]


def table(rows: list[Row]) -> list[str]:
    lines = [f"{'published by':<14}{'figure':<44}{'published':>10}{'lab':>10}{'ratio':>8}"]
    lines += [f"{row.seed:<14}{row.figure:<44}{row.seed_value:>10.4g}{row.lab_value:>10.4g}"
              f"{row.ratio:>8.2f}" for row in rows]
    return lines


def accuracy(cells: list[Row]) -> str:
    """lab/kernel/accuracy.md."""
    lines = [
        "<!-- SPDX-License-Identifier: Apache-2.0 -->",
        "<!-- Copyright (C) 2026 The Storekeeper Project -->",
        "# How near the models come",
        "",
        "Written by `make bench-seeds`: each published cell that a profile is calibrated to, the",
        "virtual phone's, and the error. `make test` generates the story's cells anew and compares",
        "them with these, `make soak` all of them. lab/kernel/README.md says what is modelled and",
        "what is not; docs/testing.md says how each is measured.",
        "",
        "| published by | cell | published | ours | error |",
        "|---|---|---|---|---|",
        *(f"| {r.seed} | {r.figure} | {r.seed_value:.4g} | {r.lab_value:.4g} "
          f"| {100 * (r.ratio - 1):+.1f} % |" for r in cells),
    ]
    return "\n".join(lines) + "\n"


def committed() -> dict[tuple[str, str], tuple[str, float]]:
    """What lab/kernel/accuracy.md has, by phone and cell: the published figure and ours."""
    rows = [line.strip("| ").split(" | ") for line in ACCURACY.read_text().splitlines()
            if line.startswith("| ")]
    return {(seed, cell): (published, float(ours)) for seed, cell, published, ours, _ in rows[1:]}


def _allowed_drift(figure: str) -> float:
    full = "write, full" in figure or "write, worst" in figure
    return DRIFT_FULL if full else DRIFT


def drifted(cells: list[Row]) -> list[str]:
    """Cells that differ from those of the committed file, one line each."""
    said = []
    had = committed()
    for row in cells:
        if (row.seed, row.figure) not in had:
            said.append(f"{row.seed}: {row.figure}: not in {ACCURACY}; run `make bench-seeds`")
            continue
        ours = had[row.seed, row.figure][1]
        if abs(row.lab_value / ours - 1) > _allowed_drift(row.figure):
            said.append(f"{row.seed}: {row.figure}: {row.lab_value:.4g}, {ours:.4g} in {ACCURACY} "
                        f"({_allowed_drift(row.figure):.0%} allowed); if the change is meant, run "
                        "`make bench-seeds` and commit the file")
    return said


def _measure() -> Campaign:
    of = campaign()
    # Those that take longest first.
    tasks = [*of.xperia.values(), of.tortured, of.nexus7, of.encrypted, of.plain,
             *of.phones.values()]
    print(f"{len(tasks)} virtual phones, {os.cpu_count()} at a time.", flush=True)
    guests.run(tasks)
    return of


def run(kind: str, count: int) -> dict:
    """The soak's part: the whole table, generated and compared with the committed one."""
    if count != 1:
        raise LabError(f"{kind}={count}: equal phones give equal figures; leave the count out")
    cells = _measure().cells()
    GENERATED.parent.mkdir(parents=True, exist_ok=True)
    GENERATED.write_text(accuracy(cells))
    return {"cells": len(cells), "bad": drifted(cells)}


def line(kind: str, figures: dict) -> str:
    return (f"{kind:<10}{figures['cells']:>9} cells in {GENERATED}, {len(figures['bad'])} unlike "
            "lab/kernel/accuracy.md")


def bench(_: argparse.Namespace) -> int:
    began = time.monotonic()
    of = _measure()
    rows = of.rows()
    ACCURACY.write_text(accuracy(of.cells()))
    figures = [{"seed": r.seed, "figure": r.figure, "seed_value": round(r.seed_value, 4),
                "lab_value": round(r.lab_value, 4), "ratio": round(r.ratio, 4)} for r in rows]
    return guests.report(FIGURES, figures, table(rows), broken(rows), began)
