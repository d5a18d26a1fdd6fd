# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""Waiting for files to grow, by inotify(7): Python's library has no call for it."""

from __future__ import annotations

import ctypes
import os
from pathlib import Path

IN_MODIFY = 0x2


class Growth:
    """A descriptor that is readable when a file in the folder has grown."""

    def __init__(self, folder: Path) -> None:
        libc = ctypes.CDLL(None, use_errno=True)
        self.fd = libc.inotify_init1(os.O_NONBLOCK | os.O_CLOEXEC)
        if self.fd < 0 or libc.inotify_add_watch(self.fd, os.fsencode(folder), IN_MODIFY) < 0:
            error = ctypes.get_errno()
            raise OSError(error, f"inotify: {os.strerror(error)}", str(folder))

    def clear(self) -> None:
        """Forgets all reports; call it before looking at the files, not after."""
        try:
            while os.read(self.fd, 65536):
                pass
        except BlockingIOError:
            pass

    def close(self) -> None:
        os.close(self.fd)


def die_with_parent() -> None:
    """For preexec_fn: has the kernel kill the child when its parent is killed."""
    pr_set_pdeathsig, sigkill = 1, 9
    ctypes.CDLL(None).prctl(pr_set_pdeathsig, sigkill, 0, 0, 0)
