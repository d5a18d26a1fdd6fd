# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""Every method, every verb of `cmd` and dumpsys, called by every kind of caller, against the table
that the service checks and docs/security.md shows."""

from __future__ import annotations

import base64
import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest
from conftest import HERE, TOP, lab

from labtool import access
from labtool.image import host_program
from labtool.paths import LabError

# Kinds of callers by uid. An app, an isolated process and nobody are in no column of the table.
CALLERS = {0: "root", 1000: "system", 2000: "shell", 10123: "app", 99123: "isolated",
           9999: "nobody"}
APP, ISOLATED = 10123, 99123
# Harmless arguments: a permitted call fails on them, or they have no effect.
ARGUMENTS = {
    # A byte array of four bytes.
    "setExtCsd": "i32 4 i32 0",
}
# A word that no verb accepts.
WORD = "nosuch"
# Exception codes, the first number of a reply: binder/Status.h.
EX_SECURITY, EX_SERVICE_SPECIFIC = -1, -8
NOT_PERMITTED, USAGE = 77, 64
# The message to a caller who may not call at all, in the words of Android 14 and of 11.
DENIED = {"dumpsys": ("Error with service 'storekeeper' while dumping: PERMISSION_DENIED",
                      "Error dumping service info status_t: PERMISSION_DENIED storekeeper"),
          "cmd": ("cmd: Failure calling service storekeeper: Operation not permitted (1)",)}


@dataclass(frozen=True)
class Answer:
    code: int
    out: str
    err: str

    @property
    def exception(self) -> int | None:
        """The exception code of a reply to a method; None if the call never reached the service."""
        word = re.search(r"Result: Parcel\(\s*(?:0x0+: )?([0-9a-f]{8})", self.out)
        return int.from_bytes(bytes.fromhex(word[1]), signed=True) if word else None


def calls() -> dict[str, str]:
    """The command line of each operation."""
    lines = {f"{name}()": f"service call storekeeper {code} {ARGUMENTS[name]}"
             for code, name in enumerate(access.methods(), start=1)}
    lines["dumpsys storekeeper"] = "dumpsys storekeeper"
    for operation in access.rules():
        if operation.startswith(access.VERB):
            lines[operation] = f"{operation} {WORD}"
    for operation in ("cmd storekeeper", "cmd storekeeper help"):
        lines[operation] = operation
    return lines


@dataclass
class Asked:
    answers: dict[tuple[int, str], Answer]
    changed: dict[int, str]


def made(text: str) -> Asked:
    names = list(calls())
    asked = Asked({}, {})
    for line in text.splitlines():
        word, *rest = line.split(" ")
        if word == "@call":
            uid, number, code, output = rest
            out, err = (base64.b64decode(x).decode() for x in output.split("."))
            asked.answers[int(uid), names[int(number)]] = Answer(int(code), out, err)
        elif word == "@same":
            asked.changed[int(rest[0])] = ""
        elif word == "@changed":
            asked.changed[int(rest[0])] = base64.b64decode(rest[1]).decode()
    return asked


@pytest.fixture(scope="module")
def asked(tmp_path_factory: pytest.TempPathFactory) -> Asked:
    folder = tmp_path_factory.mktemp("callers")
    (folder / "calls").write_text("".join(f"{number} {line}\n" for number, line in
                                          enumerate(calls().values())))
    result = lab("run", "--measure", "--timeout", "600", "--file", f"{folder}/calls:/calls",
                 "--file", f"{HERE}/guest/callers.sh:/callers.sh",
                 "--file", f"{host_program('setpriv')}:/system/bin/setpriv",
                 "--", f"sh /callers.sh {' '.join(map(str, CALLERS))}")
    assert result.code == 0, result
    found = made(result.out)
    assert len(found.answers) == len(CALLERS) * len(calls()), result
    return found


def test_each_method_and_each_verb_has_a_row(asked: Asked) -> None:
    rules = access.rules()
    assert [x for x in rules if x.endswith("()")] == [f"{m}()" for m in access.methods()]
    help_text = asked.answers[0, "cmd storekeeper help"].out
    shown = re.findall(r"^  ([a-z][a-z-]*)(?: (.*))?$", help_text, re.M)
    verbs = {name for name, _ in shown}
    assert {"trim", "crypto", "set-gate-override"} <= verbs
    words = [x.removeprefix(access.VERB).split(" ") for x in rules if x.startswith(access.VERB)]
    assert verbs == {x[0] for x in words}
    # The verbs of a verb begin the lines of its usage message.
    inner = {x[1] for x in words if x[0] == "crypto" and len(x) > 1}
    assert {"status", "choose", "rollback"} <= inner
    usage = asked.answers[0, "cmd storekeeper crypto"].err
    assert inner == {*re.findall(r"^(?:usage: cmd storekeeper crypto| {29}) \[?([a-z]+)", usage,
                                 re.M)}


@pytest.mark.parametrize("uid", CALLERS)
@pytest.mark.parametrize("operation", calls())
def test_only_permitted_callers_are_answered(asked: Asked, operation: str, uid: int) -> None:
    answer = asked.answers[uid, operation]
    if CALLERS[uid] in access.rules()[operation]:
        admitted(operation, answer)
    elif uid == ISOLATED:
        # servicemanager hides the service from this caller.
        assert "Service storekeeper does not exist" in answer.out + answer.err \
            or "Can't find service: storekeeper" in answer.out + answer.err, answer
    else:
        refused(operation, uid, answer)


def admitted(operation: str, answer: Answer) -> None:
    if operation.endswith("()"):
        assert answer.exception in (0, EX_SERVICE_SPECIFIC), answer
    elif operation == "dumpsys storekeeper":
        assert "Maintenance: " in answer.out, answer
    elif operation == "cmd storekeeper help":
        assert (answer.code, answer.err) == (0, ""), answer
    else:
        assert answer.code == USAGE, answer


def refused(operation: str, uid: int, answer: Answer) -> None:
    ours = f"uid {uid} may not use {operation}"
    if operation.endswith("()"):
        assert answer.exception == EX_SECURITY, answer
    elif CALLERS[uid] in access.rules()["cmd storekeeper"] and operation.startswith("cmd "):
        # The answer has the reason and nothing else.
        assert (answer.code, answer.out) == (NOT_PERMITTED, ""), answer
        assert answer.err.startswith(f"storekeeper: {ours}; "), answer
        assert answer.err.count("\n") == 1
    else:
        # dumpsys and cmd print these themselves; cmd also logs its own.
        (line,) = {re.sub(r"^[\d:. -]+W cmd *: ", "cmd: ", x)
                   for x in (answer.out + answer.err).splitlines()}
        assert line in DENIED[operation.split(" ")[0]], answer


@pytest.mark.parametrize("uid", CALLERS)
def test_nothing_is_changed(asked: Asked, uid: int) -> None:
    assert asked.changed[uid] == ""


# --- the table itself

def test_the_document_shows_the_table() -> None:
    done = subprocess.run([TOP / "tools/access", "check"], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_a_row_that_differs_is_found_and_written() -> None:
    rules = access.rules()
    text = access.DOCUMENT.read_text()
    assert access.document(text, rules) == text
    wider = {**rules, "setExtCsd()": frozenset({"root", "system"})}
    assert "| `setExtCsd()` | yes | yes | no | no |" in access.document(text, wider)
    assert access.document(access.document(text, wider), rules) == text
    with pytest.raises(LabError, match="no table below '## Callers'"):
        access.document("# Security\n", rules)


def test_a_table_that_cannot_be_read_whole_is_an_error(tmp_path: Path) -> None:
    source = tmp_path / "access.cpp"
    text = access.SOURCE.read_text()
    source.write_text(text.replace('{"setExtCsd()", kRoot},', '{"setExtCsd()", kEverybody},'))
    with pytest.raises(LabError, match="no row of kAccess"):
        access.rules(source)
    source.write_text(text.replace("kAccess[]", "kOther[]"))
    with pytest.raises(LabError, match="no table kAccess"):
        access.rules(source)


def test_methods_are_those_of_the_interface(tmp_path: Path) -> None:
    assert access.methods() == ["setExtCsd"]
    file = tmp_path / "I.aidl"
    file.write_text("interface I {\n const int A = 1;\n /** f(); */ int a(in byte[] b,\n"
                    " String c); // g();\n void d();\n}\n")
    assert access.methods(file) == ["a", "d"]
