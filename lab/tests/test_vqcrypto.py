# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""The virtual phone's crypto engine behaves as Qualcomm's does on a device: its priority selects
it, it counts requests, it may be removed before its first use, and any other AES reads its output.
"""

from __future__ import annotations

import json
import re

import pytest
from conftest import HERE, Result, finish, start

PANICKED = 241
REQUESTS_A_MIB = (1 << 20) // 512
ENGINE = {f"qcrypto-{m}-aes" for m in ("ecb", "cbc", "ctr", "xts")}
CPU = {f"{m}(aes-generic)" for m in ("ecb", "cbc", "ctr", "xts")}


def run(word: str) -> Result:
    return finish(start("run", "--measure", "--profile", "xperia-z", "--param",
                        "vemmc.capacity_mib=96",
                        "--file", f"{HERE}/guest/vqcrypto.sh:/tmp/vqcrypto.sh",
                        "--file", f"{HERE}/guest/unbind.rc:/system_ext/etc/init/unbind.rc", "--",
                        "sh", "/tmp/vqcrypto.sh", word))


def facts(result: Result, word: str) -> dict[str, str]:
    """Lines "WORD MOMENT REST"."""
    rows = [line.split(" ", 2) for line in result.out.splitlines() if line.startswith(f"{word} ")]
    return {row[1]: row[2] for row in rows}


def ciphers(result: Result) -> dict[str, tuple[str, int, int]]:
    """Name, reference count and priority of a cipher, by driver."""
    rows = re.findall(r"^cipher (\S+) (\S+) (\d+) (\d+)$", result.out, re.M)
    return {driver: (name, int(refcnt), int(priority)) for name, driver, refcnt, priority in rows}


@pytest.fixture(scope="module")
def handed_over() -> Result:
    result = run("hand-over")
    assert result.code == 0, result
    return result


def test_the_highest_priority_serves(handed_over: Result) -> None:
    served = facts(handed_over, "serves")
    assert served["engine"].startswith("essiv(qcrypto-cbc-aes,")
    there = ciphers(handed_over)
    assert set(there) >= ENGINE | CPU
    assert there["qcrypto-cbc-aes"][1] > 1
    # Neither the engine's driver nor the models' own encryption counts as a user of a cipher.
    assert {d: r for d, (_, r, _) in there.items() if d != "qcrypto-cbc-aes" and r != 1
            and not d.startswith("essiv(")} == {}
    assert min(there[d][2] for d in ENGINE) > max(there[d][2] for d in CPU) > max(
        p for d, (name, _, p) in there.items()
        if name in ("cbc(aes)", "xts(aes)") and d not in ENGINE | CPU)


def test_unbound_it_leaves_the_work_to_the_cpu_and_bound_again_it_does_it(
        handed_over: Result) -> None:
    served, counted = facts(handed_over, "serves"), facts(handed_over, "counted")
    assert "left 0" in handed_over.out.splitlines()
    for moment in ("cpu", "cpu-wrote"):
        assert served[moment].startswith("essiv(cbc(aes-generic),"), moment
        assert counted[moment] == "0", moment
    assert served["engine-reads"].startswith("essiv(qcrypto-cbc-aes,")
    for moment in ("engine", "engine-reads"):
        # The file's requests, and those of file system blocks that were not in memory.
        assert REQUESTS_A_MIB <= int(counted[moment]) < 1.2 * REQUESTS_A_MIB, moment


def test_a_qualified_name_is_served_by_the_cpu_beside_the_engine(handed_over: Result) -> None:
    assert facts(handed_over, "counted")["capi"] == "0"
    assert any(d.startswith("essiv(cbc(aes-generic),") and r > 1
               for d, (_, r, _) in ciphers(handed_over).items())


def test_a_driver_that_does_not_exist_opens_nothing(handed_over: Result) -> None:
    assert "opened by nobody" not in handed_over.out.splitlines()


def test_each_reads_what_the_other_wrote(handed_over: Result) -> None:
    sums = facts(handed_over, "sha256")
    assert sums["engine"] == sums["cpu"]
    assert sums["cpu-wrote"] == sums["engine-reads"] == sums["capi"]
    assert sums["engine"] != sums["cpu-wrote"]


def test_both_give_the_known_answers(handed_over: Result) -> None:
    reported = [json.loads(line.removeprefix("bench ")) for line in handed_over.out.splitlines()
            if line.startswith("bench ")]
    assert [(b["name"], b["hardware"], b["cpu"]) for b in reported] == [
        ("xts(aes)", "qcrypto-xts-aes", "xts(aes-generic)")]
    for one in reported:
        assert (one["wrong"], one["problem"], one["method"]) == ("", "", "af_alg")


def test_the_engine_is_slower_than_the_cpu(handed_over: Result) -> None:
    us = {moment: int(value) for moment, value in facts(handed_over, "us").items()}
    assert us["engine"] > 3 * us["cpu"]
    assert us["engine-reads"] > 3 * us["capi"]


def test_a_write_clears_the_counters(handed_over: Result) -> None:
    assert "cleared 0" in handed_over.out.splitlines()


def test_nobody_says_the_key(handed_over: Result) -> None:
    found = [int(n) for n in re.findall(r"^key (\d+) ", handed_over.out, re.M)]
    assert all(found[:2]), "the reader finds no key in the key's own files"
    assert found[2:] == [0] * 9
    assert "silent" not in handed_over.out
    assert "core root" in handed_over.out.splitlines()


@pytest.fixture(scope="module")
def layouts() -> Result:
    result = run("layouts")
    assert result.code == 0, result
    return result


@pytest.mark.parametrize(("generation", "title", "label", "files"), [
    ("3.4", "Qualcomm crypto accelerator 1 Statistics:", "ABLK AES CIPHER {}cryption   :", 3),
    ("8974", "Qualcomm crypto accelerator 1 Statistics:",
     "ABLK AES CIPHER {}cryption          :", 1),
    ("3.18", "QTI crypto accelerator 1 Statistics", "ABLK CIPHER AES {}cryption          :", 1),
])
def test_counters_are_labelled_as_the_generation_labels_them(
        layouts: Result, generation: str, title: str, label: str, files: int) -> None:
    lines = [line.removeprefix(f"{generation}|") for line in layouts.out.splitlines()
             if line.startswith(f"{generation}|")]
    assert lines[:2] == ["", title]
    assert lines.count("") == files
    counts = [int(line.removeprefix(f"   {label.format('de')} ")) for line in lines
              if line.startswith(f"   {label.format('de')} ")]
    assert counts[0] >= int(facts(layouts, "counted")[generation]) - 64 >= REQUESTS_A_MIB - 64
    assert counts[1:] == [0] * (files - 1)


def test_a_cipher_of_higher_priority_than_the_engine_serves(layouts: Result) -> None:
    assert facts(layouts, "serves")["outranked"].startswith("essiv(cbc(aes-generic),")
    assert facts(layouts, "counted")["outranked"] == "0"


def test_mainline_leaves_short_requests_to_the_cpu_when_it_is_told_to(layouts: Result) -> None:
    served, us = facts(layouts, "serves"), facts(layouts, "us")
    assert "3.18 has no aes_sw_max_len" in layouts.out.splitlines()
    assert served["mainline"] == served["mainline-sw"]
    assert served["mainline"].startswith("essiv(cbc-aes-qce,")
    assert int(us["mainline"]) > 3 * int(us["mainline-sw"])
    assert facts(layouts, "sha256")["mainline"] == facts(layouts, "sha256")["mainline-sw"]


def test_nobody_who_asks_for_cbc_aes_gets_qcom_cbc_aes(layouts: Result) -> None:
    there = ciphers(layouts)
    assert {there[d][0] for d in ENGINE} == {
        "qcom-ecb(aes)", "qcom-cbc(aes)", "qcom-ctr(aes)", "qcom-xts(aes)"}
    assert facts(layouts, "serves")["use_sw"].startswith("essiv(cbc(aes-generic),")


def test_a_program_run_at_post_fs_runs_before_data_is_opened() -> None:
    result = run("reboot")
    assert result.code == 0, result
    served, sums, boots = (facts(result, word) for word in ("serves", "sha256", "boot"))
    assert len(set(boots.values())) == 2
    assert served["first"].startswith("essiv(qcrypto-cbc-aes,")
    assert served["second"].startswith("essiv(cbc(aes-generic),")
    assert sums["first"] == sums["second"]
    # A power cut loses unwritten data, but not the engine.
    assert served["third"].startswith("essiv(qcrypto-cbc-aes,")
    assert sums["third"] == sums["written"] != sums["second"]
    assert result.out.splitlines()[-1] in ("lost all", "lost 0")


def test_to_unbind_it_from_under_a_user_is_the_end() -> None:
    result = run("in-use")
    assert result.code == PANICKED, result
    assert "qcrypto-cbc-aes is in use" in result.err
    assert "module stays" in result.out.splitlines()
    assert "still here" not in result.out
