# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""The pure parts of the service: every branch of theirs is tested, and they have no thread."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from ..paths import TOP, LabError

SERVICE = TOP / "system-service"
# The pure parts, by room: x.cpp and x.h, which decide on values or read text. A file with a fuzz
# target is a parser, unless it also keeps files or time.
PURE = """
base: device_hal diskstats file_reader json_fields json_text kernel_version median
base: power_and_heat quantity_text tokens
mounts: block_device chip_id fstab members mount_audit mountinfo
latency: histogram probe_budget uid_io
health: alerts chip_prior ext_csd ext_csd_fields forecast ledger mmc_sysfs storage_health
health: normal sysfs_items ufs_fields ufs_sysfs use_model verdict wear_model
health: wear_sample write_rate
crypto: choice choice_store inventory properties qcrypto_driver
crypto: recommendation volume_state
crypto/early: mechanism
maintenance/actions: action action_memory defrag_policy
maintenance/policy: *
maintenance/canary: canary canary_layout chip_quirks
maintenance/trim: card_model cursor receipt selection trim_steps
maintenance: decision_text
config: config_file
writers: budget cost uid_name
history: rows
bench: bench_result comparison fio honesty job_file options statistics
bench/system: machine_state
extcsd: options
"""
_SEAMS = re.compile(r"\b(Syscalls|Clock)\b")


def files() -> list[str]:
    """The files of PURE below system-service."""
    found = []
    for name in _names():
        named = _files(name)
        if not named:
            raise LabError(f"{name}, which is listed in {Path(__file__).name}, does not exist")
        found += named
    for target in sorted((SERVICE / "fuzz").glob("*_fuzzer.cpp")):
        for name in re.findall(r'^#include "(.*)\.h"', target.read_text(), re.M):
            named = _files(name)
            if not set(named) <= set(found) and not any(
                    _SEAMS.search((SERVICE / f).read_text()) for f in named):
                raise LabError(f"{name} has a fuzz target, {target.name}, and is not listed in "
                               f"{Path(__file__).name}")
    return found


def _names() -> Iterator[str]:
    for line in PURE.strip().split("\n"):
        room, words = line.split(": ")
        for word in words.split():
            stems = sorted((SERVICE / room).glob("*.cpp")) if word == "*" else [Path(word)]
            yield from (f"{room}/{f.stem}" for f in stems if not f.stem.endswith("_test"))


def _files(name: str) -> list[str]:
    return [f"{name}{end}" for end in (".cpp", ".h") if (SERVICE / f"{name}{end}").exists()]


def tests() -> list[str]:
    """The unit tests of these files below system-service."""
    return [test for name in _names() if (SERVICE / (test := f"{name}_test.cpp")).exists()]
