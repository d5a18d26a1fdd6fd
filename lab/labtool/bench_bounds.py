# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""Bounds of the maintenance benchmark, and the tables that show its figures.

The figures are those of out/bench/maintenance.json; see docs/testing.md. Pure: no file, no guest.
"""

from __future__ import annotations

import statistics
from collections.abc import Iterator, Sequence
from typing import Any

from . import bench_cards

SIDES = ("read", "write")
CASES = ("alone", "fstrim", "storekeeper", "hurry")
KEYS = ("late_per_mille", "p50_ms", "p99_ms", "max_ms")

# A frame at 60 Hz. An I/O that takes longer makes one late, which people notice.
FRAME_MS = 16.7
# Half of the I/Os meet no discard: pauses take two thirds of a run. A tenth is timers and queue.
P50_OF_ALONE = 1.1
# One I/O in a hundred may make one frame late at most, none more than two in a row.
P99_FRAMES = 1
MAX_FRAMES = 2
# A discard that takes longer leaves no room for a synced write, up to three requests, in a frame.
SMALLEST_DISCARD_MS = 5
# Nobody waits for a run at night. Pauses alone are twice the discards' time; smaller discards cost
# up to as much again. On a card that fstrim is done with in 2.5 s no ratio matters.
DEFAULT_OF_FSTRIM = 6
DEFAULT_LEAST_MS = 15_000
# A person waits for a hurry: it has no pauses, and a second starts and ends the worker.
HURRY_OF_FSTRIM = 2
HURRY_START_MS = 1_000
# Extents that others free or take while a pass runs.
BYTES_OF_FSTRIM = 0.01
# Most aborts come in a pause, when nothing is left to wait for but the clock of the trace.
ABORT_MEDIAN_MS = 1
# The kernel does not interrupt the discards of one extent. The call's way to storekeeperd and the
# end of the worker take a few turns of the one processor beside it.
ABORT_GRACE_MS = 60

# key: (limit, unit).
DAYS = {
    # After 7 days a run needs no more than a safe battery and a cool phone.
    "missed_deadlines": (0, "days on which a run was overdue beyond the deadline"),
    "runs_with_closed_gate": (0, "runs while a gate was closed"),
    # The shortest inexact alarm of Android is a quarter of an hour.
    "wakeups_per_hour_max": (4, "wake-ups in an hour with nothing due"),
    # A core takes about 1 W; the battery of a phone holds some 40,000 J.
    "cpu_s_per_day": (1, "seconds of CPU a day"),
    # The least that storaged writes in an hour.
    "written_bytes_per_day": (128 * 1024, "bytes written a day"),
    # A fifth of a percent of the memory of a phone with 2 GiB.
    "pss_kib": (4096, "KiB of memory (PSS)"),
}

Card = dict[str, Any]
# figure, value, limit, reason.
Bound = tuple[str, float | None, float, str]


def broken(figures: dict, names: list[str]) -> list[str]:
    """Bounds of these names that do not hold, one line each: card, figure, limit."""
    cards = {card["name"]: card for card in figures["cards"]}
    lines = []
    for name in names:
        if name == "days":
            bounds = _days(figures["days"])
        elif name == "abort":
            bounds = _abort(figures["abort_ms"], cards.get("dear"))
        else:
            bounds = _card(cards[name])
        lines += [f"{name}: {what} {'-' if value is None else f'{value:.5g}'} > {limit:.5g} ({why})"
                  for what, value, limit, why in bounds if value is None or value > limit]
    return lines


def limiting(card: Card) -> str | None:
    """Why no bound is asked of a card; None if the bounds apply."""
    made = bench_cards.Card(**card["card"])
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
    # Three digits, no exponent.
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
    """dear, cheap and the cards `also`; median and worst of the drawn ones that bounds apply to,
    each column by itself; those that they do not apply to, with the reason; aborts and days."""
    shown = [card for card in figures["cards"] if card["name"] in (*bench_cards.FIXED, *also)]
    drawn = [card for card in figures["cards"] if card["name"] not in bench_cards.FIXED]
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
