#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""series.py [BRANCH FOLDER]: writes the patches for a branch of vold, as git format-patch does.

changes/ has one file a change: the message, then vold's lines. "For: BRANCH..." names the branches
that the lines after it are for; a change without lines for a branch is not in its series. The
headers come from hook/: those that the lines include, and those that these include. Without
arguments the branches are listed.
"""

from __future__ import annotations

import hashlib
import re
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
NAME = "The Storekeeper Project <storekeeper@example.org>"
DATE = "Sun, 22 Nov 2026 00:00:00 +0000"
INCLUDED = re.compile(r'^\+?#include "(Storekeeper\w+\.h)"', re.M)
HUNK = re.compile(r"@@ -(\d+),(\d+) \+\d+,(\d+) @@(.*\n)((?:[ +-].*\n)+)")


def changes() -> list[Path]:
    return sorted((HERE / "changes").glob("*.patch"))


def split(change: str) -> tuple[str, list[tuple[list[str], str]]]:
    """The message, and for each "For:" the branches and the diffs."""
    message, *parts = re.split(r"^For: (.*)\n", change, flags=re.M)
    return message, [(b.split(), d) for b, d in zip(parts[::2], parts[1::2], strict=True)]


def branches() -> list[str]:
    return sorted({b for x in changes() for names, _ in split(x.read_text())[1] for b in names})


def joined(diffs: list[str]) -> dict[str, str]:
    """One diff a file, its hunks in order; those of a file may stand in several parts."""
    hunks: dict[str, list[re.Match[str]]] = {}
    heads: dict[str, str] = {}
    for diff in re.split(r"^(?=diff --git )", "".join(diffs), flags=re.M)[1:]:
        file = re.match(r"diff --git a/(\S+)", diff)[1]
        heads.setdefault(file, diff.partition("@@")[0])
        hunks[file] = hunks.get(file, []) + list(HUNK.finditer(diff))
    found = {}
    for file, parts in hunks.items():
        more = 0
        found[file] = heads[file]
        for hunk in sorted(parts, key=lambda x: int(x[1])):
            found[file] += (f"@@ -{hunk[1]},{hunk[2]} +{int(hunk[1]) + more},{hunk[3]} @@"
                            f"{hunk[4]}{hunk[5]}")
            more += int(hunk[3]) - int(hunk[2])
    return found


def added(name: str) -> str:
    data = (HERE / "hook" / name).read_bytes()
    blob = hashlib.sha1(b"blob %d\0" % len(data) + data).hexdigest()
    lines = data.decode().splitlines()
    return "\n".join([f"diff --git a/{name} b/{name}", "new file mode 100644",
                      f"index {'0' * 40}..{blob}", "--- /dev/null", f"+++ b/{name}",
                      f"@@ -0,0 +1,{len(lines)} @@", *(f"+{x}" for x in lines), ""])


def headers(text: str) -> set[str]:
    found: set[str] = set()
    wanted = set(INCLUDED.findall(text))
    while wanted:
        name = wanted.pop()
        found.add(name)
        wanted |= set(INCLUDED.findall((HERE / "hook" / name).read_text())) - found
    return found


def series(branch: str) -> list[tuple[str, str]]:
    """The names of the patches and what is in them."""
    found = []
    brought: set[str] = set()
    for change in changes():
        message, parts = split(change.read_text())
        diffs = joined([d for names, d in parts if branch in names])
        if diffs:
            needed = headers("".join(diffs.values()))
            if twice := needed & brought:
                raise SystemExit(f"{min(twice)} is in two patches")
            brought |= needed
            diffs |= {name: added(name) for name in needed}
            found.append((message, "".join(diffs[x] for x in sorted(diffs))))
    patches = []
    for number, (message, diff) in enumerate(found, 1):
        subject, _, body = message.removeprefix("Subject: ").partition("\n")
        name = re.sub(r"[^\w.]+", "-", subject)[:52].rstrip("-")
        patches.append((f"{number:04}-{name}.patch", "\n".join([
            f"From {'0' * 40} Mon Sep 17 00:00:00 2001", f"From: {NAME}", f"Date: {DATE}",
            f"Subject: [PATCH {number}/{len(found)}] {subject}", body + diff])))
    return patches


def main() -> int:
    if len(sys.argv) == 1:
        print("\n".join(branches()))
        return 0
    if len(sys.argv) != 3 or sys.argv[1] not in branches():
        print(f"usage: series.py [{'|'.join(branches())} FOLDER]", file=sys.stderr)
        return 2
    folder = Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in series(sys.argv[1]):
        (folder / name).write_text(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
