# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""Each acceptance criterion of the encryption's backend has a test named after it, here or in C++.

What needs a device, a full tree or a clone of vold says so and is skipped.
"""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest
from conftest import HERE, TOP, Result, finish, start

from labtool import bench_crypto, bench_soak, bench_trial

# Tests in C++ carry the number in their name: TEST(CryptoAcceptance05Test, ...) and the like.
SOURCES = [path for folder in ("system-service", "vold-patches")
           for path in (TOP / folder).rglob("*_test.cpp")]
VOLD = os.environ.get("VOLD_GIT", "").split(":")
CHANGES = TOP / "vold-patches/changes"
CHECKOUTS = os.environ.get("AOSP_SEPOLICY", "").split()
DEVICE = os.environ.get("STOREKEEPER_DEVICE")

# How much is written before and read after; how many times 256 KiB dd takes. Of the seed's dd it
# would be 300.
MIB = 4
COUNT = 24

without_vold = pytest.mark.skipif(
    not VOLD[0], reason="needs clones of LineageOS's and AOSP's vold; give their paths in "
    "VOLD_GIT, with colons between")


def run(profile: str, *words: str) -> Result:
    result = finish(start("run", "--measure", "--profile", profile, "--file",
                          f"{HERE}/guest/crypto_choice.sh:/tmp/crypto_choice.sh", "--file",
                          f"{TOP}/lab/bench/crypto.sh:/tmp/crypto.sh", "--",
                          "sh", "/tmp/crypto_choice.sh", *words))
    assert result.code == 0, result
    return result


def lines(result: Result, word: str) -> dict[str, str]:
    """Lines "WORD MOMENT REST"."""
    rows = [line.split(" ", 2) for line in result.out.splitlines() if line.startswith(f"{word} ")]
    return {row[1]: row[2] if len(row) > 2 else "" for row in rows}


def test_each_criterion_has_a_test_named_after_it() -> None:
    text = "\n".join(path.read_text() for path in SOURCES)
    named = {int(n) for n in re.findall(r"TEST(?:_F)?\([^)]*CryptoAcceptance(\d\d)", text)}
    for path in Path(HERE).glob("test_*.py"):
        named |= {int(n) for n in re.findall(r"^def test_crypto_acceptance_(\d\d)",
                                             path.read_text(), re.M)}
    assert named == set(range(1, 16))


@pytest.fixture(scope="module")
def switched() -> Result:
    return run("xperia-z", "switch", str(MIB), str(COUNT))


def test_crypto_acceptance_10_data_is_bit_identical_on_a_real_dm_crypt(switched: Result) -> None:
    """Written by the engine, read by the CPU, and the other way."""
    sums = lines(switched, "sha256")
    assert set(sums) == {"engine", "kernel", "hardware"}
    assert len(set(sums.values())) == 1
    states = lines(switched, "state")
    assert states == {"engine": "hw-offload", "kernel": "cpu", "hardware": "hw-offload"}


def test_crypto_acceptance_10_the_named_string_reads_the_same() -> None:
    """The legacy string, the CPU's driver by name, and back; one that fails changes nothing."""
    named = "capi:cbc(aes-generic)-essiv:sha256-generic"
    script = ("head -c 4194304 /dev/urandom >/data/local/tmp/x && sync && "
              "sha256sum </data/local/tmp/x && lab-data close && "
              f"lab-data open '{named}' && sha256sum </data/local/tmp/x && lab-data close && "
              "{ ! lab-data open capi:cbc-aes-nowhere-essiv:sha256; } && "
              "lab-data open && sha256sum </data/local/tmp/x")
    result = finish(start("run", "--measure", "--profile", "xperia-z", "--", "sh", "-c", script))
    assert result.code == 0, result
    sums = re.findall(r"^([0-9a-f]{64})  -$", result.out, re.M)
    assert len(sums) == 3
    assert len(set(sums)) == 1


def test_the_choice_is_applied_confirmed_and_taken_back(switched: Result) -> None:
    early = lines(switched, "early")
    assert early["kernel"] in ("unbind", "priority")
    assert early["hardware"] == "none"
    assert lines(switched, "confirmed")["0"].startswith("kernel confirmed")


@pytest.mark.parametrize("side", bench_crypto.SIDES)
def test_the_choice_gains_what_the_seed_gained(switched: Result, side: str) -> None:
    us = {m: int(n) for m, n in
          re.findall(rf"^speed (engine|kernel) {side}_us (\d+)$", switched.out, re.M)}
    seed = dict(zip(bench_crypto.SIDES, bench_crypto.seed_gains(), strict=True))[side]
    assert us["engine"] / us["kernel"] == pytest.approx(seed, rel=bench_crypto.FROM_GAIN)


def test_crypto_acceptance_15_two_unconfirmed_boots_end_in_auto() -> None:
    result = run("xperia-z", "unconfirmed")
    early = lines(result, "early")
    assert early["1"] == early["2"]
    assert early["1"] in ("unbind", "priority")
    assert early["3"] == "refused:trial_failed"
    assert early["4"] == "refused:nothing_chosen"
    assert set(lines(result, "data")) == {"1", "2", "3", "4"}
    assert lines(result, "choice")["4"].startswith("auto none")


def test_crypto_acceptance_15_power_cuts_during_a_trial() -> None:
    """The first of `make soak`'s."""
    figures = bench_soak.measure({bench_trial.KIND: 1})
    assert bench_soak.broken(figures) == []
    assert figures[bench_trial.KIND]["moments"] == 1


@without_vold
def test_crypto_acceptance_11_the_series_apply_to_all_branches(tmp_path: Path) -> None:
    done = subprocess.run([TOP / "vold-patches/check.sh", *VOLD], text=True,
                          capture_output=True, env={**os.environ, "TMPDIR": str(tmp_path)})
    assert done.returncode == 0, done.stdout
    assert len(re.findall(r"^\S+ ok [0-9a-f]{8}$", done.stdout, re.M)) == 11


def test_crypto_acceptance_11_hunks_are_insertions_but_for_the_bug_fixes() -> None:
    """Whatever the branch, without a clone."""
    changes = list(CHANGES.glob("*.patch"))
    assert changes
    for change in changes:
        body = change.read_text().partition("\nFor: ")[2]
        removed = re.findall(r"^-(?!-- ).*", body, re.M)
        assert body and (not removed or change.name.startswith("5-")), (change, removed)


def run_patched(branch: str, folder: Path) -> None:
    """Idle maintenance and mapping of a patched vold, on stubs: vold-patches/run."""
    tree = folder / "vold"
    assert any(subprocess.run(["git", "clone", "-q", "-b", branch, clone, tree],
                              capture_output=True).returncode == 0 for clone in VOLD), branch
    subprocess.run([TOP / "vold-patches/apply.sh", tree, branch], check=True,
                   env={**os.environ, "GIT_COMMITTER_NAME": "c", "GIT_COMMITTER_EMAIL": "c@d"})
    done = subprocess.run([TOP / "vold-patches/run/run.py", tree, branch], text=True,
                          capture_output=True)
    assert done.returncode == 0, done.stdout


@without_vold
def test_crypto_acceptance_12_vold_trims_without_a_living_owner(tmp_path: Path) -> None:
    assert "TrimsWhenTheOwnerIsDead" in (TOP / "vold-patches/run/idle_maint.cpp").read_text()
    run_patched("lineage-18.1", tmp_path)


@without_vold
@pytest.mark.parametrize("branch", ["android12-release", "lineage-21.0", "main"])
def test_crypto_acceptance_13_a_wake_lock_that_fails_sticks_nobody(branch: str,
                                                                  tmp_path: Path) -> None:
    assert "IsNotStuckWithoutAWakeLock" in (TOP / "vold-patches/run/idle_maint.cpp").read_text()
    run_patched(branch, tmp_path)


def test_crypto_acceptance_12_vold_waits_for_nobody() -> None:
    """Its hooks read and set properties and files, which a stopped storekeeperd cannot hold."""
    for header in (TOP / "vold-patches/hook").glob("Storekeeper*.h"):
        code = re.sub(r"//.*", "", header.read_text())
        waits = r"\b(binder|waitFor\w*|sleep|usleep|poll|connect|flock|pthread_\w+)\("
        assert not re.findall(waits, code), header


@pytest.mark.skipif(not DEVICE, reason="needs a phone with patched vold; its serial in "
                    "STOREKEEPER_DEVICE")
def test_crypto_acceptance_12_a_stopped_daemon_holds_up_no_trim_of_vold() -> None:
    def shell(words: str) -> str:
        return subprocess.run(["adb", "-s", str(DEVICE), "shell", words], text=True, check=True,
                              capture_output=True, timeout=600).stdout
    shell("kill -STOP $(pidof storekeeperd)")
    try:
        shell("sm fstrim")
    finally:
        shell("kill -CONT $(pidof storekeeperd)")


def test_crypto_acceptance_13_only_newer_branches_have_the_wake_lock_to_fix() -> None:
    """Android 11's wake locks cannot fail."""
    fix = (CHANGES / "4-no-wake-lock.patch").read_text()
    branches = [b for line in re.findall(r"^For: (.*)$", fix, re.M) for b in line.split()]
    assert "lineage-19.1" in branches and "android12-release" in branches
    assert not {"lineage-18.1", "android11-release"} & set(branches)


@pytest.mark.skipif(not CHECKOUTS, reason="AOSP_SEPOLICY names no checkout of system/sepolicy")
@pytest.mark.parametrize("checkout", CHECKOUTS)
def test_crypto_acceptance_14_the_policy_builds_with_android_s_neverallows(checkout: str) -> None:
    done = subprocess.run([TOP / "sepolicy/check_neverallow.sh", checkout], text=True,
                          capture_output=True)
    assert done.returncode == 0, done.stdout


def test_crypto_acceptance_14_nobody_else_may_choose(tmp_path: Path) -> None:
    """Shell, vendor and apps: neither the property nor the file nor the engine."""
    done = subprocess.run([TOP / "sepolicy/check_neverallow.sh", "-o", tmp_path,
                           TOP / "sepolicy/testing"], text=True, capture_output=True)
    assert done.returncode == 0, done.stdout
    for target, kind, word, allowed in [
            ("storekeeper_crypto_prop", "property_service", "set", {"storekeeper_crypto_early"}),
            ("storekeeper_choice_file", "file", "write",
             {"storekeeper_crypto_early", "storekeeperd"}),
            ("sysfs_storekeeper_engine", "file", "write", {"storekeeper_crypto_early", "vold"})]:
        found = subprocess.run(["sesearch", "-A", "-t", target, "-c", kind, "-p", word,
                                tmp_path / "testing.user"], text=True, capture_output=True,
                               check=True).stdout
        assert {line.split()[1] for line in found.splitlines() if line} == allowed, target


@pytest.mark.skip(reason="lineage-18.1 is Android 11, which this policy does not support: the "
                  "android-11 branch has its own")
def test_crypto_acceptance_14_lineage_18_1() -> None:
    """Named, so that it is not forgotten."""
