# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""The rooms of system-service: one static library a folder, declared by Android.bp.

CMake builds the output of cmake(). problems() compares the declared dependencies with the files'
includes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from .graph import Graph
from .paths import TOP, LabError

FOLDER = "system-service"
PREFIX = "libstorekeeper_"
# Folders of no device program; they may include any room.
FREE = ("testing", "campaigns", "fuzz", "benchmarks")
# The lab's own programs, listed in CMakeLists.txt.
LAB = ("campaigns/forecast_main.cpp", "campaigns/main.cpp", "latency/measure.cpp",
       "testing/history_writer_main.cpp")
_INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.M)
_WITH_BINDER = re.compile(r'#include "(daemon/|campaigns/sequences\.h|testing/phone\.h)')


class Rooms:
    def __init__(self, top: Path = TOP) -> None:
        self.top = top
        self.home = top / FOLDER
        # The lab's variant: no health HAL by HIDL.
        self.graph = Graph(top, {}, device=False)
        self.modules = {m.name: m for m in self.graph.modules.values()
                        if m.file.parent == Path(FOLDER)}
        self.folders: dict[str, str] = {}
        for name, module in self.modules.items():
            if module.kind != "cc_library_static":
                continue
            places = {str(f.parent.relative_to(self.home)) for f in self.graph.sources(name)}
            if len(places) != 1:
                raise LabError(f"{module.file}: {name} has sources of "
                               f"{' and '.join(sorted(places))}; a room is one folder")
            if places.isdisjoint(FREE):
                self.folders[places.pop()] = name

    def needs(self, module: str) -> list[str]:
        return list(dict.fromkeys(self.graph.words(module, "static_libs")
                                  + self.graph.words(module, "shared_libs")))

    def rooms_of(self, module: str) -> list[str]:
        """The rooms that a module declares."""
        return [x for x in self.needs(module) if x in self.folders.values()]

    def below(self, module: str) -> set[str]:
        """The module's rooms and all rooms that these use."""
        found: set[str] = set()
        for room in self.rooms_of(module):
            found |= {room} | self.below(room)
        return found

    def room_of(self, file: str) -> str | None:
        folder = str(Path(file).parent)
        while folder != "." and folder not in self.folders:
            folder = str(Path(folder).parent)
        return self.folders.get(folder)

    def wants_binder(self, module: str) -> bool:
        return any(x == "libbinder_ndk" or (x in self.modules and self.wants_binder(x))
                   for x in self.needs(module))

    def sources(self, module: str) -> list[str]:
        return [str(f.relative_to(self.home)) for f in self.graph.sources(module)]

    def ordered(self) -> list[str]:
        """All libraries, each after those that it uses."""
        found: list[str] = []

        def add(name: str, above: tuple[str, ...]) -> None:
            if name in above:
                raise LabError(f"{FOLDER}/Android.bp: {' -> '.join((*above, name))} is a cycle")
            for other in self.needs(name):
                if other in self.modules and not self.graph.aidl(other):
                    add(other, (*above, name))
            if name not in found:
                found.append(name)

        for name, module in self.modules.items():
            if module.kind == "cc_library_static":
                add(name, ())
        return found


def cmake(rooms: Rooms) -> str:
    """Input of CMakeLists.txt: a function call for each module, by its kind."""
    def call(function: str, name: str, words: list[str]) -> list[str]:
        libraries = [x for x in rooms.needs(name) if x != "libgmock"]
        lines = [f"{function}({name}", "    SRCS", *(f"        {x}" for x in words),
                 "    LIBS", *(f"        {x}" for x in libraries), ")"]
        return ["if(STOREKEEPER_BINDER)", *lines, "endif()"] if (
            rooms.wants_binder(name)) else lines

    lines = ["# Written by tools/rooms from Android.bp."]
    for name in rooms.ordered():
        lines += call("storekeeper_library", name, rooms.sources(name))
    for name, module in rooms.modules.items():
        if module.kind.endswith("cc_binary"):
            lines += call("storekeeper_program", name, rooms.sources(name))
        elif module.kind == "cc_benchmark":
            lines += call("storekeeper_benchmark", name, rooms.sources(name))
        elif module.kind == "cc_fuzz":
            lines += call("storekeeper_fuzzer", name, rooms.sources(name))
    tests = rooms.sources("storekeeper_test_defaults")
    bound = [x for x in tests if _WITH_BINDER.search((rooms.home / x).read_text())]
    for variable, files in (("STOREKEEPER_TESTS", [x for x in tests if x not in bound]),
                            ("STOREKEEPER_BINDER_TESTS", bound),
                            ("STOREKEEPER_ROOMS", rooms.rooms_of("storekeeper_all_rooms"))):
        lines += [f"set({variable}", *(f"    {x}" for x in files), ")"]
    return "\n".join(lines) + "\n"


def _files(rooms: Rooms) -> Iterator[str]:
    for pattern in ("*.h", "*.cpp"):
        for file in sorted(rooms.home.rglob(pattern)):
            name = str(file.relative_to(rooms.home))
            if not name.startswith("testdata/"):
                yield name


def problems(rooms: Rooms) -> list[str]:
    """Includes that no dependency allows, files that no module lists, links that Soong lacks."""
    rooms.ordered()
    found = []
    programs = {f: name for name, m in rooms.modules.items() if m.kind.endswith("cc_binary")
                for f in rooms.sources(name)}
    listed = {f for name in rooms.modules for f in rooms.graph.words(name, "srcs")} | {
        f for name in rooms.modules
        for f in Graph(rooms.top, {"before_13": True}).words(name, "srcs")}
    for file in _files(rooms):
        if file.endswith(".cpp") and file not in listed and file not in LAB:
            found.append(f"{FOLDER}/{file}: no module of Android.bp lists it")
        if file.endswith("_test.cpp") or file.startswith(FREE) or file in LAB:
            continue
        room = programs.get(file) or rooms.room_of(file)
        if room is None:
            continue
        allowed = {room, *rooms.rooms_of(room)}
        for other in _INCLUDE.findall((rooms.home / file).read_text()):
            used = rooms.room_of(other) if (rooms.home / other).exists() else None
            if used is not None and used not in allowed:
                found.append(f"{FOLDER}/{file}: includes {other}, but {room} does not list {used} "
                             "in its static_libs")
            elif used is None and other.startswith(FREE):
                found.append(f"{FOLDER}/{file}: includes {other}, which is for tests")
    for name, module in rooms.modules.items():
        if re.search(r"cc_(binary|test|benchmark|fuzz)$", module.kind):
            missing = rooms.below(name) - set(rooms.rooms_of(name))
            found += [f"{module.file}: {name} does not list {x}, which its rooms use: Soong links "
                      "no library of a library" for x in sorted(missing)]
    # CMakeLists.txt and *.cmake link the libraries that only the lab has.
    for recipe in sorted([rooms.home / "CMakeLists.txt", *rooms.home.glob("*.cmake")]):
        text = re.sub(r"#.*", "", recipe.read_text())
        for name, linked in re.findall(r"target_link_libraries\(\s*(\S+)\s+([^)]*)\)", text):
            if name in rooms.modules and PREFIX in linked:
                found.append(f"{FOLDER}/{recipe.name}: links {name} with rooms that Android.bp "
                             "does not give it")
    return found
