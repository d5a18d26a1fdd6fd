# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""`lab coverage`: the branches that the unit tests take, by room; the pure parts must take all."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from ..build import ASAN, Variant, cmake
from ..paths import LabError
from . import gtest, pure

PROGRAM = ASAN.folder / "storekeeper_test"
# Counter files of the last run of the unit tests.
PROFILES = ASAN.folder / "profiles"
# Campaigns, by pattern, with the reason why they do not count.
LEFT_OUT = dict.fromkeys(("CampaignTest.*", "*BrokenProductTest.*", "SequencesTest.*"),
                         "a branch that chance alone takes is not always taken")
# Folders that are not part of the product: tests, fakes, campaigns, generated code.
NO_ROOMS = {"aidl", "benchmarks", "campaigns", "fuzz", "testing", "tests"}


@dataclass
class Branch:
    """A condition or a case of a switch, with the counts of its outcomes true and false."""

    # File, line and column. For a branch in a macro: the place that uses the macro, then the
    # branch's own line and column.
    place: tuple[str, tuple[int, ...]]
    true: int = 0
    false: int = 0

    @property
    def missing(self) -> list[str]:
        return [name for name, count in (("true", self.true), ("false", self.false)) if not count]


@dataclass
class Covered:
    """The covered parts of some files."""

    lines: int = 0
    lines_hit: int = 0
    branches: list[Branch] = field(default_factory=list)

    @property
    def outcomes(self) -> int:
        return 2 * len(self.branches)

    @property
    def outcomes_hit(self) -> int:
        return self.outcomes - sum(len(b.missing) for b in self.branches)


def own(name: str) -> str | None:
    """The path below system-service of a product's file; None for other files."""
    _, found, path = name.rpartition("system-service/")
    if not found or path.endswith("_test.cpp") or Path(path).parts[0] in NO_ROOMS:
        return None
    return path


def _branches(function: dict) -> Iterator[tuple[tuple[str, tuple[int, ...]], int, int]]:
    """Each branch of a function's export: its place and its counts."""
    # A macro's text counts as a file; a region of kind 1 includes it in another file.
    names = function["filenames"]
    used_at = {r[6]: r for r in function["regions"] if r[7] == 1}
    # If a loop's condition is a macro, its branch is in a second copy that no region includes. It
    # belongs to a use of the macro that has no branch.
    with_branch = set()
    for branch in function["branches"]:
        at = branch[6]
        while at in used_at:
            with_branch.add(at)
            at = used_at[at][5]
    lone = [at for at in used_at if at not in with_branch]
    code = [r for r in function["regions"] if r[7] == 0]
    for l1, c1, l2, c2, true, false, at, *_ in function["branches"]:
        begin, end = (l1, c1), (l2, c2)
        if not true + false:
            # A condition that the compiler decides has no counts, though it is passed.
            around = [r for r in code if r[5] == at and (r[0], r[1]) <= begin
                      and end <= (r[2], r[3])]
            if around and max(around, key=lambda r: (r[0], r[1], -r[2], -r[3]))[4]:
                continue
        where = [*begin, *end]
        if at != 0 and at not in used_at:
            at = next((x for x in lone if names[x] == names[at]), at)
        while at in used_at:
            region = used_at[at]
            where = [region[0], region[1], *where]
            at = region[5]
        yield (names[at], tuple(where)), true, false


def read(export: dict) -> dict[str, Covered]:
    """The covered parts by file of the product, from the output of `llvm-cov export`."""
    files: dict[str, Covered] = {}
    counts: dict[tuple[str, tuple[int, ...]], Branch] = {}
    for data in export["data"]:
        for file in data["files"]:
            if path := own(file["filename"]):
                lines = file["summary"]["lines"]
                files[path] = Covered(lines["count"], lines["covered"])
        # A template and an inline function have one record for each instance.
        for function in data["functions"]:
            for (name, where), true, false in _branches(function):
                if path := own(name):
                    branch = counts.setdefault((path, where), Branch((path, where)))
                    branch.true += true
                    branch.false += false
    for (path, _), branch in sorted(counts.items()):
        files.setdefault(path, Covered()).branches.append(branch)
    return files


def table(files: dict[str, Covered]) -> list[str]:
    """One line for each folder, and one for all."""
    rooms: dict[str, list[Covered]] = defaultdict(list)
    for path, covered in sorted(files.items()):
        if covered.lines:
            rooms[str(Path(path).parent)].append(covered)
    lines = [f"{'folder':<20}{'lines':>13}{'':>8}{'branches':>13}"]
    for name, group in [*rooms.items(), ("all", list(files.values()))]:
        lines.append(f"{name:<20}"
                     + _share(sum(c.lines_hit for c in group), sum(c.lines for c in group))
                     + _share(sum(c.outcomes_hit for c in group), sum(c.outcomes for c in group)))
    return lines


def _share(part: int, whole: int) -> str:
    # The percentage is rounded down: 100.0 % must mean that nothing is missing.
    percent = f"{part * 1000 // whole / 10:.1f} %" if whole else "-"
    return f"{f'{part}/{whole}':>13}{percent:>8}"


def missing(files: dict[str, Covered], names: Iterable[str]) -> list[str]:
    """Uncovered parts of the pure files, a line each."""
    found = []
    for path in names:
        if path not in files:
            # A header without code is in no export.
            if path.endswith(".cpp"):
                found.append(f"{path}: no unit test links it")
            continue
        for branch in files[path].branches:
            line, column = branch.place[1][:2]
            inner = branch.place[1][2:-2]
            within = f" in a macro's line {branch.place[1][-4]}" if inner else ""
            found += [f"{path}:{line}:{column}: never {name}{within}" for name in branch.missing]
    return found


def count_anew(variant: Variant) -> dict[str, str]:
    """Removes the counters of the last run. Returns the environment in which this build's unit
    tests write new ones; empty if they do not."""
    if variant != ASAN:
        return {}
    shutil.rmtree(PROFILES, ignore_errors=True)
    return {"LLVM_PROFILE_FILE": str(PROFILES / "%p.profraw")}


def export(program: Path, raw: list[Path]) -> dict[str, Covered]:
    """The parts of a program that were reached by the processes with these profiles."""
    if not raw:
        raise LabError(f"{program.name} left no counters: did its unit tests run?")
    merged = raw[0].with_name("all.profdata")
    _llvm("llvm-profdata", "merge", "-sparse", "-o", str(merged), *map(str, raw))
    return read(json.loads(_llvm("llvm-cov", "export", f"-instr-profile={merged}", str(program))))


def measure() -> None:
    """Builds the unit tests and runs them, so that they leave their counters."""
    cmake(ASAN, tests=True)
    tally = gtest.run([str(PROGRAM)], ASAN.folder, LEFT_OUT, count_anew(ASAN))
    if tally.names():
        gtest.report(tally, PROGRAM.name, LEFT_OUT)
        raise LabError(f"{', '.join(tally.names())} failed, which leaves branches out")


def _llvm(*command: str) -> str:
    try:
        done = subprocess.run(command, text=True, capture_output=True)
    except FileNotFoundError as e:
        raise LabError(f"{command[0]} is not installed; run `lab/lab setup`") from e
    if done.returncode:
        raise LabError(f"{' '.join(command[:2])}: {done.stderr.strip()}")
    return done.stdout


def judge() -> None:
    """Prints branches by folder from the last run of the unit tests. Raises LabError when a branch
    of the pure parts is not taken both ways."""
    files = export(PROGRAM, sorted(PROFILES.glob("*.profraw")))
    print("\n".join(table(files)), flush=True)
    names = pure.files()
    if lines := missing(files, names):
        print("\n".join(lines), flush=True)
        raise LabError(f"{len(lines)} branches of the pure parts are not taken; see above")
    print(f"{len(names)} pure files: every branch is taken both ways", flush=True)


def coverage() -> int:
    measure()
    judge()
    return 0
