# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""Paths of the lab. Generated files live only below out/."""

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
# Debian programs and libraries of the guest, from the release, independent of the machine's own.
USERLAND = OUT / "userland"
SRC = OUT / "src"
AIDL = OUT / "aidl"
AOSP = OUT / "aosp"
ARM = OUT / "arm"
BUILD = OUT / "build"
GUEST = OUT / "guest"
RUN = OUT / "run"


class LabError(Exception):
    """A failure that the user can act on: one line with the object, the cause and the next step."""
