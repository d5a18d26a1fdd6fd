# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""The shared libraries that a program needs, read from its ELF headers (elf(5)); nothing is run."""

from __future__ import annotations

import struct
from collections.abc import Iterable
from pathlib import Path

from .paths import ANDROID_LIBS, AOSP, SYSROOT, USERLAND, LabError

PT_LOAD, PT_DYNAMIC, PT_INTERP = 1, 2, 3
DT_NULL, DT_NEEDED, DT_STRTAB = 0, 1, 5

# Folders searched for a library; the first match wins. The guest has all libraries in one folder.
SEARCH = [
    AOSP / "lib",
    ANDROID_LIBS,
    USERLAND / "usr/lib/x86_64-linux-gnu",
    USERLAND / "lib/x86_64-linux-gnu",
    SYSROOT / "usr/lib/x86_64-linux-gnu",
    SYSROOT / "lib/x86_64-linux-gnu",
    Path("/lib/x86_64-linux-gnu"),
    Path("/usr/lib/x86_64-linux-gnu"),
]
LOADER = "ld-linux-x86-64.so.2"


def is_elf(path: Path) -> bool:
    with path.open("rb") as f:
        return f.read(4) == b"\x7fELF"


def needed(path: Path) -> list[str]:
    """The DT_NEEDED names of a 64-bit little-endian ELF file; a static program has none."""
    data = path.read_bytes()
    if data[:6] != b"\x7fELF\x02\x01":
        raise LabError(f"{path}: not a 64-bit little-endian ELF file")
    (offset,) = struct.unpack_from("<Q", data, 32)
    size, count = struct.unpack_from("<HH", data, 54)
    headers = [struct.unpack_from("<IIQQQQQQ", data, offset + i * size) for i in range(count)]
    loads = [(h[3], h[2], h[5]) for h in headers if h[0] == PT_LOAD]
    dynamic = next((h for h in headers if h[0] == PT_DYNAMIC), None)
    if dynamic is None:
        return []
    names, strings = [], 0
    for at in range(dynamic[2], dynamic[2] + dynamic[5], 16):
        tag, value = struct.unpack_from("<QQ", data, at)
        if tag == DT_NULL:
            break
        if tag == DT_NEEDED:
            names.append(value)
        elif tag == DT_STRTAB:
            strings = next(o + value - v for v, o, n in loads if v <= value < v + n)
    return [data[strings + n:data.index(b"\0", strings + n)].decode() for n in names]


def find(name: str, extra: Iterable[Path] = ()) -> Path | None:
    for folder in (*extra, *SEARCH):
        path = folder / name
        if path.exists():
            return path.resolve()
    return None


def closure(programs: Iterable[Path], extra: Iterable[Path] = ()) -> dict[str, Path]:
    """Every library that the programs need, keyed by its DT_NEEDED name."""
    extra = list(extra)
    found: dict[str, Path] = {}
    todo = [(p, n) for p in programs for n in needed(p)]
    while todo:
        user, name = todo.pop()
        if name in found:
            continue
        path = find(name, extra)
        if path is None:
            raise LabError(f"{user} needs {name}, which is nowhere; install the package it is in "
                           "or rebuild what needs it")
        found[name] = path
        todo += [(path, n) for n in needed(path)]
    return found
