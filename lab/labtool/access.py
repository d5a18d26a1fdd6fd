# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""The access rules of daemon/access.cpp: each operation with its permitted callers. The checks
read them here; document() puts them into docs/security.md."""

from __future__ import annotations

import re
from pathlib import Path

from .paths import TOP, LabError

SOURCE = TOP / "system-service/daemon/access.cpp"
INTERFACE = TOP / "system-service/aidl/org/storekeeper/IStorekeeper.aidl"
DOCUMENT = TOP / "docs/security.md"
HEADING = "## Callers\n"
# Names of callers in access.cpp, with their names in the documents.
CALLERS = {"kRoot": "root", "kSystem": "system", "kShell": "shell"}
VERB = "cmd storekeeper "

_ROW = re.compile(r'\s*\{"([^"]+)", (k\w+(?: \| k\w+)*)\},')


def rules(source: Path = SOURCE) -> dict[str, frozenset[str]]:
    """The permitted callers of each operation, in the source's order."""
    table = re.search(r"^constexpr AccessRule kAccess\[\] = \{\n(.*?)^\};", source.read_text(),
                      re.M | re.S)
    if table is None:
        raise LabError(f"{source}: no table kAccess")
    found: dict[str, frozenset[str]] = {}
    for line in table[1].splitlines():
        row = _ROW.fullmatch(line)
        if row is None or not {*row[2].split(" | ")} <= CALLERS.keys():
            raise LabError(f"{source}: no row of kAccess: {line.strip()}")
        found[row[1]] = frozenset(CALLERS[x] for x in row[2].split(" | "))
    return found


def methods(interface: Path = INTERFACE) -> list[str]:
    """The methods of the interface, in the order of their transaction codes, which begin at 1."""
    text = re.sub(r"/\*.*?\*/|//[^\n]*", "", interface.read_text(), flags=re.S)
    body = text[text.index("interface "):]
    return re.findall(r"(\w+)\s*\([^)]*\)\s*;", body)


def table(found: dict[str, frozenset[str]]) -> str:
    rows = ["| operation | " + " | ".join(CALLERS.values()) + " | any other uid |",
            "|---" * (len(CALLERS) + 2) + "|"]
    for operation, who in found.items():
        marks = ["yes" if name in who else "no" for name in CALLERS.values()]
        rows.append(f"| `{operation}` | {' | '.join(marks)} | no |")
    return "\n".join(rows) + "\n"


def document(text: str, found: dict[str, frozenset[str]]) -> str:
    """The document with its table of access rules replaced by one of `found`."""
    before, heading, after = text.partition(HEADING)
    old = re.search(r"^\|.*\n(?:\|.*\n)*", after, re.M)
    if not heading or old is None:
        raise LabError(f"{DOCUMENT}: no table below '{HEADING.strip()}'")
    return before + heading + after[:old.start()] + table(found) + after[old.end():]
