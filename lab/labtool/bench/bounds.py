# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""The bounds of the benchmarks and of the soak."""

from __future__ import annotations

# --- maintenance

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

# A quarter of the time is work. Fewer moments than this may well meet it more often than not.
MEDIAN_OF = 40

# The month, by figure: (limit, unit).
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

# --- forecast

# Ranges that hold the end, in percent.
COVERED_PCT = (78, 92)
# By case: the median width at most, as a part of what was left.
WIDTH = {"steady": 0.40, "drift": 0.45, "bursts": 0.90}
# Where use changes: how many of a hundred ranges hold at least. "change" is "bursts" until the
# forecast is made, and nothing shows what comes: see most_covered().
CHANGES_COVERED_PCT = {"habits": 70, "change": 50}
# Dates before which no end was to come, and one came, in percent.
NOT_BEFORE_BROKEN_PCT = 2
# A bound that says nothing about a forecast which is hardly ever made.
GIVEN_PCT = 90

# --- crypto

# Largest deviation of a rate from the published one, of the gain from the published one, and of the
# product's benchmark from cryptsetup's.
FROM_SEED = 0.05
FROM_GAIN = 0.10
AGREEMENT = 0.10

# --- seeds

# Largest deviation of ours / published from 1.
ALLOWED = 0.20
# Largest change against the committed accuracy.md. Equal programs give equal figures; other
# programs, of the product too, move a full card's writes by a quarter, the rest by a few per cent.
DRIFT = 0.05
DRIFT_FULL = 0.25

# --- kernels

# Guest time from the kernel's first instruction to the command, in measuring mode.
BOOT_SECONDS = 10.0
