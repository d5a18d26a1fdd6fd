# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""The lab's place of work on each kind of machine; `lab/lab soak foreign` tests it all on one."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import LAB, OUT, TOP, lab

from labtool import host, root
from labtool.bench import hosts
from labtool.host import Machine
from labtool.paths import LabError

BOOKWORM = 'PRETTY_NAME="Debian GNU/Linux 12 (bookworm)"\nID=debian\nVERSION_CODENAME=bookworm\n'
TRIXIE = 'PRETTY_NAME="Debian GNU/Linux 13 (trixie)"\nVERSION_CODENAME=trixie\nID="debian"\n'
FORKY = 'PRETTY_NAME="Debian GNU/Linux forky/sid"\nVERSION_CODENAME=forky\nID=debian\n'
FEDORA = 'NAME="Fedora Linux"\nID=fedora\nPRETTY_NAME="Fedora Linux 42"\n'
NOBLE = hosts.UBUNTU
APT = frozenset({"apt-get"})
SUDO = APT | {"sudo"}
TOOLS = APT | {"mmdebstrap", "newuidmap", "newgidmap"}


@pytest.mark.parametrize(("machine", "why"), [
    (Machine(BOOKWORM, 0, APT), ""),
    (Machine(BOOKWORM, 1000, SUDO), ""),
    (Machine(TRIXIE, 0, APT), "Debian GNU/Linux 13 (trixie) builds other figures than Debian 12"),
    (Machine(TRIXIE, 0, APT, wanted="0"), ""),
    (Machine(TRIXIE, 1000, APT, wanted="0"), "there is neither root nor sudo"),
    (Machine(NOBLE, 0, APT, wanted="0"), "Ubuntu 24.04 LTS is not Debian 12 or 13"),
    (Machine(BOOKWORM, 1000, APT, complete=True), ""),
    (Machine(BOOKWORM, 1000, APT), "there is neither root nor sudo"),
    (Machine(BOOKWORM, 0), "apt-get is not installed"),
    (Machine(BOOKWORM, 0, APT, wanted="1"), "STOREKEEPER_OWN_ROOT is set"),
    (Machine(FORKY, 0, APT), "Debian GNU/Linux forky/sid is not Debian 12 or 13"),
    (Machine(NOBLE, 0, SUDO), "Ubuntu 24.04 LTS is not Debian 12 or 13"),
    (Machine(NOBLE, 1000, SUDO, complete=True), "Ubuntu 24.04 LTS is not"),
    (Machine(FEDORA, 1000), "Fedora Linux 42 is not"),
    (Machine("", 0, APT), "an unnamed system is not"),
])
def test_only_debian_12_with_root_sudo_or_nothing_to_install_needs_no_root(
        machine: Machine, why: str) -> None:
    assert why in host.reason(machine)
    assert bool(why) == bool(host.reason(machine))


@pytest.mark.parametrize(("machine", "error"), [
    (Machine(NOBLE, 1000, TOOLS, keyring=True), ""),
    (Machine(NOBLE, 0, APT | {"mmdebstrap"}, keyring=True), ""),
    (Machine(NOBLE, 1000, APT, keyring=True),
     "a Debian root needs mmdebstrap, newuidmap, newgidmap; run `sudo apt-get install mmdebstrap "
     "uidmap`"),
    (Machine(NOBLE, 0, APT | {"mmdebstrap"}),
     "a Debian root needs /usr/share/keyrings/debian-archive-keyring.gpg; run `sudo apt-get "
     "install debian-archive-keyring`"),
    (Machine(FEDORA, 0, keyring=True), "a Debian root needs mmdebstrap, apt-get; install this "
     "system's packages for it (Debian's are mmdebstrap, apt)"),
])
def test_a_refusal_names_the_missing_part_and_the_command_that_installs_it(machine: Machine,
                                                                           error: str) -> None:
    assert host.refusal(machine) == error


@pytest.mark.parametrize(("text", "found"), [
    ("other:1:65536\nrom:100000:65536\n", (100000, 65536)),
    ("1000:200000:65536\n", (200000, 65536)),
    ("rom:100000:1000\nrom:300000:65536\n", (300000, 65536)),
    ("rom:100000:1000\n", None),
    ("romeo:100000:65536\n# rom:100000:65536\n", None),
    ("", None),
])
def test_a_range_is_the_user_s_and_holds_all_users_of_debian(
        text: str, found: tuple[int, int] | None) -> None:
    assert root.subordinate(text, "rom", 1000) == found


def test_a_range_to_add_is_nobody_s() -> None:
    assert root.unused("") == "100000-165535"
    assert root.unused("a:100000:65536\nb:231072:65536\nc:165536:65536\n") == "296608-362143"


@pytest.mark.parametrize(("uid", "limits", "step"), [
    (1000, {root.APPARMOR: "1"}, "sudo sysctl kernel.apparmor_restrict_unprivileged_userns=0"),
    (1000, {root.APPARMOR: "0", root.ROOT_ALONE: "0"},
     "sudo sysctl kernel.unprivileged_userns_clone=1"),
    (1000, {root.MAX_COUNT: "0"}, "sudo sysctl user.max_user_namespaces=15000"),
    (1000, {root.APPARMOR: "0"}, "user namespaces (Operation not permitted); in a container"),
    (0, {root.APPARMOR: "1"}, "mounts (Operation not permitted); in a container"),
])
def test_a_refusal_has_a_next_step(uid: int, limits: dict[str, str], step: str) -> None:
    assert step in root.refusal(errno.EPERM, uid, limits)


def test_archives_are_signed_and_a_mirror_s_security_suite_is_not_guessed() -> None:
    lines = host.sources("http://mirror.example/debian")
    assert [x.split()[3] for x in lines] == ["bookworm", "bookworm-updates"]
    assert all(x.startswith(f"deb [signed-by={host.apt.KEYRING}] http") for x in lines)


def test_without_a_mirror_mmdebstrap_chooses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("STOREKEEPER_MIRROR", raising=False)
    monkeypatch.setattr(host.apt, "mirror", nothing_named)
    assert host.sources(host.mirror()) == []


def nothing_named() -> str:
    raise LabError("apt has no source")


def test_a_proxy_of_apt_goes_along_and_no_trust_does() -> None:
    dump = """Acquire::http "";
Acquire::http::Proxy "http://proxy.example:3128";
Acquire::https::Proxy::mirror.example "DIRECT";
Acquire::AllowInsecureRepositories "1";
Acquire::Check-Valid-Until "false";
Acquire::Retries "3";
APT::Get::AllowUnauthenticated "1";
Dir::Cache::pkgcache "";
"""
    assert [x.split()[0] for x in host.archive_options(dump)] == [
        "Acquire::http::Proxy", "Acquire::https::Proxy::mirror.example",
        "Acquire::Check-Valid-Until", "Acquire::Retries"]


def test_the_environment_names_the_root_s_programs_and_certificates() -> None:
    inside = host.inside({"PATH": "/home/rom/.pyenv/shims", "LD_LIBRARY_PATH": "/x", "LANG": "C",
                          "PYTHONPATH": "/x", "https_proxy": "http://proxy.example",
                          "PIP_CERT": "/srv/ours.pem", host.WANTED: "1"})
    assert inside == {"PATH": host.PATH, "LANG": "C", "https_proxy": "http://proxy.example",
                      "PIP_CERT": "/etc/ssl/certs/ca-certificates.crt", "LC_ALL": "C.UTF-8"}


ENTER = """
import os, sys
from pathlib import Path
from labtool import root
root.namespaces(os.geteuid(), "root")
root.enter(Path(sys.argv[1]), root.shared([Path(sys.argv[2])]))
os.execv("/busybox", ["sh", "-c", sys.argv[3]])
"""


@pytest.mark.skipif(os.geteuid() != 0, reason="an ordinary user needs a range of numbers")
def test_a_process_goes_on_in_a_root_that_shares_what_is_not_the_distribution_s(
        tmp_path: Path) -> None:
    top = tmp_path / "root"
    (top / "etc").mkdir(parents=True)
    (top / "etc/os-release").write_text("inside\n")
    (top / "busybox").write_bytes((OUT / "sysroot/bin/busybox").read_bytes())
    (top / "busybox").chmod(0o755)
    shared = tmp_path / "shared"
    shared.mkdir()
    script = f"""echo $$ >{shared}/pid; read line </etc/os-release; echo $line
echo >/dev/null && test -r /proc/1/status && echo devices
test -e /usr/bin/python3 || echo "nothing of outside"
test -e {top}/proc/1 || echo "a copy has no mounts"
exit 7"""
    process = subprocess.Popen([sys.executable, "-B", "-c", ENTER, str(top), str(shared), script],
                               text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                               env={**os.environ, "PYTHONPATH": str(TOP / "lab")})
    out, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (7, "")
    assert out.splitlines() == ["inside", "devices", "nothing of outside", "a copy has no mounts"]
    assert (shared / "pid").read_text() == f"{process.pid}\n"
    mounted = Path("/proc/self/mountinfo").read_text()
    assert str(top) not in mounted


def test_setup_without_a_possible_root_ends_with_one_line(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, str(LAB), "setup"], text=True, capture_output=True, timeout=60,
        env={"PATH": str(tmp_path), "STOREKEEPER_OUT": str(tmp_path / "out"), host.WANTED: "1"})
    assert done.returncode == 1
    assert done.stderr.startswith("lab: STOREKEEPER_OWN_ROOT is set, and a Debian root needs mm")
    assert len(done.stderr.splitlines()) == 1


def test_a_command_runs_where_the_lab_works() -> None:
    result = lab("host", "--", "sh", "-c", "echo said; exit 7")
    assert (result.code, result.out) == (7, "said\n")
    result = lab("host", "--", "no-such-program")
    assert (result.code, result.err) == (1, "lab: no-such-program: No such file or directory\n")


def test_a_row_that_is_not_the_readme_s_is_found() -> None:
    rows = hosts.promised()
    assert len(rows) == 7
    printed = "\n".join(["  [ 1.0 s] phone A: x", *rows])
    assert hosts.differences(printed) == []
    another = rows[1].replace("(", "(1", 1)
    assert hosts.differences(printed.replace(rows[1], another)) == [f"not printed: {rows[1]}"]
