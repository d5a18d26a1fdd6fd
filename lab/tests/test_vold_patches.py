# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""vold-patches/: what carries the patches on small made repositories, and the patches themselves.

With VOLD_GIT=CLONE the series are also applied to LineageOS's vold and compiled.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest
from conftest import TOP

FOLDER = TOP / "vold-patches"
BRANCHES = ["cm-12.1", "cm-14.1", "lineage-18.1", "lineage-21.0", "lineage-22.0"]
PATCHES = sorted(FOLDER.glob("*/*.patch"))

ENVIRONMENT = {
    **{k: v for k, v in os.environ.items() if not k.startswith("GIT_")},
    "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a@b", "GIT_COMMITTER_NAME": "c",
    "GIT_COMMITTER_EMAIL": "c@d",
}

VOLD = "".join(f"line {n}\n" for n in range(20))
# Each patch: what it is called, the line it goes after, and what it brings.
ONE = ("One", 3, "StorekeeperOne.h")
TWO = ("Two", 12, "StorekeeperTwo.h")


def run(*words: str | Path, cwd: Path | None = None,
        **more: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([str(x) for x in words], cwd=cwd, env={**ENVIRONMENT, **more}, text=True,
                          capture_output=True)


def git(tree: Path, *words: str | Path) -> str:
    done = run("git", "-C", tree, *words)
    assert done.returncode == 0, done
    return done.stdout.strip()


def commit(tree: Path, file: str, text: str, message: str) -> None:
    (tree / file).write_text(text)
    git(tree, "add", "-A")
    git(tree, "commit", "-q", "-m", message)


def with_line(text: str, after: int, line: str) -> str:
    lines = text.splitlines(keepends=True)
    return "".join([*lines[:after + 1], line + "\n", *lines[after + 1:]])


@dataclass
class World:
    """A vold of twenty lines on the branches `old` and `new`, and patches for both."""

    tree: Path
    scripts: Path

    def apply(self, *words: str, tree: Path | None = None) -> subprocess.CompletedProcess[str]:
        return run(self.scripts / "apply.sh", tree or self.tree, *words)

    @property
    def head(self) -> str:
        return git(self.tree, "rev-parse", "HEAD")

    def state(self) -> tuple[str, str, str]:
        """What a refusal must not change."""
        return self.head, git(self.tree, "status", "--porcelain"), self.text()

    def text(self) -> str:
        return (self.tree / "vold.c").read_text()


def make_patches(tree: Path, folder: Path, start: str, *patches: tuple[str, int, str]) -> None:
    git(tree, "checkout", "-q", "--detach", start)
    for number, (name, after, header) in enumerate(patches):
        (tree / header).write_text(f"// {name}\n")
        commit(tree, "vold.c", with_line((tree / "vold.c").read_text(), after, f"call {name}"),
               f"{name}\n\nChange-Id: I{number:040x}")
    git(tree, "format-patch", "-q", "-U1", "-o", folder, start)


@pytest.fixture
def world(tmp_path: Path) -> World:
    tree = tmp_path / "vold"
    scripts = tmp_path / "patches"
    scripts.mkdir()
    for name in ("apply.sh", "check.sh"):
        shutil.copy2(FOLDER / name, scripts / name)
    run("git", "init", "-q", "-b", "old", tree)
    commit(tree, "vold.c", VOLD, "Begin")
    git(tree, "branch", "new")
    make_patches(tree, scripts / "old", "old", ONE, TWO)
    make_patches(tree, scripts / "new", "new", ONE)
    git(tree, "checkout", "-q", "old")
    return World(tree, scripts)


def test_apply_puts_the_series_on_and_does_nothing_the_second_time(world: World) -> None:
    assert world.apply("old").stdout == "old: 2 applied\n"
    assert world.text() == with_line(with_line(VOLD, 3, "call One"), 12, "call Two")
    before = world.state()
    again = world.apply("old")
    assert (again.returncode, again.stdout) == (0, "old: all there already\n")
    assert world.state() == before


def test_apply_leaves_out_what_was_picked_before(world: World) -> None:
    git(world.tree, "am", next((world.scripts / "old").glob("0001*")))
    git(world.tree, "commit", "-q", "--amend", "--no-edit", "--author=Somebody <s@b>")
    assert world.apply("old").stdout == "old: 1 applied\n"
    assert git(world.tree, "rev-list", "--count", "HEAD") == "3"


def test_apply_merges_where_the_neighbourhood_changed(world: World) -> None:
    commit(world.tree, "vold.c", VOLD.replace("line 13\n", "line 13, newer\n"), "Move on")
    assert world.apply("old").stdout == "old: 2 applied\n", "--3way"
    assert "call Two" in world.text()


@pytest.mark.parametrize("staged", [False, True])
def test_apply_refuses_a_tree_with_changes(world: World, staged: bool) -> None:
    (world.tree / "vold.c").write_text(VOLD + "mine\n")
    if staged:
        git(world.tree, "add", "vold.c")
    before = world.state()
    done = world.apply("old")
    assert done.returncode == 1
    assert "not committed" in done.stderr
    assert world.state() == before


def test_apply_is_all_or_nothing(world: World) -> None:
    # The first patch fits, the second does not.
    commit(world.tree, "vold.c", "".join(VOLD.splitlines(keepends=True)[:8]) + "other\n", "Cut")
    (world.tree / "untracked").write_text("mine")
    before = world.state()
    done = world.apply("old")
    assert done.returncode == 1
    assert "does not apply" in done.stderr
    assert world.state() == before
    assert not (world.tree / ".git/rebase-apply").exists()
    assert (world.tree / "untracked").read_text() == "mine"


def test_apply_overwrites_no_file_that_git_does_not_know(world: World) -> None:
    (world.tree / "StorekeeperTwo.h").write_text("mine")
    before = world.state()
    assert world.apply("old").returncode == 1
    assert world.state() == before
    assert (world.tree / "StorekeeperTwo.h").read_text() == "mine"


def test_apply_leaves_somebody_s_unfinished_am_alone(world: World) -> None:
    commit(world.tree, "vold.c", "nothing like it\n", "Rewrite")
    assert run("git", "-C", world.tree, "am",
               next((world.scripts / "new").glob("*"))).returncode != 0
    done = world.apply("old")
    assert done.returncode == 1
    assert "in the middle of something" in done.stderr
    assert (world.tree / ".git/rebase-apply").exists()


def test_apply_needs_a_branch_that_it_has_patches_for(world: World) -> None:
    before = world.state()
    for done in (world.apply("lineage-99"), world.apply("o.d"), world.apply("")):
        assert done.returncode == 1
    assert "there are: new old" in world.apply("lineage-99").stderr
    git(world.tree, "checkout", "-q", "-b", "topic")
    assert "name one of them" in world.apply().stderr
    assert world.state() == before


def test_apply_finds_the_branch_itself(world: World) -> None:
    assert world.apply().stdout == "old: 2 applied\n"
    # As repo leaves it.
    git(world.tree, "checkout", "-q", "--detach", "new")
    git(world.tree, "update-ref", "refs/remotes/m/new", "new")
    assert world.apply().stdout == "new: 1 applied\n"


def test_apply_takes_vold_or_all_of_android(world: World, tmp_path: Path) -> None:
    (tmp_path / "android/system").mkdir(parents=True)
    (tmp_path / "android/system/vold").symlink_to(world.tree)
    assert world.apply("old", tree=tmp_path / "android").stdout == "old: 2 applied\n"
    (world.tree / "inside").mkdir()
    assert "lies inside" in world.apply("old", tree=world.tree / "inside").stderr
    assert "no git work tree" in world.apply("old", tree=tmp_path).stderr


def snapshot(folder: Path) -> dict[str, bytes]:
    return {str(f): f.read_bytes() for f in folder.rglob("*") if f.is_file()}


def check(world: World, *words: str | Path) -> subprocess.CompletedProcess[str]:
    """Runs check.sh, and sees to it that it leaves nothing behind."""
    scratch = world.scripts.parent / "tmp"
    scratch.mkdir(exist_ok=True)
    before = snapshot(world.tree)
    done = run(world.scripts / "check.sh", *words, TMPDIR=str(scratch))
    assert snapshot(world.tree) == before
    assert list(scratch.iterdir()) == []
    return done


def test_check_says_ok_for_each_branch(world: World, tmp_path: Path) -> None:
    done = check(world, world.tree)
    assert (done.returncode, done.stdout, done.stderr) == (0, "new ok\nold ok\n", "")
    assert check(world, world.tree / ".git").stdout == done.stdout
    git(world.tree, "clone", "-q", "--bare", world.tree, tmp_path / "bare.git")
    assert check(world, tmp_path / "bare.git").stdout == done.stdout
    # A clone has the other branches as origin's.
    git(world.tree, "clone", "-q", world.tree, tmp_path / "clone")
    assert check(world, tmp_path / "clone").stdout == done.stdout


def test_check_is_not_led_astray_by_its_user_s_git(world: World, tmp_path: Path) -> None:
    config = tmp_path / "config"
    config.write_text("[commit]\ngpgsign = true\n[core]\nhooksPath = /nowhere\nautocrlf = true\n")
    done = run(world.scripts / "check.sh", world.tree, GIT_CONFIG_GLOBAL=str(config),
               GIT_DIR="/nowhere")
    assert done.stdout == "new ok\nold ok\n", done


def test_check_names_the_branch_that_fails_and_why(world: World) -> None:
    git(world.tree, "checkout", "-q", "new")
    commit(world.tree, "vold.c", "nothing like it\n", "Rewrite")
    done = check(world, world.tree)
    assert done.returncode == 1
    lines = done.stdout.splitlines()
    assert lines[0].startswith("new FAIL error: ")
    assert lines[1:] == ["old ok"]
    git(world.tree, "checkout", "-q", "--detach")
    git(world.tree, "branch", "-D", "old")
    assert check(world, world.tree).stdout.splitlines()[1].startswith("old FAIL no such branch")


def test_check_wants_each_patch_to_apply_alone(world: World) -> None:
    git(world.tree, "branch", "chain", "new")
    make_patches(world.tree, world.scripts / "chain", "chain", ("One", 3, "A.h"), ("Two", 4, "B.h"))
    git(world.tree, "checkout", "-q", "old")
    done = check(world, world.tree)
    assert done.returncode == 1
    assert done.stdout.splitlines()[0] == "chain FAIL alone it does not apply: 0002-Two.patch"


def test_check_needs_a_repository(world: World, tmp_path: Path) -> None:
    for words in ([tmp_path / "tmp"], [tmp_path / "nowhere"], []):
        done = check(world, *words)
        assert (done.returncode, done.stdout) == (2, "")
        assert len(done.stderr.splitlines()) == 1


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """The folder, to spoil."""
    return shutil.copytree(FOLDER, tmp_path / "vold-patches")


def test_every_patch_carries_the_hook_as_it_is(copy: Path) -> None:
    fresh = run(copy / "refresh.py", "--check")
    assert (fresh.returncode, fresh.stdout) == (0, ""), "run vold-patches/refresh.py"
    header = copy / "hook/StorekeeperTrim.h"
    header.write_text(header.read_text() + "\n// One line more.\n")
    stale = run(copy / "refresh.py", "--check")
    assert stale.returncode == 1
    assert len(stale.stdout.splitlines()) == len(BRANCHES)
    assert run(copy / "refresh.py").returncode == 0
    assert run(copy / "refresh.py", "--check").returncode == 0
    # What it wrote is still a patch that git takes.
    tree = copy.parent / "tree"
    run("git", "init", "-q", tree)
    patch = next((copy / "cm-12.1").glob("0003*"))
    git(tree, "apply", "--include=Storekeeper*", patch)
    assert (tree / "StorekeeperTrim.h").read_text() == header.read_text()


def test_every_branch_has_what_it_has_use_for() -> None:
    subjects = {b: [re.search(r"^Subject: \[.*?\] (.*)$", f.read_text(), re.M)[1]
                    for f in sorted((FOLDER / b).glob("*.patch"))] for b in BRANCHES}
    everywhere = {"Report what volumes are mapped with", "Report what trims did",
                  "Leave the trims of idle maintenance to their owner"}
    dm_crypt = "Find dm-crypt wherever it stands in the list of targets"
    wake_lock = "Return to stopped when idle maintenance gets no wake lock"
    for branch, given in subjects.items():
        assert everywhere <= set(given), branch
        assert sum("CPU" in x for x in given) == 1, branch
        assert (dm_crypt in given) == branch.startswith("cm-"), branch
        assert (wake_lock in given) == (branch in ("lineage-21.0", "lineage-22.0")), branch
        assert len(given) == (4 if branch == "lineage-18.1" else 5), branch
    assert sorted({f.parent.name for f in PATCHES}) == BRANCHES


def parts(patch: str) -> dict[str, str]:
    """The diff of each file."""
    found = re.split(r"^diff --git a/(\S+) .*\n", patch, flags=re.M)
    return dict(zip(found[1::2], found[2::2], strict=True))


@pytest.mark.parametrize("file", PATCHES, ids=lambda f: f"{f.parent.name}/{f.name[:4]}")
def test_a_patch_is_small_whole_and_tells_its_reasons(file: Path) -> None:
    text = file.read_text()
    message = text.partition("\ndiff --git")[0]
    assert "From: The Storekeeper Project <storekeeper@example.org>" in message
    for heading in ("Problem: ", "Change: ", "Test:", "Risk: ", "SPDX-License-Identifier: ",
                    "Change-Id: I"):
        assert len(re.findall(rf"^{heading}", message, re.M)) == 1, heading
    brought = {name for name, diff in parts(text).items() if diff.startswith("new file")}
    used: set[str] = set()
    for name, diff in parts(text).items():
        body = "".join(diff.partition("\n@@")[1:])
        if name in brought:
            assert (FOLDER / "hook" / name).exists()
        else:
            assert not re.search(r"^-", body, re.M), "insertions only"
            for hunk in re.split(r"^@@.*\n", body.lstrip("\n"), flags=re.M)[1:]:
                # One line of vold's before and after each insertion, of one or two lines.
                marks = "".join(line[0] for line in hunk.splitlines())
                assert re.fullmatch(r" (\+\+? {1,2})+", marks), (name, marks)
        used |= set(re.findall(r'^\+#include "(Storekeeper\w+\.h)"', body, re.M))
    # Useful alone: nothing of another patch is needed, and nothing is brought in vain.
    assert used == brought


def test_change_ids_tell_patches_of_a_branch_apart() -> None:
    for branch in BRANCHES:
        ids = [re.search(r"^Change-Id: (.*)$", f.read_text(), re.M)[1]
               for f in (FOLDER / branch).glob("*.patch")]
        assert len(set(ids)) == len(ids)


def test_the_hook_reads_and_sets_only_what_is_documented() -> None:
    documented = (TOP / "docs/properties.md").read_text()
    for header in sorted((FOLDER / "hook").glob("Storekeeper*.h")):
        code = re.sub(r"//.*", "", header.read_text())
        for name in re.findall(r'"((?:ro|persist|vold|storekeeper)\.[a-z._]+)', code):
            assert name.rstrip(".") in documented, name


def test_no_patch_can_see_or_load_a_table_with_a_key() -> None:
    for header in (FOLDER / "hook").glob("Storekeeper*.h"):
        calls = set(re.findall(r"\bDM_[A-Z_]+\b", header.read_text()))
        assert calls <= {"DM_LIST_VERSIONS"}, header


@pytest.fixture
def vold() -> str:
    clone = os.environ.get("VOLD_GIT")
    if not clone:
        pytest.skip("needs a clone of LineageOS/android_system_vold; give its path in VOLD_GIT")
    return clone


def test_the_series_apply_to_lineageos_and_compile(vold: str, tmp_path: Path) -> None:
    done = run(FOLDER / "check.sh", "--compile", vold, TMPDIR=str(tmp_path))
    assert (done.returncode, done.stdout) == (0, "".join(f"{b} ok\n" for b in BRANCHES)), done
    assert list(tmp_path.iterdir()) == []
