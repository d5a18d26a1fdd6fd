# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""Files that are made once and used by many processes, each named after what it is made from."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from pathlib import Path


def make_once(path: Path, earlier: str, make: Callable[[Path], object]) -> Path:
    """Makes the file if it is not there, and removes the earlier ones beside it.

    Processes with the same inputs may call it at the same time: the file appears whole, and none
    removes it. A process with other inputs does.

    Args:
        path: The file.
        earlier: A pattern for the names of files made from other inputs.
        make: Writes the file to the path it is given.
    """
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        fresh = path.with_name(f".{path.name}.{os.getpid()}.{threading.get_ident()}")
        try:
            make(fresh)
            fresh.rename(path)
        finally:
            fresh.unlink(missing_ok=True)
        for old in path.parent.glob(earlier):
            if old != path:
                old.unlink(missing_ok=True)
    return path
