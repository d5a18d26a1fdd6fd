# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""`make soak`'s kind "trial": power cuts while a choice of who encrypts is made and confirmed."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from . import bench_crypto, bench_moments, guest
from .bench_phone import INSIDE, SCRIPTS, TIMEOUT, Phone

KIND = "trial"
# A choice measures both backends first; what follows takes less.
LATEST_MS = 1500
# A moment takes a boot, which takes longer than the end of a trim.
PART = 10


@dataclass
class Trials:
    """Some moments of one phone."""

    count: int
    seed: int
    phone: Phone

    def job(self, folder: Path) -> guest.Job:
        moments = folder / f"moments-{KIND}-{self.seed}"
        moments.write_text(bench_moments.moments(self.count, self.seed, LATEST_MS))
        return guest.Job(
            command=["sh", f"{INSIDE}/trial.sh"], measure=True, timeout=TIMEOUT,
            profile=guest.load_profile(bench_crypto.PROFILE, []),
            files=[(SCRIPTS / "trial.sh", f"{INSIDE}/trial.sh"), (moments, f"{INSIDE}/moments")])

    def into(self, figures: dict) -> None:
        of = figures.setdefault(KIND, {"moments": 0, "held": 0, "early": {}, "bad": []})
        ended = False
        count = 0
        for line in self.phone.lines:
            word, _, rest = line.partition(" ")
            if word == "@moment":
                count += 1
                early = rest.split()[1]
                of["early"][early] = of["early"].get(early, 0) + 1
            elif word == "@bad":
                of["bad"].append(rest)
            elif word == "@held":
                of["held"] += int(rest)
            ended |= word == "@end"
        of["moments"] += count
        if count != self.count or not ended:
            of["bad"].append(f"{self.phone.name}: {count} of {self.count} moments, "
                             f"{'an' if ended else 'no'} end")
