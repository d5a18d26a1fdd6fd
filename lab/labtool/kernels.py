# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""The kernels that a virtual phone can run, and where each one is below out/."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from .paths import LAB, OUT, LabError


@dataclass(frozen=True)
class Kernel:
    """Debian's packages of one kernel, unpacked, and our modules for it."""

    name: str
    folder: Path
    modules: Path

    @property
    def release(self) -> str:
        """Its release string, e.g. 6.12.57+deb12-amd64."""
        try:
            return (self.folder / "release").read_text().strip()
        except OSError as e:
            raise LabError(f"{self.folder / 'release'}: {e.strerror}; run `lab/lab setup` "
                           "first") from e

    @property
    def headers(self) -> Path:
        """The header tree that out-of-tree modules build against."""
        return self.folder / f"usr/src/linux-headers-{self.release}"

    @property
    def vmlinux(self) -> Path:
        """The kernel image that QEMU boots."""
        return self.folder / "vmlinux"

    def make(self, jobs: int) -> list[str]:
        """The command that builds our modules with the machine's own compiler, not the one that
        the package names."""
        return ["make", "-C", str(LAB / "kernel"), f"KDIR={self.headers}", f"OUT={self.modules}",
                "CC=gcc", f"-j{jobs}"]


def _kernel(name: str) -> Kernel:
    return Kernel(name, OUT / f"kernel-{name}", OUT / f"modules-{name}")


# The kernel that `lab/lab setup` and `lab/lab build` put in place; figures come from it.
DEFAULT = Kernel("6.12", OUT / "kernel", OUT / "modules")
KERNELS = {k.name: k for k in (_kernel("5.10"), _kernel("6.1"), DEFAULT, _kernel("newest"))}
# Debian's suites of the other kernels, which are unpacked and built on first use.
SUITES = {"5.10": "bullseye", "6.1": "bookworm", "newest": "trixie-backports"}
