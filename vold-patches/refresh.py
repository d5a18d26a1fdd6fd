#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""refresh.py [--check]: brings hook/'s headers into the patches that add them.

A header is written once, in hook/; each patch that adds it to vold carries a copy. With --check
nothing is written: what differs is named, and the exit code is 1.
"""

from __future__ import annotations

import hashlib
import re
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent

# The part of a git patch that adds a file at the top of the tree.
ADDED = re.compile(
    r"diff --git a/(?P<name>Storekeeper\w+\.h) b/(?P=name)\n"
    r"new file mode 100644\n"
    r"index 0{40}\.\.[0-9a-f]{40}\n"
    r"--- /dev/null\n"
    r"\+\+\+ b/(?P=name)\n"
    r"@@ -0,0 \+1,\d+ @@\n"
    r"(?:\+.*\n)+")


def added(name: str, content: str) -> str:
    data = content.encode()
    blob = hashlib.sha1(b"blob %d\0" % len(data) + data).hexdigest()
    lines = content.splitlines()
    return "\n".join([f"diff --git a/{name} b/{name}", "new file mode 100644",
                      f"index {'0' * 40}..{blob}", "--- /dev/null", f"+++ b/{name}",
                      f"@@ -0,0 +1,{len(lines)} @@", *(f"+{x}" for x in lines), ""])


def refreshed(patch: str, hook: Path) -> str:
    """The patch with the headers of `hook` in it."""
    return ADDED.sub(lambda m: added(m["name"], (hook / m["name"]).read_text()), patch)


def main() -> int:
    check = sys.argv[1:] == ["--check"]
    if sys.argv[1:] and not check:
        print("usage: refresh.py [--check]", file=sys.stderr)
        return 2
    different = 0
    for file in sorted(HERE.glob("*/*.patch")):
        old = file.read_text()
        new = refreshed(old, HERE / "hook")
        if new == old:
            continue
        different = 1
        print(f"{'differs from hook/' if check else 'refreshed'}: {file.relative_to(HERE)}")
        if not check:
            file.write_text(new)
    return different if check else 0


if __name__ == "__main__":
    sys.exit(main())
