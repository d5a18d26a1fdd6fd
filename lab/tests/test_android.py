# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""`make check-android` on copies with the faults that it must find, and its own readers."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import TOP

sys.path.insert(0, str(TOP / "lab/android"))

import cost  # noqa: E402
import target  # noqa: E402
from link import GIVEN, read_map  # noqa: E402
from release import release_of, trees  # noqa: E402
from target import Target, soong_flags  # noqa: E402

from labtool.graph import Graph  # noqa: E402
from labtool.paths import LabError  # noqa: E402

CHECK = TOP / "lab/android/check.py"
VICTIM = "system-service/bench/runner.cpp"
TREES = os.environ.get("ANDROID_TREES")


def check(copy: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([CHECK, "--project", copy, *words], text=True, capture_output=True)


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    copy = tmp_path_factory.mktemp("project")
    for name in ("Android.bp", "system-service"):
        source = TOP / name
        if source.is_dir():
            shutil.copytree(source, copy / name, symlinks=True)
        else:
            shutil.copy(source, copy / name)
    return copy


@pytest.mark.parametrize(("arch", "line", "reported"), [
    # -Wshadow, which libbase by -isystem is exempt from.
    ("armhf", "Result<int> F(); Result<int> G(int); "
     "Result<int> H() { return OR_RETURN(G(OR_RETURN(F()))); }", "shadow"),
    ("armhf", "int F(int a) { int b = a; { int b = 2; a = b; } return a + b; }", "shadow"),
    ("armhf", "int F() { throw 1; }", "exceptions"),
    ("older", "Result<void> F(); Result<void> G() { OR_RETURN(F()); return {}; }", "OR_RETURN"),
    ("older", "auto F() { return android::base::Tokenize(\"a b\", \" \"); }", "Tokenize"),
    ("older", "bool F(const std::set<int>& a) { return a.contains(1); }", "contains"),
    ("older", "bool F(std::vector<int>& a) { return std::erase(a, 1) != 0; }", "operands"),
    ("older", "int F(std::span<const int> a) { return a.front(); }", "front"),
    ("older", "bool F(std::span<const int> a, size_t i) { return i < a.size(); }", "signs"),
])
def test_a_fault_is_found(project: Path, arch: str, line: str, reported: str) -> None:
    file = project / VICTIM
    right = file.read_text()
    include = ('#include <android-base/errors.h>\n#include <android-base/strings.h>\n'
               '#include <set>\n#include <span>\n#include <vector>\n')
    try:
        file.write_text(f"{include}{right}\nnamespace {{\nusing android::base::Result;\n"
                        f"[[maybe_unused]] {line.replace('; Result', '; [[maybe_unused]] Result')}"
                        "\n}  // namespace\n")
        found = check(project, "--arch", arch, "--file", VICTIM)
    finally:
        file.write_text(right)
    assert found.returncode == 1, found.stdout + found.stderr
    assert "0 of 1 files of modules compile" in found.stdout
    assert reported in found.stdout, found.stdout


def test_the_file_itself_is_right(project: Path) -> None:
    for arch in ("armhf", "older"):
        found = check(project, "--arch", arch, "--file", VICTIM)
        assert found.returncode == 0, found.stdout + found.stderr
        assert "1 of 1 files of modules compile" in found.stdout


def test_a_source_that_is_not_there_is_named(project: Path) -> None:
    file = project / "system-service/Android.bp"
    right = file.read_text()
    try:
        file.write_text(right.replace('"bench/runner.cpp"', '"bench/runer.cpp"'))
        found = check(project, "--arch", "armhf", "--file", VICTIM)
    finally:
        file.write_text(right)
    assert found.returncode == 69
    assert "lists runer.cpp, which is not there" in found.stderr


@pytest.mark.skipif(not TREES, reason="set ANDROID_TREES to trees of Android releases")
def test_a_function_in_the_wrong_library_does_not_link(project: Path) -> None:
    file = project / "system-service/Android.bp"
    right = file.read_text()
    try:
        file.write_text(right.replace('        "daemon/access.cpp",\n', ""))
        found = check(project, "--trees", TREES or "", "--release", "13", "--arch", "arm64",
                      "--link")
    finally:
        file.write_text(right)
    assert found.returncode == 1, found.stdout + found.stderr
    assert "storekeeperd does not link" in found.stdout
    assert "CheckCaller" in found.stdout


def test_defaults_and_variables_make_a_module(tmp_path: Path) -> None:
    (tmp_path / "Android.bp").write_text("""
        soong_config_module_type { name: "own_defaults", module_type: "cc_defaults" }
        own_defaults {
            name: "d",
            cflags: ["-Da"],
            soong_config_variables: {
                old: { srcs: ["old.cpp"], conditions_default: { srcs: ["new.cpp"] } },
            },
        }
        cc_library_static {
            name: "lib", defaults: ["d"], cflags: ["-Db"], export_include_dirs: ["include"],
            target: { android: { cflags: ["-Dc"] } },
            static_libs: ["libjsoncpp"], export_static_lib_headers: ["libjsoncpp"],
        }
        cc_binary { name: "p", static_libs: ["lib"], shared_libs: ["libsqlite"] }
    """)
    for name in ("old.cpp", "new.cpp"):
        (tmp_path / name).touch()
    graph = Graph(tmp_path, {"old": False})
    assert graph.words("lib", "cflags") == ["-Da", "-Db", "-Dc"]
    assert Graph(tmp_path, {}, device=False).words("lib", "cflags") == ["-Da", "-Db"]
    assert graph.sources("lib") == [tmp_path / "new.cpp"]
    assert Graph(tmp_path, {"old": True}).sources("lib") == [tmp_path / "old.cpp"]
    assert graph.includes("p") == [tmp_path, tmp_path / "include", "libjsoncpp", "libsqlite"]
    assert graph.libraries("p") == ["libjsoncpp", "lib", "libsqlite"]


MAP = """
LIBC {
  global:
    open;
    environ; # var
    old_call; # arm x86
    new_call; # introduced=30
  local:
    *;
};
LIBC_ARM { # arm
  global:
    only_arm;
};
LIBC_PRIVATE {
  global:
    hidden;
} LIBC;
LIBC_PLATFORM {
  global:
    for_the_platform; # llndk
} LIBC;
"""


def test_a_map_tells_what_the_platform_may_call() -> None:
    common = {"open": False, "environ": True, "new_call": False, "for_the_platform": False}
    assert read_map(MAP, "arm64") == common
    assert read_map(MAP, "arm") == {**common, "old_call": False, "only_arm": False}


@pytest.mark.parametrize(("symbol", "given"), [
    ("_ZNSt3__112basic_stringIcE6appendEPKc", True), ("_ZNKSt3__16localeC1Ev", True),
    ("_ZTVSt9exception", True), ("_ZThn16_NSt3__114basic_iostreamD0Ev", True),
    ("_Znwm", True), ("__cxa_guard_acquire", True), ("__aeabi_uldivmod", True), ("__multf3", True),
    ("_ZN11storekeeper10CheckCallerERKNSt3__112basic_stringE", False), ("open", False),
    ("__system_property_get", False), ("_ZN7android4base5SplitE", False),
])
def test_symbols_that_no_tree_lists_are_known_by_name(symbol: str, given: bool) -> None:
    assert bool(GIVEN.match(symbol)) == given


def test_flags_are_read_from_soong(tmp_path: Path) -> None:
    config = tmp_path / "cc/config"
    config.mkdir(parents=True)
    (config / "global.go").write_text(
        'var (\n\tcommonGlobalCflags = []string{\n\t\t"-DANDROID", // why\n\t\t// "-Wno"\n'
        '\t\t"-Wa,${x}",\n\t}\n)\n')
    (config / "clang.go").write_text(
        '\tpctx.StaticVariable("ClangExtraCflags", strings.Join([]string{\n\t\t"-faddrsig",\n\t}))')
    assert soong_flags(tmp_path, "commonGlobalCflags", "ClangExtraCflags") == ["-DANDROID",
                                                                            "-faddrsig"]
    with pytest.raises(LabError, match="commonGlobalCflags"):
        soong_flags(tmp_path / "cc", "commonGlobalCflags")


def test_an_interface_is_made_anew_after_a_change(tmp_path: Path,
                                                  monkeypatch: pytest.MonkeyPatch) -> None:
    """The compiler is one that writes the names of its sources."""
    monkeypatch.setattr(target, "FOLDER", tmp_path / "out")
    compiler = tmp_path / "aidl"
    compiler.write_text("#!/bin/sh\n"
                        "while [ $# -gt 1 ]; do case $1 in -h) to=$2 ;; esac; shift; done\n"
                        "mkdir -p $to; cp $1 $to\n")
    compiler.chmod(0o755)
    given = tmp_path / "given"
    given.mkdir()
    (given / "IOld.aidl").write_text("interface IOld {}")
    made = Target("test", "cc", tmp_path, [], [], lambda _: [], aidl=compiler)
    folder = made.generate("i", given) / "include"
    assert [x.name for x in folder.iterdir()] == ["IOld.aidl"]
    os.utime(tmp_path / "out/test/gen/i/made", (0, 0))
    (given / "IOld.aidl").rename(given / "INew.aidl")
    made.generate("i", given)
    assert [x.name for x in folder.iterdir()] == ["INew.aidl"]


def test_a_checkout_says_its_release(tmp_path: Path) -> None:
    (tmp_path / "build/soong").mkdir(parents=True)
    with pytest.raises(LabError, match="11 to 16"):
        trees(tmp_path)
    core = tmp_path / "build/make/core"
    core.mkdir(parents=True)
    (core / "version_defaults.mk").write_text("PLATFORM_SDK_VERSION := 31\n")
    assert release_of(tmp_path) == 12
    assert trees(tmp_path) == {12: tmp_path}
    flags = tmp_path / "build/release/flag_values/ap3a"
    flags.mkdir(parents=True)
    (core / "version_defaults.mk").unlink()
    (flags / "RELEASE_PLATFORM_SDK_VERSION.textproto").write_text('value: { string_value: "35" }')
    assert trees(tmp_path) == {15: tmp_path}
    with pytest.raises(LabError, match="no checkout"):
        trees(tmp_path / "build")


def test_the_files_and_rules_of_docs_cost_are_those_of_this_tree() -> None:
    text = cost.COST.read_text()
    assert cost.format_page(cost.read_sizes(text)) == text, "run lab/android/cost.py"


def test_a_size_is_kept_until_its_program_is_linked_anew(
        tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cost, "FOLDER", tmp_path)
    kept = cost.measure_programs({"storekeeperd, arm": {13: "700"},
                                  "storekeeperd, arm64": {13: "800"}})
    program = tmp_path / "13-arm64/storekeeperd"
    program.parent.mkdir()
    program.write_bytes(bytes(900 * 1024))
    anew = cost.measure_programs(cost.read_sizes(cost.format_page(kept)))
    assert anew["storekeeperd, arm"] == {13: "700"}
    assert anew["storekeeperd, arm64"] == {13: "900"}
