# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""vold-patches/: what carries the patches on small made repositories, and the patches themselves.

With VOLD_GIT=CLONE:CLONE the series are also applied to LineageOS's and AOSP's vold and compiled.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest
from conftest import TOP

FOLDER = TOP / "vold-patches"
sys.path.insert(0, str(FOLDER))

import series  # noqa: E402

BRANCHES = ["android11-release", "android12-release", "android13-release", "android14-release",
            "android15-release", "cm-12.1", "cm-14.1", "lineage-18.1", "lineage-19.1",
            "lineage-20.0", "lineage-21.0", "lineage-22.0", "main"]
PATCHES = {f"{b}/{name[:4]}": text for b in BRANCHES for name, text in series.series(b)}

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


def write_change(scripts: Path, tree: Path, number: int, patch: tuple[str, int, str],
                 branches: str) -> None:
    """A change, its header, and the difference that it makes on the first of the branches."""
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
    """`text` with what these patches bring, the last first."""
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


def test_hunks_of_a_file_are_joined_in_its_order() -> None:
    late, early = ("diff --git a/f b/f\nindex 1..2\n--- a/f\n+++ b/f\n"
                   f"@@ -{n},2 +{n},3 @@ f()\n before\n+new\n after\n" for n in (20, 10))
    assert series.joined([late, early]) == {"f": (
        "diff --git a/f b/f\nindex 1..2\n--- a/f\n+++ b/f\n"
        "@@ -10,2 +10,3 @@ f()\n before\n+new\n after\n"
        "@@ -20,2 +21,3 @@ f()\n before\n+new\n after\n")}


def test_series_are_written_for_known_branches_only(tmp_path: Path) -> None:
    assert run(FOLDER / "series.py").stdout.split() == BRANCHES
    for words in (["lineage-99", tmp_path], ["main"]):
        done = run(FOLDER / "series.py", *words)
        assert (done.returncode, done.stdout) == (2, "")
    assert list(tmp_path.iterdir()) == []


def test_every_branch_has_what_it_has_use_for() -> None:
    everywhere = {"Report what volumes are mapped with", "Report what trims did",
                  "Leave the trims of idle maintenance to their owner"}
    dm_crypt = "Find dm-crypt wherever it stands in the list of targets"
    wake_lock = "Return to stopped when idle maintenance gets no wake lock"
    never_fails = ("cm-12.1", "cm-14.1", "lineage-18.1", "android11-release")
    for branch in BRANCHES:
        given = [re.search(r"^Subject: \[PATCH \d/\d\] (.*)$", text, re.M)[1]
                 for _, text in series.series(branch)]
        assert everywhere <= set(given), branch
        assert sum("CPU" in x for x in given) == 1, branch
        assert (dm_crypt in given) == branch.startswith("cm-"), branch
        assert (wake_lock in given) == (branch not in never_fails), branch
        assert len(given) == 4 + (dm_crypt in given) + (wake_lock in given), branch


def test_each_hunk_is_written_once() -> None:
    for file in series.changes():
        hunks = [m[5] for m in series.HUNK.finditer(file.read_text())]
        assert len(set(hunks)) == len(hunks), file.name


def parts(patch: str) -> dict[str, str]:
    """The diff of each file."""
    found = re.split(r"^diff --git a/(\S+) .*\n", patch, flags=re.M)
    return dict(zip(found[1::2], found[2::2], strict=True))


@pytest.mark.parametrize("patch", PATCHES)
def test_a_patch_is_small_whole_and_tells_its_reasons(patch: str) -> None:
    text = PATCHES[patch]
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
            content = (FOLDER / "hook" / name).read_text()
            assert body.split("\n", 2)[2] == "".join(f"+{x}\n" for x in content.splitlines())
        else:
            assert not re.search(r"^-", body, re.M), "insertions only"
            for hunk in re.split(r"^@@.*\n", body.lstrip("\n"), flags=re.M)[1:]:
                # Few lines of vold's before and after each insertion, of one or two lines.
                marks = "".join(line[0] for line in hunk.splitlines())
                assert re.fullmatch(r" {1,5}(\+\+? {1,5})+", marks), (name, marks)
        used |= set(re.findall(r'^\+#include "(Storekeeper\w+\.h)"', body, re.M))
    # Useful alone: nothing of another patch is needed, and nothing is brought in vain.
    assert used == brought


def test_change_ids_tell_patches_of_a_branch_apart() -> None:
    for branch in BRANCHES:
        ids = [re.search(r"^Change-Id: (.*)$", text, re.M)[1]
               for _, text in series.series(branch)]
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
def clones() -> list[str]:
    given = os.environ.get("VOLD_GIT")
    if not given:
        pytest.skip("needs clones of LineageOS/android_system_vold and of AOSP's "
                    "platform/system/vold; give their paths in VOLD_GIT, with colons between")
    return given.split(":")


def test_the_series_apply_to_lineageos_and_aosp_and_compile(clones: list[str],
                                                            tmp_path: Path) -> None:
    done = run(FOLDER / "check.sh", "--compile", *clones, TMPDIR=str(tmp_path))
    said = [re.sub(r" ok [0-9a-f]{8}\b.*", " ok", line) for line in done.stdout.splitlines()]
    assert (done.returncode, said) == (0, [f"{b} ok" for b in BRANCHES]), done
    assert list(tmp_path.iterdir()) == []


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """The folder, to spoil, with a series for one branch only."""
    for name in ("system-service", "lab"):
        (tmp_path / name).symlink_to(TOP / name)
    made = shutil.copytree(FOLDER, tmp_path / "vold-patches")
    for change in (made / "changes").iterdir():
        text = change.read_text()
        change.write_text(re.sub(r"^For: .*", lambda m: "For: " + (
            "android14-release" if "android14-release" in m[0] else ""), text, flags=re.M))
    return made


OUT = os.environ.get("STOREKEEPER_OUT", str(TOP / "out"))


@pytest.mark.parametrize(("change", "right", "wrong", "reason"), [
    ("1-report-mapping", "out_crypto_blkdev->c_str()", "*out_crypto_blkdev",
     "cryptfs.cpp does not compile"),
    ("2-name-driver", "storekeeper_cipher(label,", 'storekeeper_cipher("userdata",',
     "patched_test 1"),
    ("3-report-trims", "range.len, start, 0", "range.minlen, start, 0", "patched_test 1"),
    ("4-leave-trims", "if (!listener &&", "if (listener &&", "patched_test 1"),
    # SIGALRM: it waits for ever.
    ("5-no-wake-lock", "IdleMaintStats::kStopped", "IdleMaintStats::kRunning", "patched_test -14"),
])
def test_a_wrong_patch_is_caught(clones: list[str], copy: Path, change: str, right: str,
                                 wrong: str, reason: str) -> None:
    file = copy / f"changes/{change}.patch"
    text = file.read_text()
    assert right in text
    file.write_text(text.replace(right, wrong))
    done = run(copy / "check.sh", "--compile", *clones, STOREKEEPER_OUT=OUT, ANDROID_TREES="")
    assert (done.returncode, done.stdout.count("\n")) == (1, 1), done
    assert done.stdout.startswith(f"android14-release FAIL {reason}"), done


def test_whole_files_are_compiled_with_android_s_headers(clones: list[str], copy: Path,
                                                         tmp_path: Path) -> None:
    trees = os.environ.get("ANDROID_TREES")
    if not trees:
        pytest.skip("needs Android 14's tree; give the folder in ANDROID_TREES")
    tree = tmp_path / "vold"
    done = next(x for x in (run("git", "clone", "-q", "-b", "android14-release", clone, tree)
                            for clone in clones) if x.returncode == 0)
    device = (copy / "device.py", tree, "android14-release", trees)
    run(copy / "apply.sh", tree, "android14-release")
    done = run(*device, STOREKEEPER_OUT=OUT)
    assert (done.returncode, done.stdout) == (0, "IdleMaint.cpp, MetadataCrypt.cpp, cryptfs.cpp\n")
    # bionic's limit; a host has another.
    header = tree / "StorekeeperTrim.h"
    header.write_text(header.read_text() + "static_assert(PROPERTY_VALUE_MAX != 92);\n")
    done = run(*device, STOREKEEPER_OUT=OUT)
    assert done.returncode == 1
    assert re.fullmatch(r"FAIL IdleMaint.cpp: .*StorekeeperTrim.h.* static assertion failed.*",
                        done.stdout.splitlines()[0]), done.stdout
