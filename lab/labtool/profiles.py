# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""Device profiles: lab/profiles/NAME.json, parameters only."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TypeVar

from .disks import DISKS, Disk
from .paths import PROFILES, LabError

Section = TypeVar("Section", "Crypto", "Data")

DEFAULT = "nexus7-2012"
# Modules whose parameters a profile may set and --param may override.
MODULES = ("vemmc", "vufs", "vphone", "qcrypto", "vqcrypto_cpu")
FILE_SYSTEMS = ("ext4", "f2fs")


@dataclass
class Crypto:
    """The encryption of /data; target "none": no encryption."""

    target: str = "none"
    # In the notation of dm-crypt's table.
    cipher: str = "aes-cbc-essiv:sha256"
    key_bits: int = 128
    # True if the engine's driver is loaded.
    engine: bool = True

    def set(self, name: str, value: str) -> bool:
        """Sets a parameter; False if the name or the value is unknown."""
        if name == "target" and value in ("none", "dm-crypt"):
            self.target = value
        elif name == "cipher" and value:
            self.cipher = value
        elif name == "key_bits" and value in ("128", "192", "256", "512"):
            self.key_bits = int(value)
        elif name == "engine" and value in ("0", "1"):
            self.engine = value == "1"
        else:
            return False
        return True


@dataclass
class Data:
    """The file system of /data."""

    fs: str = "ext4"
    options: str = "nosuid,nodev,noatime"

    def set(self, name: str, value: str) -> bool:
        """Sets a parameter; False if the name or the value is unknown."""
        if name == "fs" and value in FILE_SYSTEMS:
            if value != self.fs:
                # Mount options of one file system are errors to the other.
                self.options = Data.options
            self.fs = value
        elif name == "options" and value:
            self.options = value
        else:
            return False
        return True


@dataclass
class Profile:
    name: str
    vemmc: dict[str, str] = field(default_factory=dict)
    vufs: dict[str, str] = field(default_factory=dict)
    vphone: dict[str, str] = field(default_factory=dict)
    qcrypto: dict[str, str] = field(default_factory=dict)
    vqcrypto_cpu: dict[str, str] = field(default_factory=dict)
    # None: a phone without an engine and without a CPU model.
    crypto: Crypto | None = None
    data: Data = field(default_factory=Data)
    kernel_cmdline: list[str] = field(default_factory=list)
    cache_mib: int = 64
    memory_mib: int = 1024
    # Size of QEMU's UFS, with one logical unit: the phone's disk or an additional one; 0: no UFS.
    ufs_mib: int = 0
    disk: Disk = DISKS["emmc"]


def names() -> list[str]:
    return sorted(p.stem for p in PROFILES.glob("*.json"))


def load(name: str) -> Profile:
    path = PROFILES / f"{name}.json"
    if not path.exists():
        raise LabError(f"no profile '{name}'; there are: {', '.join(names()) or 'none'}")
    try:
        raw = json.loads(path.read_text())
        like = load(raw["like"]) if "like" in raw else Profile(raw["name"])
        return Profile(
            name=raw["name"],
            **{m: {**getattr(like, m), **{k: str(v) for k, v in raw.get(m, {}).items()}}
               for m in MODULES},
            crypto=_section(Crypto(), raw["crypto"]) if "crypto" in raw else like.crypto,
            data=_section(like.data, raw.get("data", {})),
            kernel_cmdline=list(raw.get("kernel_cmdline", like.kernel_cmdline)),
            cache_mib=int(raw.get("partitions", {}).get("cache_mib", like.cache_mib)),
            memory_mib=int(raw.get("memory_mib", like.memory_mib)),
            ufs_mib=int(raw.get("ufs_mib", like.ufs_mib)),
            disk=DISKS[raw["disk"]] if "disk" in raw else like.disk)
    except (ValueError, KeyError, TypeError, AttributeError) as e:
        raise LabError(f"{path}: not a profile: {e!r}") from e


def _section(section: Section, raw: dict[str, object]) -> Section:
    for name, value in raw.items():
        if not section.set(name, str(value)):
            raise ValueError(f"{name}: {value}")
    return section


def set_parameter(profile: Profile, text: str) -> None:
    """Overrides one parameter: MODULE.NAME=VALUE of a module of ours, partitions.cache_mib=VALUE,
    ufs.mib=VALUE, data.NAME=VALUE or crypto.NAME=VALUE with the names of Data and Crypto."""
    target, equals, value = text.partition("=")
    module, dot, name = target.partition(".")
    if target == "partitions.cache_mib" and value.isdecimal():
        profile.cache_mib = int(value)
        return
    if target == "ufs.mib" and value.isdecimal():
        profile.ufs_mib = int(value)
        return
    if module == "data" and equals and profile.data.set(name, value):
        return
    if module == "crypto" and equals:
        profile.crypto = profile.crypto or Crypto()
        if profile.crypto.set(name, value):
            return
    if not equals or not dot or not name or module not in MODULES:
        raise LabError(f"--param {text}: give MODULE.NAME=VALUE with {', '.join(MODULES)}, "
                       "partitions.cache_mib=VALUE, ufs.mib=VALUE, data.fs, data.options, or "
                       "crypto.target, crypto.cipher, crypto.key_bits, crypto.engine")
    getattr(profile, module)[name] = value
