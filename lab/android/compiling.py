# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""Compiles modules for a target and says which files do not compile."""

from __future__ import annotations

import hashlib
import os
import subprocess
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from target import FOLDER, Target

from labtool.graph import DEVICE, TESTS, Graph
from labtool.paths import TOP

# Headers that are compiled once instead of once a file. A module without one of their libraries
# compiles without all of them.
_COMMON = [
    "algorithm", "atomic", "chrono", "functional", "future", "map", "memory", "mutex", "optional",
    "set", "string", "string_view", "thread", "vector", "android-base/file.h",
    "android-base/logging.h", "android-base/result.h", "android-base/strings.h",
    "android-base/unique_fd.h"]


@dataclass(frozen=True)
class Job:
    module: str
    source: Path
    command: tuple[str, ...]


def jobs(target: Target, graph: Graph, part: str, tests: bool) -> list[Job]:
    kinds = f"{DEVICE}|{TESTS}" if tests else DEVICE
    found = []
    for module in graph.select(kinds):
        if not tests and "test" in module.name:
            continue
        command = tuple(str(x) for x in target.command(graph, module.name))
        found += [Job(module.name, source, command) for source in graph.sources(module.name)
                  if part in str(source)]
    return found


def _precompiled(command: tuple[str, ...], folder: Path) -> list[str]:
    base = folder / "pch" / hashlib.sha256(" ".join(command).encode()).hexdigest()[:16]
    made = base.with_suffix(".pch")
    if not made.exists():
        base.parent.mkdir(parents=True, exist_ok=True)
        headers = [*_COMMON, *(["gmock/gmock.h"] if "googlemock" in " ".join(command) else [])]
        base.with_suffix(".h").write_text("".join(f"#include <{x}>\n" for x in headers))
        if subprocess.run([*command, "-x", "c++-header", base.with_suffix(".h"), "-o", made],
                          capture_output=True).returncode:
            return []
    return ["-include-pch", str(made)]


def foreign_command(target: Target, graph: Graph) -> tuple[str, ...]:
    """The compiler for code of the tree: the flags of ours without its warnings."""
    words = map(str, target.command(graph, "libstorekeeper_base"))
    return (*(x for x in words if x not in ("-Werror", "-Wall", "-Wextra", "-Wshadow")), "-w")


def first_error(output: str) -> str:
    """The line of a compiler's output that says what is wrong, or else its last one."""
    lines = [x.replace(f"{TOP}/", "") for x in output.strip().splitlines()]
    return next((x for x in lines if "error:" in x or "warning:" in x),
                lines[-1] if lines else "the compiler died")


def object_of(target: Target, job: Job) -> Path:
    name = job.source.relative_to(TOP) if job.source.is_relative_to(TOP) else job.source.name
    return FOLDER / target.name / "obj" / job.module / f"{name}.o"


def compile_all(target: Target, work: list[Job], objects: bool,
                foreign: bool = False) -> list[tuple[Job, str]]:
    """The jobs that fail, with the compiler's output; a warning is an error. Foreign code may set
    macros before its first header, which precompiled ones would miss."""
    often: dict[tuple[str, ...], int] = {}
    for job in work:
        often[job.command] = often.get(job.command, 0) + 1
    made = {command: _precompiled(command, FOLDER / target.name) if uses > 6 and not foreign else []
            for command, uses in often.items()}

    def one(job: Job) -> tuple[Job, str]:
        command = [*job.command, *made[job.command]]
        if objects:
            to = object_of(target, job)
            to.parent.mkdir(parents=True, exist_ok=True)
            command += ["-Os", "-ffunction-sections", "-fdata-sections", "-c", "-o", str(to)]
        else:
            command.append("-fsyntax-only")
        done = subprocess.run([*command, str(job.source)], capture_output=True, text=True)
        return job, done.stderr if done.returncode or "warning:" in done.stderr else ""

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        return [(job, output) for job, output in pool.map(one, work) if output]
