# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""Cards and images of the maintenance benchmark: two fixed ones, 24 drawn ones.

Pure: the same seed draws the same on every machine. A card does not depend on those before it.
"""

from __future__ import annotations

import random
from dataclasses import dataclass

from . import ageing
from .guests import Size

CARDS = 24
SEED = 1

# Time of a discard: a fixed part, and a part for each MiB, which some cards do not have.
FIXED_US = (50, 5000)
PER_MIB_US = (50, 20000)
NO_SIZE_SHARE = 1 / 8
# The three commands of a discard and the kernel's overhead; test_storage.py measures it.
COMMANDS_US = 50
# Linux derives 512 KiB to 4 MiB for an eMMC (lab/kernel/README.md, pref_erase_kib).
GRANULARITY_KIB = (512, 1024, 2048, 4096)
PROGRAM_US = (100, 1000)
HYBRID_SHARE = 1 / 4

FREE = (0.1, 0.9)
F2FS_SHARE = 1 / 3
# Share, smallest and largest size in KiB of the files that are made; some are deleted again.
EXTENTS = {
    "small": ((0.9, 64, 1024), (0.1, 1024, 8192)),
    "large": ((0.5, 1024, 16384), (0.5, 16384, 65536)),
}
KINDS = {**EXTENTS, "phone": ageing.KINDS}
# Rough mean length, in MiB, of the resulting free extents; the image's size follows from it.
MEAN_MIB = {"small": 1.0, "large": 16.0}
# Intended time of fstrim, in ms, within the capacities below; a longer one shows nothing more.
FSTRIM_MS = 3000
CAPACITY_MIB = (768, 4096)
GROUP_MIB = 128
# Space outside of /data, such as the cache partition.
OUTSIDE_MIB = 18
# Space used by the foreground's files and the file system's own structures.
TAKEN_MIB = {"ext4": 100, "f2fs": 200}

HYBRID = {"block_kib": 1024, "unit_kib": 64, "spare_blocks": 8, "log_low": 8}


@dataclass(frozen=True)
class Card:
    """Times in microseconds."""

    fixed_us: int
    per_mib_us: int
    granularity_kib: int
    program_us: int
    ftl: str

    def discard_ms(self, kib: float) -> float:
        """Time of a discard of this size, with the commands around it."""
        return (self.fixed_us + self.per_mib_us * kib / 1024 + COMMANDS_US) / 1000


@dataclass(frozen=True)
class Image:
    fs: str
    free: float
    extents: str
    capacity_mib: int

    @property
    def plan_mib(self) -> int:
        """Nearly all of the space that can be filled."""
        return int((self.capacity_mib - OUTSIDE_MIB - TAKEN_MIB[self.fs]) * 0.95)


@dataclass(frozen=True)
class Drawn:
    name: str
    seed: int
    card: Card
    image: Image
    # storekeeperd meets a new card in its first run; true if that run is the hurry.
    hurry_first: bool

    @property
    def cases(self) -> tuple[str, ...]:
        runs = ("hurry", "storekeeper") if self.hurry_first else ("storekeeper", "hurry")
        return ("alone", "fstrim", *runs)

    def size(self) -> Size:
        """The card's size, with its differences from the profile bench-cheap."""
        of_card = {
            "capacity_mib": self.image.capacity_mib,
            "t_trim_us": self.card.fixed_us,
            "t_trim_mib_us": self.card.per_mib_us,
            "pref_erase_kib": self.card.granularity_kib,
            "t_prog_us": self.card.program_us,
            "t_cprog_us": self.card.program_us,
            "ftl": self.card.ftl,
            **(HYBRID if self.card.ftl == "hybrid" else {}),
        }
        parameters = (*(f"vemmc.{name}={value}" for name, value in of_card.items()),
                      f"data.fs={self.image.fs}", f"data.options={self.options}")
        return Size(parameters, self.image.plan_mib, {
            "deleted": self.image.free, "kinds": KINDS[self.image.extents],
            "seed": ageing.SEED + self.seed})

    @property
    def options(self) -> str:
        # f2fs with the option discard issues its discards by itself, some time after FITRIM.
        return "nosuid,nodev,noatime" + (",nodiscard" if self.image.fs == "f2fs" else "")


# A 4 GiB phone of small files, photos and films. Discards cost much for each MiB on one card and
# little on the other. Seed 0 is the plan that ageing.py describes.
PHONE = Image(fs="ext4", free=ageing.DELETED, extents="phone",
              capacity_mib=CAPACITY_MIB[1] + OUTSIDE_MIB)
FIXED = {name: Drawn(name, 0, Card(fixed_us=500, per_mib_us=per_mib_us, granularity_kib=512,
                                   program_us=200, ftl="page"), PHONE, hurry_first=False)
         for name, per_mib_us in (("dear", 5000), ("cheap", 500))}


def names() -> list[str]:
    """The names of the drawn cards."""
    return [f"any-{i}" for i in range(1, CARDS + 1)]


def drawn(name: str, seed: int = SEED) -> Drawn:
    """The card of one name of FIXED or names()."""
    if name in FIXED:
        return FIXED[name]
    draw = random.Random(f"{seed} {name}")
    card = Card(
        fixed_us=_between(draw, FIXED_US),
        per_mib_us=0 if draw.random() < NO_SIZE_SHARE else _between(draw, PER_MIB_US),
        granularity_kib=draw.choice(GRANULARITY_KIB),
        program_us=_between(draw, PROGRAM_US),
        ftl="hybrid" if draw.random() < HYBRID_SHARE else "page",
    )
    extents = draw.choice(sorted(EXTENTS))
    free = round(draw.uniform(*FREE), 2)
    ms_a_mib = card.per_mib_us / 1000 + card.fixed_us / 1000 / MEAN_MIB[extents]
    wanted = FSTRIM_MS / ms_a_mib / free
    low, high = CAPACITY_MIB
    image = Image(fs="f2fs" if draw.random() < F2FS_SHARE else "ext4", free=free, extents=extents,
                  # A whole number of block groups, as an eMMC has a whole number of erase groups.
                  capacity_mib=int(min(max(wanted, low), high)) // GROUP_MIB * GROUP_MIB
                  + OUTSIDE_MIB)
    return Drawn(name, seed, card, image, hurry_first=draw.random() < 0.5)


def _between(draw: random.Random, limits: tuple[int, int]) -> int:
    """Draws log-uniformly: every order of magnitude is equally likely."""
    low, high = limits
    return round(low * (high / low) ** draw.random())
