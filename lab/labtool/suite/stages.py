# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""`lab test`: the parts of `make test`, each of which returns the names of its failures."""

from __future__ import annotations

import contextlib
import os
import subprocess
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree

from .. import kernel_packages, venv
from ..bench import kernels
from ..build import INIT, TESTS, Variant
from ..paths import LAB, OUT, TOP, LabError
from . import arm, coverage, fuzz, gtest, page

RESULTS = OUT / "tests"
# Seconds after which a test of ctest counts as hanging.
CTEST_SECONDS = 900
ARM_STAGE = "unit tests on ARM, by QEMU"
LONG_STAGE = "tests on the virtual phone, those of make soak"
# The mark of tests that `make test` runs in a short form only or not at all.
LONG = "long"


@dataclass(frozen=True)
class Stage:
    """A part of `make test`. It returns the names of its failures, or raises LabError."""

    name: str
    run: Callable[[], list[str]]

    def failures(self) -> list[str]:
        print(f"--- {self.name}", flush=True)
        try:
            failed = self.run()
        except LabError as e:
            print(e, flush=True)
            failed = [str(e).splitlines()[0]]
        print(f"--- {self.name}: {'failed' if failed else 'passed'}", flush=True)
        return failed


def failed_of(junit: Path, code: int, what: str) -> list[str]:
    """The failed tests in pytest's or ctest's report. `code`: the exit code of that program."""
    try:
        cases = list(ElementTree.parse(junit).iter("testcase"))
    except (OSError, ElementTree.ParseError) as e:
        return [f"{what} ended with {code} and without a report: {e}"]
    failed = []
    for case in cases:
        if case.get("status") in (None, "run") and case.find("failure") is None \
                and case.find("error") is None:
            continue
        if case.get("status") in ("notrun", "disabled"):
            continue
        name, where = case.get("name", ""), case.get("classname", "")
        # ctest knows no classes and gives the name twice.
        failed.append(name if where in ("", name) else f"{where.rpartition('.')[2]}.{name}")
    return list(dict.fromkeys(failed)) or ([f"{what} ended with {code}"] if code else [])


def _check() -> list[str]:
    code = subprocess.run(["make", "--no-print-directory", "-k", "-C", str(TOP),
                           "check"]).returncode
    return ["make check"] if code else []


def _unit_tests(variant: Variant) -> list[str]:
    failed = []
    for program in variant.tests:
        tally = gtest.run([str(variant.folder / program)], variant.folder, variant.left_out,
                          coverage.count_anew(variant), coverage.LEFT_OUT)
        gtest.report(tally, program, variant.left_out)
        failed += tally.names()
    for reason in dict.fromkeys(variant.not_built.values()):
        files = [name for name, why in variant.not_built.items() if why == reason]
        print(f"not built, {len(files)} files such as {files[0]}: {reason}", flush=True)
    report = variant.folder / "ctest.xml"
    report.unlink(missing_ok=True)
    code = subprocess.run([
        "ctest", "--test-dir", str(variant.folder), "--output-on-failure", "--no-tests=error",
        "--timeout", str(CTEST_SECONDS), "--output-junit", str(report), f"-j{os.cpu_count()}",
        "--progress"]).returncode
    return failed + failed_of(report, code, "ctest")


def _coverage() -> list[str]:
    coverage.judge()
    return []


def spread(marks: str = f"not {LONG}") -> list[str]:
    """Options of pytest for tests on virtual phones: one phone keeps one core busy, and the tests
    of a file share phones."""
    return ["-n", str(os.cpu_count()), "--dist", "loadfile", "-m", marks]


def _phone_tests(words: list[str], marks: str = f"not {LONG}") -> list[str]:
    return pytest(["/usr/bin/python3"], "phone",
                  ["--durations=25", *(words or [*spread(marks), str(LAB / "tests")])], TOP)


def _tools_tests() -> list[str]:
    python = [str(venv.for_tools())]

    # Each folder has its own process, as their conftest.py and some files share a name. They run
    # side by side: fleet's waits for Spark, report's for Chromium.
    def tests(folder: Path) -> list[str]:
        return pytest(python, f"tools-{folder.parent.name}", [str(folder)], TOP / "tools")

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        return [name for names in pool.map(tests, sorted((TOP / "tools").glob("*/tests")))
                for name in names]


def pytest(python: list[str], name: str, words: list[str], folder: Path) -> list[str]:
    """Runs pytest with the plugin that ends hanging tests; returns the names of failures."""
    report = RESULTS / f"{name}.xml"
    report.parent.mkdir(parents=True, exist_ok=True)
    report.unlink(missing_ok=True)
    path = ":".join(filter(None, [str(LAB), os.environ.get("PYTHONPATH")]))
    code = subprocess.run(
        [*python, "-B", "-m", "pytest", "-p", "no:cacheprovider", "-p",
         "labtool.suite.hanging", "-q", f"--junitxml={report}", *words],
        cwd=folder, env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1", "PYTHONPATH": path},
    ).returncode
    return failed_of(report, code, "pytest")


def fetch() -> None:
    """Fetches the stages' prerequisites that are not built. The stage that needs one reports a
    failure to get it."""
    for get in (venv.for_tools, lambda: arm.setup(arm.SHORT), lambda: page.fetch(page.SHORT),
                *(lambda name=name: kernel_packages.ready(name) for name in kernels.SHORT)):
        with contextlib.suppress(LabError):
            get()


def stages() -> list[Stage]:
    return [
        Stage("make check", _check),
        *(Stage(f"unit tests of {v.name}", lambda v=v: _unit_tests(v)) for v in (INIT, *TESTS)),
        Stage("branches of the pure parts", _coverage),
        Stage("tests of tools/", _tools_tests),
        Stage("tests of the page of Settings", lambda: page.failures(page.SHORT)),
        Stage("fuzz targets, the short form", fuzz.short),
        Stage("tests on the virtual phone", lambda: _phone_tests([])),
        Stage(ARM_STAGE, lambda: arm.failures(arm.SHORT))]


def long_tests() -> list[Stage]:
    """The stages that `make test` leaves to `make soak`."""
    return [Stage("tests of the page of Settings, all levels",
                  lambda: page.failures(list(page.FRAMEWORKS))),
            Stage(LONG_STAGE, lambda: _phone_tests([], LONG))]


def run_tests(words: list[str]) -> int:
    """`make test`. With words for pytest it runs only the virtual phone's tests."""
    return run([Stage("tests on the virtual phone", lambda: _phone_tests(words))] if words
               else stages())


def run(wanted: list[Stage]) -> int:
    """Runs all stages, whatever fails, so that one run reports everything."""
    failed, seconds = [], []
    for stage in wanted:
        began = time.monotonic()
        if names := stage.failures():
            failed.append((stage.name, names))
        seconds.append(f"{time.monotonic() - began:5.0f} s  {stage.name}")
    print("time", *seconds, sep="\n", flush=True)
    if failed:
        raise LabError("failed, see above\n" + "\n".join(
            f"{stage}: {name}" for stage, names in failed for name in names))
    return 0
