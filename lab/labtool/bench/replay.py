# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""`make soak`'s kind "replay": power cuts on ext4 and f2fs in the guest, by storekeeper_campaigns
(system-service/campaigns/replay.h)."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from pathlib import Path

from .. import guest
from ..image import FILE_SYSTEM_MODULES, host_program
from . import campaigns, guests
from .guests import Phone

KIND = "replay"
# f2fs takes longer, so it begins.
FILE_SYSTEMS = ("f2fs", "ext4")
# Least number of states that an odd seed finds on either file system (PART), and an odd and an even
# one together (PAIR): an even one finds twice as many. If fewer are wanted, one of several is
# tried.
PART = 700
PAIR = 2000
PROFILE = "bench-cheap"
PARAMETERS = ("vemmc.capacity_mib=96",)
MODULES = ("brd", "dm_mod", "dm_snapshot", "dm_log_writes", *FILE_SYSTEM_MODULES["f2fs"])
TOOLS = ("mkfs.f2fs", "fsck.f2fs")


def job(*words: str) -> guest.Job:
    """A guest that runs campaigns one after the other; a word is such as "replay-ext4 --seed 1"."""
    program = campaigns.program(KIND)
    made = guests.script(PROFILE, PARAMETERS, ["replay.sh", *words], [
        (path, f"/system/bin/{path.name}") for path in (program, *map(host_program, TOOLS))])
    # Hundreds of mounts on f2fs take minutes, and many minutes on a busy machine.
    return dataclasses.replace(made, modules=list(MODULES), backstop=4 * guest.BACKSTOP)


@dataclass
class States:
    """One file system and seed: each scenario once, one of `stride` states; part of `wanted`."""

    file_system: str
    seed: int
    stride: int
    wanted: int
    phone: Phone

    def job(self, _: Path) -> guest.Job:
        return job(f"{self.campaign} --stride {self.stride}")

    @property
    def campaign(self) -> str:
        return f"replay-{self.file_system} --seed {self.seed}"

    def into(self, figures: dict) -> None:
        result = campaigns.parse(self.campaign, "\n".join(self.phone.lines),
                                 self.phone.errors.decode(errors="replace"))
        record = figures.setdefault(KIND, {"wanted": self.wanted, "bad": []})
        mine = record.setdefault(self.file_system, {"marks": 0, "failures": 0, "scenarios": {}})
        mine["marks"] += result["tried"]
        mine["failures"] += result["failures"]
        for name, count in result["scenarios"].items():
            mine["scenarios"][name] = mine["scenarios"].get(name, 0) + count
        record["bad"] += result["bad"]


def parts(count: int, began: float) -> list[States]:
    """Tasks that try at least `count` states on each file system. Seed 0 has no neighbour."""
    stride = max(1, PART // count)
    seeds = range(1, 2 if count <= PART else 1 - 2 * (-count // PAIR))
    names = [(fs, seed, f"{KIND} {fs} {seed}") for fs in FILE_SYSTEMS for seed in seeds]
    return [States(fs, seed, stride, count, Phone(name, guests.teller(name, began)))
            for fs, seed, name in names]


def violations(_: str, figures: dict) -> list[str]:
    """File systems on which fewer marks were tried than asked for."""
    return [f"{fs}: {figures[fs]['marks']} marks, {figures['wanted']} were to be tried"
            for fs in FILE_SYSTEMS if figures[fs]["marks"] < figures["wanted"]]


def line(kind: str, figures: dict) -> str:
    return "\n".join(
        f"{kind:<10}{figures[fs]['marks']:>9}   {fs}, {figures[fs]['failures']} failures   "
        + ", ".join(f"{name} {n}" for name, n in sorted(figures[fs]["scenarios"].items()))
        for fs in FILE_SYSTEMS)
