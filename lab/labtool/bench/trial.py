# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""`make soak`'s kinds "trial", power cuts while a crypto backend is chosen and confirmed, and
"healthy", trims of healthy cards that must never be in quarantine."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from .. import guest
from . import crypto, guests
from .guests import Phone

KIND = "trial"
HEALTHY = "healthy"
# A moment takes a boot, which takes longer than the end of a trim.
PART = 10


@dataclass
class Trials:
    """Some moments of one phone."""

    kind: ClassVar[str] = KIND
    # Profiles with their parameters, used in turn.
    phones: ClassVar[tuple[tuple[str, tuple[str, ...]], ...]] = ((crypto.PROFILE, ()),)
    # A choice measures both backends first; the later steps take less.
    latest_ms: ClassVar[int] = 1500

    count: int
    seed: int
    phone: Phone

    def job(self, folder: Path) -> guest.Job:
        profile, parameters = self.phones[self.seed % len(self.phones)]
        return guests.script(profile, parameters, [f"{self.kind}.sh"], [
            guests.moments_file(folder, self.kind, self.count, self.seed, self.latest_ms)])

    def into(self, figures: dict) -> None:
        record = figures.setdefault(self.kind, {"moments": 0, "held": 0, "early": {}, "bad": []})
        ended = False
        count = 0
        for line in self.phone.lines:
            word, _, rest = line.partition(" ")
            if word == "@moment":
                count += 1
                early = rest.split()[1]
                record["early"][early] = record["early"].get(early, 0) + 1
            elif word == "@bad":
                record["bad"].append(f"{self.phone.name}: {rest}")
            elif word == "@held":
                record["held"] += int(rest)
            ended |= word == "@end"
        record["moments"] += count
        if count != self.count or not ended:
            record["bad"].append(f"{self.phone.name}: {count} of {self.count} moments, "
                                 f"{'an' if ended else 'no'} end")


ENCRYPTED = ("crypto.target=dm-crypt", "crypto.cipher=aes-cbc-essiv:sha256")
F2FS = ("data.fs=f2fs", "data.options=nodiscard")


class Healthy(Trials):
    """Some lives of one phone."""

    kind = HEALTHY
    # A card that is full of ciphertext takes its size in the guest's memory.
    phones = tuple(("pixel", ("vemmc.capacity_mib=320", *parameters))
                   for parameters in ((), ENCRYPTED, F2FS, (*ENCRYPTED, *F2FS)))
    # The canary is planted and read in the first half of this time.
    latest_ms = 400
