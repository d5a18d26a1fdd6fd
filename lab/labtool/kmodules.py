# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""The guest kernel's modules: found in the unpacked package, in the order they must be loaded."""

from __future__ import annotations

import functools
import lzma
import re
import struct
from collections.abc import Iterable
from pathlib import Path

from .paths import KERNEL, MODULES, LabError, kernel_release

SIGNATURE_MAGIC = b"~Module signature appended~\n"


@functools.cache
def _index() -> dict[str, Path]:
    root = KERNEL / "lib/modules" / kernel_release()
    index = {}
    for path in [*root.rglob("*.ko"), *root.rglob("*.ko.xz"), *MODULES.glob("*.ko")]:
        index[path.name.split(".ko")[0].replace("-", "_")] = path
    return index


@functools.cache
def content(name: str) -> bytes:
    """The module's object file, decompressed: the guest's insmod takes nothing else."""
    path = _index().get(name)
    if path is None:
        raise LabError(f"kernel module {name} is neither in {KERNEL} nor in {MODULES}; run "
                       "`lab/lab setup` and `lab/lab build`")
    data = path.read_bytes()
    if path.suffix == ".xz":
        data = lzma.decompress(data)
    # Checking a signature is most of the time that loading a module takes in the emulator, and our
    # own modules have none anyway.
    return _unsigned(data)


def _unsigned(data: bytes) -> bytes:
    """The object without what scripts/sign-file appended (struct module_signature, 12 bytes)."""
    if not data.endswith(SIGNATURE_MAGIC):
        return data
    end = len(data) - len(SIGNATURE_MAGIC)
    (length,) = struct.unpack_from(">I", data, end - 4)
    return data[:end - 12 - length]


@functools.cache
def _built_in() -> set[str]:
    path = KERNEL / "lib/modules" / kernel_release() / "modules.builtin"
    return {Path(x).stem.replace("-", "_") for x in path.read_text().split()}


def depends(name: str) -> list[str]:
    """The modules that must be there before, from the `depends=` field of .modinfo."""
    data = content(name)
    at = data.find(b"\0depends=")
    if at < 0:
        return []
    listed = data[at + 9:data.index(b"\0", at + 9)].decode()
    return [x.replace("-", "_") for x in listed.split(",") if x]


def parameters(name: str) -> set[str]:
    """The names of the module's parameters, from the `parm=` and `parmtype=` fields of .modinfo."""
    return {x.decode() for x in re.findall(rb"\0parm(?:type)?=(\w+):", content(name))}


def load_order(names: Iterable[str]) -> list[str]:
    """The named modules and all that they need, each behind what it depends on."""
    order: list[str] = []

    def visit(name: str) -> None:
        if name not in order and name not in _built_in():
            for other in depends(name):
                visit(other)
            order.append(name)

    for name in names:
        visit(name)
    return order
