# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""`make soak`'s kind "ledger": data synced before a power cut is there after it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from .. import guest
from . import guests
from .guests import Phone

KIND = "ledger"
# The phones, in turn: ext4 on page-mapped and hybrid cards, encrypted by an engine, and f2fs with
# barriers.
PHONES = (("bench-dear", ("vemmc.capacity_mib=200",)), ("nexus7-2012", ()), ("xperia-z", ()),
          ("moto-z", ("data.options=nosuid,nodev,noatime,discard",)))
# A phone whose syncs promise nothing: f2fs with nobarrier.
LIAR = ("moto-z", ())
LATEST_MS = 1500
PART = 25


@dataclass
class Cuts:
    """Some moments of one phone."""

    count: int
    seed: int
    phone: Phone
    pinned: tuple[str, tuple[str, ...]] | None = None

    def job(self, folder: Path) -> guest.Job:
        profile, parameters = self.pinned or PHONES[self.seed % len(PHONES)]
        return guests.script(profile, parameters, ["ledger.sh"], [
            guests.moments_file(folder, KIND, self.count, self.seed, LATEST_MS)])

    def into(self, figures: dict) -> None:
        """`held`: entries whose sync had returned before the cut and that were found after it."""
        record = figures.setdefault(KIND, {"moments": 0, "held": 0, "lost": 0, "bad": []})
        count = 0
        for line in self.phone.lines:
            word, _, rest = line.partition(" ")
            if word == "@bad":
                record["bad"].append(f"{self.phone.name}: {rest}")
            elif word == "@cut":
                ms, reported, found = map(int, rest.split())
                count += 1
                record["held"] += min(reported, found)
                if found < reported:
                    record["lost"] += reported - found
                    record["bad"].append(f"{self.phone.name}: power went after {ms} ms: {reported} "
                                         f"entries were synced, {found} are there")
        record["moments"] += count
        if count != self.count or "@end" not in self.phone.lines:
            record["bad"].append(f"{self.phone.name}: {count} of {self.count} moments before its "
                                 "end")
