# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""A plugin of pytest: a hanging test fails, with its place in the code, and the other tests go on.

`python3 -m pytest -p labtool.suite.hanging`. A thread that Python cannot interrupt ends its
process, with the stack of each thread; xdist names the test of a worker that ended.
"""

from __future__ import annotations

import faulthandler
import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

# The longest tests drive a phone in measuring mode for minutes, longer on a busy machine.
SECONDS = int(os.environ.get("STOREKEEPER_TEST_SECONDS") or 1800)
# Seconds from the interruption to the end of the process: a fixture may have to end a phone.
GRACE = max(SECONDS // 3, 1)
# SIGALRM is not free: labtool uses it.
SIGNAL = signal.SIGUSR2

_stderr = None


def pytest_configure() -> None:
    # pytest replaces standard error by a file while a test runs.
    global _stderr
    _stderr = os.fdopen(os.dup(sys.__stderr__.fileno()), "w")
    signal.signal(SIGNAL, _interrupt)


def _interrupt(*_: object) -> None:
    pytest.fail(f"hangs: it did not end within {SECONDS} s")


@contextmanager
def _watched() -> Iterator[None]:
    main = threading.main_thread()
    timer = threading.Timer(SECONDS, lambda: signal.pthread_kill(main.ident, SIGNAL))
    timer.daemon = True
    timer.start()
    faulthandler.dump_traceback_later(SECONDS + GRACE, exit=True, file=_stderr)
    try:
        yield
    finally:
        faulthandler.cancel_dump_traceback_later()
        timer.cancel()


# Each phase has its own hook: an exception there is the test's failure, but elsewhere it ends
# pytest.
@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_setup() -> Iterator[None]:
    with _watched():
        yield


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_call() -> Iterator[None]:
    with _watched():
        yield


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_teardown() -> Iterator[None]:
    with _watched():
        yield
