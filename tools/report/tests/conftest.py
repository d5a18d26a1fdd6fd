# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""Sample dumps, and adb as a device's owner has it: a program on PATH."""

from __future__ import annotations

import copy
import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

HERE = Path(__file__).resolve().parent
DATA = HERE / "testdata"
# Read from the checkout, installed or not.
sys.path.insert(0, str(HERE.parent))

FAKE_ADB = HERE / "fake_adb.py"


EVIL = ("</script><script>alert(1)</script><img src=x onerror=alert(1)>\"'&{{7*7}}"
        "\u202e\x1b[31m\ud800")


def _spoilt(value: Any) -> Any:
    """Every string that may be any string, made an attack."""
    if isinstance(value, dict):
        fixed = ("schema", "level", "state", "kind", "name", "source", "field", "unit", "chip",
                 "mode", "stage", "confidence")
        return {k: v if k in fixed else _spoilt(v) for k, v in value.items()}
    if isinstance(value, list):
        return [_spoilt(x) for x in value]
    return EVIL if isinstance(value, str) else value


def attack(dump: dict[str, Any]) -> dict[str, Any]:
    """The dump of a device that wants to take over whoever looks at its page."""
    spoilt = _spoilt(dump)
    for row in (*spoilt["health"]["items"], *spoilt["maintenance"]["gates"]):
        row["name"] = row["unit"] = EVIL
    spoilt["ledger"]["chip"] += EVIL
    return spoilt


def attack_bench(value: Any, key: str = "") -> Any:
    """A result of storekeeper_bench, or a comparison, whose every free text is an attack."""
    if isinstance(value, dict):
        return {k: attack_bench(v, k) for k, v in value.items()}
    if isinstance(value, list):
        return [attack_bench(x, key) for x in value]
    if not isinstance(value, str) or key in ("schema", "verdict", "level"):
        return value
    # Names and codes distinguish figures and reasons; no text means that there is none.
    return value + EVIL if key in ("name", "code") else EVIL if value else value


@pytest.fixture
def bench() -> Callable[[str], dict[str, Any]]:
    """A sample of testdata/bench by name, to be changed at will."""
    return lambda name: copy.deepcopy(json.loads((DATA / f"bench/{name}.json").read_text()))


@pytest.fixture
def dump() -> Callable[[str], dict[str, Any]]:
    """A sample dump by name, to be changed at will."""
    return lambda name: copy.deepcopy(json.loads((DATA / f"{name}.json").read_text()))


class FakePhones:
    """Devices for a fake adb: a folder each with its root below; scripts answer commands."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def add(self, serial: str, state: str = "device") -> Path:
        """The new device's root folder."""
        root = self.folder / serial / "root"
        root.mkdir(parents=True)
        (self.folder / serial / "state").write_text(state)
        return root

    def command(self, serial: str, name: str, script: str) -> None:
        """A program on the device."""
        program = self.folder / serial / "bin" / name
        program.parent.mkdir(exist_ok=True)
        program.write_text(f"#!/bin/sh\n{script}\n")
        program.chmod(0o755)


@pytest.fixture
def phones(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> FakePhones:
    tools = tmp_path / "tools"
    tools.mkdir()
    (tools / "adb").write_text(f'#!/bin/sh\nexec {sys.executable} {FAKE_ADB} "$@"\n')
    (tools / "adb").chmod(0o755)
    devices = tmp_path / "devices"
    devices.mkdir()
    monkeypatch.setenv("PATH", f"{tools}:{os.environ['PATH']}")
    monkeypatch.setenv("FAKE_ADB_DEVICES", str(devices))
    return FakePhones(devices)
