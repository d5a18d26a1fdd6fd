# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""The parts of the lab that need no guest: archives, ELF files, the guest's lines, verdicts."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from labtool import build, elf, guest, image, kmodules, profiles, verdict
from labtool.cpio import Archive
from labtool.emulator import Control
from labtool.once import make_once
from labtool.paths import OUT, LabError
from labtool.session import MARK, _Marked


def archive() -> Archive:
    a = Archive()
    a.file("z/file", b"content\n", 0o640)
    a.program("bin/true", Path("/bin/true"))
    a.link("bin/alias", "true")
    a.folder("tmp", 0o1777)
    a.device("dev/console", 5, 1)
    return a


def test_an_archive_depends_on_its_content_alone() -> None:
    other = Archive()
    other.device("dev/console", 5, 1)
    other.folder("tmp", 0o1777)
    other.link("bin/alias", "true")
    other.program("/bin/true", Path("/bin/true"))
    other.file("/z/file", b"content\n", 0o640)
    assert other.pack() == archive().pack()
    other.file("z/file", b"content", 0o640)
    assert other.pack() != archive().pack()


def test_an_archive_has_parents_before_children_and_whole_words() -> None:
    data = archive().pack()
    assert len(data) % 4 == 0
    assert data.startswith(b"070701")
    places = [data.index(name + b"\0") for name in (b"bin", b"bin/alias", b"z", b"z/file")]
    assert places == sorted(places)
    assert data.rstrip(b"\0").endswith(b"TRAILER!!!")


def test_needed_libraries_of_a_program() -> None:
    assert "libc.so.6" in elf.needed(Path("/bin/ls"))
    found = elf.closure([Path("/bin/ls")])
    assert {"libc.so.6", "libselinux.so.1", "libpcre2-8.so.0", elf.LOADER} <= set(found)


def test_the_guest_has_nothing_of_the_machine() -> None:
    """Otherwise figures would depend on the machine's updates."""
    beside = [image.CRYPTO_PROGRAM, *image.FILE_SYSTEM_PROGRAMS["f2fs"]]
    programs = [*image._programs().values(), *map(image.host_program, beside)]
    for path in (*programs, *elf.closure(programs).values()):
        assert OUT in path.resolve().parents, path


def test_a_script_and_a_missing_library_are_errors(tmp_path: Path) -> None:
    script = tmp_path / "script"
    script.write_text("#!/bin/sh\n")
    assert not elf.is_elf(script)
    with pytest.raises(LabError, match="not a 64-bit"):
        elf.needed(script)
    data = Path("/bin/ls").read_bytes().replace(b"libc.so.6\0", b"libx.so.6\0")
    broken = tmp_path / "broken"
    broken.write_bytes(data)
    with pytest.raises(LabError, match=r"broken needs libx\.so\.6, which is nowhere"):
        elf.closure([broken])


def test_modules_come_behind_what_they_need() -> None:
    order = kmodules.load_order(["ext4", "vemmc"])
    assert order.index("jbd2") < order.index("ext4")
    assert order.index("mmc_core") < order.index("vemmc")
    assert len(order) == len(set(order))
    assert not kmodules.content("ext4").endswith(kmodules.SIGNATURE_MAGIC)
    with pytest.raises(LabError, match="nosuchmodule is neither in"):
        kmodules.load_order(["nosuchmodule"])


@pytest.mark.parametrize("cut", range(1, 30))
def test_control_lines_may_come_in_any_pieces(cut: int) -> None:
    data = b"ready\nfile 1 6\nab\ncd\nfile 0 0\nrefused x.rc:1: no\nexit 3\n"
    control = Control()
    for at in range(0, len(data), cut):
        control.feed(data[at:at + cut])
    assert control.ready
    assert control.files == {1: b"ab\ncd\n", 0: b""}
    assert control.refused == ["x.rc:1: no"]
    assert control.outcome == verdict.Outcome(3)


def test_a_file_that_is_cut_off_is_no_file() -> None:
    control = Control()
    control.feed(b"file 0 10\nabc")
    assert control.files == {}


@pytest.mark.parametrize(("line", "code"), [
    ("exit 0", 0), ("exit 255", 255), ("signal 9", 137), ("timeout", verdict.TIMED_OUT)])
def test_the_commands_verdict(line: str, code: int) -> None:
    outcome = verdict.of_command(line)
    assert outcome is not None
    assert outcome.code == code
    assert bool(outcome.problem) == (line == "timeout")


@pytest.mark.parametrize(("status", "console", "refused", "events", "code"), [
    (0, "x\n[1.0] Kernel panic - not syncing: why\n", [], ["SHUTDOWN"], verdict.PANICKED),
    (0, "", [], ["WATCHDOG", "SHUTDOWN"], verdict.HUNG),
    (0, "", [], ["SHUTDOWN"], verdict.DIED),
    (-9, "", [], [], verdict.DIED),
    (1, "", [], [], verdict.DIED),
    (0, "Kernel panic", ["a.rc:1: x"], [], verdict.REFUSED),
])
def test_a_guest_s_end_has_an_exit_code_and_a_cause(
        status: int, console: str, refused: list[str], events: list[str], code: int) -> None:
    outcome = verdict.of_death(status, console, refused, events, "")
    assert outcome.code == code
    assert outcome.problem


def test_only_the_consoles_last_lines_are_shown() -> None:
    outcome = verdict.of_death(0, "\n".join(f"line {n}\n" for n in range(100)), [], [], "")
    assert len(outcome.console) == verdict.CONSOLE_LINES
    assert outcome.console[-1] == "line 99"
    assert outcome.report().endswith("line 99")


@pytest.mark.parametrize("cut", range(1, 20))
def test_the_mark_is_taken_out_of_standard_error(cut: int) -> None:
    for text in (b"", b"error\n", b"a @lab b @", b"@lab-ende", b"@@lab"):
        data, seen = text + MARK, bytearray()
        marked = _Marked(seen.extend)
        for at in range(0, len(data), cut):
            marked.feed(data[at:at + cut])
        marked.close()
        assert marked.ended
        assert bytes(seen) == text


def test_an_incomplete_mark_is_text() -> None:
    seen = bytearray()
    marked = _Marked(seen.extend)
    marked.feed(b"text " + MARK[:-1])
    marked.close()
    assert not marked.ended
    assert bytes(seen) == b"text " + MARK[:-1]


def test_every_profile_is_one() -> None:
    assert profiles.DEFAULT in profiles.names()
    for name in profiles.names():
        profile = profiles.load(name)
        assert profile.name == name
        assert bool(profile.vemmc) == (profile.disk.model == "vemmc")
        assert profile.vemmc.get("ftl", "page") in ("hybrid", "page")
        assert json.loads((profiles.PROFILES / f"{name}.json").read_text())["source"]


def test_a_parameter_is_overridden_or_refused() -> None:
    profile = profiles.load(profiles.DEFAULT)
    profiles.set_parameter(profile, "vemmc.ftl=page")
    profiles.set_parameter(profile, "vphone.capacity=3")
    assert profile.vemmc["ftl"] == "page"
    assert profile.vphone["capacity"] == "3"
    phone = profiles.load("ufs-hid")
    assert (phone.data.fs, "fsync_mode" in phone.data.options) == ("f2fs", True)
    profiles.set_parameter(phone, "data.fs=ext4")
    assert (phone.data.fs, phone.data.options) == ("ext4", profiles.Data.options)
    for text in ("ftl=page", "vemmc.ftl", "ext4.x=1", "vemmc.=1"):
        with pytest.raises(LabError, match="give MODULE.NAME=VALUE"):
            profiles.set_parameter(profile, text)


@pytest.mark.parametrize("module", profiles.MODULES)
def test_a_parameter_that_its_module_lacks_is_refused(module: str) -> None:
    with pytest.raises(LabError, match=f"{module} has no parameter 'nope'; it has .*, "):
        guest.load_profile(profiles.DEFAULT, [f"{module}.nope=1"])


def test_all_parameters_of_the_profiles_exist() -> None:
    for name in profiles.names():
        guest.load_profile(name, [])


def test_a_build_folder_that_was_moved_is_made_anew(tmp_path: Path) -> None:
    old, new = tmp_path / "old", tmp_path / "new"
    for folder in (old, new):
        folder.mkdir()
        (folder / "CMakeCache.txt").write_text(f"CMAKE_CACHEFILE_DIR:INTERNAL={old}\n")
        build.forget_moved(folder)
    assert old.exists()
    assert not new.exists()
    build.forget_moved(tmp_path / "none")


def test_a_file_that_another_process_has_just_made_stays(tmp_path: Path,
                                                         monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "program-1").write_text("earlier")
    path = tmp_path / "program-2"
    mkdir = Path.mkdir

    def another_is_faster(folder: Path, *words: object, **options: object) -> None:
        mkdir(folder, *words, **options)
        path.write_text("another's")

    def make(fresh: Path) -> None:
        assert path.read_text() == "another's"
        fresh.write_text("ours")

    monkeypatch.setattr(Path, "mkdir", another_is_faster)
    assert make_once(path, "program-*", make).read_text() == "ours"
    assert [x.name for x in tmp_path.iterdir()] == ["program-2"]
