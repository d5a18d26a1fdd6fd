# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""A reader of Android.bp files. It does not validate them; Soong does: `make check-bp`."""

from __future__ import annotations

import json
import os
import re
from dataclasses import dataclass
from pathlib import Path

from .paths import LabError

_TOKEN = re.compile(r'\s+|//[^\n]*|/\*.*?\*/|("(?:[^"\\]|\\.)*"|-?\w+|[{}\[\]:,+=])', re.S)

Value = str | bool | list["Value"] | dict[str, "Value"]


@dataclass(frozen=True)
class Module:
    kind: str
    # Relative to the top of the tree.
    file: Path
    properties: dict[str, Value]

    @property
    def name(self) -> str:
        return str(self.properties.get("name", ""))

    def strings(self, key: str) -> list[str]:
        """A property that is a list of strings; empty when it is absent."""
        value = self.properties.get(key, [])
        return [str(x) for x in value] if isinstance(value, list) else [str(value)]


class _Reader:
    def __init__(self, file: Path, text: str) -> None:
        self.file = file
        self.tokens: list[str] = []
        at = 0
        while at < len(text):
            found = _TOKEN.match(text, at)
            if not found:
                line = text.count("\n", 0, at) + 1
                raise LabError(f"{file}:{line}: {text[at]!r} is not understood")
            if found[1]:
                self.tokens.append(found[1])
            at = found.end()
        self.at = 0

    def next(self, *wanted: str) -> str:
        token = self.tokens[self.at] if self.at < len(self.tokens) else "the end"
        if wanted and token not in wanted:
            raise LabError(f"{self.file}: {token} where one of {' '.join(wanted)} should be")
        self.at += 1
        return token

    def value(self) -> Value:
        token = self.next()
        if token == "{":
            result: Value = self.block()
        elif token == "[":
            items = []
            while self.tokens[self.at] != "]":
                items.append(self.value())
                if self.next(",", "]") == "]":
                    self.at -= 1
            self.next("]")
            result = items
        elif token.startswith('"'):
            result = json.loads(token)
        else:
            result = token == "true" if token in ("true", "false") else token
        if self.at < len(self.tokens) and self.tokens[self.at] == "+":
            self.next()
            result = result + self.value()  # type: ignore[operator]
        return result

    def block(self) -> dict[str, Value]:
        properties: dict[str, Value] = {}
        while self.tokens[self.at] != "}":
            key = self.next()
            self.next(":")
            properties[key] = self.value()
            if self.next(",", "}") == "}":
                self.at -= 1
        self.next("}")
        return properties

    def modules(self, file: Path) -> list[Module]:
        found = []
        while self.at < len(self.tokens):
            kind = self.next()
            self.next("{")
            found.append(Module(kind, file, self.block()))
        return found


def files(top: Path) -> list[Path]:
    """Each Android.bp of the tree."""
    found = []
    for folder, inner, names in os.walk(top):
        if Path(folder) == top:
            inner[:] = [name for name in inner if name not in ("out", ".git")]
        if "Android.bp" in names:
            found.append(Path(folder, "Android.bp"))
    return sorted(found)


def modules(top: Path) -> dict[str, Module]:
    """All modules with a name."""
    found: dict[str, Module] = {}
    for file in files(top):
        path = file.relative_to(top)
        for module in _Reader(path, file.read_text()).modules(path):
            if not module.name:
                continue
            if module.name in found:
                raise LabError(f"{path}: {module.name} is in {found[module.name].file} as well")
            found[module.name] = module
    return found
