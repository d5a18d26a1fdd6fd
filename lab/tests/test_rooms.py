# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""The rooms of system-service: declared dependencies against includes, on copies with a fault."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from conftest import TOP, spoil

from labtool.rooms import FREE, Rooms, cmake

CHECK = TOP / "tools/rooms"
SERVICE = "system-service"


def check(top: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([CHECK, "check", top], text=True, capture_output=True)


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    shutil.copytree(TOP / SERVICE, tmp_path / SERVICE, ignore=shutil.ignore_patterns("testdata"))
    return tmp_path


def test_each_room_includes_what_it_declares(copy: Path) -> None:
    result = check(copy)
    assert (result.returncode, result.stderr) == (0, "")
    assert result.stdout.startswith("ok    rooms: ")


@pytest.mark.parametrize(("file", "include"), [
    ("base/file_reader.cpp", "health/verdict.h"),
    ("maintenance/policy/policy.cpp", "maintenance/trim/trim_pass.h"),
    ("maintenance/trim/trim_pass.h", "daemon/access.h"),
    ("bench/runner.cpp", "daemon/access.h"),
    ("bench/main.cpp", "daemon/access.h"),
    ("health/verdict.h", "testing/tree.h"),
])
def test_an_include_against_the_order_is_found(copy: Path, file: str, include: str) -> None:
    victim = copy / SERVICE / file
    victim.write_text(f'#include "{include}"\n{victim.read_text()}')
    result = check(copy)
    assert result.returncode == 1
    assert f"{SERVICE}/{file}: includes {include}" in result.stdout


@pytest.mark.parametrize(("file", "right", "wrong", "reported"), [
    ("CMakeLists.txt", "include(tests.cmake)",
     "target_link_libraries(libstorekeeper_base PUBLIC libstorekeeper_health)\n"
     "include(tests.cmake)", "CMakeLists.txt: links libstorekeeper_base with rooms"),
    ("Android.bp", '    name: "libstorekeeper_base",\n',
     '    name: "libstorekeeper_base",\n    shared_libs: ["libstorekeeper_health"],\n',
     "libstorekeeper_base -> libstorekeeper_health -> libstorekeeper_base is a cycle"),
    ("Android.bp", '        "base/diskstats.cpp",\n', "", "base/diskstats.cpp: no module"),
    ("Android.bp", '        "base/diskstats_test.cpp",\n', "",
     "base/diskstats_test.cpp: no module"),
    ("Android.bp", '        "libstorekeeper_inputs",\n        "libstorekeeper_latency",\n'
     '        "libstorekeeper_maintenance",\n        "libstorekeeper_mounts",\n'
     '        "libstorekeeper_policy",\n        "libstorekeeper_report",\n'
     '        "libstorekeeper_trim",\n        "libstorekeeper_writers",\n    ],\n'
     '    shared_libs: [\n        "libbinder_ndk",\n'
     '        "libpower",\n        "libsqlite"',
     '        "libstorekeeper_latency",\n'
     '        "libstorekeeper_maintenance",\n        "libstorekeeper_mounts",\n'
     '        "libstorekeeper_policy",\n        "libstorekeeper_report",\n'
     '        "libstorekeeper_trim",\n        "libstorekeeper_writers",\n    ],\n'
     '    shared_libs: [\n        "libbinder_ndk",\n'
     '        "libpower",\n        "libsqlite"',
     "storekeeperd does not list libstorekeeper_inputs"),
    ("Android.bp", '        "base/diskstats.cpp",\n', '        "mounts/mountinfo.cpp",\n',
     "a room is one folder"),
])
def test_a_fault_is_found(copy: Path, file: str, right: str, wrong: str, reported: str) -> None:
    spoil(copy / SERVICE / file, right, wrong, 1)
    result = check(copy)
    assert result.returncode == 1, result.stdout
    assert reported in result.stdout + result.stderr


def test_cmake_links_what_android_bp_declares(copy: Path) -> None:
    recipe = copy / SERVICE / "Android.bp"
    before = cmake(Rooms(copy))
    recipe.write_text(recipe.read_text().replace(
        '    static_libs: ["libstorekeeper_base"],\n', "", 1))
    after = cmake(Rooms(copy))
    assert len(after.splitlines()) == len(before.splitlines()) - 1


def test_the_drawing_is_of_these_rooms() -> None:
    rooms = Rooms()
    folders = {name: folder for folder, name in rooms.folders.items()}
    declared = {folder: sorted(folders[x] for x in rooms.rooms_of(name))
                for folder, name in rooms.folders.items()}
    text = (TOP / "docs/architecture.md").read_text()
    table = text.split("| room |", 1)[1].split("\n\n", 1)[0]
    drawn = {room: sorted(filter(None, uses.split(", ")))
             for room, uses in re.findall(r"^\| ([\w/]+) \|.*\| ?(.*?) \|$", table, re.M)}
    assert drawn == declared


def test_no_room_has_more_than_forty_files() -> None:
    for folder in Rooms().folders:
        files = [f for pattern in ("*.h", "*.cpp") for f in (TOP / SERVICE / folder).glob(pattern)
                 if not f.name.endswith("_test.cpp")]
        assert len(files) <= 40, folder


def test_tests_may_use_any_room() -> None:
    assert set(FREE).isdisjoint(Rooms().folders)
