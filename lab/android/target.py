# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""Targets: a compiler, Soong's flags and the folders of the libraries' headers."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from labtool.graph import Graph
from labtool.paths import AOSP, OUT, TOP, LabError

FOLDER = OUT / "android"
# Flags of Google's own compiler and of its build that say nothing about the code.
_NOISE = ("-fcolor-diagnostics", "-fdiagnostics-color", "-fno-canonical-system-headers",
          "-gz=zstd", "-fexperimental-new-pass-manager",
          # For compilers before clang 19, which warns of the flag itself.
          "-fno-relaxed-template-template-args")
_DEBUG = re.compile(r"-g(\d|$|z|simple|line)|-fdebug|-ffile-|-fsanitize")


@dataclass
class Target:
    """A release of Android for an architecture, or its stand-in."""

    name: str
    compiler: str
    # The folder of build/soong.
    soong: Path
    machine: list[str]
    system: list[Path]
    # Header folders of a foreign library; empty if the target does not know it.
    headers: Callable[[str], list[Path]]
    default_std: str = "gnu++20"
    # Whether it has the libraries of `target: { android: {} }`: Debian has none of HIDL.
    device: bool = True
    # Soong variables that storekeeper.mk sets for the release.
    variables: dict[str, bool] = field(default_factory=dict)
    aidl: Path = AOSP / "bin/aidl"
    structured: tuple[str, ...] = ("--structured", "--min_sdk_version=platform_apis")

    def command(self, graph: Graph, name: str) -> list[str]:
        """The compiler with all but the file."""
        folders: list[Path] = []
        for folder in graph.includes(name):
            folders += self.headers_of(graph, folder) if isinstance(folder, str) else [folder]
        std = graph.last(name, "cpp_std") or self.default_std
        words = [self.compiler, *soong_flags(self.soong, "commonGlobalCflags", "ClangExtraCflags",
                                             "deviceGlobalCflags"),
                 *self.machine, *graph.words(name, "cflags"), *graph.words(name, "cppflags"),
                 *(f"-I{x}" for x in dict.fromkeys(folders)), "-nostdinc++", "-nostdlibinc",
                 *(y for x in self.system if x.is_dir() for y in ("-isystem", str(x))),
                 *soong_flags(self.soong, "commonGlobalCppflags", "ClangExtraCppflags",
                              "deviceGlobalCppflags"),
                 f"-std={std}", "-fno-exceptions", "-fno-rtti", "-fPIC",
                 *soong_flags(self.soong, "noOverrideGlobalCflags", "ClangExtraNoOverrideCflags"),
                 # A compiler of another version than Soong's has other warnings.
                 "-Wno-unknown-warning-option", "-Wno-unused-command-line-argument"]
        return [x for x in words if x not in _NOISE and not _DEBUG.match(x)]

    def headers_of(self, graph: Graph, library: str) -> list[Path]:
        if interface := graph.aidl(library):
            folder = graph.folder(interface.name)
            given = folder / str(interface.properties.get("local_include_dir", "."))
            return [self.generate(interface.name, given) / "include",
                    *self.headers("libbinder_ndk")]
        return self.headers(library)

    def generate(self, interface: str, given: Path, *options: str) -> Path:
        """C++ of an AIDL interface, as aidl_interface has it made."""
        to = FOLDER / self.name / "gen" / interface
        stamp = to / "made"
        sources = sorted(given.rglob("*.aidl"))
        changed = max(x.stat().st_mtime for x in sources)
        if not stamp.exists() or stamp.stat().st_mtime < changed:
            if not self.aidl.exists():
                raise LabError(f"{self.aidl} is missing: run `lab/lab build` first")
            shutil.rmtree(to, ignore_errors=True)
            run([self.aidl, "--lang=ndk", *(options or self.structured), "-I", given,
                 "-h", to / "include", "-o", to / "src", *sources],
                f"compiling {interface}")
            stamp.touch()
        return to


def run(command: list, what: str, **more) -> str:
    done = subprocess.run([str(x) for x in command], text=True, capture_output=True, cwd=TOP,
                          **more)
    if done.returncode:
        raise LabError(f"{what}: {(done.stderr or done.stdout).strip()[-2000:]}")
    return done.stdout


def soong_flags(soong: Path, *names: str) -> list[str]:
    """Lists of flags by their names in Soong's sources; a name of another release gives none."""
    found: list[str] = []
    for name in names:
        for file in ("global.go", "clang.go"):
            path = soong / "cc/config" / file
            if not path.exists():
                continue
            start = rf'(?:\n\t{name}\s*=\s*|"{name}", (?:strings\.Join\()?)\[\]string'
            body = re.search(start + r"\{(.*?)\n?\t?\}", path.read_text(), re.S)
            if body:
                lines = [re.sub(r'",\s*//.*', '",', x) for x in body[1].split("\n")
                         if not x.strip().startswith("//")]
                found += re.findall(r'"([^"]*)"', "\n".join(lines))
    if not found and "commonGlobalCflags" in names:
        raise LabError(f"{soong}/cc/config/global.go has no commonGlobalCflags; is it build/soong?")
    return [x for x in found if "$" not in x]
