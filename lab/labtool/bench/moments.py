# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""The trims that lab/bench/moments.sh ended in the middle: how long discards went on, the ranges
discarded twice, and violations. Pure.
"""

from __future__ import annotations

import random
import statistics
from dataclasses import dataclass, field

from ..paths import LabError

KINDS = ("abort", "touch", "unplug", "kill", "cut")
# Latest moment after the beginning of a trim; a pass goes on over several moments.
LATEST_MS = 3000
GROUP_SECTORS = 128 * 2**20 // 512
# Discards are counted in file system blocks.
BLOCK_SECTORS = 8
BLOCKS_PER_GROUP = GROUP_SECTORS // BLOCK_SECTORS


def draw(count: int, seed: int, latest_ms: int = LATEST_MS) -> str:
    """The input of moments.sh: a line for each moment, milliseconds and a power cut's kind."""
    drawn = random.Random(seed)
    return "".join(f"{int(drawn.random() * latest_ms)} {1 + int(drawn.random() * 2)}\n"
                   for _ in range(count))


@dataclass
class Run:
    """One trim: its discards (issued and ended) and, if it was interrupted, the moment."""

    issued: list[tuple[float, int, int]] = field(default_factory=list)
    ended: list[tuple[float, int]] = field(default_factory=list)
    # Block groups in which blocks were freed since the run before.
    freed: set[int] = field(default_factory=set)
    moment: float | None = None
    called: float | None = None
    code: int | None = None
    # True if the file system was mounted anew before it and so had forgotten all trimmed groups.
    anew: bool = False

    @property
    def at(self) -> float:
        assert self.moment is not None
        return self.moment if self.called is None else self.called

    def stop_ms(self) -> float:
        """Milliseconds from the moment to the end of the last discard; 0 if none came later."""
        return max([0.0, *((t - self.at) * 1000 for t, _ in self.ended)])

    def last_extent_ms(self) -> float:
        """Milliseconds from the moment to the beginning of the last extent: 0 when it was in
        flight already. Contiguous discards are one extent, which the kernel does not interrupt."""
        begin, end = 0.0, None
        for issued, sector, count in self.issued:
            if sector != end:
                begin = issued
            end = sector + count
        return max(0.0, (begin - self.at) * 1000)


@dataclass
class Campaign:
    start: int = 0
    sectors: int = 0
    runs: list[Run] = field(default_factory=list)
    bad: list[str] = field(default_factory=list)
    held: int = 0

    @property
    def struck(self) -> list[Run]:
        return [r for r in self.runs if r.moment is not None]


def read(lines: list[str]) -> Campaign:
    reported = Campaign()
    anew = True
    for line in lines:
        word, _, rest = line.partition(" ")
        words = rest.split()
        if word == "@bad":
            reported.bad.append(rest)
        elif word == "@held":
            reported.held = int(rest)
        elif word == "@disk":
            reported.start, reported.sectors = int(words[0]), int(words[1])
        elif word == "@anew":
            anew = True
        elif word == "@run":
            reported.runs.append(Run(anew=anew))
            anew = False
        elif word in ("@i", "@c", "@m", "@b", "@f", "@end"):
            if not reported.runs:
                raise LabError(f"moments.sh reports no run before '{line}'")
            _in_run(reported.runs[-1], word, words)
    return reported


def _in_run(run: Run, word: str, words: list[str]) -> None:
    if word == "@i":
        run.issued.append((float(words[0]), int(words[1]), int(words[2])))
    elif word == "@c":
        run.ended.append((float(words[0]), int(words[1])))
    elif word == "@f":
        first, count = int(words[1]), int(words[2])
        run.freed.update(range(first // BLOCKS_PER_GROUP,
                               (first + count - 1) // BLOCKS_PER_GROUP + 1))
    elif word == "@m":
        run.moment = float(words[0])
    elif word == "@b":
        # The first call after the moment ends the run.
        if run.moment is not None and run.called is None and float(words[0]) >= run.moment:
            run.called = float(words[0])
    else:
        run.code = int(words[0])


def stop_ms(reported: Campaign) -> dict[str, float]:
    """The median and the longest time from a moment to the end of the last discard."""
    times = [r.stop_ms() for r in reported.struck]
    if not times:
        raise LabError("no trim was ended in the middle")
    return {"median": round(statistics.median(times), 3), "max": round(max(times), 3)}


def last_extent_ms(reported: Campaign) -> float:
    return round(max((r.last_extent_ms() for r in reported.struck), default=0.0), 3)


def discarded_again(reported: Campaign) -> int:
    """Bytes of finished block groups that a later run discarded once more without a reason. A new
    mount and blocks freed in a group are reasons, and the group in which a run was ended is not
    finished."""
    again = 0
    done = bytearray()

    def forget(group: int) -> None:
        end = min((group + 1) * BLOCKS_PER_GROUP, len(done))
        done[group * BLOCKS_PER_GROUP:end] = bytes(max(0, end - group * BLOCKS_PER_GROUP))

    for run in reported.runs:
        if run.anew:
            done = bytearray(reported.sectors // BLOCK_SECTORS)
        for group in run.freed:
            forget(group)
        fresh = []
        # Other partitions are trimmed as well; they do not count.
        ours = [i for i in run.issued if reported.start <= i[1] < reported.start + reported.sectors]
        for _, sector, count in ours:
            first = (sector - reported.start) // BLOCK_SECTORS
            end = (sector - reported.start + count) // BLOCK_SECTORS
            again += done.count(1, first, end) * BLOCK_SECTORS * 512
            fresh.append((first, end))
        for first, end in fresh:
            done[first:end] = b"\1" * (end - first)
        for group in run.freed:
            forget(group)
        if run.moment is not None and ours:
            forget((ours[-1][1] - reported.start) // GROUP_SECTORS)
    return again
