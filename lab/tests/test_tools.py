# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""tools/ against the virtual phone, over adb."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest
from conftest import OUT, TOP, Phone, unlike_schema

from labtool import adb, venv

DUMP = "dump.schema.json"


@pytest.fixture
def tool(phone: Phone, tmp_path: Path) -> dict[str, str]:
    """An environment in which adb on PATH knows only the shared phone."""
    home = OUT / "run" / phone.name
    words = adb.client(int(str(phone.state["adb_server_port"])), '"$@"')
    program = tmp_path / "bin/adb"
    program.parent.mkdir()
    program.write_text(f"#!/bin/sh\nexec {' '.join(words)}\n")
    program.chmod(0o755)
    return {**adb.environment(home), "PATH": f"{program.parent}:{os.environ['PATH']}"}


def test_capture_records_the_phone_s_card(phone: Phone, tool: dict[str, str],
                                          tmp_path: Path) -> None:
    done = subprocess.run([TOP / "tools/capture", "--into", tmp_path, "vphone"], env=tool,
                          text=True, capture_output=True)
    assert done.returncode == 0, done
    folder = tmp_path / "vphone"
    card = folder / "sys/block/mmcblk0"
    for name in ("device/name", "device/life_time", "device/rev", "queue/discard_granularity",
                 "size"):
        assert (card / name).read_text() == phone.output(f"cat /sys/block/mmcblk0/{name}"), name
    cid = (card / "device/cid").read_text()
    real = phone.output("cat /sys/block/mmcblk0/device/cid")
    assert cid == f"{real[:20]}00000000{real[28:30]}00\n"
    assert not (card / "device/serial").exists()
    assert " /data " in (folder / "proc/self/mountinfo").read_text()
    # The register assembled from its fields decodes like the card's own.
    decoded = subprocess.run(
        [OUT / "build/guest/storekeeper_extcsd", "--json", "--file", folder / "ext_csd.hex"],
        text=True, capture_output=True, check=True).stdout
    assert decoded == phone.output("storekeeper_extcsd --json")


def test_report_shows_the_phone_over_adb(phone: Phone, tool: dict[str, str],
                                         tmp_path: Path) -> None:
    page = tmp_path / "report.html"
    done = subprocess.run(
        [venv.ready() / "python", "-B", "-m", "storekeeper_report", "-o", page], text=True,
        capture_output=True, cwd=TOP / "tools/report", env=tool)
    assert done.returncode == 0, done  # the dump satisfies docs/dump.schema.json
    assert done.stdout.startswith("90–100 % left")
    text = page.read_text()
    # Every section of the schema is in the daemon's dump.
    assert "not in this dump" not in text
    assert "VN7-12" in text


# The schema allows keys of a later version, but a dump of this one has no others.
def test_the_schema_has_every_key_of_a_dump(phone: Phone) -> None:
    phone.output("cmd storekeeper trim --hurry /data")
    dump = phone.output("dumpsys storekeeper --json")
    assert unlike_schema(DUMP, dump, "closed") == ""
    changed = json.loads(dump)
    changed["receipts"][0]["mounts"][0]["late"] = 0
    assert "'late' was unexpected" in unlike_schema(DUMP, json.dumps(changed), "closed")
