# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""The guest's third archive: the user space of an Android product in the place of Debian's.

STOREKEEPER_ANDROID names the product's output and ANDROID_TREES the trees of its release, so that
every command of the lab, and each test that calls one, boots that guest.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

from . import elf
from .cpio import Archive
from .once import make_once
from .paths import GUEST, LAB, TOP, LabError

if TYPE_CHECKING:
    from userspace import Output

HERE = LAB / "android/guest"
# Names in /system/bin, and the output's program. toybox answers to the name that it is given.
PROGRAMS = {"servicemanager": "servicemanager", "dumpsys": "dumpsys", "cmd": "cmd",
            "service": "service", "restorecon": "toybox"}
# libc loads this library by name, for its sockets.
LOADED = ["libnetd_client.so"]
# Libraries of an APEX that is a package here, and the functions that our libraries name. None is
# called; each ends the program.
STUBS = {"libandroidicu.so": r"_android$"}
CONTEXTS = ["file_contexts", "property_contexts", "service_contexts"]
VARIANT = "userdebug"
# An environment variable: the folder that keeps each guest's console, for its denials.
CONSOLES = "STOREKEEPER_CONSOLES"


def chosen() -> Path | None:
    folder = os.environ.get("STOREKEEPER_ANDROID")
    return Path(folder) if folder else None


def choose(folder: Path) -> None:
    """Sets the output for this command and those that it starts."""
    os.environ["STOREKEEPER_ANDROID"] = str(folder.resolve())


def keep(console: Path) -> None:
    if folder := os.environ.get(CONSOLES):
        shutil.copy(console, Path(folder) / f"{console.parent.name}-{time.monotonic_ns()}")


def _trees() -> Path:
    if trees := os.environ.get("ANDROID_TREES"):
        return Path(trees)
    raise LabError("ANDROID_TREES names no folder with the tree of the output's release; its "
                   "headers and policy are needed, see `make check-android`")


def _stub(name: str, users: list[Path], folder: Path) -> Path:
    symbols = set()
    for user in users:
        said = subprocess.run(["llvm-nm", "-D", "--undefined-only", "--format=just-symbols", user],
                              capture_output=True, text=True, check=True).stdout
        symbols |= {x.split("@")[0] for x in said.split()}
    source = folder / "stub.s"
    source.write_text("".join(f".globl {x}\n.type {x},@function\n{x}: ud2\n" for x in
                              sorted(symbols) if re.search(STUBS[name], x)))
    stub = folder / name
    subprocess.run(["clang", "-target", "x86_64-linux-android", "-c", source, "-o",
                    folder / "stub.o"], check=True)
    subprocess.run(["ld.lld", "-shared", f"-soname={name}", "--hash-style=gnu", folder / "stub.o",
                    "-o", stub], check=True)
    return stub


def _libraries(out: Output, programs: list[Path], folder: Path) -> dict[str, Path]:
    found: dict[str, Path] = {}
    todo = [*programs, *(out.find("lib64", x) for x in LOADED)]
    found.update({x.name: x for x in todo if x.suffix == ".so"})
    users: dict[str, list[Path]] = {}
    while todo:
        user = todo.pop()
        for name in elf.needed(user):
            if name in STUBS:
                users.setdefault(name, []).append(user)
            elif name not in found:
                found[name] = out.find("lib64", name)
                todo.append(found[name])
    return {**found, **{name: _stub(name, by, folder) for name, by in users.items()}}


def _policy(tree: Path, folder: Path) -> Path:
    """The tree's policy with ours and the virtual phone's."""
    copy = folder / "sepolicy"
    if not (tree / "system/sepolicy/private").is_dir():
        raise LabError(f"{tree}/system/sepolicy is missing: the guest enforces its policy")
    shutil.copytree(tree / "system/sepolicy", copy)
    shutil.copy(HERE / "lab_android.te", copy / "vendor")
    # The vendor's part, which test_selinux.py has behind what stands for Android's.
    card = (LAB / "selinux/genfs_contexts").read_text().partition("# As a device does")[2]
    with (copy / "vendor/genfs_contexts").open("a") as file:
        file.write(f"#{card}")
    done = subprocess.run([TOP / "sepolicy/check_neverallow.sh", "-o", folder, copy], text=True,
                          capture_output=True)
    if done.returncode:
        raise LabError(f"the policy of {tree} with ours: {done.stdout}{done.stderr}")
    # The labels of the example, and the right to trim.
    return folder / f"sepolicy.{VARIANT}.example"


def _properties(out: Output) -> str:
    """The lab's build.prop with the versions of the output."""
    theirs = [x for x in (out.folder / "system/build.prop").read_text().splitlines()
              if x.startswith(("ro.build.version.", "ro.system.build.", "ro.product.cpu."))]
    names = {x.partition("=")[0] for x in theirs}
    ours = [x for x in (LAB / "guest/etc/build.prop").read_text().splitlines()
            if x.partition("=")[0] not in names]
    return "\n".join([*ours, *(x for x in theirs if x.partition("=")[2])]) + "\n"


def _strip(program: Path, folder: Path) -> Path:
    to = folder / program.name
    subprocess.run(["strip", "--strip-all", "-o", to, program], check=True)
    return to


def archive(given: Path, trees: Path) -> bytes:
    # Imported late, because its modules import the lab's commands.
    if str(LAB / "android") not in sys.path:
        sys.path.append(str(LAB / "android"))
    import userspace  # noqa: PLC0415

    out = userspace.output(given)
    made = userspace.build(out, trees)
    tree = userspace.release.trees(trees)[out.release]
    packed = Archive()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        theirs = {to: out.find("bin", x) for to, x in PROGRAMS.items()}
        for to, path in theirs.items():
            packed.program(f"system/bin/{to}", path)
        packed.program("system/bin/linker64", out.find("bin", "linker64"))
        for to, path in _libraries(out, [*theirs.values(), *made.values()], folder).items():
            packed.program(f"system/lib64/{to}", path)
        for to, path in made.items():
            where = {userspace.TEST: "lab/android/test", userspace.SERVICE: "system/bin"}.get(
                to, "system_ext/bin")
            packed.program(f"{where}/{to}", _strip(path, folder))
        packed.file("system/build.prop", _properties(out).encode())
        for kind in CONTEXTS:
            texts = [x.read_text() for folder in (tree / "system/sepolicy", TOP / "sepolicy")
                     for x in sorted(folder.glob(f"p[ru]*/{kind}"))]
            packed.file(f"system/etc/selinux/plat_{kind}", "\n".join(texts).encode())
        for path in userspace.test_data():
            packed.file(f"lab/android/test/{path[0]}", path[1].read_bytes())
        packed.file("lab/android/policy", _policy(tree, folder).read_bytes())
        tool = folder / "selinux_tool"
        subprocess.run(["clang", "-O1", "-static", "-o", tool, LAB / "selinux/selinux_tool.c"],
                       check=True)
        packed.program("lab/android/selinux_tool", tool)
        packed.file("lab/android/start.sh", (HERE / "start.sh").read_bytes())
        packed.file("system_ext/etc/init/zz_lab_android.rc",
                    (HERE / "lab_android.rc").read_bytes())
        labelled = [f"/{x}" for x in sorted(packed.entries)
                    if x.startswith(("system/", "system_ext/")) and x.count("/") > 1]
        packed.file("lab/android/labelled", ("\n".join(labelled) + "\n").encode())
    return packed.pack()


def part() -> bytes:
    """The archive for the output that the environment names, or nothing. Kept as long as nothing
    that it is made of changes."""
    out = chosen()
    if out is None:
        return b""
    trees = _trees()
    sources = [*HERE.iterdir(), *(TOP / "sepolicy").rglob("*"), *LAB.glob("android/*"),
               *(TOP / "system-service").rglob("*"), *LAB.glob("properties/*")]
    state = hashlib.sha256(repr([(str(x), x.stat().st_mtime_ns) for x in sorted(sources)
                                 if x.is_file()] + [str(out), str(trees)]).encode()).hexdigest()
    path = GUEST / f"android-{state[:16]}.cpio"

    def make(fresh: Path) -> None:
        data = archive(out, trees)
        fresh.write_bytes(data + b"\0" * (-len(data) % 512))

    return make_once(path, "android-*.cpio", make).read_bytes()
