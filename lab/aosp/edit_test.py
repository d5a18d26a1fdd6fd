# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""Run by pytest, or alone: python3 -m unittest discover -s lab/aosp -p '*_test.py'"""

from __future__ import annotations

import contextlib
import io
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

import edit  # noqa: E402


def package(top: Path) -> Path:
    """A source package with just what every edit looks for."""
    for tree in edit.TREES:
        (top / tree).mkdir(parents=True, exist_ok=True)
    for change in edit.EDITS:
        file = top / change.file
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text((f"before\n{change.old}\n" * change.count) + "after\n")
    return top


class EditTest(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.source = package(Path(folder.name) / "source")
        self.copy = Path(folder.name) / "copy"

    def test_every_edit_is_applied_to_the_copy_only(self) -> None:
        before = {p: p.read_text() for p in self.source.rglob("*") if p.is_file()}
        self.assertEqual(len({e.file for e in edit.EDITS}),
                         edit.copy_edited(self.source, self.copy))
        for change in edit.EDITS:
            with self.subTest(file=change.file):
                text = (self.copy / change.file).read_text()
                self.assertEqual(change.count, text.count(change.new))
                self.assertEqual(change.new.count(change.old) * change.count,
                                 text.count(change.old))
        self.assertEqual(before, {p: p.read_text() for p in self.source.rglob("*")
                                  if p.is_file()})

    def test_second_run_touches_nothing(self) -> None:
        edit.copy_edited(self.source, self.copy)
        before = {p: p.stat().st_mtime_ns for p in self.copy.rglob("*")}
        self.assertEqual(0, edit.copy_edited(self.source, self.copy))
        self.assertEqual(before, {p: p.stat().st_mtime_ns for p in self.copy.rglob("*")})

    def test_damaged_copy_is_repaired(self) -> None:
        edit.copy_edited(self.source, self.copy)
        file = self.copy / edit.EDITS[0].file
        good = file.read_text()
        file.write_text("half")
        stray = file.with_name("stray.cpp")
        stray.write_text("x")
        self.assertEqual(2, edit.copy_edited(self.source, self.copy))
        self.assertEqual(good, file.read_text())
        self.assertFalse(stray.exists())

    def test_edit_that_no_longer_applies_is_one_clear_line(self) -> None:
        for change in edit.EDITS:
            with self.subTest(file=change.file):
                text = (self.source / change.file).read_text()
                (self.source / change.file).write_text(text.replace(change.old, "", 1))
                errors = io.StringIO()
                with contextlib.redirect_stderr(errors):
                    self.assertEqual(1, edit.main(["edit.py", str(self.source), str(self.copy)]))
                line = errors.getvalue()
                self.assertEqual(1, line.count("\n"))
                self.assertIn(change.file, line)
                self.assertIn(f"found {change.count - 1} times, expected {change.count}", line)
                (self.source / change.file).write_text(text)

    def test_needle_found_once_too_often_is_an_error_too(self) -> None:
        change = edit.EDITS[0]
        with (self.source / change.file).open("a") as f:
            f.write(change.old)
        with self.assertRaisesRegex(edit.EditError, "found 2 times, expected 1"):
            edit.copy_edited(self.source, self.copy)

    def test_missing_tree_or_file_is_named(self) -> None:
        (self.source / edit.EDITS[0].file).unlink()
        with self.assertRaisesRegex(edit.EditError, edit.EDITS[0].file + ": no such file"):
            edit.copy_edited(self.source, self.copy)
        with self.assertRaisesRegex(edit.EditError, "no such folder; unpack Debian's"):
            edit.copy_edited(self.source / "nowhere", self.copy)

    def test_bytes_that_are_no_utf8_survive(self) -> None:
        odd = b"// caf\xe9\n"
        tree = edit.TREES[0]
        (self.source / tree / "latin1.cpp").write_bytes(odd)
        edit.copy_edited(self.source, self.copy)
        self.assertEqual(odd, (self.copy / tree / "latin1.cpp").read_bytes())


if __name__ == "__main__":
    unittest.main()
