# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""Compares the figures of the maintenance benchmark with their bounds, and shows them in tables.

The figures are those of out/bench/maintenance.json; see docs/testing.md. Pure: no file, no guest.
"""

from __future__ import annotations

import statistics
from collections.abc import Iterator, Sequence
from typing import Any

from . import cards
from .bounds import (
    ABORT_GRACE_MS,
    ABORT_MEDIAN_MS,
    BYTES_OF_FSTRIM,
    DAYS,
    DEFAULT_LEAST_MS,
    DEFAULT_OF_FSTRIM,
    FRAME_MS,
    HURRY_OF_FSTRIM,
    HURRY_START_MS,
    MAX_FRAMES,
    P50_OF_ALONE,
    P99_FRAMES,
    SMALLEST_DISCARD_MS,
)

SIDES = ("read", "write")
CASES = ("alone", "fstrim", "storekeeper", "hurry")
KEYS = ("late_per_mille", "p50_ms", "p99_ms", "max_ms")

Card = dict[str, Any]
# (figure, value, limit, reason)
Bound = tuple[str, float | None, float, str]


def violations(figures: dict, names: list[str]) -> list[str]:
    """Bounds of these names that do not hold, one line each: card, figure, limit."""
    by_name = {card["name"]: card for card in figures["cards"]}
    lines = []
    for name in names:
        if name == "days":
            bounds = _days(figures["days"])
        elif name == "abort":
            bounds = _abort(figures["abort_ms"], by_name.get("dear"))
        else:
            bounds = _card(by_name[name])
        lines += [f"{name}: {what} {'-' if value is None else f'{value:.5g}'} > {limit:.5g} ({why})"
                  for what, value, limit, why in bounds if value is None or value > limit]
    return lines


def limiting(card: Card) -> str | None:
    """The reason why a card is exempt from bounds; None if they apply."""
    made = cards.Card(**card["card"])
    smallest_ms = made.discard_ms(made.granularity_kib)
    late = [f"{card['alone'][side]['late_per_mille']:.3g} of 1000 {side}s" for side in SIDES
            if card["alone"][side]["late_per_mille"]]
    if late:
        return f"alone, {' and '.join(late)} are late"
    if smallest_ms > SMALLEST_DISCARD_MS:
        return f"its smallest discard takes {smallest_ms:.3g} ms"
    if card["hurry"]["discarded_ratio"] is None:
        return f"no free extent holds a unit of {made.granularity_kib} KiB"
    return None


def _card(card: Card) -> Iterator[Bound]:
    if limiting(card):
        return
    ours = card["storekeeper"]
    for side in SIDES:
        alone = card["alone"][side]
        for key, limit, why in (
                ("p50_ms", P50_OF_ALONE * alone["p50_ms"], f"{P50_OF_ALONE} x alone's"),
                ("p99_ms", P99_FRAMES * FRAME_MS + alone["p99_ms"], "alone's + 1 frame"),
                ("max_ms", MAX_FRAMES * FRAME_MS + alone["max_ms"], "alone's + 2 frames")):
            yield f"{side} {key}", ours[side].get(key), limit, why
    fstrim_ms = card["fstrim"]["duration_ms"]
    yield ("duration_ms", ours["duration_ms"], max(DEFAULT_OF_FSTRIM * fstrim_ms, DEFAULT_LEAST_MS),
           f"{DEFAULT_OF_FSTRIM} x fstrim's, or {DEFAULT_LEAST_MS} ms")
    yield ("hurry's duration_ms", card["hurry"]["duration_ms"],
           HURRY_OF_FSTRIM * fstrim_ms + HURRY_START_MS,
           f"{HURRY_OF_FSTRIM} x fstrim's + {HURRY_START_MS} ms")
    for case in ("storekeeper", "hurry"):
        yield (f"{case}'s discarded_ratio is off 1 by",
               round(abs(card[case]["discarded_ratio"] - 1), 5), BYTES_OF_FSTRIM, "fstrim's bytes")
    yield ("repeat_discarded_bytes", ours["repeat_discarded_bytes"], 0,
           "a second pass has nothing to do")


def _abort(abort_ms: dict[str, float], dear: Card | None) -> Iterator[Bound]:
    yield "median ms", abort_ms["median"], ABORT_MEDIAN_MS, "to the end of the last discard"
    extent = max(dear["fstrim"][side]["max_ms"] for side in SIDES) if dear else 0
    yield ("max ms", abort_ms["max"], extent + ABORT_GRACE_MS,
           f"fstrim's longest stall on dear{'' if dear else ', not measured,'} + "
           f"{ABORT_GRACE_MS} ms")


def _days(days: dict[str, float]) -> Iterator[Bound]:
    for key, (limit, why) in DAYS.items():
        yield key, days[key], limit, why
    yield "days without a run", 0 if days["runs"] else 1, 0, "there is one a day or a week"


# --- tables

HEAD = ["| card | case | late R/W, ‰ | R p50/p99/max, ms | W p50/p99/max, ms | x fstrim's time |",
        "|---|---|---|---|---|---|"]


def _text(value: float | None) -> str:
    """An absent figure: no I/O came while a quick pass ran, or the case has no such figure."""
    # Three significant digits, no exponent.
    return "-" if value is None else f"{float(f'{value:.3g}'):g}"


def _columns(card: Card, case: str) -> list[float | None]:
    return [*(card[case][side].get(key) for side in SIDES for key in KEYS),
            card[case]["duration_ms"] / card["fstrim"]["duration_ms"] if case != "alone" else None]


def _row(name: str, case: str, columns: list[float | None]) -> str:
    late_r, *read, late_w, p50, p99, most, times = map(_text, columns)
    return (f"| {name} | {case} | {late_r}/{late_w} | {'/'.join(read)} | {p50}/{p99}/{most} "
            f"| {times} |")


def rows(card: Card) -> list[str]:
    return [_row(card["name"], case, _columns(card, case)) for case in CASES]


def summary(figures: dict, also: Sequence[str] = ()) -> list[str]:
    """A table of dear, cheap and the cards `also`; of the drawn cards that bounds apply to, median
    and worst, each column by itself; of exempt cards, with the reason; of aborts and days."""
    shown = [card for card in figures["cards"] if card["name"] in (*cards.FIXED, *also)]
    drawn = [card for card in figures["cards"] if card["name"] not in cards.FIXED]
    compared = [card for card in drawn if not limiting(card)]
    lines = [*HEAD, *(line for card in shown for line in rows(card))]
    for name, pick in (("median", statistics.median), ("worst", max)):
        for case in CASES if compared else ():
            columns = zip(*(_columns(card, case) for card in compared), strict=True)
            known = [[x for x in column if x is not None] for column in columns]
            lines.append(_row(f"{name} of {len(compared)} drawn", case,
                              [pick(x) if x else None for x in known]))
    for card in drawn:
        if why := limiting(card):
            lines.append(_row(f"{card['name']}, no bounds: {why}", "storekeeper",
                              _columns(card, "storekeeper")))
    if abort := figures.get("abort_ms"):
        lines += ["", f"`cmd storekeeper abort` to the end of the last discard: median "
                  f"{abort['median']:.3g} ms, max {abort['max']:.3g} ms."]
    if days := figures.get("days"):
        lines += ["", "| days | storekeeperd | limit |", "|---|---|---|",
                  f"| runs | {days['runs']} | |",
                  *(f"| {key} | {days[key]:.4g} | {limit:g} |" for key, (limit, _) in DAYS.items())]
    return lines
