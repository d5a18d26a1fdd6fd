# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""`make bench-crypto`: an Xperia Z's /data plain, encrypted by its engine and by its CPU; and the
service's benchmark of ciphers beside cryptsetup's.

Each state is a virtual phone of its own in measuring mode; docs/testing.md says what is measured.
"""

from __future__ import annotations

import argparse
import json
import os
import time
from dataclasses import dataclass
from pathlib import Path

from .. import guest
from ..paths import OUT, SYSROOT, LabError
from . import guests
from .bounds import AGREEMENT, FROM_GAIN, FROM_SEED
from .guests import Phone

BENCH = OUT / "bench"
FIGURES = BENCH / "crypto.json"
PROFILE = "xperia-z"
STATES = {
    "plain": ("crypto.target=none",),
    "engine": (),
    "cpu": ("crypto.engine=0",),
}
# "when hardware acceleration is not good enough": dd, 256 KiB x 300, conv=fsync, caches dropped
# before the read. MB/s written and read.
SEED = {"plain": (13.2, 33.1), "engine": (2.7, 3.9), "cpu": (5.8, 17.1)}
SIDES = ("write", "read")
BLOCK = 256 << 10
COUNT = 300
# The kernel's name, cryptsetup's name, key bits.
CIPHERS = ("cbc(aes):aes-cbc:128", "cbc(aes):aes-cbc:256", "xts(aes):aes-xts:256",
           "xts(aes):aes-xts:512")
# Bytes of one request of `cryptsetup benchmark`, which hands them out one at a time.
UNIT = 65536
# cryptsetup encrypts 1 MiB over and over until a second has passed. It counts one pass more than it
# has timed (lib/crypto_backend/cipher_check.c of 2.6: repeat_enc and repeat_dec begin with 1). A
# slow cipher, for which a second is a few passes, comes out a seventh too fast.
PASS_MIB = 1
LEAST_S = 1


def cryptsetup() -> Path:
    for folder in ("sbin", "usr/sbin"):
        if (path := SYSROOT / folder / "cryptsetup").exists():
            return path
    raise LabError(f"cryptsetup is not below {SYSROOT}; run `lab/lab setup`")


@dataclass
class State:
    """A phone with its /data in one state; with `ciphers`, their implementations are measured,
    too."""

    name: str
    phone: Phone
    count: int = COUNT
    ciphers: tuple[str, ...] = ()
    parameters: tuple[str, ...] = ()

    def job(self, folder: Path) -> guest.Job:
        return guests.script(PROFILE, [*STATES[self.name], *self.parameters],
                             ["crypto.sh", str(self.count), *self.ciphers],
                             [(cryptsetup(), "/system/bin/cryptsetup")])

    def into(self, figures: dict) -> None:
        requests = self.phone.fact("engine_requests")
        least = 2 * self.count * BLOCK // 512
        if self.name == "engine" and requests < least or self.name != "engine" and requests:
            raise LabError(f"{self.name}: the engine counted {requests} requests; the file alone "
                           f"is {least} of them")
        xperia = figures.setdefault("xperia_z", {}).setdefault(self.name, {})
        for side in SIDES:
            us = self.phone.fact(f"{side}_us")
            xperia[f"{side}_mbps"] = round(self.count * BLOCK / us, 3)
            xperia[f"{side}_cpu_pct"] = round(
                100 * self.phone.fact(f"{side}_busy") / max(1, self.phone.fact(f"{side}_ticks")), 1)
        xperia["engine_requests"] = requests
        figures.setdefault("agreement", []).extend(agreement(self.name, self.phone.lines))


def agreement(state: str, lines: list[str]) -> list[dict]:
    """The results of both benchmarks for each cipher and direction, from the guest's lines."""
    ours: dict[tuple[str, str], dict] = {}
    rows = []
    for line in lines:
        word, _, rest = line.partition(" ")
        if word == "@ours":
            cipher, bits, text = rest.split(" ", 2)
            ours[cipher, bits] = _served(json.loads(text), state)
        elif word == "@theirs":
            words = rest.split()
            if len(words) != 4:
                raise LabError(f"{state}: cryptsetup measured no {rest}")
            cipher, bits, *theirs = words
            for direction, printed in zip(("encrypt", "decrypt"), theirs, strict=True):
                mbps = float(printed) * 1.048576
                rows.append({
                    "cipher": cipher, "key_bits": int(bits), "direction": direction,
                    "driver": ours[cipher, bits]["driver"],
                    "storekeeper_mbps": round(ours[cipher, bits][direction], 2),
                    "cryptsetup_mbps": round(mbps * _timed_share(float(printed)), 2),
                    "cryptsetup_printed_mbps": round(mbps, 2)})
    return rows


def _timed_share(printed: float) -> float:
    """The share of cryptsetup's counted passes that it has timed, from its MiB/s."""
    # With `passes` passes, one takes (passes + 1) / (passes * printed) seconds, and the second had
    # not passed before the last. If two numbers fit, the larger one corrects less.
    passes = 1
    while passes * (passes + 2) / (passes + 1) * PASS_MIB < printed * LEAST_S:
        passes += 1
    return passes / (passes + 1)


def _served(measured: dict, state: str) -> dict:
    """The service's figures of the driver that the kernel selects for a request by name."""
    driver = measured["hardware" if state == "engine" else "cpu"]
    found = {"encrypt" if f["encrypt"] else "decrypt": f["mbps"]["mean"]
             for f in measured["figures"]
             if f["driver"] == driver and f["unit_bytes"] == UNIT and f["threads"] == 1}
    if len(found) != 2:
        raise LabError(f"{state}: the service measured no {driver}: {measured['problem']}")
    return {"driver": driver, **found}


def _off(value: float, by: float) -> float:
    return value / by - 1


def speedups(xperia: dict) -> list[float]:
    """The CPU's write and read rates, divided by the engine's."""
    return [xperia["cpu"][f"{s}_mbps"] / xperia["engine"][f"{s}_mbps"] for s in SIDES]


def seed_gains() -> list[float]:
    return [c / e for c, e in zip(SEED["cpu"], SEED["engine"], strict=True)]


def violations(figures: dict) -> list[str]:
    """Bounds that do not hold, one line each; a missing figure does not hold."""
    lines = []
    xperia = figures.get("xperia_z", {})
    for state, seed in SEED.items():
        for side, published in zip(SIDES, seed, strict=True):
            value = xperia.get(state, {}).get(f"{side}_mbps")
            if value is None:
                lines.append(f"{state}: {side}: not measured")
            elif abs(_off(value, published)) > FROM_SEED:
                lines.append(f"{state}: {side} {value} MB/s is {_off(value, published):+.1%} from "
                             f"{published} ({FROM_SEED:.0%})")
    if {"engine", "cpu"} <= set(xperia):
        for side, gain, seed in zip(SIDES, speedups(xperia), seed_gains(), strict=True):
            if abs(_off(gain, seed)) > FROM_GAIN:
                lines.append(f"gain: {side} {gain:.2f}x is {_off(gain, seed):+.1%} from "
                             f"{seed:.2f}x ({FROM_GAIN:.0%})")
    if not figures.get("agreement"):
        lines.append("agreement: not measured")
    for row in figures.get("agreement", []):
        off = _off(row["storekeeper_mbps"], row["cryptsetup_mbps"])
        if abs(off) > AGREEMENT:
            lines.append(f"agreement: {row['driver']} {row['key_bits']} {row['direction']}: "
                         f"{off:+.1%} from cryptsetup's ({AGREEMENT:.0%})")
    return lines


def table(figures: dict) -> list[str]:
    """The table for a terminal: each figure beside the published one."""
    xperia = figures.get("xperia_z", {})
    lines = [f"{'MB/s (published), CPU':<24}{'write':>26}{'read':>26}"]
    for state in [s for s in SEED if s in xperia]:
        cells = [f"{xperia[state][f'{side}_mbps']:>10.2f} {f'({seed:.1f})':>7} "
                 f"{xperia[state][f'{side}_cpu_pct']:>5.0f} %"
                 for side, seed in zip(SIDES, SEED[state], strict=True)]
        lines.append(f"{state:<24}" + "".join(f"{c:>26}" for c in cells))
    if {"engine", "cpu"} <= set(xperia):
        cells = [f"{gain:>9.2f}x {f'({seed:.2f}x)':>8}       "
                 for gain, seed in zip(speedups(xperia), seed_gains(), strict=True)]
        lines.append(f"{'cpu to engine':<24}" + "".join(f"{c:>26}" for c in cells))
    if figures.get("agreement"):
        lines += ["", f"{'MB/s at 64 KiB':<30}{'key':>5}{'':>10}{'storekeeper':>14}"
                  f"{'cryptsetup':>14}{'off':>8}{'printed':>10}"]
    for row in figures.get("agreement", []):
        off = _off(row["storekeeper_mbps"], row["cryptsetup_mbps"])
        lines.append(f"{row['driver']:<30}{row['key_bits']:>5}{row['direction']:>10}"
                     f"{row['storekeeper_mbps']:>14.2f}{row['cryptsetup_mbps']:>14.2f}{off:>+8.1%}"
                     f"{row['cryptsetup_printed_mbps']:>10.2f}")
    return lines


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("state", nargs="*", metavar="STATE",
                        help=f"only these, without writing figures: {', '.join(STATES)}; "
                        "without: all")


def bench(args: argparse.Namespace) -> int:
    only = args.state
    if wrong := [x for x in only if x not in STATES]:
        raise LabError(f"{', '.join(wrong)}: not a state; there are {', '.join(STATES)}")
    began = time.monotonic()
    chosen = [State(name, Phone(name, guests.teller(name, began)),
                    ciphers=() if name == "plain" else CIPHERS)
              for name in STATES if not only or name in only]
    print(f"{len(chosen)} virtual phones ({PROFILE}), {os.cpu_count()} at a time.", flush=True)
    guests.run(chosen)
    figures: dict = {}
    for state in chosen:
        state.into(figures)
    shown = [*table(figures), "",
             "Published: Xperia Z, 'when hardware acceleration is not good enough'."]
    if only:
        print("\n".join(["", *shown]))
        return 0
    return guests.report(FIGURES, figures, shown, violations(figures), began)
