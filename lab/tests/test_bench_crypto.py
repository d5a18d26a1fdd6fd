# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""The crypto benchmark: its judge on tables, its guests in short runs."""

from __future__ import annotations

import copy
import json
import math

import pytest

from labtool import profiles
from labtool.bench import crypto, guests
from labtool.bench.crypto import SEED, State
from labtool.bench.guests import Phone
from labtool.paths import LabError


def good() -> dict:
    """Published figures, and benchmarks that agree."""
    row = {"cipher": "cbc(aes)", "key_bits": 128, "direction": "encrypt",
           "driver": "qcrypto-cbc-aes", "storekeeper_mbps": 38.0, "cryptsetup_mbps": 38.0,
           "cryptsetup_printed_mbps": 39.1}
    return {"xperia_z": {state: {"write_mbps": write, "read_mbps": read, "write_cpu_pct": 50.0,
                                 "read_cpu_pct": 50.0, "engine_requests": 0}
                         for state, (write, read) in SEED.items()},
            "agreement": [row]}


def test_published_figures_hold() -> None:
    assert crypto.violations(good()) == []
    assert any("2.15x" in line and "4.38x" in line for line in crypto.table(good()))
    assert crypto.table({})


@pytest.mark.parametrize(("state", "side", "factor", "violation"), [
    ("plain", "write", 1.06, "plain: write"),
    ("engine", "read", 0.94, "engine: read"),
    ("cpu", "write", 0.94, "cpu: write"),
])
def test_a_figure_that_is_off_is_a_violation(state: str, side: str, factor: float,
                                             violation: str) -> None:
    figures = good()
    figures["xperia_z"][state][f"{side}_mbps"] *= factor
    violations = crypto.violations(figures)
    assert len(violations) == 1, violations
    assert violations[0].startswith(violation)


def test_a_gain_may_be_off_where_its_figures_are_not() -> None:
    figures = good()
    figures["xperia_z"]["engine"]["write_mbps"] *= 0.951
    figures["xperia_z"]["cpu"]["write_mbps"] *= 1.049
    (violation,) = crypto.violations(figures)
    assert violation.startswith("gain: write")


@pytest.mark.parametrize("factor", [0.89, 1.11])
def test_benchmarks_that_disagree_are_told(factor: float) -> None:
    figures = good()
    figures["agreement"][0]["storekeeper_mbps"] *= factor
    (violation,) = crypto.violations(figures)
    assert violation.startswith("agreement: qcrypto-cbc-aes 128 encrypt")


def test_a_missing_figure_is_a_violation() -> None:
    figures = copy.deepcopy(good())
    del figures["xperia_z"]["cpu"], figures["agreement"]
    assert crypto.violations(figures) == [
        "cpu: write: not measured", "cpu: read: not measured", "agreement: not measured"]


def test_lines_of_the_guest_become_rows() -> None:
    def figure(driver: str, encrypt: bool, unit: int, mbps: float) -> dict:
        return {"driver": driver, "encrypt": encrypt, "unit_bytes": unit, "threads": 1,
                "mbps": {"mean": mbps}}
    reported = {"hardware": "hw", "cpu": "sw", "problem": "", "figures": [
        figure("hw", True, 65536, 10.0), figure("hw", False, 65536, 20.0),
        figure("hw", True, 512, 1.0), figure("sw", True, 65536, 30.0)]}
    lines = [f"@ours cbc(aes) 128 {json.dumps(reported)}", "@theirs cbc(aes) 128 10.0 20.0"]
    rows = crypto.agreement("engine", lines)
    assert [(r["driver"], r["direction"], r["storekeeper_mbps"], r["cryptsetup_printed_mbps"])
            for r in rows] == [("hw", "encrypt", 10.0, 10.49), ("hw", "decrypt", 20.0, 20.97)]
    with pytest.raises(LabError, match="no sw"):
        crypto.agreement("cpu", lines)
    with pytest.raises(LabError, match="cryptsetup measured no"):
        crypto.agreement("engine", [lines[0], "@theirs cbc(aes) 128 "])


@pytest.mark.parametrize("ms", [11.3, 49.7, 154.9, 333.0, 999.0, 1500.0])
def test_the_pass_that_cryptsetup_did_not_time_is_taken_off(ms: float) -> None:
    """Computes the rate as cipher_check.c does, with passes of 1 MiB that take `ms`."""
    passes = math.ceil(1000 / ms)
    printed = (passes + 1) / (passes * ms / 1000)
    reported = {"hardware": "hw", "cpu": "sw", "problem": "", "figures": [
        {"driver": "hw", "encrypt": encrypt, "unit_bytes": 65536, "threads": 1,
         "mbps": {"mean": 1.0}} for encrypt in (True, False)]}
    rows = crypto.agreement("engine", [
        f"@ours cbc(aes) 128 {json.dumps(reported)}",
        f"@theirs cbc(aes) 128 {printed} {printed}"])
    assert [r["cryptsetup_mbps"] for r in rows] == [
        pytest.approx(1.048576 / ms * 1000, abs=0.006)] * 2


@pytest.mark.parametrize("text", ["crypto.target=luks", "crypto.engine=2", "crypto.key_bits=100",
                                  "crypto.none=1", "crypto=1", "crypto.cipher="])
def test_a_wrong_parameter_is_told(text: str) -> None:
    with pytest.raises(LabError, match=r"--param crypto"):
        profiles.set_parameter(profiles.load("xperia-z"), text)


# A file of 4 MiB, in which the end of the writing counts for more than in the whole benchmark.
SHORT = 16
NEAR = 0.15


@pytest.fixture(scope="module")
def short() -> dict:
    states = [State(name, Phone(name, lambda _: None), SHORT,
                    crypto.CIPHERS[:1] if name == "engine" else (),
                    ("vemmc.capacity_mib=96",)) for name in SEED]
    guests.run(states)
    figures: dict = {}
    for state in states:
        state.into(figures)
    return figures


@pytest.mark.parametrize("state", SEED)
def test_a_short_run_is_near_the_published_figures(short: dict, state: str) -> None:
    for side, published in zip(("write", "read"), SEED[state], strict=True):
        value = short["xperia_z"][state][f"{side}_mbps"]
        assert abs(value / published - 1) < NEAR, (side, value, published)


def test_the_cpu_is_busy_where_it_encrypts_alone(short: dict) -> None:
    busy = {state: short["xperia_z"][state]["write_cpu_pct"] for state in SEED}
    assert busy["cpu"] > busy["engine"]
    assert busy["cpu"] > 2 * busy["plain"]


def test_the_services_benchmark_agrees_with_cryptsetups(short: dict) -> None:
    assert {(r["driver"], r["key_bits"], r["direction"]) for r in short["agreement"]} == {
        ("qcrypto-cbc-aes", 128, "encrypt"), ("qcrypto-cbc-aes", 128, "decrypt")}
    for row in short["agreement"]:
        assert abs(row["storekeeper_mbps"] / row["cryptsetup_mbps"] - 1) < 0.10, row
