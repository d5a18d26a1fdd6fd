# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""Enters another root folder, with private mounts and, without root privileges, a user namespace.

The process keeps its number, its terminal and its network. In the folder it is root; outside, its
files belong to the calling user and to that user's range of /etc/subuid.
"""

from __future__ import annotations

import ctypes
import errno
import os
import re
import subprocess
from pathlib import Path

from .paths import LabError

NEW_MOUNTS, NEW_USERS = 0x00020000, 0x10000000
RECURSIVE, SLAVE, DETACH = 0x4000, 1 << 19, 2
# Numbers of open_tree() and move_mount(), equal on all architectures; pivot_root()'s differ.
OPEN_TREE, MOVE_MOUNT = 428, 429
PIVOT_ROOT = {"x86_64": 155, "aarch64": 41}
HERE = -100
CLONE, WHOLE_TREE, FROM_DESCRIPTOR = 1 | os.O_CLOEXEC, 0x8000, 0x4
# Top folders that a distribution fills. All others are the user's, and are shared with the root.
SYSTEM = {"bin", "boot", "etc", "lib", "lib32", "lib64", "libx32", "lost+found", "run", "sbin",
          "snap", "usr", "var"}
NETWORK = ("/etc/hosts", "/etc/resolv.conf", "/etc/pip.conf")
# Size of the user range: Debian's packages have users up to 65534, nobody.
USERS = 65534
# Files below /proc/sys that deny user namespaces to ordinary users.
APPARMOR = "kernel/apparmor_restrict_unprivileged_userns"
ROOT_ALONE = "kernel/unprivileged_userns_clone"
MAX_COUNT = "user/max_user_namespaces"

_libc = ctypes.CDLL(None, use_errno=True)


def _call(function: object, *arguments: object) -> int:
    done = function(*(x.encode() if isinstance(x, str) else x for x in arguments))
    if done < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    return done


def subordinate(text: str, user: str, uid: int) -> tuple[int, int] | None:
    """First number and count of the range that /etc/subuid or /etc/subgid gives a user."""
    for line in text.splitlines():
        found = re.fullmatch(r"([^:]+):(\d+):(\d+)", line.strip())
        if found and found[1] in (user, str(uid)) and int(found[3]) >= USERS:
            return int(found[2]), int(found[3])
    return None


def unused(text: str) -> str:
    """A range that no line of /etc/subuid assigns, in usermod's notation."""
    ends = [int(x[1]) + int(x[2]) for x in re.finditer(r"^[^:]+:(\d+):(\d+)$", text, re.M)]
    first = max([100000, *ends])
    return f"{first}-{first + 65535}"


def refusal(number: int, uid: int, limits: dict[str, str]) -> str:
    """Why the kernel refuses namespaces, and the next step. `limits`: values of /proc/sys."""
    if uid and limits.get(APPARMOR) == "1":
        return ("AppArmor restricts user namespaces; allow them with `sudo sysctl "
                "kernel.apparmor_restrict_unprivileged_userns=0`, or run as root")
    if uid and limits.get(ROOT_ALONE) == "0":
        return ("the kernel keeps user namespaces to root; allow them with `sudo sysctl "
                "kernel.unprivileged_userns_clone=1`, or run as root")
    if uid and limits.get(MAX_COUNT) == "0":
        return ("the limit of user namespaces is 0; raise it with `sudo sysctl "
                "user.max_user_namespaces=15000`, or run as root")
    what = "user namespaces" if uid else "mounts"
    return (f"the kernel refuses {what} ({os.strerror(number)}); in a container, start it with "
            "`--privileged`")


def _limits() -> dict[str, str]:
    files = {name: Path("/proc/sys", name) for name in (APPARMOR, ROOT_ALONE, MAX_COUNT)}
    return {name: file.read_text().strip() for name, file in files.items() if file.exists()}


def namespaces(uid: int, user: str) -> None:
    """Gives this process a mount namespace and, unless it is root, a user namespace."""
    try:
        if uid:
            _users(uid, user)
        else:
            _call(_libc.unshare, NEW_MOUNTS)
        # Mounts made here do not appear outside.
        _call(_libc.mount, None, "/", None, RECURSIVE | SLAVE, None)
    except OSError as e:
        raise LabError("a Debian root needs namespaces: "
                       + refusal(e.errno or errno.EPERM, uid, _limits())) from e


def _users(uid: int, user: str) -> None:
    maps = []
    files = {x: Path(f"/etc/sub{x}") for x in ("uid", "gid")}
    given = {x: file.read_text() if file.exists() else "" for x, file in files.items()}
    for kind, own in (("uid", uid), ("gid", os.getegid())):
        numbers = subordinate(given[kind], user, uid)
        if numbers is None:
            more = " ".join(f"--add-sub{x}s {unused(text)}" for x, text in given.items())
            raise LabError(f"{files[kind]} gives {user} no {USERS} numbers; run `sudo usermod "
                           f"{more} {user}`")
        maps.append([f"new{kind}map", str(os.getpid()), "0", str(own), "1", "1",
                     *map(str, numbers)])
    # Only a process outside of the user namespace may call newuidmap and newgidmap for this one.
    inside, ready = os.pipe()
    helper = os.fork()
    if not helper:
        os.close(ready)
        code = 1
        if os.read(inside, 1):
            code = max(subprocess.run(x, check=False).returncode for x in maps)
        os._exit(code)
    try:
        _call(_libc.unshare, NEW_USERS | NEW_MOUNTS)
        os.write(ready, b"1")
    finally:
        os.close(inside)
        os.close(ready)
        status = os.waitpid(helper, 0)[1]
    if status:
        raise LabError(f"`{' '.join(maps[0])}` failed; is newuidmap of the package uidmap, with "
                       "its set-uid bit?")


def shared(paths: list[Path]) -> list[Path]:
    """Paths that the root shares with this machine: non-system top folders, and `paths`."""
    found = [Path("/", x.name) for x in os.scandir("/")
             if x.name not in SYSTEM and x.is_dir(follow_symlinks=False)]
    for path in sorted(paths):
        if path.is_dir() and not any(x == path or x in path.parents for x in found):
            found.append(path)
    return found + [Path(x) for x in NETWORK if Path(x).is_file()]


def enter(root: Path, paths: list[Path]) -> None:
    """Makes `root` the root of this process, which has namespaces; it shares these `paths`."""
    number = PIVOT_ROOT.get(os.uname().machine)
    if number is None:
        raise LabError(f"{os.uname().machine}: the lab runs on x86_64")
    try:
        # All mounts are copied before the first is placed, so that no copy contains another.
        copies = [(_copy(x), x) for x in paths]
        _place(_copy(root), root)
        for copy, path in copies:
            inside = root / path.relative_to("/")
            if path.is_dir():
                inside.mkdir(parents=True, exist_ok=True)
            elif not inside.is_file():
                inside.unlink(missing_ok=True)
                inside.touch()
            _place(copy, inside)
        os.chdir(root)
        _call(_libc.syscall, number, ".", ".")
        _call(_libc.umount2, ".", DETACH)
        os.chdir("/")
    except OSError as e:
        raise LabError(f"{root}: cannot become the root: {e}") from e


def _copy(path: Path) -> int:
    return _call(_libc.syscall, OPEN_TREE, HERE, str(path.resolve()), CLONE | WHOLE_TREE)


def _place(copy: int, path: Path) -> None:
    _call(_libc.syscall, MOVE_MOUNT, copy, "", HERE, str(path), FROM_DESCRIPTOR)
    os.close(copy)
