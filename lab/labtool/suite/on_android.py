# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""`lab test-android`: unit tests and scenarios on the user space of an Android product, below its
enforced policy, and the list of what that policy denied to us.

A kernel logs a denial to its console, so each guest's console is kept. A guest that never enforced
would deny nothing and is a failure, too.
"""

from __future__ import annotations

import os
import re
import shutil
from collections import Counter
from pathlib import Path

from .. import android, guest
from ..guest import Job
from ..paths import LAB, TOP, LabError
from . import stages
from .stages import RESULTS, Stage

CONSOLES = RESULTS / "android-consoles"
UNIT_LOG = RESULTS / "android-unit.log"
UNIT_SECONDS = 3600
SCENARIOS = [
    "test_storekeeper.py", "test_shell.py", "test_trim.py", "test_callers.py",
    "test_bench_crypto.py", "test_crypto_choice.py",
    "test_init.py::test_a_new_servicemanager_gets_the_service_within_seconds"]

DENIED = re.compile(r"avc:  denied  (\{[^}]*\}) .*?scontext=(\S+) tcontext=(\S+) tclass=(\w+)")
# Audit's record of the step from permissive to enforcing.
ENFORCING = "enforcing=1 old_enforcing=0"
OURS = "storekeeper"


def denials(consoles: list[Path]) -> list[str]:
    """Denials with a domain or a type of ours, a line each kind, and guests that did not
    enforce."""
    found: Counter[str] = Counter()
    problems = []
    for console in consoles:
        text = console.read_text(errors="replace")
        if ENFORCING not in text:
            problems.append(f"{console}: this guest did not enforce the policy")
        for what, source, target, kind in DENIED.findall(text):
            if OURS in source or OURS in target:
                found[f"denied {what} {source} {target} {kind}"] += 1
    return problems + [f"{line}, {count} times" for line, count in sorted(found.items())]


def failed_tests(text: str, code: int) -> list[str]:
    """Names of failed tests in GoogleTest's output; `code`: how the program ended."""
    failed = re.findall(r"^\[  FAILED  \] (\S+?)(?:, where .*)? \(\d+ ms\)$", text, re.M)
    if not failed and code:
        last = re.findall(r"^\[ RUN      \] (\S+)$", text, re.M)[-1:]
        failed = [f"storekeeper_test ended with {code} in {last[0] if last else 'no test'}"]
    return failed


def _unit_tests() -> list[str]:
    UNIT_LOG.parent.mkdir(parents=True, exist_ok=True)
    with UNIT_LOG.open("wb") as log:
        outcome = guest.run(
            Job(command=["cd /lab/android/test && exec ./storekeeper_test --gtest_color=no"],
                profile=guest.load_profile("nexus7-2012", []), timeout=UNIT_SECONDS,
                backstop=UNIT_SECONDS),
            log.write, log.write)
    text = UNIT_LOG.read_text(errors="replace")
    for line in re.findall(r"^\[(?:==========|  PASSED  |  SKIPPED |  FAILED  )\] \d+ .*", text,
                           re.M):
        print(line, flush=True)
    failed = failed_tests(text, outcome.code)
    if failed:
        print(f"whole output: {UNIT_LOG}", flush=True)
    return failed + ([outcome.problem] if outcome.problem else [])


def _denials() -> list[str]:
    consoles = sorted(CONSOLES.iterdir())
    found = denials(consoles)
    print(f"denials in {len(consoles)} guests: {len(found)}", flush=True)
    for line in found:
        print(line, flush=True)
    return found if consoles else ["no guest's console was kept"]


def test(folder: str, words: list[str]) -> int:
    """`words`: for pytest, instead of all scenarios."""
    if not folder:
        raise LabError("name the output of an x86_64 product: "
                       "make test-android ANDROID_OUT=$ANDROID_PRODUCT_OUT")
    android.choose(Path(folder))
    # A part that cannot be built is one error here, not one in each test.
    android.part()
    shutil.rmtree(CONSOLES, ignore_errors=True)
    CONSOLES.mkdir(parents=True)
    os.environ[android.CONSOLES] = str(CONSOLES)
    scenarios = words or [*stages.spread(), *(str(LAB / "tests" / x) for x in SCENARIOS)]
    return stages.run([
        Stage("unit tests on Android", _unit_tests),
        Stage("scenarios on Android",
              lambda: stages.pytest(["/usr/bin/python3"], "android", scenarios, TOP)),
        Stage("what the policy denies", _denials)])
