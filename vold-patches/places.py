#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""places.py TREE BRANCH: fails unless each hunk for BRANCH fits into one place of TREE, a vold
without the patches. Git takes the nearest of several places and does not report the others.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.dont_write_bytecode = True
import series  # noqa: E402


def places(lines: list[str], hunk: str) -> list[int]:
    """Line numbers, from 1, at which the lines of the context stand together."""
    context = [x[1:] for x in hunk.splitlines() if x.startswith(" ")]
    return [n + 1 for n in range(len(lines)) if lines[n:n + len(context)] == context]


def main() -> int:
    if len(sys.argv) != 3 or sys.argv[2] not in series.branches():
        print(f"usage: places.py TREE {'|'.join(series.branches())}", file=sys.stderr)
        return 2
    failed = 0
    for change in series.changes():
        parts = series.split(change.read_text())[1]
        for file, diff in series.joined([d for b, d in parts if sys.argv[2] in b]).items():
            lines = (Path(sys.argv[1]) / file).read_text(errors="replace").splitlines()
            for hunk in series.HUNK.finditer(diff):
                found = places(lines, hunk[5])
                if len(found) != 1:
                    failed = 1
                    print(f"FAIL {change.name}: the hunk at line {hunk[1]} of {file} fits in "
                          f"{len(found)} places: {', '.join(map(str, found))}")
    return failed


if __name__ == "__main__":
    sys.exit(main())
