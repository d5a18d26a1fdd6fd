# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""Device profiles: lab/profiles/NAME.json, parameters only."""

from __future__ import annotations

import json
from dataclasses import dataclass, field

from .paths import PROFILES, LabError

DEFAULT = "nexus7-2012"
# What a profile may give parameters to, and --param override.
MODULES = ("vemmc", "vphone", "qcrypto", "vqcrypto_cpu")


@dataclass
class Crypto:
    """How /data is encrypted; target "none": not at all."""

    target: str = "none"
    # As dm-crypt's table has it.
    cipher: str = "aes-cbc-essiv:sha256"
    key_bits: int = 128
    # Whether the engine's driver is loaded.
    engine: bool = True

    def set(self, name: str, value: str) -> bool:
        """Whether there is such a parameter with such values."""
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
class Profile:
    name: str
    vemmc: dict[str, str] = field(default_factory=dict)
    vphone: dict[str, str] = field(default_factory=dict)
    qcrypto: dict[str, str] = field(default_factory=dict)
    vqcrypto_cpu: dict[str, str] = field(default_factory=dict)
    # None: a phone without an engine, whose CPU is not modelled.
    crypto: Crypto | None = None
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
            **{m: {k: str(v) for k, v in raw.get(m, {}).items()} for m in MODULES},
            crypto=_crypto(raw["crypto"]) if "crypto" in raw else None,
            kernel_cmdline=list(raw.get("kernel_cmdline", [])),
            cache_mib=int(raw.get("partitions", {}).get("cache_mib", 64)),
            memory_mib=int(raw.get("memory_mib", 1024)),
            ufs_mib=int(raw.get("ufs_mib", 0)))
    except (ValueError, KeyError, TypeError, AttributeError) as e:
        raise LabError(f"{path}: not a profile: {e!r}") from e


def _crypto(raw: dict[str, object]) -> Crypto:
    crypto = Crypto()
    for name, value in raw.items():
        if not crypto.set(name, str(value)):
            raise ValueError(f"crypto.{name}: {value}")
    return crypto


def set_parameter(profile: Profile, text: str) -> None:
    """Overrides one parameter: MODULE.NAME=VALUE of a module of ours, partitions.cache_mib=VALUE,
    ufs.mib=VALUE, or crypto.NAME=VALUE with the names of Crypto."""
    target, equals, value = text.partition("=")
    module, dot, name = target.partition(".")
    if target == "partitions.cache_mib" and value.isdecimal():
        profile.cache_mib = int(value)
        return
    if target == "ufs.mib" and value.isdecimal():
        profile.ufs_mib = int(value)
        return
    if module == "crypto" and equals:
        profile.crypto = profile.crypto or Crypto()
        if profile.crypto.set(name, value):
            return
    if not equals or not dot or not name or module not in MODULES:
        raise LabError(f"--param {text}: give MODULE.NAME=VALUE with {', '.join(MODULES)}, "
                       "partitions.cache_mib=VALUE, ufs.mib=VALUE, or crypto.target, "
                       "crypto.cipher, crypto.key_bits, crypto.engine")
    getattr(profile, module)[name] = value
