# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""The disk that a phone's /cache and /data are on. What differs from one to another is here."""

from __future__ import annotations

from dataclasses import dataclass

# Where QEMU's UFS stands on the PCI bus.
UFS_PCI_ADDRESS = "0x10"


@dataclass(frozen=True)
class Disk:
    """One of them, by its Linux names."""

    name: str
    partition: str  # the same up to a partition's number
    modules: tuple[str, ...]
    # Below /sys/bus: what unbinding and binding switches off and on.
    driver: str
    device: str
    # The module of ours that models it; "": an emulated device has its content on the host.
    model: str = ""


DISKS = {
    "emmc": Disk("mmcblk0", "mmcblk0p", ("mmc_block", "vemmc"), "platform/drivers/vemmc",
                 "vemmc.0", "vemmc"),
    "vufs": Disk("sda", "sda", ("sd_mod", "vufs"), "platform/drivers/vufs", "1d84000.ufshc",
                 "vufs"),
    "ufs": Disk("sda", "sda", ("sd_mod", "ufshcd_pci"), "pci/drivers/ufshcd",
                f"0000:00:{int(UFS_PCI_ADDRESS, 16):02x}.0"),
}


def shell(disk: Disk) -> str:
    """Its part of /lab/medium."""
    return (f"DISK=/dev/{disk.name}\nCACHE_DISK=/dev/{disk.partition}1\n"
            f"DATA_DISK=/dev/{disk.partition}2\n"
            f"DISK_DRIVER=/sys/bus/{disk.driver}\nDISK_DEVICE={disk.device}\n"
            f"DISK_MODEL={disk.model}\n")


def properties(disk: Disk) -> dict[str, str]:
    """What lab.rc links in /dev/sys/block/by-name."""
    return {"ro.lab.rootdisk": disk.name, "ro.lab.userdata": f"{disk.partition}2"}
