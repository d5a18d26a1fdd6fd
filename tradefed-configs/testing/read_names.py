#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""Writes names.json anew: what Trade Federation calls its classes and options.

usage: read_names.py REVISION NAME=CHECKOUT...
CHECKOUT: git repositories with platform/tools/tradefederation and platform/test/suite_harness, by
the names that names.json gives them. The classes are those that names.json has already; add one
with an empty {} to have it read. RELEASES are read, too, in this order: what the first of them
lacks has in "since" the first that has it.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

# As the project's documents name them, with the branches of both repositories.
RELEASES = {"15": "android15-release", "15 QPR2": "android15-qpr2-release",
            "16": "android16-release"}
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

    def parent(self, name: str) -> str:
        """The class that it extends, if that is one of these; else ""."""
        text = self.text(name)
        simple = name.rsplit(".", 1)[1]
        parent = re.search(rf"class\s+{simple}\b[^{{]*?\bextends\s+(\w+)", text)
        if not parent:
            return ""
        imported = re.search(rf"import\s+([\w.]+\.{parent[1]});", text)
        full = imported[1] if imported else f"{name.rsplit('.', 1)[0]}.{parent[1]}"
        return full if full in self.places else ""

    def extends(self, name: str) -> list[str]:
        """All that it extends, the nearest first."""
        parent = self.parent(name)
        return [parent, *self.extends(parent)] if parent else []

    def options(self, name: str) -> dict[str, dict]:
        """Options of a class and of those it extends."""
        text = self.text(name)
        parent = self.parent(name)
        found: dict[str, dict] = self.options(parent) if parent else {}
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
    """The texts before and behind the closing parenthesis."""
    depth, quoted = 1, False
    for at, letter in enumerate(text):
        if letter == '"' and text[at - 1] != "\\":
            quoted = not quoted
        if not quoted:
            depth += (letter == "(") - (letter == ")")
        if depth == 0:
            return text[:at], text[at + 1:]
    raise ValueError(f"no end: {text[:80]}")


def since(facts: dict, name: str, releases: dict[str, Sources]) -> None:
    """Notes the first release that has a class, and each of its options."""
    has = {release: sources.options(name) if name in sources.places else None
           for release, sources in releases.items()}
    first = next(iter(releases))

    def note(fact: dict, there: list[str]) -> None:
        if there and there[0] != first:
            fact["since"] = there[0]
    note(facts, [r for r, options in has.items() if options is not None])
    for option, fact in facts["options"].items():
        note(fact, [r for r, options in has.items() if option in (options or {})])


def main(revision: str, *named: str) -> None:
    checkouts = dict(word.split("=", 1) for word in named)
    table = json.loads(NAMES.read_text())
    sources = Sources(revision, list(checkouts.values()))
    table["read_from"] = {name: git(checkout, "rev-parse", revision).strip()
                          for name, checkout in checkouts.items()}
    releases = {name: Sources(branch, list(checkouts.values()))
                for name, branch in RELEASES.items()}
    table["releases"] = {name: {repository: git(checkout, "rev-parse", branch).strip()
                                for repository, checkout in checkouts.items()}
                         for name, branch in RELEASES.items()}
    for name, facts in table["classes"].items():
        alias = re.search(r'@OptionClass\s*\([^)]*alias\s*=\s*"([^"]*)"', sources.text(name))
        if alias:
            facts["alias"] = alias[1]
        facts["options"] = dict(sorted(sources.options(name).items()))
        facts["extends"] = sources.extends(name)
        since(facts, name, releases)
    text = json.dumps(table, indent=1)
    # An option a line.
    text = re.sub(r'\{\s+("type"[^{}]*?)\s+\}',
                  lambda m: "{" + re.sub(r"\s*\n\s*", " ", m[1]) + "}", text)
    NAMES.write_text(text + "\n")


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
