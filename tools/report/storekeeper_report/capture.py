# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""`storekeeper-capture`: a device's tree over adb, as a folder of system-service/testdata.

Needs nothing but Python and adb. Recorded is what this file lists; what identifies a person's
device is never asked for, or blanked before it is written.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from . import adb
from .command import Parser

TESTDATA = Path("system-service/testdata")
NAME = re.compile(r"[a-z0-9][a-z0-9._-]*")
# Stands before and after each file; no attribute contains it.
MARK = "--storekeeper-capture--"

# Attributes of an eMMC (drivers/mmc/core/mmc.c and vendors' names), of a SCSI disk (scsi_sysfs.c).
CARD = ("cid csd date enhanced_area_offset enhanced_area_size erase_size ffu_capable fwrev hwrev "
        "life_time life_time_est_typ_a life_time_est_typ_b life_time_A life_time_B life_time_a "
        "life_time_b device_life_time_est_typ_a device_life_time_est_typ_b manfid name oemid "
        "pre_eol_info "
        "preferred_erase_size prv raw_rpmb_size_mult rel_sectors rev type cmdq_en "
        "model vendor queue_depth scsi_level")
# A UFS host's attributes of its device (drivers/ufs/core/ufs-sysfs.c), and older vendor forms.
HOST = ("health_descriptor health device_descriptor geometry_descriptor string_descriptors "
        "attributes flags hid")
HOST_FILES = ("critical_health device_lvl_exception_count device_lvl_exception_id wb_on rpm_lvl "
              "host0/scsi_host/host0/lt")
# One of these shows that a directory is a UFS host's (system-service/mounts/chip_id.cpp).
SIGNS = "string_descriptors health_descriptor health rpm_lvl host0/scsi_host/host0/lt"
# Reading these changes what the next reading gives (system-service/health/ufs_sysfs.h).
CHANGED = "exception_event_status|progress_ratio|wb_flush_status|wb_resize_status"
OTHER = "/proc/self/mountinfo /proc/diskstats /proc/pressure/io /proc/uid_io/stats"

SCRIPT = f"""
show() {{
  for file in "$@"; do
    case ${{file##*/}} in *serial*|*unique*|*wwid*|*uuid*|{CHANGED}) continue;; esac
    [ -f "$file" ] || continue
    echo "{MARK} file $file"
    cat "$file" 2>/dev/null
    code=$?
    echo
    echo "{MARK} end $code"
  done
}}
for disk in /sys/block/*; do
  case $disk in */ram*|*/loop*|*/zram*) continue;; esac
  show $disk/size $disk/ro $disk/removable $disk/dm/name $disk/queue/*
  for name in {CARD}; do show $disk/device/$name; done
  host=$(readlink -f $disk/device 2>/dev/null) || continue
  device=$host
  for level in 1 2 3 4 5 6; do
    host=${{host%/*}}
    ufs=
    for name in {SIGNS}; do [ ! -e "$host/$name" ] || ufs=yes; done
    [ "$ufs" ] || continue
    show "$host/health"
    for name in {HOST}; do show "$host/$name"/*; done
    for name in {HOST_FILES}; do show "$host/$name"; done
    show "$host"/hwmon/hwmon*/name "$host"/hwmon/hwmon*/temp1_* "$device"/unit_descriptor/*
    echo "{MARK} link $disk/device $device"
    break
  done
done
show {OTHER} /sys/fs/ext4/*/lifetime_write_kbytes /sys/fs/f2fs/*/lifetime_write_kbytes
"""
FACTS = {"maker": "getprop ro.product.manufacturer", "model": "getprop ro.product.model",
         "build": "getprop ro.build.id", "android": "getprop ro.build.version.release",
         "kernel": "uname -r", "date": "date -u +%Y-%m-%d"}


class CaptureError(Exception):
    """Why nothing was recorded."""


@dataclass
class Tree:
    files: dict[str, bytes] = field(default_factory=dict)
    links: dict[str, str] = field(default_factory=dict)
    unreadable: list[str] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)


def parse(output: bytes) -> Tree:
    """Parses the output of SCRIPT. adb of Android 6 and older ends lines with CR LF."""
    if f"{MARK} end 0\r\n".encode() in output:
        output = output.replace(b"\r\n", b"\n")
    mark = MARK.encode()
    tree = Tree()
    for found in re.finditer(
            mark + rb" (?:link (?P<link>\S+) (?P<to>\S+)|file (?P<file>[^\n]+)\n(?P<content>.*?)\n"
            + mark + rb" end (?P<code>\d+))\n", output, re.S):
        if found["link"]:
            tree.links[found["link"].decode()] = found["to"].decode()
            continue
        path = found["file"].decode(errors="replace")
        if found["code"] == b"0":
            tree.files[path] = found["content"]
        else:
            tree.unreadable.append(path)
    return tree


def blank_cid(content: bytes) -> bytes:
    """JESD84-B51 section 7.2: PSN is bytes 10 to 13, and the CRC in byte 15 would betray it."""
    text = content.decode(errors="replace").strip()
    if not re.fullmatch(r"[0-9a-fA-F]{32}", text):
        return b""
    return f"{text[:20]}00000000{text[28:30]}00\n".encode()


def blank_volumes(content: bytes) -> bytes:
    """Identifiers of file systems, which mount points and sources of cards are named after."""
    content = re.sub(rb"\b[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}\b",
                     b"00000000-0000-0000-0000-000000000000", content)
    return re.sub(rb"\b[0-9A-F]{4}-[0-9A-F]{4}\b", b"0000-0000", content)


def drop_tasks(content: bytes) -> bytes:
    """Some kernels add lines with the names of processes: task,NAME,..."""
    return b"".join(x for x in content.splitlines(keepends=True) if not x.startswith(b"task,"))


CLEANED: tuple[tuple[str, Callable[[bytes], bytes], str], ...] = (
    ("/device/cid", blank_cid, "the serial number and the CRC of the CID are zeros"),
    ("/mountinfo", blank_volumes, "identifiers of volumes in mountinfo are zeros"),
    ("/uid_io/stats", drop_tasks, "lines of single processes in uid_io are dropped"),
)


def clean(tree: Tree) -> None:
    for path, content in tree.files.items():
        for end, cleaner, why in CLEANED:
            if path.endswith(end):
                tree.files[path] = cleaner(content)
                if why not in tree.left_out:
                    tree.left_out.append(why)
    tree.left_out.append("files named serial, unique, wwid or uuid were not read")


def ext_csd(report: bytes) -> bytes:
    """The register as debugfs prints it, put together from the fields of storekeeper_extcsd."""
    raw = bytearray(512)
    for row in json.loads(report)["fields"]:
        at, width = row["offset"], row["width"]
        raw[at:at + width] = (bytes.fromhex(row["bytes"]) if "bytes" in row
                              else row["value"].to_bytes(width, "little"))
    if len(raw) != 512:
        raise ValueError(f"{len(raw)} bytes")
    return raw.hex().encode() + b"\n"


def add_ext_csd(serial: str, tree: Tree) -> None:
    try:
        tree.files["/ext_csd.hex"] = ext_csd(adb.shell(serial, "storekeeper_extcsd --json"))
    except (adb.AdbError, ValueError, KeyError, TypeError, OverflowError) as e:
        tree.left_out.append(f"no EXT_CSD: {e}")


def record(serial: str) -> tuple[Tree, dict[str, str]]:
    """Everything that will be written, blanked already."""
    tree = parse(adb.shell(serial, SCRIPT))
    if not any("/device/" in x or "/health" in x for x in tree.files):
        why = (f"it does not let a shell read {tree.unreadable[0]}" if tree.unreadable
               else "there is no disk in /sys/block")
        raise CaptureError(f"{serial}: nothing of its storage was recorded, {why}; try `adb root` "
                           "on a userdebug build")
    clean(tree)
    add_ext_csd(serial, tree)
    facts = {name: adb.shell(serial, command).decode(errors="replace").strip()
             for name, command in FACTS.items()}
    return tree, facts


def source(tree: Tree, facts: dict[str, str]) -> str:
    """The text of SOURCE.md: the origin, the missing files and the reasons."""
    def known(name: str) -> str:
        return re.sub(r"[^\w .,()+-]", "?", facts[name]) or "not reported"
    lines = ["<!-- SPDX-License-Identifier: Apache-2.0 -->",
             "<!-- Copyright (C) 2026 The Storekeeper Project -->",
             f"# {known('maker')} {known('model')}", "",
             f"Recorded by tools/capture on {known('date')}: build {known('build')}, "
             f"Android {known('android')}, Linux", f"{known('kernel')}.", "", "Left out:", ""]
    lines += [f"- {x}" for x in tree.left_out]
    if tree.unreadable:
        lines += ["", "Not readable there:", "", *(f"- {x}" for x in tree.unreadable)]
    return "\n".join(lines) + "\n"


def write(into: Path, name: str, tree: Tree, facts: dict[str, str]) -> None:
    """The whole folder or none of it."""
    folder = Path(tempfile.mkdtemp(dir=into, prefix=f".{name}."))
    try:
        for path, content in tree.files.items():
            inside(folder, path).write_bytes(content)
        for link, target in tree.links.items():
            # Files that were read through the link move to the link's target.
            at, real = inside(folder, link), inside(folder, target)
            real.mkdir(exist_ok=True)
            if at.is_dir():
                shutil.copytree(at, real, dirs_exist_ok=True)
                shutil.rmtree(at)
            at.symlink_to(os.path.relpath(real, at.parent))
        (folder / "SOURCE.md").write_text(source(tree, facts))
        folder.chmod(0o755)
        folder.rename(into / name)
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise


def inside(folder: Path, path: str) -> Path:
    """The copy's path for `path` of the device; creates its folder. A device cannot lead out.

    Without colons, as SCSI's target0:0:0 has them: Android's makefiles divide names there.
    """
    parts = PurePosixPath(path.replace(":", "_")).relative_to("/").parts
    if not parts or ".." in parts:
        raise CaptureError(f"the device names a file '{path}'")
    file = folder.joinpath(*parts)
    file.parent.mkdir(parents=True, exist_ok=True)
    return file


def testdata() -> Path:
    """The testdata folder of the checkout that this program is run in or belongs to."""
    for top in (Path.cwd(), *Path.cwd().parents, *Path(__file__).resolve().parents):
        if (top / TESTDATA).is_dir():
            return top / TESTDATA
    raise CaptureError(f"no {TESTDATA} here or above; run it in a checkout, or give --into FOLDER")


def parser() -> argparse.ArgumentParser:
    top = Parser(
        prog="storekeeper-capture", usage="%(prog)s [-h] [--into FOLDER] [SERIAL] NAME",
        description="Records the files by which a device reports its storage, as a folder of "
        "system-service/testdata for the unit tests. With root (`adb root`) it reads more.")
    top.add_argument("words", nargs="+", metavar="[SERIAL] NAME",
                     help="the device's adb serial if there are several, and the name of the new "
                     "folder, such as linux-5.10-emmc51")
    top.add_argument("--into", type=Path, metavar="FOLDER",
                     help="folder above the new one (default: this checkout's "
                     "system-service/testdata)")
    return top


def capture(words: list[str], into: Path | None) -> Path:
    if len(words) > 2:
        raise CaptureError(f"{' '.join(words)}: give a serial, if need be, and one name")
    name = words[-1]
    if not NAME.fullmatch(name):
        raise CaptureError(f"{name}: use lower-case letters, digits, dots and dashes, such as "
                           "linux-5.10-emmc51")
    into = into or testdata()
    if (into / name).exists():
        raise CaptureError(f"{into / name} exists; give another name or remove it")
    tree, facts = record(words[0] if len(words) == 2 else adb.only_device())
    write(into, name, tree, facts)
    print(f"{into / name}: {len(tree.files)} files, {len(tree.unreadable)} could not be read; "
          "look through them before you share them")
    return into / name


def main(argv: list[str] | None = None) -> int:
    args = parser().parse_args(argv)
    try:
        folder = capture(args.words, args.into)
    except (CaptureError, adb.AdbError) as e:
        print(f"storekeeper-capture: {e}", file=sys.stderr)
        return os.EX_UNAVAILABLE
    except OSError as e:
        print(f"storekeeper-capture: {e.filename}: {e.strerror}", file=sys.stderr)
        return os.EX_CANTCREAT
    test = "ufs_sysfs" if any("health" in x.name for x in folder.rglob("*")) else "mmc_sysfs"
    print(f"To replay it: name '{folder.name}' in system-service/health/{test}_test.cpp with what "
          "it shall report; then\n  lab/lab build && ninja -C out/build/guest storekeeper_test && "
          "out/build/guest/storekeeper_test --gtest_filter='*Sysfs*'")
    return os.EX_OK
