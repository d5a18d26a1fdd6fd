# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""Writers: the costs of three uids, beside the block layer's count; a package service that answers
well, late, wrongly and never; uids over a budget; and storekeeperd's cost of 200 uids."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from conftest import HERE, OUT, lab

from labtool.image import host_program

FAKE = "storekeeper_fake_packages"
UIDS = (10101, 10102, 10103)
FILE_SYSTEMS = {
    "ext4": (),
    "f2fs": ("data.fs=f2fs",),
    "ext4-crypt": ("crypto.target=dm-crypt", "crypto.cipher=aes-cbc-essiv:sha256"),
    "f2fs-crypt": ("data.fs=f2fs", "crypto.target=dm-crypt",
                   "crypto.cipher=aes-cbc-essiv:sha256"),
}


def story(script: str, *words: str, params: tuple[str, ...] = (),
          config: Path | None = None) -> dict[str, str]:
    """The output of the guest's script, by its words. `config`: the device's."""
    given = [word for p in params for word in ("--param", p)]
    files = ["--file", f"{config}:/vendor/etc/storekeeper/device.json"] if config else []
    result = lab("run", "--measure", "--module", "vuidio", *given, *files,
                 "--file", f"{OUT}/build/guest/{FAKE}:/system/bin/{FAKE}",
                 "--file", f"{host_program('setpriv')}:/system/bin/setpriv",
                 "--file", f"{HERE}/guest/common.sh:/tmp/common.sh",
                 "--file", f"{HERE}/guest/{script}:/tmp/{script}", "--", "sh", f"/tmp/{script}",
                 *words)
    assert result.code == 0, result
    parts = re.split(r"^@(wrote \d+|\w+)\n?", result.out, flags=re.M)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


@pytest.fixture(scope="module", params=[
    "ext4", pytest.param("f2fs", marks=pytest.mark.long),
    pytest.param("ext4-crypt", marks=pytest.mark.long), "f2fs-crypt"])
def written(request: pytest.FixtureRequest) -> tuple[str, dict[str, str]]:
    """The name of the file system, and the story on it."""
    return request.param, story("writers.sh", params=FILE_SYSTEMS[request.param])


def test_attributed_bytes_are_the_block_layers(written: tuple[str, dict[str, str]]) -> None:
    name, printed = written
    truth = {uid: int(printed[f"wrote {uid}"]) for uid in UIDS}
    latency = json.loads(printed["apps"])["latency"]
    rows = {x["uid"]: x for x in latency["uid_writes"]}
    mine = {uid: rows[uid]["device_bytes_per_day"] for uid in UIDS}
    total = sum(truth.values())
    assert abs(sum(mine.values()) / total - 1) < 0.10, (truth, mine)
    by_truth, by_mine = (sorted(UIDS, key=x.__getitem__) for x in (truth, mine))
    assert by_mine == by_truth, (truth, mine)
    # A uid that syncs each page costs more than one that writes more.
    assert by_truth[-1] == 10102
    assert rows[10102]["fsyncs_per_day"] >= 1023
    assert rows[10101]["fsyncs_per_day"] == 0
    assert rows[10101]["name"] == "com.example.app10101"
    path = latency["write_path"]
    assert path["filesystem"] == name.split("-")[0]
    assert abs(path["filesystem_bytes"] / total - 1) < 0.10
    assert path["disk_bytes"] >= path["filesystem_bytes"]
    assert "fsyncs" in printed["text"]
    screen = printed["screen"].splitlines()
    assert len(screen) <= 24
    assert max(map(len, screen)) <= 80


@pytest.mark.parametrize(("mode", "why"), [
    ("well", ""),
    ("wrong", "the package service returned an invalid value: for uid "),
    pytest.param("short", "the package service returned an invalid value: ",
                 marks=pytest.mark.long),
    pytest.param("failing", "the package service fails at getNamesForUids: ",
                 marks=pytest.mark.long),
    pytest.param("slow", "the package service has not answered within 1000 ms",
                 marks=pytest.mark.long),
    ("dead", "the package service has not answered within 1000 ms"),
    pytest.param("absent", "the package service is not running", marks=pytest.mark.long),
])
def test_names_are_those_of_a_package_service_that_answers(mode: str, why: str) -> None:
    printed = story("names.sh", mode)
    latency = json.loads(printed["apps"])["latency"]
    names = {x["uid"]: x["name"] for x in latency["uid_writes"]}
    kinds = {x["uid"]: x["kind"] for x in latency["uid_writes"]}
    assert latency["uid_names"]["why"].startswith(why) and bool(why) != latency["uid_names"]["on"]
    well = mode == "well"
    assert [names[x] for x in (10001, 10002, 10101, 1010101, 99001)] == (
        ["shared:com.example.shared", None, "com.example.app10101", "com.example.app10101", None]
        if well else [None] * 5)
    assert [kinds[x] for x in (10001, 10002, 99001, 0)] == [
        "shared" if well else "app", "app", "isolated", "system"]
    # The service was asked once, whatever its answer, about the first user's uids only.
    assert printed["asked"].split("\n")[:-1] == (
        [] if mode == "absent" else ["asked 10001 10002 10101"])
    # Other callers' dumps have no names.
    assert "com.example" not in printed["plain"]
    assert all(x["name"] is None for x in json.loads(printed["plain"])["latency"]["uid_writes"])
    assert ("com.example.app10101" in printed["cmd"]) == well
    assert well or f"No names: {why}" in printed["cmd"]
    # A dump does not wait for the service.
    before, after = (float(x) for x in printed["times"].split())
    assert after - before < 1.0


def test_a_uid_over_its_budget_is_named_and_listed(tmp_path: Path) -> None:
    config = tmp_path / "device.json"
    config.write_text('{"writers": {"app_budget_mib": 5}}')
    printed = story("budget.sh", config=config)
    for day in (1, 2, 3):
        assert printed[f"property{day}"] == "10101\n"
        assert printed[f"alerts{day}"] == "write_budget:warning\n"
        dump = json.loads(printed[f"apps{day}"])
        [alert] = dump["ledger"]["alerts"]
        assert re.search(r": uid 10101 wrote [\d.]+ MiB to the flash in a day, over budget on "
                         rf"{day} of the last 30 days \(warning above 5 MiB a day\)$",
                         alert["text"])
        budgets = dump["latency"]["budgets"]
        assert (budgets["app_mib"], budgets["system_mib"]) == (5, None)
        [offender] = budgets["offenders"]
        assert (offender["uid"], offender["kind"], offender["name"]) == (
            10101, "app", "com.example.app10101")
        assert offender["days_over"] == day
        assert offender["today"]
        assert offender["repeats"] == (day == 3)
        assert offender["most"]["bytes"] >= 6 << 20
        assert (offender["last"]["wall_s"] - offender["first"]["wall_s"]) == (day - 1) * 86_400
    assert "com.example" not in printed["plain"] + printed["text"] + printed["screen"]
    assert "    repeat offender: " in printed["text"]
    screen = printed["screen"].splitlines()
    assert "uid 10101" in " ".join(screen)
    assert len(screen) <= 24
    assert max(map(len, [*screen, *printed["text"].splitlines()])) <= 80


def test_without_a_budget_nobody_is_over_it(written: tuple[str, dict[str, str]]) -> None:
    _, printed = written
    assert (printed["property"], printed["alerts"]) == ("\n", "\n")
    assert json.loads(printed["plain"])["latency"]["budgets"] is None
    assert "udget" not in printed["text"] + printed["screen"]


def test_200_uids_cost_little(tmp_path: Path) -> None:
    config = tmp_path / "device.json"
    config.write_text('{"writers": {"app_budget_mib": 1, "system_budget_mib": 1}}')
    printed = story("uids.sh", config=config)
    assert int(printed["uids"]) == 200
    (ns, written), (ns_then, written_then) = (
        [int(x) for x in printed[name].split()] for name in ("after", "before"))
    assert ns - ns_then <= 1_000_000_000
    assert written - written_then <= 64 << 10
