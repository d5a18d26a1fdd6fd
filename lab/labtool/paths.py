# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""Where everything is. Generated files live below out/ alone."""

from __future__ import annotations

import os
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
# STOREKEEPER_OUT lets two checkouts share downloads and builds; the default is the checkout's own.
OUT = Path(os.environ.get("STOREKEEPER_OUT") or TOP / "out").resolve()

LAB = TOP / "lab"
PROFILES = LAB / "profiles"

SYSROOT = OUT / "sysroot"
ANDROID_LIBS = SYSROOT / "usr/lib/x86_64-linux-gnu/android"
# What the guest has of Debian: the release's, whatever of it the machine has or lacks.
USERLAND = OUT / "userland"
SRC = OUT / "src"
AIDL = OUT / "aidl"
AOSP = OUT / "aosp"
ARM = OUT / "arm"
BUILD = OUT / "build"
GUEST = OUT / "guest"
RUN = OUT / "run"


class LabError(Exception):
    """A failure that the user can act on: one line saying what, why and what to do."""
