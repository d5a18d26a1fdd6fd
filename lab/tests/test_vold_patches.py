# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""The patches of vold-patches/.

With VOLD_GIT=CLONE:CLONE the series are also applied to LineageOS's and AOSP's vold and compiled.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import TOP, spoil
from vold import FOLDER, run

sys.path.insert(0, str(FOLDER))

import series  # noqa: E402

BRANCHES = ["android11-release", "android12-release", "android13-release", "android14-release",
            "android15-release", "lineage-18.1", "lineage-19.1", "lineage-20.0", "lineage-21.0",
            "lineage-22.0", "main"]
DEVICE = os.environ.get("STOREKEEPER_DEVICE")
PATCHES = {f"{b}/{name[:4]}": text for b in BRANCHES for name, text in series.series(b)}


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
    everywhere = {"Report what volumes are mapped with",
                  "Leave the trims of idle maintenance to their owner"}
    wake_lock = "Return to stopped when idle maintenance gets no wake lock"
    life = "Report the life of an eMMC, too"
    before_13 = ("lineage-18.1", "lineage-19.1", "android11-release", "android12-release")
    never_fails = ("lineage-18.1", "android11-release")
    for branch in BRANCHES:
        given = [re.search(r"^Subject: \[PATCH \d/\d\] (.*)$", text, re.M)[1]
                 for _, text in series.series(branch)]
        assert everywhere <= set(given), branch
        assert sum("CPU" in x for x in given) == 1, branch
        assert (wake_lock in given) == (branch not in never_fails), branch
        assert (life in given) == (branch not in before_13), branch
        assert len(given) == 3 + sum(x in given for x in (wake_lock, life)), branch


def test_each_hunk_is_written_once() -> None:
    for file in series.changes():
        hunks = [m[5] for m in series.HUNK.finditer(file.read_text())]
        assert len(set(hunks)) == len(hunks), file.name


def parts(patch: str) -> dict[str, str]:
    """The diff of each file in a patch."""
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
                # A hunk has few lines of vold's around each insertion of one or two lines.
                marks = "".join(line[0] for line in hunk.splitlines())
                assert re.fullmatch(r" {1,5}(\+\+? {1,5})+", marks), (name, marks)
        used |= set(re.findall(r'^\+#include "(Storekeeper\w+\.h)"', body, re.M))
    # Each patch is useful alone: it needs nothing of another patch, and all that it adds is used.
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


def test_no_hook_can_wait_for_storekeeperd() -> None:
    """vold's hooks use only properties and files."""
    for header in (FOLDER / "hook").glob("Storekeeper*.h"):
        code = re.sub(r"//.*", "", header.read_text())
        waits = r"\b(binder|waitFor\w*|sleep|usleep|poll|connect|flock|pthread_\w+)\("
        assert not re.findall(waits, code), header


@pytest.mark.skipif(not DEVICE, reason="needs a phone with patched vold; its serial in "
                    "STOREKEEPER_DEVICE")
def test_a_stopped_daemon_holds_up_no_trim_of_vold() -> None:
    def shell(words: str) -> None:
        subprocess.run(["adb", "-s", str(DEVICE), "shell", words], check=True, timeout=600)
    shell("kill -STOP $(pidof storekeeperd)")
    try:
        shell("sm fstrim")
    finally:
        shell("kill -CONT $(pidof storekeeperd)")


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
    output = [re.sub(r" ok [0-9a-f]{8}\b.*", " ok", line) for line in done.stdout.splitlines()]
    assert (done.returncode, output) == (0, [f"{b} ok" for b in BRANCHES]), done
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
    ("3-leave-trims", "if (!listener &&", "if (listener &&", "patched_test 1"),
    ("5-answer-life", "== -1) *_aidl_return = storekeeper_life_used", "!= -1) *_aidl_return = "
     "storekeeper_life_used", "patched_test 1"),
    # Signal 14, SIGALRM, ends a test that waits for ever.
    ("4-no-wake-lock", "IdleMaintStats::kStopped", "IdleMaintStats::kRunning", "patched_test -14"),
])
def test_a_wrong_patch_is_caught(clones: list[str], copy: Path, change: str, right: str,
                                 wrong: str, reason: str) -> None:
    spoil(copy / f"changes/{change}.patch", right, wrong)
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
    # The limit is bionic's; a host has another.
    header = tree / "StorekeeperHandover.h"
    header.write_text(header.read_text() + "static_assert(PROPERTY_VALUE_MAX != 92);\n")
    done = run(*device, STOREKEEPER_OUT=OUT)
    assert done.returncode == 1
    assert re.fullmatch(r"FAIL IdleMaint.cpp: .*StorekeeperHandover.h.* static assertion failed.*",
                        done.stdout.splitlines()[0]), done.stdout
