# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""An ingest that kills itself: `killed.py INPUT DATASET N` at the N-th call that changes the data
set, half of the data written where it writes; with -1 it exits with how many calls there are."""

import builtins
import io
import os
import pathlib
import signal
import sys

from storekeeper_fleet import ingest

stop, calls = int(sys.argv[3]), 0


def count() -> bool:
    global calls
    calls += 1
    return calls - 1 == stop


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def watched(call):
    def run(*words, **more):
        if count():
            die()
        return call(*words, **more)
    return run


class Half(io.FileIO):
    """Writes the first half and dies."""

    def write(self, data):
        if count():
            super().write(memoryview(data)[:len(data) // 2])
            die()
        return super().write(data)


plain = builtins.open


def opened(self, mode="r", *words, **more):
    return Half(str(self), "w") if mode == "wb" else plain(self, mode, *words, **more)


for owner, names in ((pathlib.Path, ("rename", "mkdir", "unlink", "write_text")), (os, ("fsync",))):
    for name in names:
        setattr(owner, name, watched(getattr(owner, name)))
pathlib.Path.open = opened
ingest.ingest([sys.argv[1]], pathlib.Path(sys.argv[2]), batch=16)
sys.exit(calls)
