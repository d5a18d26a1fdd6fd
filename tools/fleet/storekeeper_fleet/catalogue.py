# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""The parts of a simulated fleet: chips, devices, builds, writers."""

from __future__ import annotations

from dataclasses import dataclass

GB = 10**9
# P/E cycles of a block: the default of lab/kernel/ftl/ftl_config_list.h.
CYCLES = 3000


@dataclass(frozen=True)
class Chip:
    """`write_amplification` is what `ftl_sim` (lab/kernel/test) prints as WAF for the parameters of
    `profile`, filled, written at random and trimmed; tests/test_simulate.py runs it."""

    kind: str
    maker: str
    model: str
    capacity_bytes: int
    profile: str
    write_amplification: float
    read_p99_us: int
    write_p99_us: int


@dataclass(frozen=True)
class Device:
    model: str
    share: float
    chip: int
    gb_per_day: float  # median
    builds: tuple[str, str]


CHIPS = (
    Chip("emmc", "SanDisk", "DF4016", 16 * GB, "nexus7-2012", 3.40, 2600, 9000),
    Chip("emmc", "Samsung", "BJTD4R", 32 * GB, "nexus6", 2.70, 1400, 4200),
    Chip("ufs", "KIOXIA", "THGJFAT0T44BAILB", 128 * GB, "pixel", 1.00, 420, 900),
)
# The firmwares of each chip, with their share of the devices and the factor of their write
# amplification over the chip's.
FIRMWARES = (("0x06", 0.4, 1.0), ("0x07", 0.35, 1.02), ("0x08", 0.25, 0.98))
PLANTED_FIRMWARE = (0, 2)  # a chip and one of its firmwares
PLANTED_AMPLIFICATION = 1.7
DEVICES = (
    Device("Finch 2", 0.40, 0, 9.0, ("QP1A.190711", "QQ3A.200805")),
    Device("Corvid 5X", 0.25, 0, 7.0, ("RQ3A.210805", "RQ3A.211001")),
    Device("Heron", 0.20, 1, 12.0, ("SP2A.220505", "SQ3A.220705")),
    Device("Meadow 3", 0.15, 2, 18.0, ("BP1A.250505", "BP2A.250605")),
)
# A build that writes less, waits less and trims more, should it be planted.
PLANTED_BUILD = (0, 1)  # a device model and one of its builds
BUILD_WRITES, BUILD_P99 = 0.8, 0.6
# Each uid's share of the bytes written.
WRITERS = ((10_123, 0.34), (10_087, 0.21), (1000, 0.17))
PLANTED_UID = 10_217
PLANTED_UID_GB_PER_DAY = 15.0
PLANTED_UID_SHARE = 0.08
# Closed gates that keep a device from trimming, and the share of devices that have them.
BLOCKED = (("battery", 0.05), ("untouched", 0.04), ("heat,untouched", 0.02), ("framework", 0.01))


def bytes_of_life(chip: Chip, factor: float) -> float:
    """Bytes that may be written until the rated life has passed."""
    return chip.capacity_bytes * CYCLES / (chip.write_amplification * factor)
