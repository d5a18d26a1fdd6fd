# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""Everything that docs/fleet.md names exists; test_package.py runs its commands."""

from __future__ import annotations

import re
import sys

import pytest
from conftest import TOP
from storekeeper_fleet import cli
from storekeeper_fleet.queries import QUERIES

TEXT = (TOP / "docs/fleet.md").read_text()


def test_the_table_of_queries_is_whole() -> None:
    table = TEXT.split("| query |")[1].split("\n\n")[0]
    named = [x for row in re.findall(r"^\| ([a-z, -]+) \|", table, re.M) for x in row.split(", ")]
    assert named == list(QUERIES)


def test_options_that_are_named_exist(capsys: pytest.CaptureFixture[str]) -> None:
    help_ = ""
    for command in ("ingest", "report", "query", "simulate"):
        with pytest.raises(SystemExit):
            cli.main([command, "--help"])
        help_ += capsys.readouterr().out
    for option in set(re.findall(r"`[^`]*?(--[a-z]+)", TEXT)) - {"--json", "--help"}:
        assert option in help_, option
    assert sys.version_info >= (3, 11)
