# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""A guest kernel's modules: found in the unpacked package, in the order they must be loaded."""

from __future__ import annotations

import functools
import lzma
import re
import struct
from collections.abc import Iterable
from pathlib import Path

from .kernels import DEFAULT, Kernel
from .paths import LabError

SIGNATURE_MAGIC = b"~Module signature appended~\n"
# Modules whose functions are built into kernels from 6.16 on; they need not be loaded.
ABSORBED = {"crc32_generic", "crc32c_generic", "crc32c_intel", "sha256_generic"}


@functools.cache
def _index(kernel: Kernel) -> dict[str, Path]:
    root = kernel.folder / "lib/modules" / kernel.release
    index = {}
    for path in [*root.rglob("*.ko"), *root.rglob("*.ko.xz"), *kernel.modules.glob("*.ko")]:
        index[path.name.split(".ko")[0].replace("-", "_")] = path
    return index


@functools.cache
def content(name: str, kernel: Kernel = DEFAULT) -> bytes:
    """The module's object file, decompressed, as the guest's insmod needs it."""
    path = _index(kernel).get(name)
    if path is None:
        raise LabError(f"kernel module {name} is neither in {kernel.folder} nor in "
                       f"{kernel.modules}; run `lab/lab setup` and `lab/lab build`")
    data = path.read_bytes()
    if path.suffix == ".xz":
        data = lzma.decompress(data)
    # Signature checks take most of a module's load time in the emulator, and our own modules have
    # none.
    return _unsigned(data)


def _unsigned(data: bytes) -> bytes:
    """The object without its signature, appended by scripts/sign-file (struct module_signature, 12
    bytes)."""
    if not data.endswith(SIGNATURE_MAGIC):
        return data
    end = len(data) - len(SIGNATURE_MAGIC)
    (length,) = struct.unpack_from(">I", data, end - 4)
    return data[:end - 12 - length]


@functools.cache
def _built_in(kernel: Kernel) -> set[str]:
    path = kernel.folder / "lib/modules" / kernel.release / "modules.builtin"
    built_in = {Path(x).stem.replace("-", "_") for x in path.read_text().split()}
    return built_in | {x for x in ABSORBED if x not in _index(kernel)}


def depends(name: str, kernel: Kernel = DEFAULT) -> list[str]:
    """The modules that must be loaded first, from the `depends=` field of .modinfo."""
    data = content(name, kernel)
    at = data.find(b"\0depends=")
    if at < 0:
        return []
    listed = data[at + 9:data.index(b"\0", at + 9)].decode()
    return [x.replace("-", "_") for x in listed.split(",") if x]


def parameters(name: str) -> set[str]:
    """The names of the module's parameters, from the `parm=` and `parmtype=` fields of .modinfo."""
    return {x.decode() for x in re.findall(rb"\0parm(?:type)?=(\w+):", content(name))}


def load_order(names: Iterable[str], kernel: Kernel = DEFAULT) -> list[str]:
    """The named modules and all their dependencies, each after its own dependencies."""
    order: list[str] = []

    def visit(name: str) -> None:
        if name not in order and name not in _built_in(kernel):
            for other in depends(name, kernel):
                visit(other)
            order.append(name)

    for name in names:
        visit(name)
    return order
