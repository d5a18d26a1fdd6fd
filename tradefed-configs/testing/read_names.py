#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""Writes names.json anew: what Trade Federation calls its classes and options.

usage: read_names.py REVISION NAME=CHECKOUT...
CHECKOUT: git repositories with platform/tools/tradefederation and platform/test/suite_harness, by
the names that names.json gives them. The classes are those that names.json has already; add one
with an empty {} to have it read.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

NAMES = Path(__file__).with_name("names.json")
_PACKAGE = re.compile(r"/(com/android/.*)\.java$")


def git(checkout: str, *words: str) -> str:
    return subprocess.run(["git", "-C", checkout, *words], text=True, capture_output=True,
                          check=True).stdout


class Sources:
    def __init__(self, revision: str, checkouts: list[str]) -> None:
        self.revision = revision
        self.places: dict[str, tuple[str, str]] = {}
        for checkout in checkouts:
            for path in git(checkout, "ls-tree", "-r", "--name-only", revision).splitlines():
                found = _PACKAGE.search(path)
                if found and "/tests/" not in path and not path.startswith("javatests/"):
                    self.places.setdefault(found[1].replace("/", "."), (checkout, path))

    def text(self, name: str) -> str:
        checkout, path = self.places[name]
        text = git(checkout, "show", f"{self.revision}:{path}")
        return re.sub(r"/\*.*?\*/|^\s*//.*?$", "", text, flags=re.S | re.M)

    def options(self, name: str) -> dict[str, dict]:
        """Of a class and those it extends."""
        text = self.text(name)
        simple = name.rsplit(".", 1)[1]
        found: dict[str, dict] = {}
        parent = re.search(rf"class\s+{simple}\b[^{{]*?\bextends\s+(\w+)", text)
        if parent:
            imported = re.search(rf"import\s+([\w.]+\.{parent[1]});", text)
            full = imported[1] if imported else f"{name.rsplit('.', 1)[0]}.{parent[1]}"
            if full in self.places:
                found = self.options(full)
        constants = dict(re.findall(r'static final String (\w+)\s*=\s*"([^"]*)"', text))
        for start in re.finditer(r"@Option\s*\(", text):
            body, rest = _parenthesis(text[start.end():])
            key = re.search(r'\bname\s*=\s*(?:"([^"]*)"|([\w.]+))', body)
            option = key and (key[1] or constants.get(key[2]))
            if not option:
                continue
            declared = re.sub(r"@\w+(\([^)]*\))?", "", rest.split(";")[0].split("=")[0]).split()
            kind = " ".join(w for w in declared[:-1]
                            if w not in ("private", "protected", "public", "static", "final"))
            found[option] = {"type": kind}
            if re.search(r"isTimeVal\s*=\s*true", body):
                found[option]["time"] = True
            if re.search(r"mandatory\s*=\s*true", body):
                found[option]["mandatory"] = True
        return found


def _parenthesis(text: str) -> tuple[str, str]:
    """What stands before the closing parenthesis, and what behind it."""
    depth, quoted = 1, False
    for at, letter in enumerate(text):
        if letter == '"' and text[at - 1] != "\\":
            quoted = not quoted
        if not quoted:
            depth += (letter == "(") - (letter == ")")
        if depth == 0:
            return text[:at], text[at + 1:]
    raise ValueError(f"no end: {text[:80]}")


def main(revision: str, *named: str) -> None:
    checkouts = dict(word.split("=", 1) for word in named)
    table = json.loads(NAMES.read_text())
    sources = Sources(revision, list(checkouts.values()))
    table["read_from"] = {name: git(checkout, "rev-parse", revision).strip()
                          for name, checkout in checkouts.items()}
    for name, facts in table["classes"].items():
        alias = re.search(r'@OptionClass\s*\([^)]*alias\s*=\s*"([^"]*)"', sources.text(name))
        if alias:
            facts["alias"] = alias[1]
        facts["options"] = dict(sorted(sources.options(name).items()))
    text = json.dumps(table, indent=1)
    # An option a line.
    text = re.sub(r'\{\s+("type"[^{}]*?)\s+\}',
                  lambda m: "{" + re.sub(r"\s*\n\s*", " ", m[1]) + "}", text)
    NAMES.write_text(text + "\n")


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
