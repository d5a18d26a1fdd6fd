# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""OpenMetrics text, as the reference parser reads it."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from conftest import DATA, HERE, attack
from prometheus_client.openmetrics.parser import text_string_to_metric_families
from prometheus_client.samples import Sample
from storekeeper_report import cli, openmetrics
from storekeeper_report.device import devices
from storekeeper_report.dump import check, sections

Get = Callable[[str], dict[str, Any]]
PHONES = ("worn-emmc", "new-ufs", "old-emmc45")
WORN = {"chip": "5a1c9e04b7d2f360", "model": "DF4064", "firmware": "0x3000000000000000"}


def read(*dumps: dict[str, Any]) -> dict[str, list[Sample]]:
    """Samples that the parser finds, by name."""
    text = openmetrics.render(devices([check("d.json", x) for x in dumps]))
    found: dict[str, list[Sample]] = {}
    for family in text_string_to_metric_families(text):
        assert family.documentation
        assert family.type != "unknown"
        for sample in family.samples:
            found.setdefault(sample.name, []).append(sample)
    return found


def value(samples: list[Sample], **labels: str) -> float:
    """The value of the one sample with these labels."""
    [only] = [x.value for x in samples if labels.items() <= x.labels.items()]
    return only


def test_figures_are_in_base_units(dump: Get) -> None:
    found = read(*map(dump, PHONES))
    assert value(found["storekeeper_written_bytes_total"], **WORN) == 13_243_422_966_117
    life = found["storekeeper_life_used_ratio"]
    assert value(life, **WORN, cells="b", bound="lower") == 0.6
    assert value(life, **WORN, cells="b", bound="upper") == 0.7
    assert value(found["storekeeper_life_remaining_ratio"], **WORN) == 0.4
    assert value(found["storekeeper_last_run_duration_seconds"], **WORN) == 67.411
    assert value(found["storekeeper_io_latency_seconds"], **WORN, source="diskstats",
                 kind="flush", statistic="mean") == pytest.approx(3500.4e-6)
    assert value(found["storekeeper_write_rate_bytes_per_second"], **WORN) == \
        pytest.approx(9.4e9 / 86400)
    assert value(found["storekeeper_uid_write_rate_bytes_per_second"], **WORN, uid="10211") == \
        pytest.approx(.9e9 / 86400)
    # The rate includes 145000 fsyncs of 20 KiB.
    assert value(found["storekeeper_uid_flash_write_rate_bytes_per_second"], **WORN,
                 uid="10211") == pytest.approx((.9e9 * 1.04 + 145_000 * 20_480) / 86400)
    assert value(found["storekeeper_uid_days_over_budget"], **WORN, uid="10142") == 4
    assert value(found["storekeeper_health_level"], **WORN,
                 storekeeper_health_level="warning") == 1
    assert value(found["storekeeper_device_info"], **WORN, device="Corvid 5X") == 1


def test_each_chip_has_one_set_under_its_three_labels(dump: Get) -> None:
    found = read(*map(dump, PHONES))
    for samples in found.values():
        names = [tuple(sorted(x.labels.items())) for x in samples]
        assert len(set(names)) == len(names)
        assert all(WORN.keys() <= x.labels.keys() for x in samples)
    assert {x.labels["chip"] for x in found["storekeeper_device_info"]} == \
        {dump(x)["ledger"]["chip"] for x in PHONES}


def test_chips_without_a_hash_are_told_apart(dump: Get) -> None:
    one, other = dump("old-emmc45"), dump("old-emmc45")
    one["ledger"]["chip"] = other["ledger"]["chip"] = None
    assert [x.labels["chip"] for x in read(one, other)["storekeeper_device_info"]] == \
        ["unknown-1", "unknown-2"]


def test_what_is_not_known_has_no_sample(dump: Get) -> None:
    found = read(dump("old-emmc45"))
    assert "storekeeper_uid_flash_write_rate_bytes_per_second" not in found
    assert not {"storekeeper_life_used_ratio", "storekeeper_life_remaining_ratio",
                "storekeeper_life_end_timestamp_seconds", "storekeeper_pre_eol"} & found.keys()
    given = dump("worn-emmc")
    for name in sections():
        del given[name]
    assert value(read(given)["storekeeper_dump_timestamp_seconds"]) == given["made_wall_s"]


def test_text_of_a_hostile_device_stays_in_its_label(dump: Get) -> None:
    given = attack(dump("worn-emmc"))
    given["device"]["model"] = 'a"} 7\n# EOF\nb\\'
    [info] = read(given)["storekeeper_device_info"]
    assert info.labels["device"] == given["device"]["model"]


def test_rows_that_name_one_thing_twice_give_one_sample(dump: Get) -> None:
    given = dump("worn-emmc")
    mounts = given["mount_audit"]["mounts"]
    mounts.append({**mounts[0], "free_bytes": 1})
    free = read(given)["storekeeper_filesystem_free_bytes"]
    assert value(free, mount=mounts[0]["mount"]) == mounts[0]["free_bytes"]


def test_standard_output_has_the_metrics_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
                                               capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    sample = str(DATA / "new-ufs.json")
    assert cli.main([sample, "--openmetrics", "-"]) == 0
    printed = capsys.readouterr().out
    assert printed.endswith("# EOF\n")
    assert not list(tmp_path.iterdir())  # neither a page
    assert cli.main([sample, "--openmetrics", "m.prom", "-o", "r.html"]) == 0
    assert Path("m.prom").read_text() == printed
    assert Path("r.html").exists()


def test_a_file_that_cannot_be_written_is_named(tmp_path: Path,
                                                capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "no/m.prom"
    assert cli.main([str(DATA / "new-ufs.json"), "--openmetrics", str(file)]) == 73
    assert f"{file}: No such file" in capsys.readouterr().err


def test_every_metric_is_documented(dump: Get) -> None:
    families = text_string_to_metric_families(
        openmetrics.render(devices([dump(x) for x in PHONES])))
    table = re.findall(r"^\| (storekeeper_\w+) \|", (HERE.parent / "grafana/README.md").read_text(),
                       re.M)
    assert table == [x.name for x in families]
