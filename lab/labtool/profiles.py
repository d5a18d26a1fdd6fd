# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""Device profiles: lab/profiles/NAME.json, parameters only."""

from __future__ import annotations

import json
from dataclasses import dataclass, field

from .paths import PROFILES, LabError

DEFAULT = "nexus7-2012"


@dataclass
class Profile:
    name: str
    vemmc: dict[str, str] = field(default_factory=dict)
    vphone: dict[str, str] = field(default_factory=dict)
    kernel_cmdline: list[str] = field(default_factory=list)
    cache_mib: int = 64
    memory_mib: int = 1024
    # Beside the card: QEMU's UFS, with one logical unit; 0 is none.
    ufs_mib: int = 0


def names() -> list[str]:
    return sorted(p.stem for p in PROFILES.glob("*.json"))


def load(name: str) -> Profile:
    path = PROFILES / f"{name}.json"
    if not path.exists():
        raise LabError(f"no profile '{name}'; there are: {', '.join(names()) or 'none'}")
    try:
        raw = json.loads(path.read_text())
        return Profile(
            name=raw["name"],
            vemmc={k: str(v) for k, v in raw.get("vemmc", {}).items()},
            vphone={k: str(v) for k, v in raw.get("vphone", {}).items()},
            kernel_cmdline=list(raw.get("kernel_cmdline", [])),
            cache_mib=int(raw.get("partitions", {}).get("cache_mib", 64)),
            memory_mib=int(raw.get("memory_mib", 1024)),
            ufs_mib=int(raw.get("ufs_mib", 0)))
    except (ValueError, KeyError, TypeError, AttributeError) as e:
        raise LabError(f"{path}: not a profile: {e!r}") from e


def set_parameter(profile: Profile, text: str) -> None:
    """Overrides one parameter: vemmc.NAME=VALUE, vphone.NAME=VALUE, partitions.cache_mib=VALUE or
    ufs.mib=VALUE."""
    target, equals, value = text.partition("=")
    module, dot, name = target.partition(".")
    if target == "partitions.cache_mib" and value.isdecimal():
        profile.cache_mib = int(value)
        return
    if target == "ufs.mib" and value.isdecimal():
        profile.ufs_mib = int(value)
        return
    if not equals or not dot or not name or module not in ("vemmc", "vphone"):
        raise LabError(f"--param {text}: give vemmc.NAME=VALUE, vphone.NAME=VALUE, "
                       "partitions.cache_mib=VALUE or ufs.mib=VALUE")
    getattr(profile, module)[name] = value
