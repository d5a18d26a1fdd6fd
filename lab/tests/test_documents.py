# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""What the documents tell a reader to type does what they say."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator

import pytest
from conftest import TOP, lab

README = (TOP / "README.md").read_text()


def commands(tool: str) -> list[list[str]]:
    """The indented lines of the README that begin with `tool`, without their comments."""
    lines = re.findall(rf"^    {re.escape(tool)} (.*)$", README, re.M)
    return [shlex.split(line, comments=True) for line in lines]


@pytest.fixture
def _clean() -> Iterator[None]:
    yield
    lab("down")


@pytest.mark.usefixtures("_clean")
def test_the_readme_s_lab_commands_work_in_order() -> None:
    given = commands("lab/lab")
    assert len(given) >= 5
    for words in given:
        result = lab(*words)
        assert result.code == 0, (words, result)


def test_the_readme_names_make_s_targets() -> None:
    makefile = (TOP / "Makefile").read_text()
    targets = [words[0] for words in commands("make")]
    assert targets == ["demo", "test"]
    for target in targets:
        assert re.search(rf"^{target}:", makefile, re.M)


def test_every_folder_of_the_readme_s_table_exists() -> None:
    folders = re.findall(r"^\| ([a-z-]+) \|", README, re.M)
    for folder in folders:
        assert folder == "folder" or (TOP / folder).is_dir(), folder


def test_android_bp_lists_what_cmake_builds() -> None:
    folder = TOP / "system-service"
    listed = set(re.findall(r'"([a-z_]+/\w+\.cpp)"', (folder / "Android.bp").read_text()))
    built = set(re.findall(r"^\s+([a-z_]+/\w+\.cpp)$", (folder / "CMakeLists.txt").read_text(),
                           re.M))
    built |= {str(f.relative_to(folder)) for pattern in ("*/*_test.cpp", "fuzz/*_fuzzer.cpp")
              for f in folder.glob(pattern)}
    assert built - listed == set()
    assert {f for f in listed if not (folder / f).exists()} == set()
