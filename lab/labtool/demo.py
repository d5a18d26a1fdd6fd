# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""`lab demo`: a slow flash, idle maintenance, a fast flash, beside the figures of 2013.

Two virtual phones live the same story in measuring mode at the same time. When they are laid aside,
the battery of one is full enough for storekeeperd to do its work and that of the other is not. The
second shows that the trim is the repair.
"""

from __future__ import annotations

import json
import re
import time
from dataclasses import dataclass, field

from . import guest
from .bench.guests import Phone, teller
from .paths import LAB, OUT, LabError

PROFILE = "nexus7-2012"
GUEST_SCRIPT = "/system/etc/story.sh"
COLUMNS = ("seq_read", "seq_write", "rand_read", "rand_write")
# AnandTech, 2013, Nexus 7 (2012), Androbench, MB/s: columns as above. "after" is the row measured
# once fstrim had run in about 24 h of idling; nobody published a row without the trim.
PUBLISHED = {
    "fresh": (25.18, 10.63, 7.08, 0.45),
    "fill1": (22.25, 1.21, 7.62, 0.14),
    "fill2": (26.00, 1.97, 7.80, 0.11),
    "fill3": (24.57, 3.18, 7.96, 0.16),
    "after": (27.03, 11.21, 7.65, 0.46),
}
STATES = {
    "fresh": "new",
    "fill1": "full, 1st run",
    "fill2": "full, 2nd run",
    "fill3": "full, 3rd run",
    "after": "A: after maintenance",
    "after_no_trim": "B: idle without a trim",
}
# The phone of each mode, as the progress lines call it.
PHONES = {"trim": "A", "none": "B"}


@dataclass
class Story:
    """The result of one phone: fio's figures by state, bytes trimmed by mount, log, dump."""

    rows: dict[str, dict[str, float]] = field(default_factory=dict)
    trimmed: dict[str, int] = field(default_factory=dict)
    log: list[str] = field(default_factory=list)
    dump: list[str] = field(default_factory=list)


def read_story(lines: list[str]) -> Story:
    """Parses the guest script's output; see lab/demo/story.sh for its lines."""
    story = Story()
    for line in lines:
        if m := re.match(r"@row (\w+) (\w+) ([\d.]+)$", line):
            story.rows.setdefault(m[1], {})[m[2]] = float(m[3])
        elif line.startswith("@log "):
            story.log.append(line.removeprefix("@log "))
            if m := re.search(r"Trimmed (\d+) bytes on (/\S*)$", line):
                story.trimmed[m[2]] = int(m[1])
        elif line.startswith("@dump "):
            story.dump.append(line.removeprefix("@dump "))
    return story


def job(mode: str) -> guest.Job:
    """One phone's life in measuring mode."""
    return guest.Job(
        command=["sh", f"{GUEST_SCRIPT}", mode], profile=guest.load_profile(PROFILE, []),
        measure=True, files=[(LAB / "demo/story.sh", GUEST_SCRIPT)],
        properties={"ro.storekeeper.enabled": "true"})


def run_phones(*modes: str) -> dict[str, Story]:
    """Runs the phones of these modes in parallel, both if none is named; each takes one core."""
    began = time.monotonic()
    phones = {mode: Phone(f"phone {PHONES[mode]}", teller(f"phone {PHONES[mode]}", began))
              for mode in modes or PHONES}
    outcomes = guest.run_all([(job(mode), phone.out, phone.errors.extend)
                              for mode, phone in phones.items()])
    for phone, outcome in zip(phones.values(), outcomes, strict=True):
        phone.check(outcome)
    return {mode: read_story(phone.lines) for mode, phone in phones.items()}


def result(stories: dict[str, Story]) -> dict:
    """The figures in the form of out/demo.json; `seed` is the published row."""
    trim, none = stories["trim"], stories["none"]
    both = {k: v for k, v in none.rows.items() if k != "after_no_trim"}
    if both != {k: v for k, v in trim.rows.items() if k != "after"}:
        raise LabError("the two phones differ before their ways part; the lab is not deterministic")
    rows = []
    for state in STATES:
        figures = (none if state == "after_no_trim" else trim).rows.get(state, {})
        if missing := [c for c in COLUMNS if c not in figures]:
            raise LabError(f"the story has no {', '.join(missing)} for '{state}'")
        row: dict = {"state": state, **{c: figures[c] for c in COLUMNS}}
        seed = PUBLISHED.get(state)
        row["seed"] = dict(zip(COLUMNS, seed, strict=True)) if seed else {}
        rows.append(row)
    return {"rows": rows, "trimmed": trim.trimmed}


def table(rows: list[dict]) -> list[str]:
    """The rows for a terminal: each figure beside the published one."""
    heads = ("seq read", "seq write", "rand read", "rand write")
    lines = [f"{'MB/s (published)':<24}" + "".join(f"{h:>18}" for h in heads)]
    for row in rows:
        cells = []
        for column in COLUMNS:
            seed = f"({row['seed'][column]:.2f})" if row["seed"] else ""
            cells.append(f"{row[column]:>9.2f} {seed:>8}")
        lines.append(f"{STATES[row['state']]:<24}" + "".join(cells))
    return lines


def demo() -> int:
    print(f"Two virtual phones ({PROFILE}), A and B, live the same story; in the end B's battery\n"
          "is too low for storekeeperd to do its work.", flush=True)
    stories = run_phones()
    figures = result(stories)
    path = OUT / "demo.json"
    path.write_text(json.dumps(figures, indent=1) + "\n")
    print()
    print("\n".join(table(figures["rows"])))
    print("\nPublished: AnandTech, 2013. storekeeperd on phone A logged:")
    print("\n".join(f"  {line}" for line in stories["trim"].log))
    print("\n$ dumpsys storekeeper")
    print("\n".join(stories["trim"].dump))
    print(f"\nThe figures are in {path}")
    return 0
