# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""Puts a kernel in place: Debian's packages unpacked below out/, our modules built for it."""

from __future__ import annotations

import fcntl
import hashlib
import os
import platform
import re
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from . import apt, kernels
from .build import step
from .kernels import Kernel
from .paths import AIDL, LAB, OUT, LabError

# The C library that programs of later releases were linked against; setup.py unpacks it.
LOADER = AIDL / "usr/lib/x86_64-linux-gnu/ld-linux-x86-64.so.2"


def unpack(kernel: Kernel, suites: apt.Suites, suite: str) -> None:
    """Unpacks the kernel that the suite's linux-image-amd64 names, with its headers."""
    image = next(x for x in suites.depends("linux-image-amd64", suite)
                 if x.startswith("linux-image-"))
    release = image.removeprefix("linux-image-")
    print(f"  unpacking kernel {release} and its headers", flush=True)
    headers = f"linux-headers-{release}"
    # Packages of later releases have the kernel and its modules in others; their names end with the
    # release.
    parts = [x for x in suites.depends(image, suite) if x.endswith(f"-{release}")]
    needs = [x for x in suites.depends(headers, suite)
             if x.startswith(("linux-headers-", "linux-kbuild-"))]
    suites.unpack([f"{p}/{suite}" for p in dict.fromkeys((image, headers, *parts, *needs))],
                  kernel.folder)
    # The header tree names its siblings by absolute path.
    source = f"{kernel.folder}/usr/src/"
    for makefile in (kernel.folder / f"usr/src/{headers}").glob("Makefile"):
        text = makefile.read_text()
        makefile.write_text(re.sub(r"(?<=[ =])/\S*usr/src/", source, text))
    apt.link(kernel.folder / "lib", kernel.folder / "usr/lib")
    for program in (kernel.folder / "usr/lib").glob("linux-kbuild-*/**/*"):
        _run_here(program)
    image_file = next(x for x in (kernel.folder / f"boot/vmlinuz-{release}",
                                  kernel.folder / f"usr/lib/modules/{release}/vmlinuz")
                      if x.exists())
    _vmlinux(image_file, kernel.vmlinux)
    (kernel.folder / "release").write_text(release + "\n")


def _version(text: str) -> tuple[int, ...]:
    return tuple(int(x) for x in text.split("."))


def _run_here(program: Path) -> None:
    """Replaces a program of kbuild by a script that runs it with the C library it was linked
    against, if that is newer than this machine's."""
    if program.is_symlink() or not program.is_file() or program.suffix == ".elf":
        return
    beside = program.with_name(f"{program.name}.elf")
    if not beside.exists():
        data = program.read_bytes()
        needs = [_version(x.decode()) for x in re.findall(rb"\0GLIBC_(\d+\.\d+)(?=\0)", data)]
        if (not data.startswith(b"\x7fELF")
                or max(needs, default=(0,)) <= _version(platform.libc_ver()[1])):
            return
        program.rename(beside)
    program.write_text(f"#!/bin/sh\nexec '{LOADER}' --library-path '{LOADER.parent}' '{beside}' "
                       '"$@"\n')
    program.chmod(0o755)


def _vmlinux(bzimage: Path, to: Path) -> None:
    """Extracts the ELF kernel from a bzImage: QEMU boots it by PVH, which is seconds faster."""
    data = bzimage.read_bytes()
    for magic, tool in ((b"\x28\xb5\x2f\xfd", ["zstd", "-dcq"]), (b"\xfd7zXZ\x00", ["xz", "-dcq"])):
        at = data.find(magic)
        while at >= 0:
            elf = subprocess.run(tool, input=data[at:], capture_output=True).stdout
            if elf.startswith(b"\x7fELF"):
                to.write_bytes(elf)
                return
            at = data.find(magic, at + 1)
    raise LabError(f"{bzimage}: no compressed ELF kernel inside; is it a bzImage?")


def ready(name: str) -> Kernel:
    """The kernel of that name, unpacked and with our modules; quick when it already is."""
    kernel = kernels.KERNELS[name]
    if kernel is kernels.DEFAULT:
        return kernel
    with _alone(kernel):
        # The recipe includes the folder, since scripts and makefiles name their siblings by
        # absolute path.
        recipe = hashlib.sha256(Path(__file__).read_bytes() + str(kernel.folder).encode()
                                ).hexdigest()
        stamp = kernel.folder / "setup.stamp"
        if not stamp.exists() or stamp.read_text() != recipe:
            suites = apt.Suites([kernels.SUITES[name]])
            suites.refresh()
            unpack(kernel, suites, kernels.SUITES[name])
            stamp.write_text(recipe)
        _build(kernel)
    return kernel


@contextmanager
def _alone(kernel: Kernel) -> Iterator[None]:
    """Serializes processes: tests that need the same kernel run side by side."""
    OUT.mkdir(parents=True, exist_ok=True)
    with (OUT / f"{kernel.folder.name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _build(kernel: Kernel) -> None:
    sources = [x for x in sorted((LAB / "kernel").iterdir()) if x.is_file()]
    compiler = apt.run(["gcc", "--version"], "asking for the compiler's version")
    recipe = hashlib.sha256(b"".join(
        [kernel.release.encode(), compiler.encode(), *(x.read_bytes() for x in sources)])
    ).hexdigest()
    stamp = kernel.modules / "recipe"
    if stamp.exists() and stamp.read_text() == recipe:
        return
    step(f"kernel modules for {kernel.release}", kernel.modules.name,
         kernel.make(os.cpu_count() or 1))
    stamp.write_text(recipe)
