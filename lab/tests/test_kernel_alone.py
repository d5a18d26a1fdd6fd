# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""lab/kernel without the lab: its README's lines, the defaults of make, accuracy.md."""

from __future__ import annotations

import os
import re
import subprocess

import pytest
from conftest import TOP, Result, lab
from test_bench_seeds import as_published

from labtool import kernels
from labtool.bench import seeds
from labtool.image import host_program

README = (TOP / "lab/kernel/README.md").read_text()
# The guest's own card makes room; its modules are loaded already.
BEFORE = """
set -e
cd /tmp
mkdir -p bin build
printf '#!/system/bin/sh\\n' >bin/modprobe
chmod 755 bin/modprobe
ln -s /lib/modules/vemmc.ko build/vemmc.ko
PATH=/tmp/bin:$PATH
export DM_DISABLE_UDEV=1
lab-data down
umount /cache
rmmod vemmc
"""


@pytest.fixture(scope="module")
def output(tmp_path_factory: pytest.TempPathFactory) -> Result:
    blocks = re.findall(r"^```sh\n(.*?)^```", README, re.M | re.S)
    assert len(blocks) >= 6
    script = tmp_path_factory.mktemp("alone") / "alone.sh"
    script.write_text(BEFORE + "\n".join(blocks))
    return lab("run", "--measure", "--profile", "xperia-z", "--param", "vemmc.capacity_mib=128",
               "--file", f"{script}:/tmp/alone.sh",
               "--file", f"{host_program('fstrim')}:/system/bin/fstrim",
               "--file", f"{host_program('mkfs.f2fs')}:/system/bin/mkfs.f2fs",
               "--", "sh", "/tmp/alone.sh")


def test_the_readme_s_lines_work(output: Result) -> None:
    assert output.code == 0, output
    stats = dict(re.findall(r"^(\w+) (\d+)$", output.out, re.M))
    assert int(stats["trims"]) > 0
    assert int(stats["trimmed_bytes"]) > 400 << 20
    assert int(stats["host_write_pages"]) >= 16 << 8
    # worn_permille=250: the third tenth.
    assert "0x03 0x03" in output.out


def test_a_power_cut_loses_what_was_not_synced(output: Result) -> None:
    assert re.search(r"^kept$", output.out, re.M), output
    assert not re.search(r"^lost$", output.out, re.M), output


def test_faults_are_armed(output: Result) -> None:
    assert re.search(r"^armed 1$", output.out, re.M), output


def test_the_card_for_fstests_has_two_partitions_of_one_size(output: Result) -> None:
    sizes = {name: int(kib) for kib, name in re.findall(r" (\d+) (mmcblk0p\d)$", output.out, re.M)}
    assert sizes == {"mmcblk0p1": 1 << 20, "mmcblk0p2": (1 << 20) - 1024}


def test_make_alone_is_for_the_running_kernel_and_stays_in_the_folder() -> None:
    done = subprocess.run(["make", "-n", "-C", str(TOP / "lab/kernel")], capture_output=True,
                          text=True)
    assert f"-C /lib/modules/{os.uname().release}/build " in done.stdout
    assert f" M={TOP}/lab/kernel/build/src " in done.stdout


@pytest.mark.parametrize(("given", "reported"), [
    ("KDIR=/nowhere", "KDIR=/nowhere: no kernel headers there"),
    ("OUT=", "OUT= is empty")])
def test_make_names_missing_parts(given: str, reported: str) -> None:
    done = subprocess.run(["make", "-C", str(TOP / "lab/kernel"),
                           f"KDIR={kernels.DEFAULT.headers}", given],
                          capture_output=True, text=True)
    assert done.returncode != 0
    assert reported in done.stderr


def test_accuracy_has_every_published_cell() -> None:
    published = {(r.seed, r.figure): f"{r.seed_value:.4g}" for r in as_published().cells()}
    assert {cell: value for cell, (value, _) in seeds.committed().items()} == published
    # 22 of the Nexus 7, 6 of the Xperia Z, 4 and 3 of the Nexus 5 and 6, 2 of Pixel and Moto Z.
    assert len(published) == 37
