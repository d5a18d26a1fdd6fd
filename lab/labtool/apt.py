# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""Debian packages: some installed with the machine's own apt, others only unpacked below out/.

Packages of suites that the machine does not use are looked up through a private apt list, so
neither the machine's sources nor its installed packages change. The mirror is the one that the
machine's own apt configuration names.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

from .paths import OUT, LabError

KEYRING = Path("/usr/share/keyrings/debian-archive-keyring.gpg")
# The suite of each release that has Android 14's tools, kernel 6.12 and QEMU 10.
TOOL_SUITE = {"bookworm": "bookworm-backports", "trixie": "trixie"}


def run(cmd: list[str], what: str, cwd: Path | None = None) -> str:
    """Runs `cmd` and returns its standard output; on failure raises with its last line."""
    try:
        done = subprocess.run(cmd, cwd=cwd, text=True, capture_output=True,
                              stdin=subprocess.DEVNULL)
    except FileNotFoundError as e:
        raise LabError(f"{what}: {cmd[0]} is not installed; apt-get install it") from e
    if done.returncode:
        printed = [x for x in (done.stderr + done.stdout).splitlines() if x.strip()]
        errors = [x for x in printed if x.startswith(("E:", "error"))]
        errors = errors or printed[-1:] or ["no message"]
        raise LabError(f"{what}: `{' '.join(cmd[:3])} ...` failed: {errors[0]}")
    return done.stdout


def debian(os_release: str) -> str:
    """The code name in an /etc/os-release of Debian; empty for any other distribution."""
    named = re.search(r"^VERSION_CODENAME=\"?(\w+)", os_release, re.M)
    return named[1] if named and re.search(r"^ID=\"?debian\"?$", os_release, re.M) else ""


def codename() -> str:
    """The Debian release this machine runs."""
    release = debian(Path("/etc/os-release").read_text())
    if not release:
        raise LabError("this is not a Debian release with a code name; use Debian 12 or 13")
    return release


def mirror() -> str:
    """The archive address that the machine's own apt uses for its release."""
    targets = run(
        ["apt-get", "indextargets", "Created-By: Packages", "--format",
         "$(REPO_URI) $(RELEASE) $(COMPONENT)"], "reading apt's sources")
    for line in targets.splitlines():
        uri, release, component = line.split(" ")
        if release == codename() and component == "main":
            return uri
    raise LabError(f"apt has no source with '{codename()} main'; add one to "
                   "/etc/apt/sources.list.d")


def as_root(cmd: list[str]) -> list[str]:
    if os.geteuid() == 0:
        return cmd
    if not shutil.which("sudo"):
        raise LabError(f"`{' '.join(cmd[:4])} ...` needs root; run as root, install sudo "
                       "or set STOREKEEPER_OWN_ROOT=1")
    return ["sudo", *cmd]


def missing(packages: list[str]) -> list[str]:
    """The members of `packages` that are not installed."""
    done = subprocess.run(
        ["dpkg-query", "-W", "-f", "${Package} ${db:Status-Status}\n", *packages],
        text=True, capture_output=True)
    have = {x.split()[0] for x in done.stdout.splitlines() if x.endswith(" installed")}
    return [p for p in packages if p not in have]


def install(packages: list[str]) -> None:
    """Installs the missing members of `packages` from the machine's own suites."""
    want = missing(packages)
    if not want:
        return
    print(f"  installing {' '.join(want)}", flush=True)
    apt = as_root(["env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-qq"])
    run([*apt, "update"], "refreshing apt's lists")
    run([*apt, "install", "-y", "--no-install-recommends", *want],
        f"installing {' '.join(want)} (does this release lack a package?)")


def link(old: Path, new: Path) -> None:
    """Links a path from before the merge of / and /usr to its place in later releases' packages."""
    if not old.exists():
        old.symlink_to(new.relative_to(old.parent))


class Suites:
    """A private view of some suites of the machine's mirror.

    `architecture` names one that the machine does not run. Nothing counts as installed then, so
    closure() returns all packages that a program of it needs; there are no sources."""

    def __init__(self, suites: list[str], architecture: str | None = None) -> None:
        self.suites = suites
        self.debs = OUT / "debs"
        root = OUT / "apt" / "+".join(suites)
        if architecture:
            root = root.with_name(f"{root.name}-{architecture}")
        lists = root / "lists"
        for folder in (lists / "partial", root / "cache/archives/partial", self.debs):
            folder.mkdir(parents=True, exist_ok=True)
        sources = root / "sources.list"
        # Only this index is read; desktop programs add others, such as catalogues, to apt's own.
        lines = [f"deb [signed-by={KEYRING} target=Packages] {mirror()} {s} main" for s in suites]
        if not architecture:
            lines += [f"deb-src [signed-by={KEYRING}] {mirror()} {s} main" for s in suites]
        sources.write_text("\n".join([*lines, ""]))
        self.options = [
            "-o", f"Dir::Etc::sourcelist={sources}", "-o", "Dir::Etc::sourceparts=/dev/null",
            "-o", f"Dir::State::lists={lists}", "-o", f"Dir::Cache={root / 'cache'}",
            "-o", "Dir::Etc::preferencesparts=/dev/null",
            "-o", "Dir::Etc::preferences=/dev/null", "-o", "APT::Sandbox::User=root",
            "-o", "Acquire::Languages=none",
        ]
        if architecture:
            status = root / "status"
            status.touch()
            self.options += ["-o", f"APT::Architecture={architecture}",
                             "-o", f"APT::Architectures::={architecture}",
                             "-o", f"Dir::State::status={status}"]

    def refresh(self) -> None:
        run(["apt-get", "-qq", *self.options, "update"],
            f"reading the suites {', '.join(self.suites)} from the mirror")

    def depends(self, package: str, suite: str) -> list[str]:
        """Names that `package` of `suite` depends on directly."""
        text = run(["apt-cache", *self.options, "show", f"{package}/{suite}"],
                   f"looking up {package} in {suite}")
        found = re.search(r"^Depends: (.*)$", text, re.M)
        if not found:
            raise LabError(f"{package} in {suite} names no dependency; has the suite moved on?")
        return [re.sub(r"[ (:].*", "", x.strip()) for x in found.group(1).split(",")]

    def closure(self, packages: list[str], suite: str) -> list[str]:
        """Packages that apt would add to this machine for `packages`, as name=version."""
        text = run(["apt-get", *self.options, "install", "-s", "--no-install-recommends",
                    "-t", suite, *packages], f"resolving packages of {suite}")
        found = re.findall(r"^Inst (\S+) (?:\[\S+\] )?\((\S+)", text, re.M)
        return [f"{name}={version}" for name, version in found]

    def unpack(self, specs: list[str], into: Path, only: tuple[str, ...] = ()) -> None:
        """Downloads packages (name/suite or name=version) once and unpacks them into a folder;
        with `only`, just these files of each."""
        done = into / ".unpacked"
        have = set(done.read_text().split()) if done.exists() else set()
        want = [s for s in specs if s not in have]
        if not want:
            return
        fetched = self.debs / "fetch"
        shutil.rmtree(fetched, ignore_errors=True)
        fetched.mkdir(parents=True)
        run(["apt-get", "-qq", *self.options, "download", *want],
            f"downloading {' '.join(want)} (has the suite moved on?)", cwd=fetched)
        into.mkdir(parents=True, exist_ok=True)
        for deb in sorted(fetched.glob("*.deb")):
            run(["sh", "-ec", 'deb=$1 into=$2; shift 2; dpkg-deb --fsys-tarfile "$deb" | '
                 'tar -xf - -C "$into" "$@"', "unpack", str(deb), str(into),
                 *(f"./{file}" for file in only)], f"unpacking {deb.name}")
        shutil.rmtree(fetched)
        done.write_text("\n".join(sorted(have | set(want))) + "\n")

    def source(self, package: str, suites: list[str], into: Path) -> Path:
        """Unpacks a Debian source package of the first suite that still has it, patches applied."""
        problems = []
        for suite in suites:
            try:
                return self._source(package, suite, into)
            except LabError as e:
                problems.append(str(e))
        raise LabError("; ".join(problems))

    def _source(self, package: str, suite: str, into: Path) -> Path:
        text = run(["apt-cache", *self.options, "showsrc", "--only-source", package],
                   f"looking up the source of {package}")
        versions = re.findall(r"^Version: (\S+)$", text, re.M)
        listed = run(["apt-get", *self.options, "source", "--print-uris", f"{package}/{suite}"],
                     f"looking up the source of {package} in {suite}")
        dsc = re.search(r" (\S+)\.dsc ", listed)
        if not versions or not dsc:
            raise LabError(f"{suite} has no source package {package}; has the suite moved on?")
        upstream = re.sub(r"^\d+:|-[^-]*$", "", dsc.group(1).split("_", 1)[1])
        folder = into / f"{package}-{upstream}"
        if (folder / ".unpacked").exists():
            return folder
        shutil.rmtree(folder, ignore_errors=True)
        fetched = self.debs / f"source-{package}"
        shutil.rmtree(fetched, ignore_errors=True)
        fetched.mkdir(parents=True)
        into.mkdir(parents=True, exist_ok=True)
        run(["apt-get", "-qq", *self.options, "source", "--download-only", f"{package}/{suite}"],
            f"downloading the source of {package} from {suite}", cwd=fetched)
        dscs = list(fetched.glob("*.dsc"))
        run(["dpkg-source", "--no-check", "-x", str(dscs[0]), str(folder)],
            f"unpacking the source of {package}")
        shutil.rmtree(fetched)
        for link in into.glob(f"{package}_*.orig.tar*"):
            link.unlink()
        (folder / ".unpacked").touch()
        return folder
