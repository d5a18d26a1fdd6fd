# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""The plan that ages /data of a benchmark's card: the files to make, and the files to delete
again.

Deterministic: the same plan at every call, on every machine.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

# Fills 4 GiB to 95 % and leaves 60 % free in about 790 extents, the largest of about 137 MiB.
SEED = 117
TOTAL_MIB = 3720
DELETED = 0.595
# Share of all files, smallest and largest size in KiB.
Kind = tuple[float, int, int]
# A phone's small files, photos and films.
KINDS: Sequence[Kind] = ((0.9, 128, 1536), (0.095, 1536, 8192), (0.005, 16384, 147456))


@dataclass(frozen=True)
class File:
    kib: int
    kept: bool


def plan(total_mib: int = TOTAL_MIB, seed: int = SEED, deleted: float = DELETED,
         kinds: Sequence[Kind] = KINDS) -> list[File]:
    """Files in the order in which they are made; sizes are whole 4 KiB blocks."""
    draw = random.Random(seed)
    left = total_mib * 1024
    files = []
    while left > 0:
        low, high = _kind(draw.random(), kinds)
        kib = min(int(low * (high / low) ** draw.random()) // 4 * 4, left)
        left -= kib
        files.append(File(kib, draw.random() >= deleted))
    return files


def _kind(at: float, kinds: Sequence[Kind]) -> tuple[int, int]:
    for share, low, high in kinds:
        at -= share
        if at < 0:
            return low, high
    return kinds[-1][1:]


def text(files: list[File]) -> str:
    """The input file of lab-age: a line for each file."""
    return "".join(f"{f.kib} {'keep' if f.kept else 'delete'}\n" for f in files)
