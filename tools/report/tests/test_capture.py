# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""Recording a device's tree, from a device that is a folder."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest
from conftest import HERE, FakePhones
from storekeeper_report import capture

TOP = HERE.parents[2]
FIXTURE = TOP / "system-service/testdata/linux-6.12-emmc51"
CID = "150100544553544d3107deadbeef3b9f"
MOUNTINFO = ("24 1 0:22 / /sys rw - sysfs sysfs rw\n"
             "60 24 254:8 / /mnt/expand/0fc63daf-8483-4772-8e79-3d69d8477de4 rw - ext4 x rw\n"
             "61 24 0:40 / /storage/12AB-34CD rw - sdcardfs x rw\n")


def put(root: Path, **files: str) -> None:
    for name, content in files.items():
        path = root / name.replace("__", "/")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content)


def emmc(phones: FakePhones, serial: str = "AA1") -> Path:
    root = phones.add(serial)
    card = "sys__block__mmcblk0__device__"
    put(root, **{card + "cid": CID + "\n", card + "name": "TESTM1\n", card + "type": "MMC\n",
                 card + "serial": "0xdeadbeef\n", card + "life_time": "0x01 0x02\n",
                 card + "device_life_time_est_typ_a": "2\n",
                 card + "uevent": "MMC_NAME=x\n", "sys__block__mmcblk0__size": "61071360\n",
                 "sys__block__mmcblk0__queue__discard_granularity": "512\n",
                 "sys__block__loop0__size": "0\n", "proc__self__mountinfo": MOUNTINFO,
                 "proc__diskstats": " 179 0 mmcblk0 1 2 3 4 5 6 7 8 0 9 10\n",
                 "proc__uid_io__stats": "1000 1 2 3 4 5 6 7 8 0 0\ntask,secret.app,1,2\n"})
    phones.command(serial, "getprop", 'case $1 in *model) echo "Corvid 5X";; *id) echo RQ3A;; '
                   "*release) echo 11;; *) echo Corvid;; esac")
    phones.command(serial, "uname", "echo 4.19.110-perf")
    phones.command(serial, "date", "echo 2026-11-21")
    return root


def tree(folder: Path) -> dict[str, str]:
    return {str(x.relative_to(folder)): x.read_text() for x in folder.rglob("*") if x.is_file()}


def test_a_device_becomes_a_folder_of_testdata(phones: FakePhones, tmp_path: Path,
                                               capsys: pytest.CaptureFixture[str]) -> None:
    emmc(phones)
    assert capture.main(["--into", str(tmp_path), "corvid"]) == 0
    reported = capsys.readouterr().out
    assert "mmc_sysfs_test.cpp" in reported
    got = tree(tmp_path / "corvid")
    source = got.pop("SOURCE.md")
    assert got == {
        "sys/block/mmcblk0/device/cid": "150100544553544d310700000000" + "3b00\n",
        "sys/block/mmcblk0/device/name": "TESTM1\n",
        "sys/block/mmcblk0/device/type": "MMC\n",
        "sys/block/mmcblk0/device/life_time": "0x01 0x02\n",
        "sys/block/mmcblk0/device/device_life_time_est_typ_a": "2\n",
        "sys/block/mmcblk0/size": "61071360\n",
        "sys/block/mmcblk0/queue/discard_granularity": "512\n",
        "proc/self/mountinfo": MOUNTINFO.replace(
            "0fc63daf-8483-4772-8e79-3d69d8477de4", "00000000-0000-0000-0000-000000000000")
        .replace("12AB-34CD", "0000-0000"),
        "proc/diskstats": " 179 0 mmcblk0 1 2 3 4 5 6 7 8 0 9 10\n",
        "proc/uid_io/stats": "1000 1 2 3 4 5 6 7 8 0 0\n",
    }
    for fact in ("# Corvid Corvid 5X", "build RQ3A", "Android 11", "4.19.110-perf", "2026-11-21",
                 "serial number and the CRC of the CID are zeros", "no EXT_CSD: AA1"):
        assert fact in source, fact
    assert source.startswith("<!-- SPDX-License-Identifier: Apache-2.0 -->")
    assert "deadbeef" not in source + "".join(got.values())
    assert list(tmp_path.glob(".corvid*")) == []


def test_what_cannot_be_read_is_listed(phones: FakePhones, tmp_path: Path) -> None:
    root = emmc(phones)
    # root of this machine may read everything: the device's cat fails instead.
    secret = root / "sys/block/mmcblk0/device/pre_eol_info"
    secret.write_text("x")
    phones.command("AA1", "cat", 'case $1 in */pre_eol_info) exit 1;; esac; exec /bin/cat "$1"')
    assert capture.main(["AA1", "corvid", "--into", str(tmp_path)]) == 0
    assert not (tmp_path / "corvid/sys/block/mmcblk0/device/pre_eol_info").exists()
    assert "- /sys/block/mmcblk0/device/pre_eol_info" in (tmp_path / "corvid/SOURCE.md").read_text()


def test_a_ufs_host_is_recorded_where_it_is(phones: FakePhones, tmp_path: Path,
                                            capsys: pytest.CaptureFixture[str]) -> None:
    root = emmc(phones)
    host = "sys__devices__platform__soc__1d84000.ufshc__"
    put(root, **{host + "health_descriptor__eol_info": "0x01\n",
                 host + "attributes__bkops_status": "0x00000000\n",
                 host + "attributes__exception_event_status": "0x00000200\n",
                 host + "critical_health": "1\n", host + "ufshid__color": "RED\n",
                 host + "hwmon__hwmon1__temp1_input": "41000\n",
                 host + "health_descriptor__life_time_estimation_a": "0x02\n",
                 host + "string_descriptors__product_name": "TESTUFS\n",
                 host + "string_descriptors__serial_number": "12345\n",
                 host + "host0__target0:0:0__0:0:0:0__model": "TESTUFS\n",
                 "sys__block__sda__size": "1000\n"})
    (root / "sys/block/sda/device").symlink_to(
        "../../devices/platform/soc/1d84000.ufshc/host0/target0:0:0/0:0:0:0")
    assert capture.main(["ufs", "--into", str(tmp_path)]) == 0
    ufs = tmp_path / "ufs"
    host_ = ufs / "sys/block/sda/device/../../.."
    assert (host_ / "health_descriptor/eol_info").read_text() == "0x01\n"
    assert (host_ / "critical_health").read_text() == "1\n"
    assert (host_ / "attributes/bkops_status").read_text() == "0x00000000\n"
    assert (host_ / "hwmon/hwmon1/temp1_input").read_text() == "41000\n"
    # Reading these files would change the device's state.
    assert not list(ufs.rglob("exception_event_status"))
    assert not list(ufs.rglob("ufshid"))
    assert (ufs / "sys/block/sda/device/model").read_text() == "TESTUFS\n"
    assert (ufs / "sys/block/sda/device").is_symlink()
    # Android's makefiles divide names of test data at colons.
    assert not list(ufs.rglob("*:*"))
    assert not list(ufs.rglob("serial*"))
    assert "ufs_sysfs_test.cpp" in capsys.readouterr().out


def test_a_ufs_of_a_samsung_kernel_has_its_life_time_at_the_scsi_host(phones: FakePhones,
                                                                      tmp_path: Path) -> None:
    root = emmc(phones)
    host = "sys__devices__platform__11120000.ufs__host0__"
    put(root, **{host + "scsi_host__host0__lt": "2\n",
                 host + "target0:0:0__0:0:0:0__model": "KLUDG4U1EA\n",
                 "sys__block__sda__size": "1000\n", "sys__block__sdb__size": "9\n",
                 "sys__devices__platform__usb__host1__target1:0:0__1:0:0:0__model": "STICK\n"})
    for disk, place in (("sda", "11120000.ufs/host0/target0:0:0/0:0:0:0"),
                        ("sdb", "usb/host1/target1:0:0/1:0:0:0")):
        (root / f"sys/block/{disk}/device").symlink_to(f"../../devices/platform/{place}")
    assert capture.main(["ufs", "--into", str(tmp_path)]) == 0
    disk = tmp_path / "ufs/sys/block/sda/device"
    assert (disk / "../../scsi_host/host0/lt").read_text() == "2\n"
    assert disk.is_symlink()
    assert not (tmp_path / "ufs/sys/block/sdb/device").is_symlink()


def test_the_register_is_put_together_from_its_fields(phones: FakePhones, tmp_path: Path) -> None:
    emmc(phones)
    raw = bytes.fromhex((FIXTURE / "ext_csd.hex").read_text())
    fields = [{"offset": 0, "width": 200, "bytes": raw[:200].hex()},
              *({"offset": n, "width": 4, "value": int.from_bytes(raw[n:n + 4], "little")}
                for n in range(200, 512, 4))]
    (tmp_path / "r.json").write_text(json.dumps({"fields": fields}))
    phones.command("AA1", "storekeeper_extcsd", f"cat {tmp_path}/r.json")
    assert capture.main(["corvid", "--into", str(tmp_path)]) == 0
    assert (tmp_path / "corvid/ext_csd.hex").read_text() == (FIXTURE / "ext_csd.hex").read_text()


def test_old_adb_s_line_ends_are_undone() -> None:
    output = f"{capture.MARK} file /sys/x\n0x01\n\n{capture.MARK} end 0\n".replace("\n", "\r\n")
    assert capture.parse(output.encode()).files == {"/sys/x": b"0x01\n"}


def test_a_device_cannot_write_elsewhere(tmp_path: Path) -> None:
    tree_ = capture.Tree(files={"/sys/../../x": b"y"})
    with pytest.raises(capture.CaptureError):
        capture.write(tmp_path, "n", tree_, dict.fromkeys(capture.FACTS, "x"))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(("words", "serials", "reported"), [
    (["new"], [], "no device is ready"),
    (["new"], ["AA1", "BB2"], "2 devices are ready (AA1, BB2); name one"),
    (["ZZ9", "new"], ["AA1"], "device 'ZZ9' not found"),
    (["taken"], ["AA1"], "taken exists"),
    (["../up"], ["AA1"], "../up: use lower-case letters"),
    (["a", "b", "c"], ["AA1"], "give a serial"),
])
def test_it_refuses_with_the_reason(phones: FakePhones, tmp_path: Path, words: list[str],
                                    serials: list[str], reported: str,
                                    capsys: pytest.CaptureFixture[str]) -> None:
    into = tmp_path / "testdata"
    (into / "taken").mkdir(parents=True)
    for serial in serials:
        emmc(phones, serial)
    assert capture.main([*words, "--into", str(into)]) == 69
    assert reported in capsys.readouterr().err
    assert [x.name for x in into.iterdir()] == ["taken"]


def test_nothing_recorded_is_no_recording(phones: FakePhones, tmp_path: Path,
                                          capsys: pytest.CaptureFixture[str]) -> None:
    put(phones.add("AA1"), proc__diskstats="x\n")
    assert capture.main(["new", "--into", str(tmp_path / "x")]) == 69
    assert "nothing of its storage was recorded, there is no disk" in capsys.readouterr().err


def test_it_runs_from_the_checkout_without_being_installed() -> None:
    done = subprocess.run(["/usr/bin/python3", "-I", TOP / "tools/capture", "--help"], text=True,
                          capture_output=True)
    assert done.returncode == 0, done.stderr
    assert "[SERIAL] NAME" in done.stdout
