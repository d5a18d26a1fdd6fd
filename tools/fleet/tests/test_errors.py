# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""Errors end in one line with the cause and the next step, and in the exit code that
docs/fleet.md has for it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import sample, small
from storekeeper_fleet import cli

Damage = Callable[[Path], None]


def _cut(file: Path) -> None:
    file.write_bytes(file.read_bytes()[:-100])


def _spoil(file: Path) -> None:
    content = bytearray(file.read_bytes())
    content[20:60] = bytes(40)
    file.write_bytes(content)


def _empty(file: Path) -> None:
    file.write_bytes(b"")


@pytest.fixture
def fleet(tmp_path: Path) -> Path:
    (tmp_path / "given").mkdir()
    (tmp_path / "given/d.json").write_text(json.dumps(small(sample())))
    (tmp_path / "given/e.json").write_text("{}")
    assert cli.main(["ingest", str(tmp_path / "given"), "--to", str(tmp_path / "fleet")]) == 65
    return tmp_path / "fleet"


@pytest.mark.parametrize("damage", [_cut, _spoil, _empty])
@pytest.mark.parametrize("table", ["samples", "configs", "rejects"])
def test_a_damaged_file_is_named(fleet: Path, table: str, damage: Damage, tmp_path: Path,
                                 capsys: pytest.CaptureFixture[str]) -> None:
    file = next((fleet / table).rglob("*.parquet"))
    damage(file)
    commands = {
        "report": ["report", str(fleet), "-o", str(tmp_path / "r.html")],
        "query": ["query", str(fleet), "coverage"],
        "sql": ["query", str(fleet), "--sql", f"SELECT * FROM {table}"],
        "ingest": ["ingest", str(tmp_path / "given"), "--to", str(fleet)]}
    for name, words in commands.items():
        capsys.readouterr()
        assert cli.main(words) == 66, name
        line, = capsys.readouterr().err.splitlines()
        assert line == (f"storekeeper-fleet: {file}: damaged, its content is not what it was named "
                        "after; remove it and ingest the same inputs again"), name


def test_a_removed_file_is_there_again_after_the_same_ingest(fleet: Path, tmp_path: Path) -> None:
    file = next((fleet / "samples").rglob("*.parquet"))
    whole = file.read_bytes()
    file.unlink()
    assert cli.main(["ingest", str(tmp_path / "given"), "--to", str(fleet)]) == 65
    assert file.read_bytes() == whole


def test_too_little_memory_is_told(fleet: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["query", str(fleet), "coverage", "--memory", "1"]) == 69
    line, = capsys.readouterr().err.splitlines()
    assert line.startswith("storekeeper-fleet: --memory 1: too little for this data set; give more "
                           "MiB (")


@pytest.mark.parametrize("words", [
    ["query", "FLEET", "weather"], ["query", "FLEET"], ["query", "FLEET", "wear", "--sql", "x"],
    ["query", "FLEET", "wear", "--memory", "none"], ["query", "FLEET", "wear", "--colour"],
    ["weather"], []], ids=" ".join)
def test_words_that_say_nothing_are_64(fleet: Path, words: list[str],
                                       capsys: pytest.CaptureFixture[str]) -> None:
    given = [str(fleet) if x == "FLEET" else x for x in words]
    try:
        code = cli.main(given)
    except SystemExit as e:
        code = e.code
    assert code == 64
    assert "storekeeper-fleet" in capsys.readouterr().err


@pytest.mark.parametrize("words", [
    ["query", "FLEET", "coverage", "-o", "FILE"], ["query", "FLEET", "--openmetrics", "FILE"],
    ["report", "FLEET", "-o", "FILE"]], ids=lambda x: x[0] + x[-2])
def test_outputs_are_named_as_they_were_given_and_a_dash_is_standard_output(
        fleet: Path, words: list[str], tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    def run(output: str) -> int:
        capfd.readouterr()
        return cli.main([{"FLEET": str(fleet), "FILE": output}.get(x, x) for x in words])
    assert run(str(tmp_path / "no/x")) == 73
    assert capfd.readouterr().err == (
        f"storekeeper-fleet: {tmp_path}/no/x: No such file or directory\n")
    assert run(str(tmp_path / "x")) == 0
    assert run("-") == 0
    assert capfd.readouterr().out == (tmp_path / "x").read_text()
    assert not Path("-").exists()
