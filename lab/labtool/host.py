# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""Chooses the lab's root: this machine if it is Debian 12, otherwise a Debian 12 root, out/root.

The root is made once by mmdebstrap from the machine's mirror, and each lab command enters it
first. This file must run on Pythons older than Debian 12's.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import pwd
import re
import shlex
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path

from . import apt, root
from .paths import OUT, TOP, LabError

FOLDER = OUT / "root"
RELEASE = "bookworm"
# Packages that a root needs in addition to those of `lab setup`.
PACKAGES = ["ca-certificates", "git", "make", "procps", "python3"]
# A file written last, with the root's recipe: its presence shows that the root is complete.
STAMP = "etc/storekeeper-root"
RECIPE = hashlib.sha256(" ".join([RELEASE, *PACKAGES]).encode()).hexdigest()
WANTED = "STOREKEEPER_OWN_ROOT"
PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
# An option for the root's apt: installed packages need not stay as files.
FORGET = 'APT::Keep-Downloaded-Packages "false";'
# Options of the machine's apt that say how to reach an archive, copied into the root.
REACH = re.compile(r'Acquire::(?:https?::[^ ]+|Check-[\w-]+|Retries|ForceIPv[46]) "[^"]+";')
# Certificate bundles of distributions; environment variables may name others.
BUNDLES = ["/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt",
           "/etc/ssl/ca-bundle.pem", "/etc/ssl/cert.pem"]
BUNDLE_VARIABLES = ["CURL_CA_BUNDLE", "GIT_SSL_CAINFO", "PIP_CERT", "REQUESTS_CA_BUNDLE",
                    "SSL_CERT_FILE"]


@dataclass(frozen=True)
class Machine:
    """The facts about this machine that decide. `programs`: the available ones of apt-get, sudo
    and the programs that make a root."""

    os_release: str
    uid: int
    programs: frozenset[str] = frozenset()
    keyring: bool = False
    # True if nothing is left to install.
    complete: bool = False
    # The value of WANTED: "1", use a root; "0", use none on Debian 13; empty: as the figures need.
    wanted: str = ""

    def name(self) -> str:
        found = re.search(r'^PRETTY_NAME="?([^"\n]+)', self.os_release, re.M)
        return found[1] if found else "an unnamed system"

    def debian_like(self) -> bool:
        return bool(re.search(r"^ID(?:_LIKE)?=.*\b(?:debian|ubuntu)\b", self.os_release, re.M))

    def may_install(self) -> bool:
        return not self.uid or "sudo" in self.programs


def reason(machine: Machine) -> str:
    """Why the lab needs a root of its own; empty: it works on the machine itself."""
    release = apt.debian(machine.os_release)
    if machine.wanted == "1":
        return f"{WANTED} is set"
    if release not in apt.TOOL_SUITE:
        return f"{machine.name()} is not Debian 12 or 13"
    if release != RELEASE and machine.wanted != "0":
        return f"{machine.name()} builds other figures than Debian 12"
    if "apt-get" not in machine.programs:
        return "apt-get is not installed"
    if not machine.may_install() and not machine.complete:
        return "packages are missing, and there is neither root nor sudo to install them"
    return ""


def lacking(machine: Machine) -> tuple[list[str], list[str]]:
    """The missing prerequisites of a root, and their packages on Debian and Ubuntu."""
    needed = {"mmdebstrap": "mmdebstrap", "apt-get": "apt"}
    if machine.uid:
        needed.update({"newuidmap": "uidmap", "newgidmap": "uidmap"})
    missing = [x for x in needed if x not in machine.programs]
    packages = list(dict.fromkeys(needed[x] for x in missing))
    if not machine.keyring:
        missing.append(str(apt.KEYRING))
        packages.append("debian-archive-keyring")
    return missing, packages


def refusal(machine: Machine) -> str:
    """Why no root can be made, with the next step; empty if one can."""
    missing, packages = lacking(machine)
    if not missing:
        return ""
    step = (f"run `sudo apt-get install {' '.join(packages)}`" if machine.debian_like() else
            f"install this system's packages for it (Debian's are {', '.join(packages)})")
    return f"a Debian root needs {', '.join(missing)}; {step}"


def this_machine() -> Machine:
    release = Path("/etc/os-release")
    text = release.read_text() if release.exists() else ""
    uid = os.geteuid()
    programs = frozenset(x for x in ("apt-get", "sudo", "mmdebstrap", "newuidmap", "newgidmap")
                         if shutil.which(x))
    complete = False
    if uid and apt.debian(text) in apt.TOOL_SUITE and "apt-get" in programs:
        from . import setup
        complete = not apt.missing(setup.BUILD_TOOLS + setup.CHECK_TOOLS)
    return Machine(text, uid, programs, apt.KEYRING.exists(), complete,
                   os.environ.get(WANTED, ""))


def mirror() -> str:
    """The address of Debian's archive in this machine's configuration; empty if it names none."""
    given = os.environ.get("STOREKEEPER_MIRROR")
    if given:
        return given
    try:
        return apt.mirror()
    except LabError:
        return ""


def sources(archive: str, release: str = RELEASE) -> list[str]:
    """Archive arguments of mmdebstrap, which has a default archive. The security suite's mirror
    has another address, which cannot be derived from this one."""
    if not archive:
        return []
    return [f"deb [signed-by={apt.KEYRING}] {archive} {suite} main"
            for suite in (release, f"{release}-updates")]


def archive_options(dump: str) -> list[str]:
    """The lines of `apt-config dump` that say how an archive is reached."""
    return [x for x in dump.splitlines() if REACH.fullmatch(x)]


def certificates(env: dict[str, str]) -> list[Path]:
    """The certificate files that this machine trusts, each once."""
    named = [x for x in BUNDLES if Path(x).is_file()][:1]
    named += [env[x] for x in BUNDLE_VARIABLES if Path(env.get(x, "")).is_file()]
    return [Path(x) for x in dict.fromkeys(named)]


def inside(env: dict[str, str]) -> dict[str, str]:
    """The environment of a command in the root: the machine's, without variables that name
    programs."""
    kept = {k: v for k, v in env.items()
            if not k.startswith(("LD_", "PYTHON", "PERL")) and k != WANTED}
    kept.update({x: BUNDLES[0] for x in BUNDLE_VARIABLES if x in env})
    kept.pop("SSL_CERT_DIR", None)
    return {**kept, "PATH": PATH, "LC_ALL": "C.UTF-8"}


def ready() -> bool:
    stamp = FOLDER / STAMP
    return stamp.exists() and stamp.read_text() == RECIPE


def make() -> None:
    """Makes the root with mmdebstrap. This process has the namespaces for it."""
    new = FOLDER.with_name("root.new")
    print(f"  making a Debian root ({RELEASE}) in {FOLDER}", flush=True)
    _remove(new)
    _remove(FOLDER)
    options = ["--mode=root", "--variant=apt", f"--include={','.join(PACKAGES)}",
               "--dpkgopt=force-unsafe-io", f"--customize-hook=echo '{FORGET}' "
               '>"$1/etc/apt/apt.conf.d/90storekeeper"']
    dump = apt.run(["apt-config", "dump"], "reading apt's settings")
    options += [f"--aptopt={line}" for line in archive_options(dump)]
    trusted = certificates(dict(os.environ))
    if trusted:
        bundle = OUT / "trusted.crt"
        bundle.write_bytes(b"\n".join(x.read_bytes() for x in trusted))
        options += [f"--customize-hook=cp {shlex.quote(str(bundle))} "
                    '"$1/usr/local/share/ca-certificates/host.crt"',
                    '--customize-hook=chroot "$1" update-ca-certificates']
    apt.run(["mmdebstrap", *options, RELEASE, str(new), *sources(mirror())],
            f"making {FOLDER}")
    (new / STAMP).write_text(RECIPE)
    new.rename(FOLDER)


def _remove(folder: Path) -> None:
    if folder.exists():
        try:
            shutil.rmtree(folder)
        except OSError as e:
            raise LabError(f"{folder}: cannot be removed: {e}") from e


def _prepare(machine: Machine, why: str) -> None:
    """Installs the programs that make a root, where that is allowed."""
    if machine.debian_like() and "apt-get" in machine.programs and machine.may_install():
        apt.install(lacking(machine)[1])
        machine = this_machine()
    problem = refusal(machine)
    if problem:
        raise LabError(f"{why}, and {problem}")


def _run_here_or_in_root(words: list[str]) -> None:
    machine = this_machine()
    try:
        user = pwd.getpwuid(machine.uid).pw_name
    except KeyError:
        user = str(machine.uid)
    if words == ["host", "--remove"]:
        root.namespaces(machine.uid, user)
        _remove(FOLDER.with_name("root.new"))
        _remove(FOLDER)
        sys.exit(0)
    why = reason(machine)
    if not why:
        return
    try:
        OUT.mkdir(parents=True, exist_ok=True)
        lock = (OUT / "root.lock").open("w")
    except OSError as e:
        raise LabError(f"{OUT}: {e.strerror}; set STOREKEEPER_OUT to a folder of one's own") from e
    with lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        made = ready()
        owner = FOLDER.stat().st_uid if made else machine.uid
        if owner != machine.uid:
            raise LabError(f"{FOLDER} belongs to uid {owner}, and this is uid {machine.uid}; work "
                           "as that user, or set STOREKEEPER_OUT to another folder")
        if not made:
            _prepare(machine, why)
        root.namespaces(machine.uid, user)
        if not made:
            make()
    # A service's home, such as a CI runner's, is below /var, which is not shared; other homes are.
    home = Path(os.environ.get("HOME", "/"))
    homes = [home] if home.parts[1:2] == ("var",) and len(home.parts) > 2 else []
    cwd = Path.cwd()
    root.enter(FOLDER, root.shared([TOP, OUT, *homes]))
    os.chdir(cwd if cwd.is_dir() else TOP)
    os.execve("/usr/bin/python3", ["python3", str(TOP / "lab/lab"), *words],
              inside(dict(os.environ)))


def run_here_or_in_root(words: list[str]) -> None:
    """Returns if the lab works on the machine itself; otherwise continues this command in the
    root."""
    before = words[:words.index("--")] if "--" in words else words
    if not words or {"-h", "--help"} & set(before):
        return
    try:
        _run_here_or_in_root(words)
    except LabError as e:
        print(f"lab: {e}", file=sys.stderr)
        sys.exit(1)
