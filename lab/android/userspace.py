# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""Our programs and unit tests for the user space of a product's output, linked with its libraries.

The output is `$ANDROID_PRODUCT_OUT` of an x86_64 build or its extracted images. Headers, GoogleTest
and AIDL come from the tree of the same release.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import release
from compiling import Job, compile_all, first_error, foreign_command, jobs, object_of
from target import FOLDER, Target, run

from labtool import apt
from labtool.graph import Graph
from labtool.paths import LAB, TOP, LabError

MACHINE = "x86_64"
TEST = "storekeeper_test"
# Libraries that are compiled into a program.
STATIC = ["libgtest", "libgmock", "android.hardware.health-V1-ndk"]
# The lab's stand-in for the property service and logd.
SERVICE = "lab-android"
PROGRAMS = ["storekeeperd", "storekeeper_bench", "storekeeper_crypto_early", "storekeeper_extcsd"]
# Files without which no guest can be made, by folder.
NEEDED = {"bin": ["linker64", "servicemanager", "dumpsys", "cmd"],
          "lib64": [f"{x}.so" for x in ("libc", "libm", "libdl", "libc++", "libbase", "liblog",
                                        "libbinder_ndk", "libselinux")]}
# Folders to look in. system/apex has the runtime's APEX as a package; bootstrap/ has copies of its
# files for early boot.
PLACES = ["system/{}", "system/{}/bootstrap", "system_ext/{}", "system/system_ext/{}", "vendor/{}"]


@dataclass(frozen=True)
class Output:
    """A product's output: its folder and its release."""

    folder: Path
    release: int

    def find(self, kind: str, name: str) -> Path:
        """A file of bin or lib64. A link is skipped if the output lacks its target."""
        for place in (*PLACES, "apex/com.android.runtime/{}"):
            if (path := self.folder / place.format(kind) / name).is_file():
                return path
        raise LabError(f"{self.folder} has no {kind}/{name} in system, system_ext, vendor or "
                       f"apex/com.android.runtime: give the output of an {MACHINE} product, "
                       "$ANDROID_PRODUCT_OUT, or its extracted images")


def output(folder: Path) -> Output:
    folder = folder.resolve()
    prop = folder / "system/build.prop"
    if not prop.is_file():
        raise LabError(f"{prop} is missing: give the output of an {MACHINE} product, "
                       "$ANDROID_PRODUCT_OUT, or its extracted images")
    properties = prop.read_text()
    sdk = re.search(r"^ro\.(?:system\.)?build\.version\.sdk=(\d+)$", properties, re.M)
    if not sdk or int(sdk[1]) not in release.SDK:
        raise LabError(f"{prop}: ro.build.version.sdk is "
                       f"{sdk[1] if sdk else 'absent'}, not one of 30 to 36")
    out = Output(folder, release.SDK[int(sdk[1])])
    for kind, names in NEEDED.items():
        for name in names:
            out.find(kind, name)
    return out


def _objects(target: Target, work: list[Job], foreign: bool = False) -> list[Path]:
    """Compiles the objects that are older than their source, one of our headers or a generated
    interface."""
    newest = max(x.stat().st_mtime for x in (*(TOP / "system-service").rglob("*.h"),
                                             *(FOLDER / target.name / "gen").glob("*/made")))

    def old(job: Job) -> bool:
        made = object_of(target, job)
        return not made.exists() or made.stat().st_mtime < max(newest, job.source.stat().st_mtime)

    if failed := compile_all(target, [x for x in work if old(x)], objects=True, foreign=foreign):
        raise LabError(f"{failed[0][0].source}: {first_error(failed[0][1])} ({len(failed)} files "
                       "do not compile)")
    return [object_of(target, x) for x in work]


def _foreign(target: Target, graph: Graph, name: str, files: Iterable[Path],
             folders: Iterable[Path]) -> list[Path]:
    command = (*foreign_command(target, graph), *(f"-I{x}" for x in folders))
    return _objects(target, [Job(name, x, command) for x in files], foreign=True)


def _test_runner(target: Target, graph: Graph, tree: Path) -> list[Path]:
    test, mock = (tree / f"external/googletest/{x}" for x in ("googletest", "googlemock"))
    files = [test / "src/gtest-all.cc", mock / "src/gmock-all.cc", mock / "src/gmock_main.cc"]
    if absent := [x for x in files if not x.exists()]:
        raise LabError(f"{absent[0]} is missing; {TEST} is linked with the tree's GoogleTest")
    return _foreign(target, graph, "googletest", files,
                    [x for y in (test, mock) for x in (y, y / "include")])


def _service(target: Target, graph: Graph, tree: Path) -> list[Path]:
    core = tree / "system/core/property_service"
    parts = [core / "libpropertyinfoparser", core / "libpropertyinfoserializer"]
    if absent := [x for x in parts if not x.is_dir()]:
        raise LabError(f"{absent[0]} is missing; {SERVICE} is built with it")
    files = [y for x in parts for y in sorted(x.glob("*.cpp")) if "test" not in y.name]
    files += [LAB / f"properties/property_{x}.cpp" for x in ("names", "store", "watch")]
    return _foreign(target, graph, SERVICE, [*files, LAB / "android/guest/lab_android.cpp"],
                    [LAB / "properties", *(x / "include" for x in parts)])


def _link(target: Target, out: Output, to: Path, objects: list[Path], needs: Iterable[str]) -> None:
    """As Soong links: dynamic, every symbol defined by the output's own libraries."""
    crt = to.with_name("crt.o")
    run([target.compiler, *target.machine, "-x", "c", "-fPIC", "-O1", "-c",
         Path(__file__).with_name("crt.c"), "-o", crt], "compiling the start of programs")
    # Debian's compiler-rt for x86_64 has thread_local as Android does it, and its libgcc the
    # arithmetic of long doubles with 128 bits.
    helpers = [run([target.compiler, "-target", "x86_64-linux-gnu", f"--rtlib={x}",
                    "-print-libgcc-file-name"], "looking for the compiler's helpers").strip()
               for x in ("compiler-rt", "libgcc")]
    names = dict.fromkeys([*needs, "libc++", "libc", "libm", "libdl"])
    libraries = [out.find("lib64", f"{x}.so") for x in names]
    run(["ld.lld", "-pie", "--eh-frame-hdr", "--gc-sections", "--no-undefined", "--hash-style=gnu",
         "--allow-shlib-undefined", "-z", "now", "--dynamic-linker=/system/bin/linker64", crt,
         *objects, *libraries, *helpers, "-o", to], f"linking {to.name}")


def build(out: Output, trees: Path, names: Iterable[str] = (*PROGRAMS, TEST)) -> dict[str, Path]:
    """Programs by name, up to date."""
    found = release.trees(trees)
    if out.release not in found:
        raise LabError(f"{out.folder} is Android {out.release}, and {trees} has no tree of it")
    tree = found[out.release]
    clang = release.CLANG[out.release]
    apt.install([f"clang-{clang}", f"libclang-rt-{clang}-dev", "hidl-gen"])
    target = release.target(out.release, tree, MACHINE)
    graph = Graph(TOP, target.variables)
    work = jobs(target, graph, "", tests=True)
    generated = {x.name: _foreign(target, graph, x.name, sorted((x / "src").rglob("*.cpp")),
                                  [x / "include", *target.headers("libbinder_ndk")])
                 for x in sorted((FOLDER / target.name / "gen").iterdir())}
    folder = FOLDER / target.name / "bin"
    folder.mkdir(parents=True, exist_ok=True)
    made = {}
    for name in names:
        needs = graph.libraries(name)
        ours = [x for x in (name, *needs) if x in graph.modules and not graph.aidl(x)]
        objects = _objects(target, [x for x in work if x.module in ours])
        if name == TEST:
            objects += _test_runner(target, graph, tree)
        made[name] = folder / name
        for library in needs:
            if (interface := graph.aidl(library)) is not None:
                objects += generated[interface.name]
            elif library == "android.hardware.health-V1-ndk":
                objects += generated["health"]
        _link(target, out, made[name], objects,
              [x for x in needs if x not in (*ours, *STATIC) and not graph.aidl(x)])
    made[SERVICE] = folder / SERVICE
    _link(target, out, made[SERVICE], _service(target, graph, tree),
          ["libbase", "liblog", "libselinux"])
    return made


def test_data() -> list[tuple[str, Path]]:
    """Files that Soong puts beside the unit tests: path in their folder and source."""
    graph = Graph(TOP, {})
    found = []
    for folder, pattern in graph.placed(TEST, "data"):
        if pattern.startswith(":"):
            group = pattern[1:]
            found += [(Path(x).name, graph.folder(group) / x) for x in
                      graph.modules[group].strings("srcs")]
        else:
            found += [(str(x.relative_to(folder)), x) for x in folder.glob(pattern) if x.is_file()]
    return found
