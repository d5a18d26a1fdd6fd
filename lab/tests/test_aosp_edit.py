# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""The edits of AOSP's sources (lab/aosp/edit.py), on a package with the texts that they replace."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from conftest import TOP

sys.path.insert(0, str(TOP / "lab/aosp"))

import edit  # noqa: E402


@pytest.fixture
def source(tmp_path: Path) -> Path:
    top = tmp_path / "source"
    for tree in edit.TREES:
        (top / tree).mkdir(parents=True, exist_ok=True)
    for change in edit.EDITS:
        file = top / change.file
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text((f"before\n{change.old}\n" * change.count) + "after\n")
    return top


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    return tmp_path / "copy"


def contents(top: Path) -> dict[Path, tuple[bytes, int]]:
    return {p: (p.read_bytes(), p.stat().st_mtime_ns) for p in top.rglob("*") if p.is_file()}


def test_every_edit_is_applied_to_the_copy_only(source: Path, copy: Path) -> None:
    before = contents(source)
    assert edit.copy_edited(source, copy) == len({e.file for e in edit.EDITS})
    for change in edit.EDITS:
        text = (copy / change.file).read_text()
        assert text.count(change.new) == change.count, change.file
        assert text.count(change.old) == change.new.count(change.old) * change.count, change.file
    assert contents(source) == before


def test_a_second_run_touches_nothing(source: Path, copy: Path) -> None:
    edit.copy_edited(source, copy)
    before = contents(copy)
    assert edit.copy_edited(source, copy) == 0
    assert contents(copy) == before


def test_a_damaged_copy_is_repaired(source: Path, copy: Path) -> None:
    edit.copy_edited(source, copy)
    file = copy / edit.EDITS[0].file
    good = file.read_text()
    file.write_text("half")
    stray = file.with_name("stray.cpp")
    stray.write_text("x")
    assert edit.copy_edited(source, copy) == 2
    assert file.read_text() == good
    assert not stray.exists()


@pytest.mark.parametrize("change", edit.EDITS, ids=lambda x: Path(x.file).name)
def test_an_edit_that_no_longer_applies_is_one_line(
        change: edit.Edit, source: Path, copy: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = source / change.file
    file.write_text(file.read_text().replace(change.old, "", 1))
    assert edit.main(["edit.py", str(source), str(copy)]) == 1
    line = capsys.readouterr().err
    assert line.count("\n") == 1
    assert change.file in line
    assert f"found {change.count - 1} times, expected {change.count}" in line


def test_text_that_is_found_once_too_often_is_an_error(source: Path, copy: Path) -> None:
    change = edit.EDITS[0]
    with (source / change.file).open("a") as f:
        f.write(change.old)
    with pytest.raises(edit.EditError, match="found 2 times, expected 1"):
        edit.copy_edited(source, copy)


def test_a_missing_tree_or_file_is_named(source: Path, copy: Path) -> None:
    (source / edit.EDITS[0].file).unlink()
    with pytest.raises(edit.EditError, match=edit.EDITS[0].file + ": no such file"):
        edit.copy_edited(source, copy)
    with pytest.raises(edit.EditError, match="no such folder; unpack Debian's"):
        edit.copy_edited(source / "nowhere", copy)


def test_bytes_that_are_no_utf8_survive(source: Path, copy: Path) -> None:
    odd = b"// caf\xe9\n"
    (source / edit.TREES[0] / "latin1.cpp").write_bytes(odd)
    edit.copy_edited(source, copy)
    assert (copy / edit.TREES[0] / "latin1.cpp").read_bytes() == odd
