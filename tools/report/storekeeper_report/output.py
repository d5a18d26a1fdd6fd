# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""Files that appear whole or not at all, and standard output, which `-` means."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

STDOUT = Path("-")


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
    """Replaces a regular file; writes into any other, such as a pipe. An OSError names `path`."""
    data = content.encode() if isinstance(content, str) else content
    try:
        if path == STDOUT:
            sys.stdout.buffer.write(data)
            sys.stdout.buffer.flush()
        elif path.exists() and not path.is_file():
            path.write_bytes(data)
        else:
            with replacing(path) as new:
                new.write_bytes(data)
    except OSError as e:
        raise OSError(e.errno, e.strerror, str(path)) from e
