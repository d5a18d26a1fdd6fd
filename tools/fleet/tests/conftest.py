# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""Dumps as storekeeper-report's tests have them, and simulated fleets."""

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
TOP = HERE.parents[2]
REPORT = TOP / "tools/report"
DATA = REPORT / "tests/testdata"
# Read from the checkout, installed or not.
sys.path[:0] = [str(HERE.parent), str(REPORT), str(HERE.parent / "bench"), str(REPORT / "tests")]

from storekeeper_fleet import cli  # noqa: E402

ENVIRONMENT = {**os.environ, "PYTHONPATH": f"{HERE.parent}:{REPORT}"}
# A small data set is planned longer than computed.
SPARK = ("spark.sql.codegen.wholeStage=false", "spark.sql.codegen.factoryMode=NO_CODEGEN",
         "spark.sql.shuffle.partitions=1", "spark.default.parallelism=1",
         "spark.sql.adaptive.enabled=false",
         "spark.driver.extraJavaOptions=-XX:TieredStopAtLevel=1 -XX:+UseSerialGC")

Dump = dict[str, Any]


def sample(name: str = "worn-emmc") -> Dump:
    return json.loads((DATA / f"{name}.json").read_text())


def of_chip(dump: Dump, number: int, wall_s: int | None = None) -> Dump:
    """Another device's, or another time's."""
    dump = copy.deepcopy(dump)
    dump["ledger"]["chip"] = f"{number:016x}"
    if wall_s is not None:
        dump["made_wall_s"] = wall_s
    return dump


def small(dump: Dump) -> Dump:
    """Without the long series, for many of them."""
    dump = copy.deepcopy(dump)
    for section in ("latency", "ledger"):
        dump[section]["series"] = dump[section]["series"][-2:]
    dump["receipts"] = dump["receipts"][:1]
    return dump


def files_of(folder: Path) -> dict[str, bytes]:
    return {str(p.relative_to(folder)): p.read_bytes() for p in sorted(folder.rglob("*"))
            if p.is_file()}


@pytest.fixture(scope="session")
def planted(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Any]]:
    """A fleet with everything planted, and its truth."""
    folder = tmp_path_factory.mktemp("planted")
    assert cli.main(["simulate", "--devices", "3000", "--months", "12", "--seed", "7",
                     "--plant", "firmware", "--plant", "app", "--plant", "build",
                     "--to", str(folder / "fleet"), "--truth", str(folder / "truth.json")]) == 0
    return folder / "fleet", json.loads((folder / "truth.json").read_text())


@pytest.fixture
def query(capfdbinary: pytest.CaptureFixture[bytes]) -> Callable[..., bytes]:
    """The output of `storekeeper-fleet query`."""
    def run(*words: str | Path) -> bytes:
        capfdbinary.readouterr()
        assert cli.main(["query", *map(str, words)]) == 0
        return capfdbinary.readouterr().out
    return run
