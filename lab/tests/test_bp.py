# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""Android.bp before Soong itself, and copies with a mistake; its sources beside CMake's."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import OUT, TOP

sys.path.insert(0, str(TOP / "lab/android"))
from graph import Graph  # noqa: E402

from labtool import blueprint  # noqa: E402

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
    """What git knows: Soong looks whether sources are there."""
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


@pytest.mark.parametrize(("file", "right", "wrong", "told"), [
    (SERVICE, "init_rc:", "init_rcs:", 'unrecognized property "init_rcs"'),
    (SERVICE, "cc_fuzz {", "cc_fuz {", 'unrecognized module type "cc_fuz"'),
    (SERVICE, '"libstorekeeper_service",\n    ],\n    shared', '"libstorekeeper_servce",\n    ],\n'
     "    shared", "libstorekeeper_servce"),
    (SERVICE, "unstable: true", 'unstable: "true"', "can't assign string value to bool property"),
    (SERVICE, '":storekeeperd.rc"', '":storekeperd.rc"', "storekeperd.rc"),
    ("tradefed-configs/host/Android.bp", 'main: "abort', 'mian: "abort', "unrecognized property"),
    ("init-rc/Android.bp", '    name: "', '  name:"', "bpfmt -w"),
    # Android 13's.
    ("system-service/latency/bpf/Android.bp", '    include_dirs: [', "    btf: true,\n"
     "    include_dirs: [", 'unrecognized property "btf"'),
    ("docs/Android.bp", "storekeeper_dump_schema", "storekeeper_config_schema",
     'module "storekeeper_config_schema" already defined'),
])
def test_a_mistake_is_found(copy: Path, file: str, right: str, wrong: str, told: str) -> None:
    text = (copy / file).read_text()
    assert right in text
    (copy / file).write_text(text.replace(right, wrong, 1))
    result = check(copy)
    assert result.returncode == 1, result.stdout
    assert told in result.stdout + result.stderr


def test_debian_s_soong_knows_more_than_android_11_s() -> None:
    """It is three months younger: 11 has no other name for the folder of a prebuilt_etc."""
    prebuilts = [m for m in blueprint.modules(TOP).values() if m.kind == "prebuilt_etc"]
    assert len(prebuilts) >= 4
    assert [m.name for m in prebuilts if "relative_install_path" in m.properties] == []
    assert ({m.properties["sub_dir"] for m in prebuilts}
            == {"init", "storekeeper", "storekeeper/fio"})


def test_soong_and_cmake_build_the_same_sources() -> None:
    folder = TOP / "system-service"
    graph = Graph(TOP, {"before_13": True, "since_13": True})
    soong = {s for m in graph.modules.values() if m.file == Path(SERVICE)
             for s in graph.words(m.name, "srcs") if s.endswith(".cpp")}
    recipes = [folder / "CMakeLists.txt", *folder.glob("*.cmake")]
    text = re.sub(r"#.*", "", "\n".join(f.read_text() for f in recipes))
    cmake = set(re.findall(r"(?<![\w*/])(\w+/\w+\.cpp)\b", text))
    for pattern in re.findall(r"file\(GLOB \w+ CONFIGURE_DEPENDS (\S+\.cpp)\)", text):
        cmake |= {str(f.relative_to(folder)) for f in folder.glob(pattern)}
    # What only the lab has.
    lab = {"latency/measure.cpp", "testing/history_writer_main.cpp"}
    # The lab has no HIDL.
    assert soong - cmake == {"platform/hidl_health_hal.cpp"}
    assert {s for s in cmake - soong if not re.search(r"fake_health|main\.cpp$", s)} - lab == set()
    assert {s for s in soong if not (folder / s).exists()} == set()


def test_soong_does_not_look_below_out() -> None:
    """In a ROM's tree: there lie sources of others that have Android.bp files, too."""
    assert (OUT / ".find-ignore").exists()
