# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""The EXT_CSD as storekeeper_extcsd decodes it, against mmc-utils' decode of the same bytes."""

from __future__ import annotations

import json
import os
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from conftest import HERE, OUT, TOP

TESTDATA = TOP / "system-service/testdata"
OURS = OUT / "build/guest/storekeeper_extcsd"
MMC = OUT / "sysroot/usr/bin/mmc"
REV, CSD_STRUCTURE, SEC_COUNT = 192, 194, slice(212, 216)

# Fields that mmc-utils names differently from JESD84-B51.
NAMES = {
    "HPI_FEATURE": "HPI_FEATURES", "BOOT_SIZE_MULTI": "BOOT_SIZE_MULT",
    "CARD_TYPE": "DEVICE_TYPE", "RST_N_FUNCTION": "RST_n_FUNCTION",
    # Bytes 236 and 237 had these names up to eMMC 4.51; JESD84-B51 counts by VCCQ.
    "PWR_CL_200_195": "PWR_CL_200_130", "PWR_CL_200_360": "PWR_CL_200_195",
    "EXT_CSD_PRE_EOL_INFO": "PRE_EOL_INFO",
    "EXT_CSD_DEVICE_LIFE_TIME_EST_TYP_A": "DEVICE_LIFE_TIME_EST_TYP_A",
    "EXT_CSD_DEVICE_LIFE_TIME_EST_TYP_B": "DEVICE_LIFE_TIME_EST_TYP_B",
}
# "Sector Count [SEC_COUNT: 0x03a3e000]", "HPI management [HPI_MGMT]: 0x01",
# "Context configuration [CONTEXT_CONF[51]]: 0x00", "Command Queue Depth [CMDQ_DEPTH]: 32",
# "Cache Size [CACHE_SIZE] is 65536 KiB"
FIELD = re.compile(r"\[(?P<name>\w+)(?:\[(?P<byte>\d+)\])?(?::\s*(?P<inside>0x[0-9a-f]+))?\]"
                   r"(?:\s*(?::|is)\s*(?P<after>0x[0-9a-f]+|\d+))?")


def mmc_fields(register: Path, library: Path) -> Iterator[tuple[str, int | None, int]]:
    """Name, byte of the register (for fields printed byte by byte) and value."""
    done = subprocess.run([MMC, "extcsd", "read", "/dev/mmcblk0"], capture_output=True, text=True,
                          errors="replace",
                          env={**os.environ, "LD_PRELOAD": str(library), "EXTCSD": str(register)})
    assert done.returncode == 0, done
    for line in done.stdout.splitlines():
        if not (found := FIELD.search(line)):
            continue
        text = found["inside"] or found["after"]
        assert text, line
        value = int(text, 0)
        if found["name"] == "CMDQ_DEPTH":
            value -= 1  # it prints the number of commands
        byte = int(found["byte"]) if found["byte"] else None
        yield NAMES.get(found["name"], found["name"]), byte, value


def our_fields(register: Path) -> dict[str, dict]:
    done = subprocess.run([OURS, "--json", "--file", register], capture_output=True, text=True)
    assert done.returncode == 0, done
    return {field["name"]: field for field in json.loads(done.stdout)["fields"]}


def compared(register: Path, library: Path) -> set[str]:
    """The names of the fields that both decoders have; fails if they disagree."""
    ours = our_fields(register)
    names = set()
    for name, byte, value in mmc_fields(register, library):
        assert name in ours, f"mmc-utils has {name}, storekeeper_extcsd has not"
        field = ours[name]
        if byte is not None:
            mine = bytes.fromhex(field["bytes"])[byte - field["offset"]]
        elif name == "CACHE_SIZE":
            mine = field["value"] // 8  # Kbit; it prints KiB
        elif name == "CMDQ_DEPTH":
            mine = field["value"] & 0x1f
        else:
            mine = field["value"]
        assert mine == value, name
        names.add(name)
    return names


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("mmc") / "extcsd_device.so"
    subprocess.run(["clang", "-O2", "-Wall", "-Werror", "-shared", "-fPIC",
                    HERE / "extcsd_device.c", "-o", path], check=True)
    return path


def registers() -> list[Path]:
    """Every register of testdata, except the invalid one."""
    return sorted(p for p in TESTDATA.glob("*/ext_csd.hex") if "garbage" not in p.parent.name)


@pytest.mark.parametrize("path", registers(), ids=lambda p: p.parent.name)
def test_fixtures_are_decoded_as_by_mmc_utils(path: Path, library: Path, tmp_path: Path) -> None:
    data = bytes.fromhex(path.read_text())
    if int.from_bytes(data[SEC_COUNT], "little") == 0 or data[REV] > 8:
        data = data[::-1]  # an old kernel's order, which storekeeper_extcsd finds by itself
    register = tmp_path / "register"
    register.write_bytes(data)
    names = compared(register, library)
    assert len(names) >= (90 if data[REV] >= 7 else 60), sorted(names)


@pytest.mark.parametrize("rev", [5, 6, 7, 8])
@pytest.mark.parametrize("seed", range(4))
def test_no_byte_is_taken_for_another(rev: int, seed: int, library: Path, tmp_path: Path) -> None:
    # Neighbours differ, and so do bytes that are a power of two apart.
    data = bytearray((i * 167 + i // 256 * 89 + seed * 61 + 13) % 256 for i in range(512))
    data[REV], data[CSD_STRUCTURE] = rev, seed % 4
    data[252] &= 0x7f  # mmc-utils prints CACHE_SIZE with a sign
    register = tmp_path / "register"
    register.write_bytes(data)
    assert len(compared(register, library)) >= 60
