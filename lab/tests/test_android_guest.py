# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""The guest with an Android product's user space, as far as no product is needed."""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import finish, start


@pytest.mark.parametrize(("files", "error"), [
    ({}, "system/build.prop is missing: give the output of an x86_64 product"),
    ({"build.prop": "ro.build.version.sdk=29\n"}, "ro.build.version.sdk is 29, not one of 30 to"),
    ({"build.prop": "ro.build.version.sdk=30\n"}, "has no bin/linker64 in system, system_ext"),
])
def test_what_an_output_lacks_is_named(tmp_path: Path, files: dict[str, str], error: str) -> None:
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
