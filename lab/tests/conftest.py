# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""Drives lab/lab as a user does. Tests share a guest unless they end or break it."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

TOP = Path(__file__).resolve().parents[2]
LAB = TOP / "lab/lab"
HERE = Path(__file__).resolve().parent
OUT = Path(os.environ.get("STOREKEEPER_OUT") or TOP / "out").resolve()

# Tests of single modules import labtool.
sys.path.insert(0, str(TOP / "lab"))

from labtool import venv  # noqa: E402
from labtool.suite.stages import LONG  # noqa: E402

# Every process that a lab command starts inherits its environment.
MARK = f"STOREKEEPER_TEST={os.getpid()}"

# A shell's background has ^C ignored, and commands inherit that; this restores the default.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# A file's tests run one after another, on one core (--dist loadfile). The files that take minutes
# go first; otherwise one core would wait at the end for the other.
LONGEST = ["test_trim.py", "test_crypto_choice.py", "test_bench.py", "test_replay.py",
           "test_demo.py", "test_writers.py", "test_hid.py", "test_ufs.py", "test_kernels.py",
           "test_vqcrypto.py", "test_bench_crypto.py", "test_canary.py", "test_storage.py",
           "test_policy.py"]

# Seconds for a lab command that does not return. No result depends on it.
BACKSTOP = 600


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", f"{LONG}: takes minutes; `make soak` runs it, and `make "
                            "test` a shorter one of the same")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    order = {name: place for place, name in enumerate(LONGEST)}
    items.sort(key=lambda item: order.get(item.path.name, len(order)))


@dataclass(frozen=True)
class Result:
    code: int
    out: str
    err: str


def start(*words: str, stdin: int = subprocess.DEVNULL,
          env: dict[str, str] | None = None) -> subprocess.Popen[str]:
    """Starts a lab command that runs beside the test."""
    return subprocess.Popen([sys.executable, str(LAB), *words], text=True, stdin=stdin,
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                            errors="surrogateescape",
                            env={**os.environ, **dict([MARK.split("=")]), **(env or {})})


def finish(process: subprocess.Popen[str], stdin: str | None = None) -> Result:
    try:
        out, err = process.communicate(stdin, timeout=BACKSTOP)
    except subprocess.TimeoutExpired:
        process.terminate()
        out, err = process.communicate()
        pytest.fail(f"{process.args} did not end in {BACKSTOP} s: {out} {err}")
    return Result(process.returncode, out, err)


def lab(*words: str) -> Result:
    """Runs a lab command to its end."""
    return finish(start(*words))


class Answer(str):
    """The output of a command, without its exit code, which is the last line."""

    code: int

    def __new__(cls, text: str) -> Answer:
        body, code = text.rsplit("code ", 1)
        answer = super().__new__(cls, body)
        answer.code = int(code)
        return answer

    def receipts(self) -> list[dict]:
        assert self.code == 0, self
        return json.loads(self)


def answers(result: Result) -> dict[str, Answer]:
    """The output of each command of a guest's script, by its heading `@@ HEADING`."""
    parts = re.split(r"^@@ (.*)\n", result.out, flags=re.M)
    assert len(parts) > 2, result
    return {name: Answer(text) for name, text in zip(parts[1::2], parts[2::2], strict=True)}


def unwrapped(text: str) -> str:
    """The text of dumpsys with each line joined that it wraps at 80 columns."""
    return text.replace("\n    ", " ")


# With "closed", objects may have only the keys that the schema lists.
VALIDATE = """
import json, sys
from jsonschema import Draft202012Validator
def closed(schema):
    if isinstance(schema, list): return [closed(x) for x in schema]
    if not isinstance(schema, dict): return schema
    inner = {name: closed(x) for name, x in schema.items()}
    return inner | {"additionalProperties": False} if "properties" in schema else inner
schema = json.load(open(sys.argv[1]))
Draft202012Validator.check_schema(schema)
schema = closed(schema) if sys.argv[2:] else schema
for error in Draft202012Validator(schema).iter_errors(json.load(sys.stdin)):
    print(error.json_path, error.message)
"""


def unlike_schema(name: str, value: str, *options: str) -> str:
    """The differences between a JSON text and a schema of docs/, a line each; `options`: "closed"
    or none."""
    return subprocess.run([venv.ready() / "python", "-c", VALIDATE, TOP / "docs" / name, *options],
                          input=value, text=True, capture_output=True, check=True).stdout


def processes(text: str = "") -> list[int]:
    """The running processes that lab commands of these tests have started and whose command line
    contains `text`."""
    found = []
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            ours = MARK.encode() in (entry / "environ").read_bytes().split(b"\0")
            line = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
        except OSError:
            continue
        # The command line of an ended process that waits for its parent is empty.
        if ours and line and text in line:
            found.append(int(entry.name))
    return found


def spoil(file: Path, right: str, wrong: str, count: int = -1) -> None:
    """Writes a mistake into a copy: `wrong` for each `right`, or for the first `count` of them."""
    text = file.read_text()
    assert right in text
    file.write_text(text.replace(right, wrong, count))


class Phone:
    """A phone that is up, by its name."""

    def __init__(self, name: str) -> None:
        self.name = name

    def lab(self, command: str, *words: str) -> Result:
        return lab(command, "--name", self.name, *words)

    def shell(self, *words: str) -> Result:
        return self.lab("shell", "--", *words)

    @property
    def state(self) -> dict[str, object]:
        return json.loads((OUT / "run" / self.name / "state.json").read_text())

    def output(self, *words: str) -> str:
        """The output of a command, which must succeed."""
        result = self.shell(*words)
        assert result.code == 0, result
        return result.out


@pytest.fixture(scope="session")
def phone() -> Iterator[Phone]:
    """One interactive guest for all tests that leave it unchanged."""
    name = f"test-{os.getpid()}"
    booted = lab("up", "--name", name,
                 "--file", f"{HERE}/guest/probe.rc:/system_ext/etc/init/probe.rc")
    assert booted.code == 0, booted
    try:
        yield Phone(name)
    finally:
        ended = lab("down", "--name", name)
    assert ended.code == 0, ended
    assert processes(name) == []
    assert not (OUT / "run" / name).exists()
