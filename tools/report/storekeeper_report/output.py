# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""Files that appear whole or not at all."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """A new, empty file beside `path`, which takes its place when all went well."""
    path = path.resolve()  # a link stays one
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    new = Path(name)
    try:
        os.close(handle)
        yield new
        with new.open("rb") as written:
            os.fsync(written.fileno())
        umask = os.umask(0)
        os.umask(umask)
        new.chmod(0o666 & ~umask)
        new.replace(path)
    except BaseException:
        new.unlink(missing_ok=True)
        raise


def write(path: Path, content: str | bytes) -> None:
    """What is no regular file, such as a pipe, is written to."""
    data = content.encode() if isinstance(content, str) else content
    if path.exists() and not path.is_file():
        path.write_bytes(data)
        return
    with replacing(path) as new:
        new.write_bytes(data)
