# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""`lab soak kernels`: scenarios that must work on each kernel of the virtual phone, in measuring
mode and in use. lab/bench/kernel.sh is the guest's part."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence

from .. import guest, kernel_packages, kernels
from ..paths import LabError
from .bounds import BOOT_SECONDS
from .guests import SCRIPTS, Phone, teller

KIND = "kernels"
SCENARIOS = ("health", "abort", "trim", "crypto", "powercut")
# Kernels of `make test`: the oldest and the newest.
SHORT = ("5.10", "newest")
MODES = {"measuring": True, "interactive": False}
# A small eMMC 5.0 with wear to report and slow discards.
PROFILE = "xperia-z"
PARAMETERS = ("vemmc.ext_csd_rev=7", "vemmc.capacity_mib=512", "vemmc.t_trim_mib_us=5000")
GUEST_TIMEOUT = 600
FILES = (SCRIPTS / "kernel.sh",)


class _Guest:
    """One boot of one kernel, and its script's report."""

    def __init__(self, name: str, mode: str, began: float, words: Sequence[str]) -> None:
        self.name = name
        self.mode = mode
        self.words = words
        self.phone = Phone(f"{name} {mode}", teller(f"{name} {mode}", began))

    def job(self) -> guest.Job:
        return guest.Job(command=["sh", "/tmp/kernel.sh", *self.words],
                         profile=guest.load_profile(PROFILE, list(PARAMETERS)),
                         kernel=kernel_packages.ready(self.name), measure=MODES[self.mode],
                         timeout=GUEST_TIMEOUT,
                         files=[(path, f"/tmp/{path.name}") for path in FILES])

    def reported(self) -> dict[str, str]:
        """Result by scenario: "ok" or the problem."""
        found = {}
        for line in self.phone.lines:
            word, _, rest = line.partition(" ")
            name, _, text = rest.partition(" ")
            if word in ("@ok", "@bad"):
                found[name] = "ok" if word == "@ok" else f"bad: {text}"
        return found


def measure(names: Sequence[str], modes: Sequence[str] = tuple(MODES),
            words: Sequence[str] = ("confirm",)) -> dict:
    """For each kernel: its release, the seconds to the command in measuring mode, and each
    scenario: "ok" if it is in every mode, otherwise the report of the first mode in which it is
    not. `words`: arguments of kernel.sh."""
    began = time.monotonic()
    guests = [_Guest(name, mode, began, words) for name in names for mode in modes]
    outcomes = guest.run_all([(g.job(), g.phone.out, g.phone.errors.extend) for g in guests],
                             at_once=os.cpu_count())
    figures: dict = {"bad": []}
    for one, outcome in zip(guests, outcomes, strict=True):
        one.phone.check(outcome)
        record = figures.setdefault(one.name, {"release": kernels.KERNELS[one.name].release})
        if MODES[one.mode]:
            record["boot_s"] = float(one.phone.facts["booted"])
        reported = one.reported()
        for name in SCENARIOS:
            result = reported.get(name, "bad: not reported")
            if record.setdefault(name, "ok") == "ok" and result != "ok":
                record[name] = result
            if result != "ok":
                figures["bad"].append(f"{one.phone.name}: {name}: {result}")
        if MODES[one.mode] and record["boot_s"] >= BOOT_SECONDS:
            figures["bad"].append(f"{one.name}: {record['boot_s']} s to the command, below "
                                  f"{BOOT_SECONDS:g} s are allowed")
    return figures


def run(kind: str, count: int) -> dict:
    if count != 1:
        raise LabError(f"{kind}={count}: equal boots give equal results; leave the count out")
    return measure(tuple(kernels.KERNELS))


def line(kind: str, figures: dict) -> str:
    rows = [f"{kind:<10}{'release':<26}{'boot s':>7}  " + " ".join(f"{s:<9}" for s in SCENARIOS)]
    for name, record in figures.items():
        if name != "bad":
            results = " ".join(f"{record[s].partition(':')[0]:<9}" for s in SCENARIOS)
            row = f"{name:<10}{record['release']:<26}{record['boot_s']:>7}  {results}"
            rows.append(row.rstrip())
    return "\n".join(rows)
