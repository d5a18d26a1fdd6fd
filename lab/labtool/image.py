# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""The guest's initramfs: a base that all runs share and a small second archive for each run."""

from __future__ import annotations

import hashlib
import re
import shlex
import subprocess
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from . import android, disks, elf, kmodules
from .cpio import Archive
from .kernels import DEFAULT, Kernel
from .once import make_once
from .paths import ANDROID_LIBS, AOSP, BUILD, GUEST, LAB, OUT, SYSROOT, TOP, USERLAND, LabError
from .profiles import MODULES, Crypto, Profile

LIBRARIES = "lib/x86_64-linux-gnu"
# Modules that every guest loads, in this order; those of its disk follow.
ALWAYS = ["i6300esb", "crc32c_generic", "crc32c_intel", "ext4", "binder_linux", "evdev", "vphone"]
NETWORK = ["virtio_pci", "virtio_net"]
# Modules of a phone that may encrypt: dm-crypt, AF_ALG and NETLINK_CRYPTO need them. The models
# follow once the card exists. essiv needs sha256-generic; the null cipher shows the cost of calls
# alone.
CRYPTO = ["aesni_intel", "cbc", "ecb", "ctr", "xts", "essiv", "sha256_generic", "crypto_null",
          "dm_mod", "dm_crypt", "algif_skcipher", "crypto_user"]
CRYPTO_MODELS = ["vqcrypto_cpu"]
CRYPTO_ENGINE = ["qcrypto"]
# Debian's programs that the guest gets unchanged.
HOST_PROGRAMS = ["sfdisk", "mke2fs", "e2fsck"]
CRYPTO_PROGRAM = "dmsetup"
# Modules and programs that /data's file system needs in addition to ext4's.
FILE_SYSTEM_MODULES = {"ext4": [], "f2fs": ["crc32_generic", "f2fs"]}
FILE_SYSTEM_PROGRAMS = {"ext4": [], "f2fs": ["mkfs.f2fs"]}
# busybox's own sh prefers its applets to programs in PATH, so it cannot be the guest's shell.
SHELL = "dash"
# A report-only product has this instead of storekeeperd_trim.rc; test_selinux.py tests it.
REPORT_ONLY_RC = "storekeeperd_report_only.rc"
GUEST_PROGRAMS = ("lab-init", "lab-adbd", "lab-age", "lab-command", "lab-wait-property",
                  "watchdogd")
SERVICE_PROGRAMS = ["storekeeperd", "storekeeper_bench", "storekeeper_crypto_early",
                    "storekeeper_extcsd"]


@dataclass
class Run:
    """The parameters of one run's guest, added to the base."""

    profile: Profile
    kernel: Kernel = DEFAULT
    measure: bool = False
    network: bool = False
    properties: dict[str, str] = field(default_factory=dict)
    files: list[tuple[Path, str]] = field(default_factory=list)
    modules: list[str] = field(default_factory=list)  # in addition to those of every run
    command: list[str] = field(default_factory=list)
    timeout: int = 0
    get: list[str] = field(default_factory=list)
    # Seconds of guest time; None: the default of the mode.
    heartbeat: int | None = None


def _built(path: Path) -> Path:
    if not path.exists():
        raise LabError(f"{path} is not built; run `lab/lab build`")
    return path


def _stripped(path: Path) -> Path:
    """Our own program without its debug information, which carries this machine's paths.

    Paths would change a measurement: a longer file, a longer boot.
    """
    info = path.stat()
    copy = GUEST / "stripped" / f"{path.name}-{info.st_mtime_ns:x}-{info.st_size:x}"
    return make_once(copy, f"{path.name}-*-*", lambda fresh: subprocess.run(
        ["strip", "--strip-all", "--remove-section=.note.gnu.build-id", "-o", str(fresh),
         str(path)], check=True))


def host_program(name: str) -> Path:
    for folder in ("usr/sbin", "sbin", "usr/bin", "bin"):
        path = USERLAND / folder / name
        if path.exists():
            return path
    raise LabError(f"{name} is not below {USERLAND}; run `lab/lab setup`")


def _applets(box: Path, *options: str) -> list[str]:
    """The applet names of a multi-call program."""
    env = {"LD_LIBRARY_PATH": f"{ANDROID_LIBS}:{SYSROOT / 'usr/lib/x86_64-linux-gnu'}"}
    done = subprocess.run([str(box), *options], capture_output=True, text=True, env=env)
    if done.returncode:
        raise LabError(f"{box} does not run: {done.stderr.strip()}")
    return [x for x in done.stdout.split() if x != "["]


def _box(name: str) -> Path:
    for folder in ("bin", "usr/bin"):
        if (path := SYSROOT / folder / name).exists():
            return path
    raise LabError(f"{name} is not below {SYSROOT}; run `lab/lab setup`")


def _programs() -> dict[str, Path]:
    """Guest path and source of every program in the base."""
    init = BUILD / "lab-init"
    service = BUILD / "guest"
    found = {f"system/bin/{n}": host_program(n) for n in HOST_PROGRAMS}
    found["system/bin/sh"] = host_program(SHELL)
    found["system/bin/toybox"] = _box("toybox")
    found["system/xbin/busybox"] = _box("busybox")
    found["system/bin/adbd"] = SYSROOT / "usr/lib/android-sdk/platform-tools/adbd"
    found["system/bin/fio"] = OUT / "fio/fio"
    for name in GUEST_PROGRAMS:
        found[f"system/bin/{name}"] = _stripped(_built(init / name))
    for name in ("servicemanager", "dumpsys", "cmd", "service", "getprop", "setprop"):
        found[f"system/bin/{name}"] = AOSP / "bin" / name
    for name in SERVICE_PROGRAMS:
        found[f"system_ext/bin/{name}"] = _stripped(_built(service / name))
    return {guest: _built(path) for guest, path in found.items()}


def _add_libraries(archive: Archive, programs: Iterable[Path], extra: Iterable[Path] = ()) -> None:
    """Puts the programs' libraries into the one folder that the loader searches by default."""
    for name, path in elf.closure(programs, extra).items():
        if name != elf.LOADER and f"{LIBRARIES}/{name}" not in archive:
            archive.program(f"{LIBRARIES}/{name}", path)


def _add_modules(archive: Archive, names: Iterable[str], kernel: Kernel) -> None:
    for module in kmodules.load_order(names, kernel):
        archive.file(f"lib/modules/{module}.ko", kmodules.content(module, kernel))


def _config() -> str:
    """The product's configuration, except that a policy run does not wait for a restart: most
    guests boot once, and that boot must show a whole run. test_canary.py tests the wait."""
    config = (TOP / "system-service/etc/default.json").read_text()
    waits, count = re.subn(r'("canary_restart_s" : )\d+', r"\g<1>0", config)
    if count != 1:
        raise LabError("system-service/etc/default.json has no canary_restart_s")
    return waits


def _base(kernel: Kernel) -> Archive:
    archive = Archive()
    guest = LAB / "guest"
    for folder in ("proc", "sys", "dev", "run", "data", "cache", "mnt", "lab",
                   "system_ext/etc/init", "system_ext/etc/storekeeper",
                   "system_ext/etc/storekeeper/fio"):
        archive.folder(folder)
    archive.folder("tmp", 0o1777)
    # The kernel opens /dev/console before /init runs.
    archive.device("dev/console", 5, 1)
    first_stage = guest / "scripts/first-stage.sh"
    archive.file("init", first_stage.read_bytes(), 0o755)
    archive.file("lab.rc", (guest / "lab.rc").read_bytes())
    for name in ("passwd", "group", "mke2fs.conf"):
        archive.file(f"etc/{name}", (guest / "etc" / name).read_bytes())
    archive.file("system/build.prop", (guest / "etc/build.prop").read_bytes())
    for rc in sorted((TOP / "init-rc").glob("*.rc")):
        if rc.name != REPORT_ONLY_RC:
            archive.file(f"system_ext/etc/init/{rc.name}", rc.read_bytes())
    archive.file("system_ext/etc/storekeeper/default.json", _config().encode())
    for jobs in sorted((TOP / "system-service/etc/fio").glob("*.fio")):
        archive.file(f"system_ext/etc/storekeeper/fio/{jobs.name}", jobs.read_bytes())
    programs = _programs()
    for path, source in programs.items():
        archive.program(path, source)
    for script in sorted((guest / "scripts").iterdir()):
        if script != first_stage:
            archive.file(f"system/bin/{script.name}", script.read_bytes(), 0o755)
    for name in ("am", "input", "locksettings", "settings", "wm"):
        archive.link(f"system/bin/{name}", "framework")
    for name in _applets(programs["system/bin/toybox"]):
        if f"system/bin/{name}" not in archive:
            archive.link(f"system/bin/{name}", "toybox")
    for name in _applets(programs["system/xbin/busybox"], "--list"):
        if f"system/xbin/{name}" not in archive:
            archive.link(f"system/xbin/{name}", "busybox")
    archive.link("system/bin/busybox", "../xbin/busybox")
    archive.link("bin", "system/bin")
    archive.link("sbin", "system/bin")
    archive.link("usr/bin", "../system/bin")
    archive.link("d", "sys/kernel/debug")
    archive.link("sdcard", "data/media")
    _add_libraries(archive, programs.values())
    archive.program(f"lib64/{elf.LOADER}", elf.find(elf.LOADER) or Path("/lib64") / elf.LOADER)
    _add_modules(archive, [*ALWAYS, *NETWORK, *disks.DISKS["emmc"].modules], kernel)
    return archive


def base(kernel: Kernel = DEFAULT) -> Path:
    """The archive that all runs of a kernel share; built anew when any input has changed."""
    data = _base(kernel).pack()
    data += b"\0" * (-len(data) % 512)
    path = GUEST / f"base-{kernel.name}-{hashlib.sha256(data).hexdigest()[:16]}.cpio"
    return make_once(path, f"base-{kernel.name}-*.cpio", lambda fresh: fresh.write_bytes(data))


def _heartbeat(run: Run) -> int:
    """Guest seconds without a sign of life before the watchdog ends the guest.

    In measuring mode guest time does not depend on the host and a spinning guest is slow, so the
    limit may be short. In use, guest time goes on while a busy host delays the guest.
    """
    if run.heartbeat is not None:
        return run.heartbeat
    return 16 if run.measure else 60


def _module_lines(run: Run, names: Iterable[str], loaded: Iterable[str] = ()) -> str:
    parameters = {"i6300esb": {"nowayout": "1", "heartbeat": str(_heartbeat(run))},
                  **{m: getattr(run.profile, m) for m in MODULES}}
    lines = []
    for name in kmodules.load_order([*loaded, *names], run.kernel):
        if name not in kmodules.load_order(loaded, run.kernel):
            given = parameters.get(name, {})
            lines.append(" ".join([name, *(shlex.quote(f"{k}={v}") for k, v in given.items())]))
    return "\n".join(lines) + "\n"


def _add_host_program(archive: Archive, name: str) -> None:
    program = host_program(name)
    archive.program(f"system/bin/{name}", program)
    _add_libraries(archive, [program])


def _add_crypto(archive: Archive, run: Run, crypto: Crypto, loaded: list[str]) -> None:
    """Adds the programs and files of a phone that may encrypt, except /lab/modules."""
    models = [*CRYPTO_MODELS, *(CRYPTO_ENGINE if crypto.engine else [])]
    archive.file("lab/modules-crypto", _module_lines(run, models, loaded).encode())
    _add_modules(archive, [*CRYPTO, *CRYPTO_MODELS, *CRYPTO_ENGINE], run.kernel)
    _add_host_program(archive, CRYPTO_PROGRAM)


def _medium(profile: Profile, measure: bool) -> str:
    """The content of /lab/medium, a script for the guest's shell."""
    crypto = profile.crypto or Crypto()
    faulty = any(name.startswith("fault_") for name in profile.vemmc)
    instant = profile.disk.model and not measure
    return ("INSTANT=Y\n" if instant else "") + ("FAULTS=Y\n" if faulty else "") + (
            f"{disks.shell(profile.disk)}"
            f"CACHE_MIB={profile.cache_mib}\nCACHE_OPTIONS=nosuid,nodev,noatime\n"
            f"CRYPTO_TARGET={crypto.target}\n"
            f"CRYPTO_CIPHER={shlex.quote(crypto.cipher)}\nCRYPTO_KEY_BITS={crypto.key_bits}\n"
            f"DATA_FS={profile.data.fs}\nDATA_OPTIONS={shlex.quote(profile.data.options)}\n")


def _properties(run: Run) -> dict[str, str]:
    encrypted = {}
    f2fs = run.profile.data.fs == "f2fs"
    if run.profile.crypto and run.profile.crypto.target != "none":
        f2fs = False
        # Properties that vold and init set on an Android with full disk encryption.
        encrypted = {"ro.lab.data_crypto": "1", "ro.crypto.state": "encrypted",
                     "ro.crypto.type": "block"}
    return {"ro.lab.profile": run.profile.name, "ro.lab.adb": str(int(run.network)),
            "ro.lab.command": str(int(bool(run.command))), **encrypted,
            **disks.properties(run.profile.disk, f2fs), **run.properties}


def overlay(run: Run) -> bytes:
    """The second archive: /lab with this run's parameters, command and files."""
    archive = Archive()
    crypto = run.profile.crypto
    beyond = [*FILE_SYSTEM_MODULES[run.profile.data.fs], *run.modules]
    modules = [*ALWAYS, *(NETWORK if run.network else []), *run.profile.disk.modules,
               *(CRYPTO if crypto else []), *beyond]
    archive.file("lab/modules", _module_lines(run, modules).encode())
    for name in FILE_SYSTEM_PROGRAMS[run.profile.data.fs]:
        _add_host_program(archive, name)
    _add_modules(archive, [*run.profile.disk.modules, *beyond], run.kernel)
    if crypto:
        _add_crypto(archive, run, crypto, modules)
    archive.file("lab/medium", _medium(run.profile, run.measure).encode())
    properties = _properties(run)
    for name, value in properties.items():
        if "\n" in value or "\n" in name or "=" in name:
            raise LabError(f"property {name!r}: its name must have no '=', its value one line")
    archive.file("lab/local.prop", "".join(f"{k}={v}\n" for k, v in properties.items()).encode())
    if run.command:
        archive.file("lab/command/argv", b"".join(w.encode() + b"\0" for w in run.command))
        archive.file("lab/command/timeout", f"{run.timeout}\n".encode())
        archive.file("lab/command/get", "".join(f"{p}\n" for p in run.get).encode())
    programs = []
    for source, path in run.files:
        if not source.is_file():
            raise LabError(f"{source}: not a regular file, so it cannot be copied into the guest")
        if not path.startswith("/") or path.endswith("/"):
            raise LabError(f"{path}: write the file's absolute path in the guest")
        mode = 0o755 if source.stat().st_mode & 0o100 else 0o644
        archive.file(f"lab/files{path}", source.read_bytes(), mode)
        if elf.is_elf(source):
            programs.append(source)
    if programs:
        _add_libraries(archive, programs, sorted({p.parent for p in programs}))
    return archive.pack()


def initramfs(run: Run, to: Path) -> None:
    """Writes the archive to boot this run with."""
    with to.open("wb") as f:
        f.write(base(run.kernel).read_bytes())
        f.write(android.part())
        f.write(overlay(run))
