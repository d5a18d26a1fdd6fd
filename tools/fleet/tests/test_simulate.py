# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""Simulated fleets: equal arguments give equal bytes, and their chips are ftl_sim's."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from conftest import TOP, files_of
from storekeeper_fleet import catalogue, cli
from storekeeper_fleet.simulate import BEGIN, WEEK
from storekeeper_fleet.troubles import TROUBLES


def test_equal_arguments_give_equal_bytes(tmp_path: Path) -> None:
    for name, seed in (("a", "1"), ("b", "1"), ("c", "2")):
        assert cli.main(["simulate", "--devices", "50", "--months", "3", "--seed", seed, "--to",
                         str(tmp_path / name), "--truth", str(tmp_path / f"{name}.json")]) == 0
    assert files_of(tmp_path / "a") == files_of(tmp_path / "b") != files_of(tmp_path / "c")
    assert (tmp_path / "a.json").read_text() == (tmp_path / "b.json").read_text()
    truth = json.loads((tmp_path / "a.json").read_text())
    assert len(truth["replacements"]) == 8
    assert cli.main(["simulate", "--devices", "50", "--to", str(tmp_path / "a")]) == 73


@pytest.mark.parametrize("trouble", TROUBLES)
def test_each_trouble_changes_the_fleet_and_not_its_chips(tmp_path: Path, trouble: str) -> None:
    words = ["simulate", "--devices", "300", "--months", "6", "--seed", "2"]
    assert cli.main([*words, "--to", str(tmp_path / "plain")]) == 0
    assert cli.main([*words, "--trouble", trouble, "--to", str(tmp_path / "troubled")]) == 0
    plain, troubled = (pq.read_table(tmp_path / name / "samples") for name in
                       ("plain", "troubled"))
    assert set(troubled["chip"].to_pylist()) <= set(plain["chip"].to_pylist())
    assert not troubled.equals(plain)


def _share(tmp_path: Path, trouble: str) -> dict[str, float]:
    """Means over a fleet with a trouble, as multiples of those without."""
    means = []
    for name, words in (("plain", []), ("troubled", ["--trouble", trouble])):
        assert cli.main(["simulate", "--devices", "600", "--seed", "2", *words, "--to",
                         str(tmp_path / name)]) == 0
        rows = pq.read_table(tmp_path / name / "samples").to_pandas()
        rows = rows[(rows.wall_s > BEGIN) & (rows.wall_s < BEGIN + 52 * WEEK)]
        means.append(rows.groupby((rows.wall_s - BEGIN) // WEEK).bytes_per_day.mean())
    return (means[1] / means[0]).to_dict()


@pytest.mark.parametrize(("trouble", "factor"), [("double", 2), ("half", .5)])
def test_a_change_happens_once(tmp_path: Path, trouble: str, factor: float) -> None:
    share = _share(tmp_path, trouble)
    assert share[0] == pytest.approx(1)
    assert share[51] == pytest.approx(factor)


def test_a_season_swings_by_a_fifth(tmp_path: Path) -> None:
    share = _share(tmp_path, "season").values()
    assert max(share) == pytest.approx(1.2, abs=.01)
    assert min(share) == pytest.approx(.8, abs=.01)


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
