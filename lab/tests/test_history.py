# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""The history on a card: power cuts while it is written, its bytes a day, dumps of years of it."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest
from conftest import HERE, OUT, Result, lab

from labtool.bench import moments

WRITER = OUT / "build/guest/storekeeper_history_writer"
# More than some tens of cuts need a longer BACKSTOP (conftest.py).
CUTS = int(os.environ.get("STOREKEEPER_HISTORY_CUTS", "8"))
# Long enough for some tens of batches: within it the log is copied into the file.
LATEST_MS = 1200
DAYS = 112
DAYS_BEFORE = 84
# Half of storekeeperd's whole write limit.
MOST_BYTES_A_DAY = 64 * 1024
FIVE_YEARS = 1826
MOST_DUMP_MS = 100


def in_guest(script: str, *words: str, files: tuple[str, ...] = ()) -> Result:
    return lab("run", "--measure", "--timeout", "36000", "--param", "vemmc.capacity_mib=96",
               "--param", "vemmc.ftl=page", "--file", f"{HERE}/guest/{script}:/tmp/{script}",
               "--file", f"{WRITER}:/system/bin/history_writer",
               *(w for f in files for w in ("--file", f)), "--", "sh", f"/tmp/{script}", *words)


def test_a_power_cut_loses_the_last_batch_at_most(tmp_path: Path) -> None:
    plan = tmp_path / "plan"
    plan.write_text(moments.draw(CUTS, 1, LATEST_MS))
    result = in_guest("history_cuts.sh", "/tmp/plan", files=(f"{plan}:/tmp/plan",))
    assert result.code == 0, result
    lines = result.out.splitlines()
    assert [x for x in lines if x.startswith("@bad")] == []
    cuts = [[int(n) for n in x.split()[1:]] for x in lines if x.startswith("@cut")]
    assert len(cuts) == CUTS
    print(f"{CUTS} power cuts, {cuts[-1][1]} batches, "
          f"{sum(found - kept for kept, found in cuts)} more found than reported")
    # The cuts did test it: many batches were written.
    assert cuts[-1][1] >= 2 * CUTS


@pytest.fixture(scope="module")
def days() -> dict[str, int]:
    result = in_guest("history_days.sh", str(DAYS), str(DAYS_BEFORE))
    assert result.code == 0, result
    print(result.out)
    return {name: int(value) for name, value in (x.split() for x in result.out.splitlines())}


def test_a_day_of_history_writes_no_more_than_its_budget(days: dict[str, int]) -> None:
    assert days["bytes"] / DAYS <= MOST_BYTES_A_DAY
    # The history was written at all: a day has some 4 KiB.
    assert days["bytes"] / DAYS >= 4096


def test_file_and_log_stay_within_a_mebibyte(days: dict[str, int]) -> None:
    assert days["file"] + days["log"] <= 1 << 20


def test_a_dump_of_five_years_is_quick_and_writes_nothing(tmp_path: Path) -> None:
    # On this machine it takes seconds.
    history = tmp_path / "history.db"
    subprocess.run([WRITER, "days", history, str(FIVE_YEARS)], check=True, capture_output=True)
    result = in_guest("history_dump.sh", str(FIVE_YEARS),
                      files=(f"{HERE.parent}/bench/card.sh:/system/etc/bench/card.sh",
                             *(f"{part}:/tmp/{part.name}" for part in tmp_path.iterdir())))
    assert result.code == 0, result
    print(result.out)
    reported = [x.split() for x in result.out.splitlines()]
    dumps = [(int(x[1]), int(x[2])) for x in reported if x[0] == "@dump"]
    assert len(dumps) == 6
    # The start of dumpsys itself is subtracted.
    alone = min(int(x[1]) for x in reported if x[0] == "@none")
    assert max(ms for ms, _ in dumps) - alone <= MOST_DUMP_MS
    # Four kinds of I/O from two sources, more than a year each.
    assert [int(x[1]) for x in reported if x[0] == "@series"][0] >= 8 * 20
    assert [x for x in reported if x[0] == "@wrote"] == [["@wrote", "0"]]
    # The dynamic linker uses some of this memory.
    assert [int(x[1]) for x in reported if x[0] == "@library"][0] <= 128
