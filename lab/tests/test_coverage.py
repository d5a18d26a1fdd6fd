# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""`lab coverage` on small exports as llvm-cov writes them."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from labtool.paths import LabError
from labtool.suite import coverage, pure
from labtool.suite.coverage import Covered

# The code that the tests of `sources` reach, compiled as one program.
CODE = {
    "health/sum.h": """
        #pragma once
        #define CHECK_NOT(x, y) if ((x) == (y)) return 0
        #define TAKE(x) ({ if ((x) < 0) return -1; (x); })
        template <typename T> T Least(T a, T b) { return a < b ? a : b; }
        """,
    "health/sum.cpp": """
        #include "health/sum.h"
        constexpr bool kOn = true;
        int Sum(int a, int b) {
            CHECK_NOT(a, 7);
            if (kOn) a += 0;
            switch (b) {
                case 1: return a + 1;
                case 2: return a + 2;
                default: return Least(a, b) + Least<long>(b, a);
            }
        }
        int NeverCalled(bool yes) { return yes ? 1 : 2; }
        int Count(int a) {
            int b = TAKE(a);
            while (TAKE(a)) --a;
            return b;
        }
        """,
    "health/sum_test.cpp": """
        int Sum(int a, int b);
        int Count(int a);
        int main() {
            Count(3);
            return Sum(1, 1) + Sum(1, 2) + Sum(1, 3) + Sum(3, 1) == 9 ? 1 : 0;
        }
        """,
}


def export(counts: list[list[int]], name: str = "system-service/health/x.cpp") -> dict:
    """One function of ten lines with these branches: line, column, true, false."""
    region = [1, 1, 10, 2, 5, 0, 0, 0]
    branches = [[line, column, line, column + 3, true, false, 0, 0, 4]
                for line, column, true, false in counts]
    summary = {"lines": {"count": 10, "covered": 9}}
    return {"data": [{"files": [{"filename": name, "summary": summary}],
                      "functions": [{"filenames": [name], "regions": [region],
                                     "branches": branches}]}]}


def test_branches_are_counted_by_their_outcomes() -> None:
    files = coverage.read(export([[2, 5, 3, 2], [4, 9, 0, 5], [6, 1, 1, 0]]))
    covered = files["health/x.cpp"]
    assert (covered.lines_hit, covered.lines) == (9, 10)
    assert (covered.outcomes_hit, covered.outcomes) == (4, 6)
    assert coverage.missing(files, ["health/x.cpp"]) == [
        "health/x.cpp:4:9: never true", "health/x.cpp:6:1: never false"]


def test_instances_of_a_template_add_up() -> None:
    both = export([[2, 5, 3, 0]])
    both["data"][0]["functions"] += export([[2, 5, 0, 1]])["data"][0]["functions"]
    files = coverage.read(both)
    assert files["health/x.cpp"].outcomes == 2
    assert coverage.missing(files, ["health/x.cpp"]) == []


def test_conditions_that_the_compiler_decides_are_no_branches() -> None:
    data = export([[2, 5, 0, 0]])
    assert coverage.read(data)["health/x.cpp"].outcomes == 0
    # In unreached code it counts as a branch.
    data["data"][0]["functions"][0]["regions"].append([2, 1, 3, 9, 0, 0, 0, 0])
    assert coverage.missing(coverage.read(data), ["health/x.cpp"]) == [
        "health/x.cpp:2:5: never true", "health/x.cpp:2:5: never false"]


def test_a_branch_of_a_macro_is_where_the_macro_is_used() -> None:
    data = export([[2, 5, 1, 1]])
    function = data["data"][0]["functions"][0]
    function["filenames"].append("system-service/base/try.h")
    function["regions"] += [[4, 7, 4, 20, 5, 0, 1, 1], [33, 1, 39, 9, 5, 1, 0, 0]]
    function["branches"].append([36, 13, 36, 20, 0, 5, 1, 0, 4])
    assert coverage.missing(coverage.read(data), ["health/x.cpp"]) == [
        "health/x.cpp:4:7: never true in a macro's line 36"]


@pytest.mark.parametrize("name", [
    "system-service/health/x_test.cpp", "system-service/testing/tree.cpp", "build/aidl/x.cpp",
    "system-service/campaigns/main.cpp", "/usr/include/c++/12/vector"])
def test_files_outside_the_product_are_left_out(name: str) -> None:
    assert coverage.read(export([[2, 5, 0, 1]], name)) == {}


def test_the_table_has_a_line_for_each_folder_and_never_rounds_up() -> None:
    files = coverage.read(export([[2, 5, 3, 2]]))
    files["crypto/early/y.cpp"] = Covered(lines=2000, lines_hit=1999)
    assert [line.split() for line in coverage.table(files)] == [
        ["folder", "lines", "branches"],
        ["crypto/early", "1999/2000", "99.9", "%", "0/0", "-"],
        ["health", "9/10", "90.0", "%", "2/2", "100.0", "%"],
        ["all", "2008/2010", "99.9", "%", "2/2", "100.0", "%"]]


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A service with one parser, which has a fuzz target."""
    for name in ("health/x.cpp", "health/x.h", "health/rest.cpp", "fuzz/x_fuzzer.cpp"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    (tmp_path / "fuzz/x_fuzzer.cpp").write_text('#include "health/x.h"\n')
    monkeypatch.setattr(pure, "SERVICE", tmp_path)
    monkeypatch.setattr(pure, "PURE", "health: x")
    return tmp_path


def test_an_uncovered_branch_of_a_pure_file_fails(
        tree: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(coverage, "export", lambda *_: coverage.read(export([[2, 5, 3, 0]])))
    with pytest.raises(LabError, match=r"1 branches of the pure parts"):
        coverage.judge()
    assert "health/x.cpp:2:5: never false" in capsys.readouterr().out
    monkeypatch.setattr(coverage, "export", lambda *_: coverage.read(export([[2, 5, 3, 1]])))
    coverage.judge()
    # The same branch in a file that is not listed is only counted.
    name = "system-service/health/rest.cpp"
    both = export([[2, 5, 3, 1]])
    both["data"] += export([[2, 5, 3, 0]], name)["data"]
    monkeypatch.setattr(coverage, "export", lambda *_: coverage.read(both))
    coverage.judge()


def test_unit_tests_that_left_no_counters_are_an_error(tmp_path: Path) -> None:
    with pytest.raises(LabError, match="program left no counters"):
        coverage.export(tmp_path / "program", [])


def test_a_pure_file_must_exist_and_be_linked(
        tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert pure.files() == ["health/x.cpp", "health/x.h"]
    assert coverage.missing({}, ["health/x.cpp", "health/x.h"]) == [
        "health/x.cpp: no unit test links it"]
    monkeypatch.setattr(pure, "PURE", "health: x moved")
    with pytest.raises(LabError, match="health/moved, which is listed in"):
        pure.files()


def test_a_folder_is_all_that_is_in_it(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tree / "health/x_test.cpp").touch()
    monkeypatch.setattr(pure, "PURE", "health: *")
    assert pure.files() == ["health/rest.cpp", "health/x.cpp", "health/x.h"]


def test_a_file_with_a_fuzz_target_must_be_listed(
        tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pure, "PURE", "health: rest")
    with pytest.raises(LabError, match="health/x has a fuzz target"):
        pure.files()
    # This file has a fuzz target but also keeps a file.
    (tree / "health/x.h").write_text("class X { Syscalls& calls_; };\n")
    assert pure.files() == ["health/rest.cpp"]


def test_the_list_of_this_tree_is_right() -> None:
    assert "maintenance/policy/gates.cpp" in pure.files()
    assert "health/verdict_test.cpp" in pure.tests()


def test_a_program_that_was_compiled(tmp_path: Path) -> None:
    if not shutil.which("llvm-cov"):
        pytest.skip("llvm is not installed")
    service = tmp_path / "system-service"
    for name, text in CODE.items():
        (service / name).parent.mkdir(parents=True, exist_ok=True)
        (service / name).write_text(text)
    program = tmp_path / "program"
    sources = [str(service / name) for name in CODE if name.endswith(".cpp")]
    subprocess.run(["clang++", "-fprofile-instr-generate", "-fcoverage-mapping", f"-I{service}",
                    f"-ffile-prefix-map={service}=system-service", "-o", str(program), *sources],
                   check=True)
    subprocess.run([program], env={"LLVM_PROFILE_FILE": str(tmp_path / "1.profraw")}, check=False)
    files = coverage.export(program, [tmp_path / "1.profraw"])
    assert sorted(files) == ["health/sum.cpp", "health/sum.h"]
    assert coverage.missing(files, sorted(files)) == [
        "health/sum.cpp:5:13: never true in a macro's line 3",
        "health/sum.cpp:13:44: never true", "health/sum.cpp:13:44: never false",
        "health/sum.cpp:15:21: never true in a macro's line 4",
        "health/sum.cpp:16:20: never true in a macro's line 4"]
