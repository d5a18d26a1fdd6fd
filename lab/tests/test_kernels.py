# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""Other kernels than the one that all other tests run: the oldest and the newest, a boot each."""

from __future__ import annotations

import pytest
from conftest import lab

from labtool import bench_kernels, bench_soak, kernel_packages, kernels, kmodules

KERNELS = bench_kernels.SHORT


@pytest.fixture(scope="module")
def figures() -> dict:
    return bench_kernels.measure(KERNELS, modes=("measuring",), words=())


@pytest.mark.parametrize("name", KERNELS)
@pytest.mark.parametrize("scenario", bench_kernels.SCENARIOS)
def test_the_core_scenarios_pass(figures: dict, name: str, scenario: str) -> None:
    assert figures[name][scenario] == "ok"


def test_nothing_is_broken_and_the_table_has_a_row_for_each(figures: dict) -> None:
    assert bench_soak.broken({bench_kernels.KIND: figures}) == []
    table = "\n".join(bench_soak.table({bench_kernels.KIND: figures}))
    for name in KERNELS:
        assert kernels.KERNELS[name].release in table


@pytest.mark.parametrize("name", KERNELS)
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
