# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""Initramfs archives that depend on nothing but their content: sorted, mtime 0, own inode numbers.

The format is `newc` of the kernel's Documentation/driver-api/early-userspace/buffer-format.rst.
"""

from __future__ import annotations

import stat
from pathlib import Path

# Archives are concatenated; the kernel looks for the next one at a multiple of 4 bytes.
ALIGN = 4


class Archive:
    """Guest paths with their contents."""

    def __init__(self) -> None:
        self.entries: dict[str, tuple[int, bytes, tuple[int, int]]] = {}

    def _add(self, path: str, mode: int, data: bytes, device: tuple[int, int] = (0, 0)) -> None:
        path = path.strip("/")
        parent = path.rpartition("/")[0]
        if parent:
            self.folder(parent)
        self.entries[path] = (mode, data, device)

    def folder(self, path: str, mode: int = 0o755) -> None:
        if path.strip("/") not in self.entries:
            self._add(path, stat.S_IFDIR | mode, b"")

    def file(self, path: str, data: bytes, mode: int = 0o644) -> None:
        self._add(path, stat.S_IFREG | mode, data)

    def program(self, path: str, source: Path) -> None:
        self.file(path, source.read_bytes(), 0o755)

    def link(self, path: str, target: str) -> None:
        self._add(path, stat.S_IFLNK | 0o777, target.encode())

    def device(self, path: str, major: int, minor: int) -> None:
        self._add(path, stat.S_IFCHR | 0o600, b"", (major, minor))

    def __contains__(self, path: str) -> bool:
        return path.strip("/") in self.entries

    def pack(self) -> bytes:
        """Returns the archive. It includes the root folder, whose mode the kernel does not
        promise."""
        out = bytearray()
        out += _entry(1, ".", stat.S_IFDIR | 0o755, b"", (0, 0))
        for inode, (path, (mode, data, device)) in enumerate(sorted(self.entries.items()), 2):
            out += _entry(inode, path, mode, data, device)
        out += _entry(0, "TRAILER!!!", 0, b"", (0, 0))
        return bytes(out)


def _entry(inode: int, path: str, mode: int, data: bytes, device: tuple[int, int]) -> bytes:
    name = path.encode() + b"\0"
    links = 2 if stat.S_ISDIR(mode) else 1
    fields = [inode, mode, 0, 0, links, 0, len(data), 0, 0, *device, len(name), 0]
    header = b"070701" + b"".join(b"%08X" % f for f in fields)
    return _pad(header + name) + _pad(data)


def _pad(data: bytes) -> bytes:
    return data + b"\0" * (-len(data) % ALIGN)
