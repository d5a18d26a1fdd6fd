# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""Android.bp before Soong itself, and copies with a mistake."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from conftest import OUT, TOP, spoil

from labtool import blueprint

CHECK = TOP / "lab/soong/check.sh"
SERVICE = "system-service/Android.bp"


def check(*words: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([CHECK, *words], text=True, capture_output=True)


def test_every_file_is_accepted() -> None:
    result = check()
    assert result.returncode == 0, result.stdout + result.stderr
    count = len(blueprint.files(TOP))
    assert result.stdout == (f"ok    {count} files, before_13\n"
                             f"ok    {count} files, since_13\n")


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A copy of all tracked files: Soong checks that sources exist."""
    listed = subprocess.run(["git", "ls-files", "-z", "-co", "--exclude-standard"], cwd=TOP,
                            text=True, capture_output=True, check=True).stdout
    for name in filter(None, listed.split("\0")):
        to = tmp_path / name
        to.parent.mkdir(parents=True, exist_ok=True)
        if name.endswith(".bp"):
            shutil.copy(TOP / name, to)
        elif (TOP / name).is_file():
            to.touch()
    return tmp_path


@pytest.mark.parametrize(("file", "right", "wrong", "reported"), [
    (SERVICE, "init_rc:", "init_rcs:", 'unrecognized property "init_rcs"'),
    (SERVICE, "cc_fuzz {", "cc_fuz {", 'unrecognized module type "cc_fuz"'),
    (SERVICE, '"libstorekeeper_trim",\n    ],\n}', '"libstorekeeper_trm",\n    ],\n}',
     "libstorekeeper_trm"),
    (SERVICE, "unstable: true", 'unstable: "true"', "can't assign string value to bool property"),
    (SERVICE, '":storekeeperd.rc"', '":storekeperd.rc"', "storekeperd.rc"),
    ("tradefed-configs/host/Android.bp", 'main: "abort', 'mian: "abort', "unrecognized property"),
    ("init-rc/Android.bp", '    name: "', '  name:"', "bpfmt -w"),
    ("docs/Android.bp", "storekeeper_dump_schema", "storekeeper_config_schema",
     'module "storekeeper_config_schema" already defined'),
])
def test_a_mistake_is_found(copy: Path, file: str, right: str, wrong: str, reported: str) -> None:
    spoil(copy / file, right, wrong, 1)
    result = check(copy)
    assert result.returncode == 1, result.stdout
    assert reported in result.stdout + result.stderr


def test_debian_s_soong_knows_more_than_android_11_s() -> None:
    """Debian's Soong is three months younger. Android 11 has only one name for the folder of a
    prebuilt_etc."""
    prebuilts = [m for m in blueprint.modules(TOP).values() if m.kind == "prebuilt_etc"]
    assert len(prebuilts) >= 4
    assert [m.name for m in prebuilts if "relative_install_path" in m.properties] == []
    assert ({m.properties["sub_dir"] for m in prebuilts}
            == {"init", "storekeeper", "storekeeper/fio"})


def test_soong_does_not_look_below_out() -> None:
    """In a ROM's tree, out/ contains foreign sources that have Android.bp files, too."""
    assert (OUT / ".find-ignore").exists()
