# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""`lab soak foreign`, `debian12`, `debian13`: `make demo` on a fresh machine must print the
README's table. The machine is a root folder with a copy of this checkout.

The foreign machine claims to be Ubuntu 24.04, has no address of a Debian archive, and has an
ordinary user who may use user namespaces. The packages that the README has such a user install are
there.
"""

from __future__ import annotations

import os
import pwd
import re
import shutil
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path

from .. import apt, host, root
from ..paths import OUT, TOP, LabError

FOLDER = OUT / "hosts"
USER = "rom"
UBUNTU = """PRETTY_NAME="Ubuntu 24.04 LTS"
NAME="Ubuntu"
VERSION_ID="24.04"
VERSION_CODENAME=noble
ID=ubuntu
ID_LIKE=debian
"""
# A shell script that keeps the parts of out/ that docs/hosts.md has a runner cache, for a checkout
# whose files are all new.
CACHED = """tar -cf ../cache.tar --exclude=out/root out
make distclean
test ! -e out
tar -xf ../cache.tar
find . -path ./out -prune -o -type f -exec touch {} +"""
# Paths shared with this machine.
SHARED = [Path("/proc"), Path("/sys"), Path("/dev"), Path("/etc/resolv.conf")]


@dataclass(frozen=True)
class Host:
    """A machine, named by the Debian release that it is made of."""

    release: str
    packages: tuple[str, ...] = ("make",)
    foreign: bool = False


HOSTS = {
    # The release nearest to noble's C library and Python.
    "foreign": Host("trixie", ("make", "passwd", "python3", "mmdebstrap", "uidmap",
                               "debian-archive-keyring"), foreign=True),
    "debian12": Host("bookworm"),
    "debian13": Host("trixie"),
}


def promised() -> list[str]:
    """The rows of the table that the README shows for `make demo`."""
    text = (TOP / "README.md").read_text()
    found = re.search(r"^    \$ make demo\n((?:    .*\n)+)", text, re.M)
    if found is None:
        raise LabError("README.md shows no `make demo`")
    return [" ".join(x.split()) for x in found[1].splitlines()]


def differences(printed: str) -> list[str]:
    """The rows of the README that a run of `make demo` did not print."""
    lines = {" ".join(x.split()) for x in printed.splitlines()}
    return [f"not printed: {x}" for x in promised() if x not in lines]


def _make(name: str, machine: Host) -> Path:
    folder = FOLDER / name
    if folder.exists():
        shutil.rmtree(folder)
    folder.parent.mkdir(parents=True, exist_ok=True)
    dump = apt.run(["apt-config", "dump"], "apt's")
    options = [f"--aptopt={x}" for x in host.archive_options(dump)]
    print(f"  making the machine {name} of {machine.release}", flush=True)
    apt.run(["mmdebstrap", "--mode=root", "--variant=apt", "--dpkgopt=force-unsafe-io",
             f"--include={','.join(machine.packages)}", *options, machine.release, str(folder),
             *host.sources(host.mirror(), machine.release)],
            f"making {folder}")
    home = folder / "root"
    if machine.foreign:
        (folder / "etc/apt/sources.list").unlink()
        release = folder / "etc/os-release"
        release.unlink()
        release.write_text(UBUNTU)
        apt.run(["chroot", str(folder), "useradd", "-m", USER], f"adding {USER}")
        home = folder / "home" / USER
    copy = home / "storekeeper"
    copy.mkdir()
    apt.run(["sh", "-ec", 'git -C "$1" ls-files -z | tar -C "$1" --null -T - -cf - | '
             'tar -C "$2" -xf -', "copy", str(TOP), str(copy)], f"copying the checkout to {copy}")
    if machine.foreign:
        apt.run(["chroot", str(folder), "chown", "-R", USER, f"/home/{USER}"], "giving it away")
    return folder


def _inside(folder: Path, foreign: bool) -> None:
    """Prepares the process of `make demo` before it starts."""
    root.namespaces(0, "root")
    root.enter(folder, SHARED)
    home = "/root"
    if foreign:
        user = pwd.getpwnam(USER)
        home = user.pw_dir
        os.initgroups(USER, user.pw_gid)
        os.setgid(user.pw_gid)
        os.setuid(user.pw_uid)
    os.chdir(f"{home}/storekeeper")
    for name in (host.WANTED, "STOREKEEPER_OUT", "TMPDIR"):
        os.environ.pop(name, None)
    os.environ.update(HOME=home, PATH=host.PATH)


def _demo(folder: Path, foreign: bool, log: Path, before: str = "") -> tuple[int, list[str]]:
    """Seconds, and a list of problems. `before`: shell commands run first in the checkout."""
    began = time.monotonic()
    with log.open("w") as out:
        code = subprocess.run(["sh", "-ec", f"{before}\nmake demo"], stdin=subprocess.DEVNULL,
                              stdout=out, stderr=subprocess.STDOUT, check=False,
                              preexec_fn=lambda: _inside(folder, foreign)).returncode
    bad = [f"`make demo` ended with {code}; see {log}"] if code else differences(log.read_text())
    return round(time.monotonic() - began), bad


def run(kind: str, _: int) -> dict:
    if os.geteuid():
        raise LabError(f"{kind}: a machine of many users is made by root; run as root")
    machine = HOSTS[kind]
    folder = _make(kind, machine)
    log = FOLDER / f"{kind}.log"
    print(f"  make demo as {USER if machine.foreign else 'root'}; what it prints is in {log}",
          flush=True)
    seconds, bad = _demo(folder, machine.foreign, log)
    figures = {"seconds": seconds, "bad": bad}
    if machine.foreign and not bad:
        log = FOLDER / f"{kind}-cached.log"
        print(f"  make demo in a new checkout with the cache of out/: {log}", flush=True)
        figures["cached_seconds"], bad = _demo(folder, machine.foreign, log, CACHED)
        figures["bad"] += [f"cached: {x}" for x in bad]
    return figures


def line(kind: str, figures: dict) -> str:
    verdict = f"{len(figures['bad'])} rows differ" if figures["bad"] else "the README's table"
    cached = (f", {figures['cached_seconds']} s with a cache" if "cached_seconds" in figures
              else "")
    return f"{kind:<10}{figures['seconds']:>9} s from nothing{cached}   {verdict}"
