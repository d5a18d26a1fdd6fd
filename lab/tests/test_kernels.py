# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""Other kernels than the one that all other tests run: the oldest and the newest, a boot each."""

from __future__ import annotations

import pytest
from conftest import lab

from labtool import kernel_packages, kernels, kmodules
from labtool.bench import soak
from labtool.bench.kernels import KIND, SCENARIOS, SHORT, measure


@pytest.fixture(scope="module")
def figures() -> dict:
    return measure(SHORT, modes=("measuring",), words=())


@pytest.mark.parametrize("name", SHORT)
@pytest.mark.parametrize("scenario", SCENARIOS)
def test_the_core_scenarios_pass(figures: dict, name: str, scenario: str) -> None:
    assert figures[name][scenario] == "ok"


def test_nothing_is_broken_and_the_table_has_a_row_for_each(figures: dict) -> None:
    assert soak.violations({KIND: figures}) == []
    table = "\n".join(soak.table({KIND: figures}))
    for name in SHORT:
        assert kernels.KERNELS[name].release in table


@pytest.mark.parametrize("name", SHORT)
def test_a_kernel_has_its_modules_and_the_default_is_not_touched(name: str) -> None:
    kernel = kernel_packages.ready(name)
    assert kernel.release != kernels.DEFAULT.release
    order = kmodules.load_order(["ext4", "f2fs", "vemmc", "vufs", "qcrypto"], kernel)
    assert {"vemmc", "vufs", "qcrypto"} <= set(order)
    release = kernel.release.encode()
    assert all(b"vermagic=" + release in kmodules.content(m, kernel) for m in order)


def test_an_unknown_kernel_is_refused() -> None:
    result = lab("run", "--kernel", "3.4", "--", "true")
    assert result.code == 2
    assert "5.10" in result.err
    assert "newest" in result.err
