# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""The disks that a phone can have /cache and /data on, and all that differs between them."""

from __future__ import annotations

from dataclasses import dataclass

# The address of QEMU's UFS controller on the PCI bus.
UFS_PCI_ADDRESS = "0x10"


@dataclass(frozen=True)
class Disk:
    """One disk, by its Linux names."""

    name: str
    partition: str  # name of a partition without its number
    modules: tuple[str, ...]
    # The driver and the device below /sys/bus; unbinding and binding switch the disk off and on.
    driver: str
    device: str
    # Our kernel module that models the disk; "" if QEMU emulates it and keeps its content on the
    # host.
    model: str = ""
    # The discard method that sd must use if the disk has no page to report one; "": as reported.
    provisioning: str = ""
    # True if init links /data's f2fs in /dev/sys/fs/by-name, as AOSP's does since Android 12.
    links_f2fs: bool = True


DISKS = {
    "emmc": Disk("mmcblk0", "mmcblk0p", ("mmc_block", "vemmc"), "platform/drivers/vemmc",
                 "vemmc.0", "vemmc", links_f2fs=False),
    "vufs": Disk("sda", "sda", ("sd_mod", "vufs"), "platform/drivers/vufs", "1d84000.ufshc",
                 "vufs"),
    "ufs": Disk("sda", "sda", ("sd_mod", "ufshcd_pci"), "pci/drivers/ufshcd",
                f"0000:00:{int(UFS_PCI_ADDRESS, 16):02x}.0", provisioning="unmap"),
}


def shell(disk: Disk) -> str:
    """The disk's part of /lab/medium."""
    return (f"DISK=/dev/{disk.name}\nCACHE_DISK=/dev/{disk.partition}1\n"
            f"DATA_DISK=/dev/{disk.partition}2\n"
            f"DISK_DRIVER=/sys/bus/{disk.driver}\nDISK_DEVICE={disk.device}\n"
            f"DISK_MODEL={disk.model}\nDISK_PROVISIONING={disk.provisioning}\n")


def properties(disk: Disk, f2fs: bool) -> dict[str, str]:
    """The properties from which lab.rc makes its links in /dev/sys/block/by-name and fs/by-name."""
    data = f"{disk.partition}2"
    return {"ro.lab.rootdisk": disk.name, "ro.lab.userdata": data,
            **({"ro.lab.f2fs": data} if f2fs and disk.links_f2fs else {})}
