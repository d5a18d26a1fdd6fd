# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""Operations on encrypted volumes that no source of the service may contain."""

from __future__ import annotations

from conftest import TOP

SOURCES = [path for pattern in ("*.cpp", "*.h")
           for path in (TOP / "system-service").rglob(pattern)]
# Requests of the device mapper that answer with a table, which holds the key, or take one.
TABLES = ("DM_TABLE_STATUS", "DM_TABLE_LOAD", "DM_STATUS_TABLE_FLAG", "DM_DEV_CREATE")


def test_no_source_asks_for_a_table() -> None:
    product = [x for x in SOURCES
               if x.parent.name not in ("testing", "campaigns") and "_test." not in x.name]
    assert len(product) > 100
    for path in product:
        text = path.read_text(errors="replace")
        assert not [name for name in TABLES if name in text], path


def test_no_source_unregisters_a_cipher() -> None:
    for path in SOURCES:
        assert "CRYPTO_MSG_DELALG" not in path.read_text(errors="replace"), path
