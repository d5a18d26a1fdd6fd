# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""The bounds of the benchmarks and of the soak."""

from __future__ import annotations

# --- maintenance

# A frame at 60 Hz. A longer I/O makes one late, which people notice.
FRAME_MS = 16.7
# Half of the I/Os meet no discard: pauses take two thirds of a run. A tenth is timers and queue.
P50_OF_ALONE = 1.1
# One I/O in a hundred may make one frame late at most, none more than two in a row.
P99_FRAMES = 1
MAX_FRAMES = 2
# A longer discard leaves no room in a frame for a synced write, which is up to three requests.
SMALLEST_DISCARD_MS = 5
# Nobody waits for a run at night. Pauses alone are twice the discards' time; smaller discards cost
# up to as much again. On a card whose fstrim takes 2.5 s or less no ratio matters.
DEFAULT_OF_FSTRIM = 6
DEFAULT_LEAST_MS = 15_000
# A person waits for a hurry: it has no pauses, and a second starts and ends the worker.
HURRY_OF_FSTRIM = 2
HURRY_START_MS = 1_000
# Extents that other processes free or take while a pass runs, as a share of fstrim's bytes.
BYTES_OF_FSTRIM = 0.01
# Most aborts come in a pause, in which no discard is in flight; the trace's clock is the limit.
ABORT_MEDIAN_MS = 1
# The kernel does not interrupt the discards of one extent. The call's way to storekeeperd and the
# end of the worker take a few turns of the one processor beside it.
ABORT_GRACE_MS = 60

# Least number of moments for a bound on the median. A quarter of the time is discards; with fewer
# moments, most may meet one by chance.
MIN_MOMENTS_FOR_MEDIAN = 40

# The month's limits: figure -> (limit, unit).
DAYS = {
    # After 7 days a run needs only a safe battery and a cool phone.
    "missed_deadlines": (0, "days on which a run was overdue beyond the deadline"),
    "runs_with_closed_gate": (0, "runs while a gate was closed"),
    # The shortest inexact alarm of Android is a quarter of an hour.
    "wakeups_per_hour_max": (4, "wake-ups in an hour with nothing due"),
    # A core takes about 1 W; the battery of a phone holds some 40,000 J.
    "cpu_s_per_day": (1, "seconds of CPU a day"),
    # storaged's smallest write volume in an hour.
    "written_bytes_per_day": (128 * 1024, "bytes written a day"),
    # A fifth of a percent of the memory of a phone with 2 GiB.
    "pss_kib": (4096, "KiB of memory (PSS)"),
}

# --- forecast

# Percentage of forecast ranges that hold the end.
COVERED_PCT = (78, 92)
# Largest median width by case, as a share of the remaining time.
WIDTH = {"steady": 0.40, "drift": 0.45, "bursts": 0.90}
# Least percentage of ranges that hold, for cases whose use changes. "change" equals "bursts" until
# the forecast is made, and nothing announces the change: see most_covered().
CHANGES_COVERED_PCT = {"habits": 70, "change": 50}
# Largest percentage of ends that come before the date given as "not before".
NOT_BEFORE_BROKEN_PCT = 2
# Least percentage of forecasts given: a forecast that is hardly ever made would keep all other
# bounds.
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
# Largest change against the committed accuracy.md. Equal programs give equal figures. Any changed
# program, the product's included, moves a full card's writes by a quarter, the rest by a few per
# cent.
DRIFT = 0.05
DRIFT_FULL = 0.25

# --- kernels

# Guest time from the kernel's first instruction to the command, in measuring mode.
BOOT_SECONDS = 10.0
