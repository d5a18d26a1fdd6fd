# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""The modules that Soong builds for the device, read from Android.bp: sources, flags, libraries."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from . import blueprint
from .blueprint import Module, Value
from .paths import LabError

PROGRAMS = r".*cc_binary$"
DEVICE = r"(.*cc_binary|.*cc_library(_static|_shared)?)$"
TESTS = r"(cc_test|cc_test_library|cc_fuzz|cc_benchmark)$"
# Libraries that a module links by its kind, without naming them.
GIVEN = {"cc_test": ["libgtest", "libgmock"], "cc_test_library": ["libgtest", "libgmock"],
         "cc_benchmark": ["libbenchmark"]}
LINKS = ("static_libs", "whole_static_libs", "shared_libs", "header_libs")
EXPORTS = ("export_static_lib_headers", "export_shared_lib_headers", "export_header_lib_headers")


class Graph:
    """The modules of a tree as a product with these Soong variables sees them. Without `device`
    the properties of `target: { android: {} }` are left out, as in a build for the host."""

    def __init__(self, top: Path, variables: dict[str, bool], device: bool = True) -> None:
        self.top = top
        self.modules = blueprint.modules(top)
        self.variables = variables
        self.device = device

    def folder(self, name: str) -> Path:
        return self.top / self.modules[name].file.parent

    def layers(self, name: str) -> Iterator[tuple[Path, dict[str, Value]]]:
        """The properties of the module's defaults, then its own, each with its folder."""
        module = self.modules[name]
        for base in module.strings("defaults"):
            if base in self.modules:
                yield from self.layers(base)
        yield self.folder(name), module.properties
        target = module.properties.get("target", {})
        assert isinstance(target, dict)
        if self.device and isinstance(android := target.get("android"), dict):
            yield self.folder(name), android
        chosen = module.properties.get("soong_config_variables", {})
        assert isinstance(chosen, dict)
        for variable, properties in chosen.items():
            assert isinstance(properties, dict)
            if self.variables.get(variable):
                yield self.folder(name), properties
            elif isinstance(otherwise := properties.get("conditions_default"), dict):
                yield self.folder(name), otherwise

    def placed(self, name: str, key: str) -> list[tuple[Path, str]]:
        """A list property with that of the defaults, less the values of its `exclude_` property;
        each value with the folder that declares it."""
        found = []
        without: list[Value] = []
        for folder, properties in self.layers(name):
            value = properties.get(key, [])
            found += [(folder, str(x)) for x in (value if isinstance(value, list) else [value])]
            excluded = properties.get(f"exclude_{key}", [])
            assert isinstance(excluded, list)
            without += excluded
        return [(folder, x) for folder, x in found if x not in without]

    def words(self, name: str, key: str) -> list[str]:
        return [value for _, value in self.placed(name, key)]

    def last(self, name: str, key: str) -> Value | None:
        """A property that is not a list: the module's own, or the one of its last defaults."""
        values = [p[key] for _, p in self.layers(name) if key in p]
        return values[-1] if values else None

    def select(self, kinds: str) -> list[Module]:
        """Modules of the device whose kind matches."""
        return [m for name, m in self.modules.items()
                if re.fullmatch(kinds, m.kind) and m.properties.get("device_supported") is not False
                and self.last(name, "enabled") is not False]

    def needs(self, name: str) -> list[str]:
        return [x for key in LINKS for x in self.words(name, key)] + GIVEN.get(
            self.modules[name].kind, [])

    def aidl(self, library: str) -> Module | None:
        """Our interface that an AIDL library is generated from."""
        base = re.sub(r"-(V\d+-)?(ndk|cpp)(_platform)?$", "", library)
        found = self.modules.get(base)
        return found if found and found.kind == "aidl_interface" else None

    def exported(self, name: str, seen: set[str] | None = None) -> Iterator[str | Path]:
        """Include folders that our libraries export to their users, and names of foreign
        libraries."""
        seen = set() if seen is None else seen
        if name in seen:
            return
        seen.add(name)
        if name not in self.modules or self.aidl(name):
            yield name
            return
        for folder, path in self.placed(name, "export_include_dirs"):
            yield folder / path
        for key in EXPORTS:
            for library in self.words(name, key):
                yield from self.exported(library, seen)

    def includes(self, name: str) -> list[str | Path]:
        """Include folders of a module in the order of the command line. A foreign library is given
        by its name, since its folder depends on the Android release."""
        own: list[str | Path] = [self.folder(name)]
        for key in ("local_include_dirs", "export_include_dirs"):
            own += [folder / path for folder, path in self.placed(name, key)]
        for library in self.needs(name):
            own += self.exported(library)
        return list(dict.fromkeys(own))

    def sources(self, name: str) -> list[Path]:
        files = [folder / path for folder, path in self.placed(name, "srcs")
                 if path.endswith((".cpp", ".cc"))]
        for file in files:
            if not file.exists():
                raise LabError(f"{self.modules[name].file}: {name} lists {file.name}, "
                               "which is not there")
        return files

    def libraries(self, name: str) -> list[str]:
        """All libraries that a program links, each once, with their own. lld needs no order."""
        found: list[str] = []
        for library in self.needs(name):
            found += self.libraries(library) if library in self.modules and not self.aidl(
                library) else []
            found.append(library)
        return list(dict.fromkeys(found))
