# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""Simulated fleets: equal arguments give equal bytes, and their chips are ftl_sim's."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

import pytest
from conftest import TOP, files_of
from storekeeper_fleet import catalogue, cli


def test_equal_arguments_give_equal_bytes(tmp_path: Path) -> None:
    for name, seed in (("a", "1"), ("b", "1"), ("c", "2")):
        assert cli.main(["simulate", "--devices", "50", "--months", "3", "--seed", seed, "--to",
                         str(tmp_path / name), "--truth", str(tmp_path / f"{name}.json")]) == 0
    assert files_of(tmp_path / "a") == files_of(tmp_path / "b") != files_of(tmp_path / "c")
    assert (tmp_path / "a.json").read_text() == (tmp_path / "b.json").read_text()
    truth = json.loads((tmp_path / "a.json").read_text())
    assert len(truth["replacements"]) == 8
    assert cli.main(["simulate", "--devices", "50", "--to", str(tmp_path / "a")]) == 73


@pytest.fixture(scope="module")
def ftl_sim(tmp_path_factory: pytest.TempPathFactory) -> Path:
    program = tmp_path_factory.mktemp("ftl") / "ftl_sim"
    subprocess.run(["g++", "-std=gnu++20", "-O1", TOP / "lab/kernel/test/ftl_sim.cpp", "-o",
                    program], check=True)
    return program


@pytest.mark.parametrize("chip", catalogue.CHIPS, ids=lambda c: c.profile)
def test_write_amplification_is_what_ftl_sim_prints(ftl_sim: Path, chip: catalogue.Chip) -> None:
    profile = json.loads((TOP / f"lab/profiles/{chip.profile}.json").read_text())
    done = subprocess.run([ftl_sim, *(f"{k}={v}" for k, v in profile["vemmc"].items())],
                          check=True, text=True, capture_output=True)
    found = re.search(r"before trim: .*WAF (\d+\.\d+)", done.stdout)
    assert found
    assert float(found[1]) == chip.write_amplification
    cycles = re.search(r"FTL_CONFIG\(endurance, (\d+)",
                       (TOP / "lab/kernel/ftl/ftl_config_list.h").read_text())
    assert cycles
    assert int(cycles[1]) == catalogue.CYCLES
