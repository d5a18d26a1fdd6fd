# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""`lab fuzz`: runs system-service/fuzz/*_fuzzer.cpp under ASan and UBSan on this machine."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

from ..build import ASAN, cmake
from ..paths import OUT, TOP, LabError

SERVICE = TOP / "system-service"
REGRESSIONS = SERVICE / "fuzz/regressions"
# Limits of each target: seconds in `make fuzz`; runs, independent of the machine, in `make test`.
SECONDS = 600
RUNS = 5000
# Seconds after which an input is kept as hanging; ten times that ends a program that does not
# notice.
HANGS = 60
# The longest file of /proc or /sys that is worth a mutation.
MAX_BYTES = 8192


def targets() -> list[str]:
    return sorted(f.stem for f in (SERVICE / "fuzz").glob("*_fuzzer.cpp"))


def _chosen(names: list[str]) -> list[str]:
    known = targets()
    chosen = [n if n.endswith("_fuzzer") else f"{n}_fuzzer" for n in names] or known
    for name in chosen:
        if name not in known:
            raise LabError(f"there is no fuzz target {name}; there are {', '.join(known)}")
    return chosen


def _seeds(folder: Path) -> Path:
    """The seeds: every captured file for every target, since a target ignores unknown input."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    files = sorted(f for where in (SERVICE / "testdata", SERVICE / "etc")
                   for f in where.rglob("*") if f.is_file() and f.suffix != ".md")
    for number, file in enumerate(files):
        if file.stat().st_size <= MAX_BYTES:
            shutil.copyfile(file, folder / f"{number:03}-{file.name}")
    return folder


def _run(name: str, limit: list[str], keep: bool, seconds: int) -> None:
    folder = OUT / "fuzz" / name
    found = folder / "found"
    found.mkdir(parents=True, exist_ok=True)
    seeds = _seeds(folder / "seeds")
    regressions = sorted((REGRESSIONS / name).glob("*"))
    program = str(ASAN.folder / name)
    log = folder / "log"
    # A growing corpus makes two equal runs differ, so the short form leaves it unchanged.
    corpus = [str(seeds)]
    if keep:
        (folder / "corpus").mkdir(exist_ok=True)
        corpus.insert(0, str(folder / "corpus"))
    hangs = [f"-timeout={HANGS}", f"-artifact_prefix={found}/"]
    commands = [[program, *hangs, *map(str, regressions)]] if regressions else []
    commands.append([program, *limit, f"-max_len={MAX_BYTES}", *hangs, *corpus])
    with log.open("w") as out:
        for command in commands:
            try:
                code = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=out, stderr=out,
                                      cwd=folder, timeout=seconds + 10 * HANGS).returncode
            except subprocess.TimeoutExpired as e:
                raise LabError(f"{name} did not end within {seconds + 10 * HANGS} s; the whole log "
                               f"is {log}") from e
            if code:
                tail = "\n".join(log.read_text(errors="replace").splitlines()[-30:])
                raise LabError(
                    f"{name} found something. The input is in {found}; keep it in {REGRESSIONS}/"
                    f"{name}/ with the test of its fix. The whole log is {log}\n{tail}")
    runs = [line for line in log.read_text(errors="replace").splitlines() if "Done " in line]
    print(f"  {name}: {runs[-1].strip() if runs else 'done'}", flush=True)


def fuzz(seconds: int, names: list[str]) -> int:
    chosen = _chosen(names)
    cmake(ASAN, tests=False)
    for name in chosen:
        _run(name, [f"-max_total_time={seconds}"], keep=True, seconds=seconds)
    return 0


def short() -> list[str]:
    """Runs the same inputs every time; returns the names of the targets that failed."""
    cmake(ASAN, tests=False)
    failed = []
    for name in targets():
        try:
            _run(name, [f"-runs={RUNS}", "-seed=1"], keep=False, seconds=0)
        except LabError as e:
            print(e, flush=True)
            failed.append(name)
    return failed
