# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""What no source of the service may do with encrypted volumes."""

from __future__ import annotations

from conftest import TOP

from labtool.image import SERVICE_PROGRAMS
from labtool.rooms import Rooms

SOURCES = [path for pattern in ("*.cpp", "*.h")
           for path in (TOP / "system-service").rglob(pattern)]
# Requests of the device mapper that answer with a table, which holds the key, or take one.
TABLES = ("DM_TABLE_STATUS", "DM_TABLE_LOAD", "DM_STATUS_TABLE_FLAG", "DM_DEV_CREATE")


# The one that maps a device of its own, with a key that it has drawn.
MAPPER = TOP / "system-service/crypto/disk/device_mapper.cpp"


def test_crypto_acceptance_07_no_source_asks_for_a_table() -> None:
    product = [x for x in SOURCES if x.parent.name != "testing" and "_test." not in x.name]
    assert len(product) > 100
    for path in product:
        text = path.read_text(errors="replace")
        allowed = {"DM_TABLE_LOAD", "DM_DEV_CREATE"} if path == MAPPER else set()
        assert {name for name in TABLES if name in text} == allowed, path


def test_crypto_acceptance_07_the_daemon_cannot_map_a_device() -> None:
    """Of a device's programs one links the room that can."""
    rooms = Rooms()
    users = {name for name in SERVICE_PROGRAMS if "libstorekeeper_crypto_disk" in rooms.below(name)}
    assert users == {"storekeeper_crypto_measure"}


def test_crypto_acceptance_06_no_source_unregisters_a_cipher() -> None:
    for path in SOURCES:
        assert "CRYPTO_MSG_DELALG" not in path.read_text(errors="replace"), path
