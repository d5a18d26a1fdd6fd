# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""apply.sh and check.sh of vold-patches/, on small generated repositories."""

from __future__ import annotations

import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest
from vold import FOLDER, run

VOLD = "".join(f"line {n}\n" for n in range(20))
# Each patch: its name, the line that it follows, and the header that it adds.
ONE = ("One", 3, "StorekeeperOne.h")
TWO = ("Two", 12, "StorekeeperTwo.h")


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
        """The state that a refusal must not change."""
        return self.head, git(self.tree, "status", "--porcelain"), self.text()

    def text(self) -> str:
        return (self.tree / "vold.c").read_text()


def write_change(scripts: Path, tree: Path, number: int, patch: tuple[str, int, str],
                 branches: str) -> None:
    """Writes a change, its header, and its diff for the first of the branches."""
    name, after, header = patch
    git(tree, "checkout", "-q", "--detach", branches.split()[0])
    text = (tree / "vold.c").read_text()
    (tree / "vold.c").write_text(with_line(text, after, f'#include "{header}"'))
    diff = git(tree, "diff", "-U2", "--full-index")
    git(tree, "checkout", "-q", "--", "vold.c")
    (scripts / "hook" / header).write_text(f"// {name}\n")
    (scripts / "changes" / f"{number}-{header}.patch").write_text(
        f"Subject: {name}\n\nChange-Id: I{number:040x}\n\nFor: {branches}\n{diff}\n")


@pytest.fixture
def world(tmp_path: Path) -> World:
    tree = tmp_path / "vold"
    scripts = tmp_path / "patches"
    for folder in ("changes", "hook"):
        (scripts / folder).mkdir(parents=True)
    for name in ("apply.sh", "check.sh", "series.py", "places.py"):
        shutil.copy2(FOLDER / name, scripts / name)
    run("git", "init", "-q", "-b", "old", tree)
    commit(tree, "vold.c", VOLD, "Begin")
    git(tree, "branch", "new")
    write_change(scripts, tree, 1, ONE, "old new")
    write_change(scripts, tree, 2, TWO, "old")
    git(tree, "checkout", "-q", "old")
    return World(tree, scripts)


def called(text: str, *patches: tuple[str, int, str]) -> str:
    """`text` with the lines of these patches, the last first."""
    for _, after, header in sorted(patches, key=lambda x: -x[1]):
        text = with_line(text, after, f'#include "{header}"')
    return text


def test_apply_puts_the_series_on_and_does_nothing_the_second_time(world: World) -> None:
    assert world.apply("old").stdout == "old: 2 applied\n"
    assert world.text() == called(VOLD, ONE, TWO)
    assert (world.tree / "StorekeeperOne.h").read_text() == "// One\n"
    before = world.state()
    again = world.apply("old")
    assert (again.returncode, again.stdout) == (0, "old: all there already\n")
    assert world.state() == before


def test_apply_leaves_out_what_was_picked_before(world: World, tmp_path: Path) -> None:
    made = run(world.scripts / "series.py", "old", tmp_path)
    assert (made.returncode, made.stdout) == (0, "")
    git(world.tree, "am", tmp_path / "0001-One.patch")
    git(world.tree, "commit", "-q", "--amend", "--no-edit", "--author=Somebody <s@b>")
    assert world.apply("old").stdout == "old: 1 applied\n"
    assert git(world.tree, "rev-list", "--count", "HEAD") == "3"


def test_apply_merges_where_the_neighbourhood_changed(world: World) -> None:
    commit(world.tree, "vold.c", VOLD.replace("line 14\n", "line 14, newer\n"), "Move on")
    assert world.apply("old").stdout == "old: 2 applied\n", "--3way"
    assert "StorekeeperTwo.h" in world.text()


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


def test_apply_leaves_somebody_s_unfinished_am_alone(world: World, tmp_path: Path) -> None:
    commit(world.tree, "vold.c", "nothing like it\n", "Rewrite")
    run(world.scripts / "series.py", "new", tmp_path)
    assert run("git", "-C", world.tree, "am", tmp_path / "0001-One.patch").returncode != 0
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
    # The state that repo leaves.
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
    """Runs check.sh, and ensures that it leaves nothing behind."""
    scratch = world.scripts.parent / "tmp"
    scratch.mkdir(exist_ok=True)
    before = snapshot(world.tree)
    done = run(world.scripts / "check.sh", *words, TMPDIR=str(scratch))
    assert snapshot(world.tree) == before
    assert list(scratch.iterdir()) == []
    return done


def ok(world: World, *branches: str) -> str:
    return "".join(f"{b} ok {git(world.tree, 'rev-parse', b)[:8]}\n" for b in branches)


def test_check_says_ok_for_each_branch(world: World, tmp_path: Path) -> None:
    done = check(world, world.tree)
    assert (done.returncode, done.stdout, done.stderr) == (0, ok(world, "new", "old"), "")
    assert check(world, world.tree / ".git").stdout == done.stdout
    git(world.tree, "clone", "-q", "--bare", world.tree, tmp_path / "bare.git")
    assert check(world, tmp_path / "bare.git").stdout == done.stdout
    # A clone has the other branches as origin's.
    git(world.tree, "clone", "-q", world.tree, tmp_path / "clone")
    assert check(world, tmp_path / "clone").stdout == done.stdout


def test_check_takes_a_branch_from_the_first_clone_that_has_it(world: World,
                                                               tmp_path: Path) -> None:
    expected = ok(world, "new", "old")
    other = tmp_path / "other.git"
    git(world.tree, "clone", "-q", "--bare", "--single-branch", "-b", "new", world.tree, other)
    commit(world.tree, "vold.c", VOLD + "newer\n", "Move on")
    git(world.tree, "branch", "-f", "new", "old")
    git(world.tree, "reset", "-q", "--hard", "HEAD~")
    assert check(world, other, world.tree).stdout == expected
    assert check(world, world.tree, other).stdout == ok(world, "new", "old") != expected
    assert check(world, other).stdout.splitlines()[1] == "old FAIL no clone has this branch"
    done = check(world, other, tmp_path)
    assert (done.returncode, done.stderr) == (2, f"check.sh: {tmp_path} is no git repository\n")


def test_check_is_not_led_astray_by_its_user_s_git(world: World, tmp_path: Path) -> None:
    config = tmp_path / "config"
    config.write_text("[commit]\ngpgsign = true\n[core]\nhooksPath = /nowhere\nautocrlf = true\n")
    done = run(world.scripts / "check.sh", world.tree, GIT_CONFIG_GLOBAL=str(config),
               GIT_DIR="/nowhere")
    assert done.stdout == ok(world, "new", "old"), done


def test_check_names_the_branch_that_fails_and_why(world: World) -> None:
    git(world.tree, "checkout", "-q", "new")
    commit(world.tree, "vold.c", "nothing like it\n", "Rewrite")
    done = check(world, world.tree)
    assert done.returncode == 1
    lines = done.stdout.splitlines()
    assert lines[0].startswith("new FAIL 1-StorekeeperOne.h.patch: the hunk at line 3 of vold.c "
                               "fits in 0 places")
    assert lines[1:] == ok(world, "old").splitlines()


def test_check_wants_one_place_for_each_hunk(world: World) -> None:
    git(world.tree, "checkout", "-q", "new")
    commit(world.tree, "vold.c", VOLD + VOLD, "Say it twice")
    assert check(world, world.tree).stdout.splitlines()[0].endswith("fits in 2 places: 3, 23")


def test_check_wants_each_patch_to_apply_alone(world: World) -> None:
    git(world.tree, "checkout", "-q", "-b", "chain", "old")
    commit(world.tree, "vold.c", called(VOLD, ONE), "One")
    write_change(world.scripts, world.tree, 3, ("Three", 5, "StorekeeperThree.h"), "chain")
    change = world.scripts / "changes/3-StorekeeperThree.h.patch"
    change.write_text(change.read_text().replace("For: chain\n", "For: old\n"))
    done = check(world, world.tree)
    assert done.returncode == 1
    lines = done.stdout.splitlines()
    assert lines[0] == ok(world, "new").strip()
    assert lines[1].startswith("old FAIL 3-StorekeeperThree.h.patch: the hunk at line 5 ")


def test_check_wants_one_patch_to_bring_a_header(world: World) -> None:
    hook = world.scripts / "hook"
    (hook / "StorekeeperOne.h").write_text('#include "StorekeeperTwo.h"\n')
    lines = check(world, world.tree).stdout.splitlines()
    assert lines[1] == "old FAIL StorekeeperTwo.h is in two patches"


def test_check_needs_a_repository(world: World, tmp_path: Path) -> None:
    for words in ([tmp_path / "tmp"], [tmp_path / "nowhere"], []):
        done = check(world, *words)
        assert (done.returncode, done.stdout) == (2, "")
        assert len(done.stderr.splitlines()) == 1
