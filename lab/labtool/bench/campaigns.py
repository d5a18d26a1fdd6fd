# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""`make soak`'s kinds that need no phone: power cuts, failing calls, cards that harm, and sequences
of events in memory, by storekeeper_campaigns (system-service/campaigns)."""

from __future__ import annotations

import functools
import json
import subprocess
import time
from pathlib import Path

from .. import build
from ..paths import LabError

PROGRAM = "storekeeper_campaigns"
# The counted figure of each kind. Failing calls run under AddressSanitizer: an error path may leak.
KINDS = {"crash": "states", "calls": "tried", "canary": "tried", "sequences": "tried"}
_VARIANTS = {"crash": build.GUEST, "calls": build.ASAN, "canary": build.GUEST,
             "sequences": build.GUEST}


def line(kind: str, figures: dict) -> str:
    counts = ", ".join(f"{name} {n}" for name, n in figures["scenarios"].items())
    return f"{kind:<10}{figures[KINDS[kind]]:>9}   {figures['failures']} failures   {counts}"


@functools.cache
def program(kind: str) -> Path:
    variant = _VARIANTS.get(kind, build.GUEST)
    build.cmake(variant, False)
    build.step(PROGRAM, f"campaigns-{variant.name}",
               ["ninja", "-C", str(variant.folder), PROGRAM])
    return variant.folder / PROGRAM


def parse(campaign: str, stdout: str, stderr: str) -> dict:
    """Parses the program's output: its JSON, and as "bad" each failure with the command that
    repeats it."""
    try:
        result = json.loads(stdout)
        figures = {"tried": result["tried"], "failures": result["failures"],
                   "scenarios": result.get("scenarios") or {}}
    except (ValueError, KeyError) as e:
        end = "\n".join((stdout + stderr).splitlines()[-20:])
        raise LabError(f"{PROGRAM} {campaign} ended without its figures ({e}); the last it said:\n"
                       f"{end}") from e
    repeat = f"repeat: {PROGRAM} {campaign} --only"
    figures["bad"] = [f"{line}   ({repeat} {line.split()[0]})" for line in stderr.splitlines()]
    return figures


def read(kind: str, stdout: str, stderr: str, seconds: float) -> dict:
    """The figures of a campaign in memory."""
    result = parse(kind, stdout, stderr)
    return {KINDS[kind]: result.pop("tried"), "seconds": round(seconds), **result}


def run(kind: str, stride: int) -> dict:
    """Runs the campaign; tries one case of every `stride`."""
    if stride < 1:
        raise LabError(f"{kind}={stride}: give 1 for all cases, N for one of N")
    path = program(kind)
    began = time.monotonic()
    done = subprocess.run([str(path), kind, "--stride", str(stride)], capture_output=True,
                          text=True, errors="replace", stdin=subprocess.DEVNULL)
    return read(kind, done.stdout, done.stderr, time.monotonic() - began)
