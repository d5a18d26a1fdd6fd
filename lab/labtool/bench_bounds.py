# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""What the maintenance benchmark's figures must hold, and the table that shows them.

Figures are what out/bench/maintenance.json has; see docs/testing.md. Pure: no file, no guest.
"""

from __future__ import annotations

from .bench_any import bounds as bench_any_bounds

CARDS = ("dear", "cheap")
CASES = ("alone", "fstrim", "storekeeper", "hurry")
SIDES = ("read", "write")
PERCENTILES = ("p50_ms", "p90_ms", "p99_ms", "max_ms")

# Times a stall must be shorter than fstrim's, by card.
P99_GAIN = {"dear": 20, "cheap": 10}
DEAR_MAX_MS = 25
P50_OF_ALONE = 1.1
BYTES_OF_FSTRIM = (0.99, 1.01)
HURRY_OF_FSTRIM = 1.4
DEFAULTS_OF_FSTRIM = 6
ABORT_MEDIAN_MS = 1
# Beyond the time of the one extent that may be in flight.
ABORT_GRACE_MS = 60

# key: (limit, what it means). Values above the limit are broken bounds.
DAYS = {
    "missed_deadlines": (0, "days on which a run was overdue beyond the deadline"),
    "runs_with_closed_gate": (0, "runs while a gate was closed"),
    "wakeups_per_hour_max": (4, "wake-ups in an hour with nothing due"),
    "cpu_s_per_day": (1, "seconds of CPU a day"),
    "written_bytes_per_day": (64 * 1024, "bytes written a day"),
    "pss_kib": (4096, "KiB of memory (PSS)"),
}
# storaged as its source has it: what it wakes up for and writes by itself. It keeps no figure for
# the others. Every 60 s it wakes up; user 0's file is at least 128 KiB and written every hour.
STORAGED = {"wakeups_per_hour_max": 60, "written_bytes_per_day": 24 * 128 * 1024}


def broken(figures: dict) -> list[str]:
    """The bounds that do not hold, one line each naming figure and limit; a figure that is missing
    is a broken bound, too."""
    said: list[str] = []
    for card in CARDS:
        if card in figures:
            _card(card, figures[card], said)
        else:
            said.append(f"{card}: not measured")
    if "days" in figures:
        _days(figures["days"], said)
    else:
        said.append("days: not measured")
    if "any" in figures:
        said += bench_any_bounds.broken(figures["any"])
    else:
        said.append("any: not measured")
    return said


def of_chosen(said: list[str], only: list[str]) -> list[str]:
    """Those of broken() that tasks of these names answer for; without any name all. A card's other
    cases need not have been measured."""
    if not only:
        return said
    chosen = {name.partition("/")[0] for name in only}
    return [x for x in said if (group := x.partition(":")[0]) in only
            or (group in chosen and not x.endswith(": not measured"))]


class _Said:
    """Collects what is beyond its limit; a figure that is not there is said once."""

    def __init__(self, where: str, said: list[str]) -> None:
        self.where = where
        self.said = said

    def most(self, what: str, value: float | None, limit: float | None, why: str) -> None:
        if value is None or limit is None:
            self.said.append(f"{self.where}: {what}: not measured")
        elif value > limit:
            self.said.append(f"{self.where}: {what} {value:g} > {limit:g} ({why})")


def _get(of: dict, *path: str) -> float | None:
    for key in path:
        if not isinstance(of, dict) or key not in of:
            return None
        of = of[key]
    return of  # type: ignore[return-value]


def _times(value: float | None, factor: float) -> float | None:
    return None if value is None else value * factor


def _card(card: str, of: dict, said: list[str]) -> None:
    say = _Said(card, said)
    gain = P99_GAIN[card]
    for side in SIDES:
        say.most(f"storekeeper's {side} p99_ms", _get(of, "storekeeper", side, "p99_ms"),
                 _times(_get(of, "fstrim", side, "p99_ms"), 1 / gain), f"1/{gain} of fstrim's")
        say.most(f"storekeeper's {side} p50_ms", _get(of, "storekeeper", side, "p50_ms"),
                 _times(_get(of, "alone", side, "p50_ms"), P50_OF_ALONE), f"{P50_OF_ALONE} x alone")
        if card == "dear":
            say.most(f"storekeeper's {side} max_ms", _get(of, "storekeeper", side, "max_ms"),
                     DEAR_MAX_MS, "a stall the user does not see")
    for case in ("storekeeper", "hurry"):
        _bytes(say, case, _get(of, case, "discarded_bytes"), _get(of, "fstrim", "discarded_bytes"))
    for case, factor in (("hurry", HURRY_OF_FSTRIM), ("storekeeper", DEFAULTS_OF_FSTRIM)):
        say.most(f"{case}'s duration_ms", _get(of, case, "duration_ms"),
                 _times(_get(of, "fstrim", "duration_ms"), factor), f"{factor} x fstrim's")
    say.most("repeat_discarded_bytes", _get(of, "repeat_discarded_bytes"), 0,
             "the second pass has nothing to do")
    say.most("abort_ms median", _get(of, "abort_ms", "median"), ABORT_MEDIAN_MS, "abort to last "
             "discard")
    # The longest thing that fstrim makes anybody wait for is one extent's chain of discards.
    extent = max(_get(of, "fstrim", side, "max_ms") or 0 for side in SIDES)
    say.most("abort_ms max", _get(of, "abort_ms", "max"), extent + ABORT_GRACE_MS,
             f"one extent + {ABORT_GRACE_MS} ms")


def _bytes(say: _Said, case: str, value: float | None, fstrim: float | None) -> None:
    if value is None or not fstrim:
        say.said.append(f"{say.where}: {case}'s discarded_bytes: not measured")
        return
    low, high = BYTES_OF_FSTRIM
    if not low <= value / fstrim <= high:
        say.said.append(f"{say.where}: {case}'s discarded_bytes {value:g} are "
                        f"{value / fstrim:.3f} of fstrim's ({low}-{high})")


def _days(of: dict, said: list[str]) -> None:
    say = _Said("days", said)
    for key, (limit, why) in DAYS.items():
        say.most(key, _get(of, key), limit, why)
    if not _get(of, "runs"):
        said.append("days: no run at all")


def table(figures: dict) -> list[str]:
    """For a terminal: each card's cases, the ratios to fstrim and to nothing else running, the
    days."""
    lines: list[str] = []
    for card in CARDS:
        if card in figures:
            lines += [*_card_table(card, figures[card]), ""]
    if "days" in figures:
        lines += [*_days_table(figures["days"]), ""]
    if figures.get("any"):
        lines += bench_any_bounds.table(figures["any"])
    return lines


def _four(of: dict) -> str:
    return "/".join(f"{of[p]:.3g}" for p in PERCENTILES)


def _card_table(card: str, of: dict) -> list[str]:
    lines = [f"{card + ' card':<14}{'seconds':>9}{'MiB':>8}  {'read p50/p90/p99/max ms':<26}"
             f"{'write p50/p90/p99/max ms':<26}{'p99 gain':>14}"]
    fstrim = of.get("fstrim")
    for case in CASES:
        if case not in of:
            continue
        row = of[case]
        gain = ""
        if fstrim and case in ("storekeeper", "hurry"):
            gain = " ".join(f"{fstrim[s]['p99_ms'] / row[s]['p99_ms']:.1f}x" for s in SIDES)
        lines.append(f"{case:<14}{row['duration_ms'] / 1000:>9.1f}"
                     f"{row['discarded_bytes'] / 2**20:>8.0f}  {_four(row['read']):<26}"
                     f"{_four(row['write']):<26}{gain:>14}")
    for case in ("storekeeper", "hurry"):
        if fstrim and case in of:
            lines.append(
                f"{case}: {of[case]['duration_ms'] / fstrim['duration_ms']:.2f} x fstrim's time, "
                f"{of[case]['discarded_bytes'] / fstrim['discarded_bytes']:.3f} of its bytes")
    if "repeat_discarded_bytes" in of:
        lines.append(f"a second pass discards {of['repeat_discarded_bytes']} bytes")
    if "abort_ms" in of:
        lines.append(f"abort to last discard: median {of['abort_ms']['median']:.3g} ms, max "
                     f"{of['abort_ms']['max']:.3g} ms")
    return lines


def _days_table(of: dict) -> list[str]:
    lines = [f"{'days':<26}{'storekeeper':>14}{'limit':>10}{'storaged':>12}"]
    lines.append(f"{'runs':<26}{of['runs']:>14g}")
    for key, (limit, _) in DAYS.items():
        other = f"{STORAGED[key]:g}" if key in STORAGED else "-"
        lines.append(f"{key:<26}{of[key]:>14.4g}{limit:>10g}{other:>12}")
    return lines
