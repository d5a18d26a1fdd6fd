# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""The guest with an Android product's user space, as far as no product is needed."""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import finish, start

from labtool.suite import on_android


@pytest.mark.parametrize(("files", "error"), [
    ({}, "system/build.prop is missing: give the output of an x86_64 product"),
    ({"build.prop": "ro.build.version.sdk=29\n"}, "ro.build.version.sdk is 29, not one of 30 to"),
    ({"build.prop": "ro.build.version.sdk=30\n"}, "has no bin/linker64 in system, system_ext"),
])
def test_up_names_files_that_the_output_lacks(tmp_path: Path, files: dict[str, str],
                                              error: str) -> None:
    for name, text in files.items():
        (tmp_path / "system").mkdir(exist_ok=True)
        (tmp_path / "system" / name).write_text(text)
    result = finish(start("up", "--name", "no-android", "--android", str(tmp_path),
                          env={"ANDROID_TREES": str(tmp_path)}))
    assert result.code == 1
    assert len(result.err.splitlines()) == 1
    assert error in result.err


def test_trees_are_asked_for(tmp_path: Path) -> None:
    result = finish(start("up", "--name", "no-android", "--android", str(tmp_path),
                          env={"ANDROID_TREES": ""}))
    assert result.code == 1
    assert "ANDROID_TREES names no folder" in result.err


ENFORCED = "audit: type=1404 audit(1.2:3): enforcing=1 old_enforcing=0 auid=4294967295\n"
AVC = ('audit: type=1400 audit(1.5:{}): avc:  denied  {{ {} }} for  pid=7 comm="x" '
       "scontext=u:r:{}:s0 tcontext=u:{}:s0 tclass={} permissive=0\n")


def test_denials_of_ours_are_listed_and_counted(tmp_path: Path) -> None:
    first, second = tmp_path / "1", tmp_path / "2"
    getopt = ("getopt", "storekeeperd", "r:storekeeperd", "alg_socket")
    first.write_text(ENFORCED + AVC.format(3, *getopt) + AVC.format(4, *getopt))
    second.write_text(ENFORCED + AVC.format(3, "read", "shell", "object_r:proc_version", "file")
                      + AVC.format(5, "write", "vold", "object_r:sysfs_storekeeper_queue", "file"))
    assert on_android.denials([first, second]) == [
        "denied { getopt } u:r:storekeeperd:s0 u:r:storekeeperd:s0 alg_socket, 2 times",
        "denied { write } u:r:vold:s0 u:object_r:sysfs_storekeeper_queue:s0 file, 1 times"]


def test_a_guest_that_did_not_enforce_is_a_failure(tmp_path: Path) -> None:
    console = tmp_path / "1"
    console.write_text("Linux version 6.12\n")
    assert on_android.denials([console]) == [f"{console}: this guest did not enforce the policy"]


@pytest.mark.parametrize(("said", "code", "failed"), [
    ("[ RUN      ] A.Good\n[       OK ] A.Good (1 ms)\n", 0, []),
    ("[ RUN      ] A.Bad\n[  FAILED  ] A.Bad (1 ms)\n[ RUN      ] B.Bad/1\n"
     "[  FAILED  ] B.Bad/1, where GetParam() = (4 bytes) (2 ms)\n", 1, ["A.Bad", "B.Bad/1"]),
    ("[ RUN      ] A.Good\n[       OK ] A.Good (1 ms)\n[ RUN      ] A.Dies\n", 139,
     ["storekeeper_test ended with 139 in A.Dies"]),
])
def test_failed_unit_tests_are_named(said: str, code: int, failed: list[str]) -> None:
    assert on_android.failed_tests(said, code) == failed


def test_an_output_is_asked_for() -> None:
    result = finish(start("test-android", ""))
    assert result.code == 1
    assert "make test-android ANDROID_OUT=$ANDROID_PRODUCT_OUT" in result.err
