# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""What must hold on every card that was drawn, and the table that shows the worst and the median.

Entries are those of the list "any" of out/bench/maintenance.json. Pure: no file, no guest.
"""

from __future__ import annotations

import statistics
from typing import Any

from . import draw

SIDES = ("read", "write")

P99_OF_FSTRIM = 1 / 10
MAX_MS = 33
MAX_DISCARDS = 6
P50_OF_ALONE = 1.1
DEFAULTS_OF_FSTRIM = 6
HURRY_OF_FSTRIM = 1.4
# Beginning and ending a run: what fstrim has no need of, and no discard takes. Hundreds of short
# extents on a card that takes next to nothing for them are done in less.
RUN_MS = 300
BYTES_OF_FSTRIM = (0.99, 1.01)
# Of the configuration's defaults.
BUDGET_MS = {"storekeeper": 5, "hurry": 8}

RATIOS = ("p99_read_ratio", "p99_write_ratio", "max_ms", "duration_ratio", "hurry_ratio",
          "discarded_ratio", "repeat_discarded_bytes")


def broken(entries: list[dict[str, Any]]) -> list[str]:
    """The bounds that do not hold, one line each."""
    return [line for entry in entries for line in _card(entry)]


def is_empty(entry: dict[str, Any]) -> bool:
    """No free extent holds a unit of the card's granularity: fstrim discards nothing, and there is
    no time to compare."""
    return entry["discarded_ratio"] is None


def smallest_ms(entry: dict[str, Any]) -> float:
    """What the smallest discard of the card takes, with the way there."""
    card = draw.Card(**entry["card"])
    return card.discard_ms(card.granularity_kib)


def binds(entry: dict[str, Any]) -> list[str]:
    """Where the smallest discard alone breaks the budget: what binds. No bound of time or latency
    is asked of that run."""
    return [f"{entry['name']}: the smallest discard takes {smallest_ms(entry):.3g} ms, more than "
            f"the {budget} ms of {case}; storekeeperd says: {entry['binds'].get(case, 'nothing')}"
            for case, budget in BUDGET_MS.items() if smallest_ms(entry) > budget]


def _card(entry: dict[str, Any]) -> list[str]:
    said: list[str] = []

    def most(what: str, value: float, limit: float, why: str) -> None:
        if value > limit:
            said.append(f"{entry['name']}: {what} {value:.4g} > {limit:.4g} ({why})")

    cases = entry["cases"]
    alone, fstrim, ours = (cases[x] for x in ("alone", "fstrim", "storekeeper"))
    discard = entry.get("discard_ms", 0)
    within = {case: smallest_ms(entry) <= budget for case, budget in BUDGET_MS.items()}
    empty = is_empty(entry)
    if within["storekeeper"] and not empty:
        for side in SIDES:
            limit = max(fstrim[side]["p99_ms"] * P99_OF_FSTRIM, discard + alone[side]["p99_ms"])
            most(f"{side} p99_ms", ours[side]["p99_ms"], limit,
                 "1/10 of fstrim's, or one discard's cost and alone's")
            most(f"{side} p50_ms", ours[side]["p50_ms"], alone[side]["p50_ms"] * P50_OF_ALONE,
                 f"{P50_OF_ALONE} x alone")
            # A card that takes longer with nobody else is no quicker beside a trim.
            most(f"{side} max_ms", ours[side]["max_ms"],
                 max(MAX_MS, MAX_DISCARDS * discard, alone[side]["max_ms"]),
                 f"{MAX_MS} ms or {MAX_DISCARDS} discards")
        most("duration_ms", ours["duration_ms"],
             fstrim["duration_ms"] * DEFAULTS_OF_FSTRIM + RUN_MS,
             f"{DEFAULTS_OF_FSTRIM} x fstrim's and {RUN_MS} ms")
    if within["hurry"] and not empty:
        most("hurry's duration_ms", cases["hurry"]["duration_ms"],
             fstrim["duration_ms"] * HURRY_OF_FSTRIM + RUN_MS,
             f"{HURRY_OF_FSTRIM} x fstrim's and {RUN_MS} ms")
    low, high = BYTES_OF_FSTRIM
    # The canary's gap alone is discarded where fstrim finds nothing.
    if not empty and not low <= entry["discarded_ratio"] <= high:
        said.append(f"{entry['name']}: discarded_ratio {entry['discarded_ratio']:.4g} is not "
                    f"within {low}-{high}")
    most("repeat_discarded_bytes", entry["repeat_discarded_bytes"], 0,
         "the second pass has nothing to do")
    return said


def table(entries: list[dict[str, Any]]) -> list[str]:
    """The worst and the median of each figure, and what binds where the budget cannot be kept."""
    lines = [f"{f'any, {len(entries)} cards':<26}{'median':>12}{'worst':>12}  on"]
    compared = [x for x in entries if not is_empty(x)]
    for key in RATIOS if compared else ():
        # Bytes may be too few or too many.
        known = [x for x in compared if x[key] is not None]
        if not known:
            continue
        worst = max(known, key=lambda x: abs(x[key] - 1) if key == "discarded_ratio" else x[key])
        median = statistics.median(x[key] for x in known)
        lines.append(f"{key:<26}{median:>12.4g}{worst[key]:>12.4g}  {worst['name']}")
    for entry in entries:
        lines += [f"binds: {line}" for line in binds(entry)]
        if is_empty(entry):
            lines.append(f"not compared: {entry['name']}: no free extent holds a unit of "
                         f"{entry['card']['granularity_kib']} KiB, fstrim discards nothing")
    return lines
