# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""Links the programs against what a release's libraries export.

bionic, liblog and libbinder_ndk are stubs of the symbols that the tree's own maps list. libbase,
jsoncpp and generated AIDL are compiled from the tree. libsqlite and libpower have neither a map nor
a source that compiles alone: their stubs have the functions that their headers declare. Symbols of
the C++ library and of the compiler's helpers are known by name, since no file of a tree lists them.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

from compiling import Job, compile_all, first_error, foreign_command, object_of
from release import sqlite_headers
from target import FOLDER, Target, run

from labtool.graph import PROGRAMS, Graph
from labtool.paths import LabError

MAPS = {
    "libc": ["bionic/libc/libc.map.txt"],
    "libm": ["bionic/libm/libm.map.txt"],
    "libdl": ["bionic/libdl/libdl.map.txt"],
    "liblog": ["system/logging/liblog/liblog.map.txt", "system/core/liblog/liblog.map.txt"],
    "libbinder_ndk": ["frameworks/native/libs/binder/ndk/libbinder_ndk.map.txt"],
}
# Folders of libraries that are compiled, and names of their files that no device's library has.
SOURCES = {
    "libbase": ["system/libbase", "system/core/base"],
    "libjsoncpp": ["external/jsoncpp/src/lib_json"],
}
NOT_BUILT = re.compile(r"test|_benchmark|fuzzer|windows|utf8|abi_compat")
# Members of namespace std, the C++ ABI's, and the compiler's arithmetic and unwinding.
GIVEN = re.compile(
    r"_Z(T[VISTC]|GV|Thn?\d+_|Tv\d+_n?\d+_)?N?[VK]*St|_Zn[wa]|_Zd[la]|_ZT[VIS]N10__cxxabiv1"
    r"|__cxa_|__gxx_|__dynamic_cast|__aeabi_|_Unwind_|__emutls|__atomic_"
    r"|__(u?div|u?mod|mul|ash[lr]|lshr|u?cmp|neg)[dst]i\d$"
    r"|__(add|sub|mul|div|lt|gt|le|ge|eq|ne|unord|cmp|fix|fixuns|float|floatun|extend|trunc)"
    r"\w*[dst][fi]\d?$")
# HIDL's run time, its health HAL and reference counts, which no map lists.
OF_HIDL = re.compile(r"_Z(T[VISTC])?N?K?7android(8hardware|7RefBase|4hidl|9StrongPointer|2sp)")
ARCHES = {"arm", "arm64", "x86", "x86_64", "riscv64", "mips", "mips64", "lp32", "lp64"}


def read_map(text: str, machine: str) -> dict[str, bool]:
    """Symbols of a map for the platform's code, and whether each is a variable."""
    mine = {machine, "lp64" if machine.endswith("64") else "lp32"}
    found: dict[str, bool] = {}
    skipped = False
    for line in text.splitlines():
        code, _, comment = line.partition("#")
        tags = set(re.findall(r"[\w-]+", comment))
        if "{" in code:
            # LIBC_PRIVATE and the like are for other libraries of bionic.
            skipped = "_PRIVATE" in code or bool(tags & ARCHES and not tags & mine)
        elif skipped or (tags & ARCHES and not tags & mine):
            continue
        elif symbol := re.match(r"\s*([A-Za-z_]\w*);", code):
            found[symbol[1]] = "var" in tags
    return found


def _make_stub(target: Target, name: str, symbols: dict[str, bool]) -> Path:
    folder = FOLDER / target.name / "stubs"
    folder.mkdir(parents=True, exist_ok=True)
    lines = [f".globl {s}\n.type {s},%{'object' if var else 'function'}\n{s}:\n .long 0"
             for s, var in sorted(symbols.items())]
    source = folder / f"{name}.s"
    source.write_text(".data\n" + "\n".join(lines) + "\n")
    shared = folder / f"{name}.so"
    run([target.compiler, *target.machine, "-c", source, "-o", source.with_suffix(".o")],
        f"assembling {name}'s stub")
    run(["ld.lld", "-shared", f"-soname={name}.so", source.with_suffix(".o"), "-o", shared],
        f"linking {name}'s stub")
    return shared


def _read_headers(headers: list[Path], pattern: str) -> dict[str, bool]:
    text = "\n".join(f.read_text(errors="replace") for f in headers)
    return dict.fromkeys(re.findall(pattern, text), False)


def _make_stubs(target: Target, tree: Path, machine: str) -> list[Path]:
    """Shared libraries that export the symbols of the release's and have no code."""
    found = []
    for name, places in MAPS.items():
        place = next((tree / x for x in places if (tree / x).exists()), None)
        if place is None:
            raise LabError(f"{tree} has no {places[0]}, which lists what {name} exports")
        found.append(_make_stub(target, name, read_map(place.read_text(), machine)))
    sqlite = [x / "sqlite3.h" for x in sqlite_headers(tree)]
    found.append(_make_stub(target, "libsqlite", _read_headers(sqlite, r"\b(sqlite3_\w+)\s*\(")))
    power = list((tree / "hardware/libhardware_legacy/include").rglob("power.h"))
    found.append(_make_stub(target, "libpower", _read_headers(power, r"\b(\w+_wake_lock\w*)\s*\(")))
    return found


def _compile_archives(target: Target, graph: Graph, tree: Path) -> list[Path]:
    """Archives of libraries that the tree has as source, and of generated AIDL."""
    archives = []
    work: dict[str, list[Job]] = {}
    command = foreign_command(target, graph)
    for name, places in SOURCES.items():
        place = next((tree / x for x in places if (tree / x).is_dir()), None)
        if place is None:
            raise LabError(f"{tree} has no {places[0]}, the source of {name}")
        more = (f"-I{place}", f"-I{place / 'include'}", "-DJSON_USE_EXCEPTION=0")
        work[name] = [Job(name, f, (*command, *more)) for f in sorted(place.glob("*.cpp"))
                      if not NOT_BUILT.search(f.stem)]
    for generated in (FOLDER / target.name / "gen").iterdir():
        more = ("-I", str(generated / "include"),
                *(f"-I{x}" for x in target.headers("libbinder_ndk")))
        work[generated.name] = [Job(generated.name, f, (*command, *more))
                                for f in sorted((generated / "src").rglob("*.cpp"))]
    for name, files in work.items():
        if failed := compile_all(target, files, objects=True, foreign=True):
            raise LabError(f"{name} of {tree} does not compile: {first_error(failed[0][1])}")
        archive = FOLDER / target.name / "stubs" / f"{name}.a"
        archive.unlink(missing_ok=True)
        run(["llvm-ar", "rcs", archive, *(object_of(target, j) for j in files)],
            f"archiving {name}")
        archives.append(archive)
    return archives


def link_programs(target: Target, graph: Graph) -> Iterator[tuple[str, list[str], str]]:
    """Each program with the symbols that nothing defines, and a note of its size."""
    tree, machine = target.soong.parents[1], target.name.split("-")[1]
    shared = _make_stubs(target, tree, machine)
    archives = _compile_archives(target, graph, tree)
    known = {x for library in shared for x in _read_symbols(library, "--defined-only")}
    for module in graph.select(PROGRAMS):
        own = [object_of(target, Job(module.name, f, ())) for f in graph.sources(module.name)]
        mine = []
        for library in graph.libraries(module.name):
            if library not in graph.modules or graph.aidl(library):
                continue
            archive = FOLDER / target.name / "stubs" / f"{library}.a"
            archive.unlink(missing_ok=True)
            run(["llvm-ar", "rcs", archive, *(object_of(target, Job(library, f, ()))
                                              for f in graph.sources(library))],
                f"archiving {library}")
            mine.append(archive)
        to = FOLDER / target.name / module.name
        # In the order of Soong: each library behind its users, once.
        done = subprocess.run(
            ["ld.lld", "-pie", "-e", "main", "--gc-sections", "--no-undefined", "--strip-all",
             "--error-limit=0", "--warn-unresolved-symbols", *map(str, own), *map(str, mine),
             *map(str, archives), *map(str, shared), "-o", str(to)],
            capture_output=True, text=True)
        raw = _read_symbols(to, "--undefined-only") if to.exists() else set()
        problems = sorted(s for s in raw - known if not GIVEN.match(s)
                          and not OF_HIDL.match(s))
        if done.returncode:
            problems = problems or [done.stderr.strip()[-400:]]
        size = f"{to.stat().st_size / 1e6:.2f} MB stripped" if to.exists() else "nothing made"
        yield module.name, problems, f"{size}, {len(raw & known)} symbols of the release"


def _read_symbols(file: Path, kind: str) -> set[str]:
    text = run(["llvm-nm", "-D", kind, "--format=just-symbols", file], "llvm-nm")
    return {x.split("@")[0] for x in text.split()}
