# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""`lab shell`, `push`, `pull`, `status`: data and exit codes arrive unchanged."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest
from conftest import Phone, finish, lab, start


@pytest.mark.parametrize(("line", "code"), [
    ("true", 0), ("false", 1), ("exit 42", 42), ("exit 255", 255), ("nosuchcommand", 127),
    ("/data", 126), ("sh -c 'kill -9 $$'", 137), ("kill -9 $$", 137),
])
def test_exit_code_is_the_commands(phone: Phone, line: str, code: int) -> None:
    assert phone.shell(line).code == code


def test_output_and_error_stay_apart(phone: Phone) -> None:
    result = phone.shell("printf out; printf err >&2; exit 3")
    assert (result.code, result.out, result.err) == (3, "out", "err")


def test_several_words_are_arguments(phone: Phone) -> None:
    result = phone.shell("printf", "%s|", "two words", "$HOME", "it's", "")
    assert result.out == "two words|$HOME|it's||"


def test_long_output_is_whole(phone: Phone) -> None:
    lines = phone.output("seq 1 100000").splitlines()
    assert lines == [str(n) for n in range(1, 100001)]


def test_standard_input_reaches_the_command(phone: Phone) -> None:
    process = start("shell", "--name", phone.name, "--", "sort", stdin=subprocess.PIPE)
    assert finish(process, "b\na\n").out == "a\nb\n"


def test_push_and_pull_round_trip(phone: Phone, tmp_path: Path) -> None:
    data = bytes(range(256)) * 8192
    (tmp_path / "there").write_bytes(data)
    target = "/data/local/tmp/there"
    assert phone.lab("push", str(tmp_path / "there"), target).code == 0
    assert phone.output(f"stat -c %s {target}").strip() == str(len(data))
    assert phone.lab("pull", target, str(tmp_path / "back")).code == 0
    assert (tmp_path / "back").read_bytes() == data
    phone.output(f"rm {target}")


def test_push_and_pull_name_a_missing_file(phone: Phone, tmp_path: Path) -> None:
    for words in (("push", f"{tmp_path}/none", "/data/local/tmp/x"),
                  ("pull", "/data/none", str(tmp_path / "x"))):
        result = phone.lab(*words)
        assert result.code == 1
        assert result.err.startswith("lab: ") and "none" in result.err
        assert len(result.err.splitlines()) == 1


def test_status_tells_what_is_up(phone: Phone) -> None:
    rows = json.loads(lab("status", "--json").out)
    row = next(r for r in rows if r["name"] == phone.name)
    assert row["up"] is True
    assert row["profile"] == "nexus7-2012"
    assert row["storekeeperd"] == "running"
    assert row["uptime_s"] > 0


def test_a_name_is_up_once(phone: Phone) -> None:
    second = phone.lab("up")
    assert second.code == 1
    assert f"phone '{phone.name}' is already up" in second.err
    assert phone.shell("true").code == 0


@pytest.mark.parametrize(("words", "error"), [
    (("shell", "--name", "nobody", "--", "true"), "no phone 'nobody' is up; `lab/lab up"),
    (("down", "--name", "nobody"), "no phone 'nobody'"),
    (("up", "--name", "../x"), "'../x' is no name for a phone"),
    (("up", "--profile", "nosuch"), "no profile 'nosuch'; there are: "),
    (("run", "--profile", "nosuch", "--", "true"), "no profile 'nosuch'; there are: "),
    (("run", "--param", "ext4.x=1", "--", "true"), "--param ext4.x=1: give MODULE.NAME=VALUE"),
    (("run", "--file", "/none:/data/x", "--", "true"), "/none: not a regular file"),
    (("run", "--file", "/etc/passwd:data", "--", "true"), "data: write the file's absolute path"),
    (("run", "--prop", "novalue", "--", "true"), "--prop novalue: write two parts"),
    (("run", "--timeout", "0", "--", "true"), "--timeout 0: write a number of seconds"),
])
def test_mistakes_are_one_clear_line(words: tuple[str, ...], error: str) -> None:
    result = lab(*words)
    assert result.code == 1
    assert result.err.startswith(f"lab: {error}")
    assert len(result.err.splitlines()) == 1
