# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""The emulator's command line, for interactive use and for measuring."""

from __future__ import annotations

import os
import socket
from dataclasses import dataclass
from pathlib import Path

from . import android
from .disks import UFS_PCI_ADDRESS
from .kernels import DEFAULT, Kernel
from .paths import SYSROOT, LabError

BINARY = SYSROOT / "usr/bin/qemu-system-x86_64"
FIRMWARE = [SYSROOT / "usr/share/qemu", SYSROOT / "usr/share/seabios"]
ADBD_PORT = 5555

# The serial ports, in the guest ttyS0 to ttyS3. They are files, which never make the emulator wait,
# so the speed of a reader on the host cannot affect the guest.
CONSOLE, STDOUT, CONTROL, STDERR = "console", "stdout", "control", "stderr"
PORTS = [CONSOLE, STDOUT, CONTROL, STDERR]
# One ISA interrupt for each port: traditionally two ports share one.
IRQS = [4, 3, 5, 7]

KERNEL_ALWAYS = [
    "console=ttyS0", "quiet", "panic=-1", "oops=panic", "mitigations=off", "printk.devkmsg=on",
    # Reboot by triple fault, which ends the emulator at once; other methods wait for a keyboard
    # controller.
    "reboot=triple",
    # Skips the kernel's check of the timer, which fails when a busy host delays the emulated timer.
    "no_timer_check",
    # Self-tests of ciphers, the jitter entropy source and the certificates of signed modules take
    # half of the emulated kernel's boot time. A tenth goes to three more: names for enumerations in
    # the formats of trace events, a search for weak functions among the traced ones, and the
    # protection of the kernel's own memory.
    "cryptomgr.notests", "rodata=off",
    "initcall_blacklist=" + ",".join([
        "jent_mod_init", "load_system_certificate_list", "crypto_kdf108_init", "trace_eval_init",
        "ftrace_check_for_weak_functions", "ftrace_check_sync"]),
]
# With these two features the guest copies and clears memory by `rep movsb` and `rep stosb`, which
# the emulator executes a byte at a time. Without them it uses words and vectors.
CPU = "max,-erms,-fsrm"
# Guest time becomes a function of the executed instructions alone: two equal guests give equal
# bytes. One instruction is 2 ns; idle time is skipped. The record is never replayed, but only while
# recording does QEMU keep its main loop from skipping idle time before the halted vCPU thread has
# accounted for its instructions. A busy host loses that race now and then.
MEASURING = [
    # Without the HPET an idle hour costs 8 s instead of 100: its emulation wakes up at every tick.
    "-machine", "pc,hpet=off,i8042=off",
    "-accel", "tcg,thread=single,tb-size=512", "-cpu", f"{CPU},-rdrand,-rdseed",
    "-icount", "shift=1,sleep=off,rr=record,rrfile=/dev/null",
    "-rtc", "base=2026-01-01,clock=vm", "-seed", "1",
]
# No random layout, and no statistics that wake an idle guest: an hour of idling then costs a second
# or two of wall-clock time.
KERNEL_MEASURING = [
    "nokaslr", "norandmaps", "tsc=nowatchdog", "nowatchdog", "psi=0", "cgroup_disable=memory",
    "ipv6.disable=1", "sysctl.vm.stat_interval=600", "sysctl.vm.compaction_proactiveness=0",
]
INTERACTIVE = [
    "-machine", "pc,i8042=off", "-accel", "tcg,thread=multi", "-cpu", CPU, "-rtc", "base=utc",
]


@dataclass
class Machine:
    """One guest to start: its folder, its clock mode, its port for adb."""

    folder: Path
    initramfs: Path
    memory_mib: int
    measure: bool
    adb_port: int | None = None
    kernel_cmdline: tuple[str, ...] = ()
    ufs_mib: int = 0
    # A second processor costs a third more boot time; measuring mode supports one only.
    processors: int = 1
    kernel: Kernel = DEFAULT

    def command(self, qmp: int) -> list[str]:
        """`qmp`: an inherited file descriptor, one end of a socket pair."""
        for path in (BINARY, self.kernel.vmlinux):
            if not path.exists():
                raise LabError(f"{path} is missing; run `lab/lab setup`")
        append = [*KERNEL_ALWAYS, *(KERNEL_MEASURING if self.measure else []),
                  *self.kernel_cmdline]
        if android.chosen():
            # Denials are notices.
            append += ["security=selinux", "loglevel=6"]
        line = [str(BINARY)]
        for folder in FIRMWARE:
            line += ["-L", str(folder)]
        line += MEASURING if self.measure else INTERACTIVE
        line += ["-smp", str(1 if self.measure else self.processors),
                 "-m", str(self.memory_mib), "-nodefaults", "-no-user-config", "-display", "none",
                 "-no-reboot", "-device", "i6300esb", "-action", "watchdog=poweroff"]
        for i, (port, irq) in enumerate(zip(PORTS, IRQS, strict=True)):
            line += ["-chardev", f"file,id={port},path={_escaped(self.folder / port)}",
                     "-device", f"isa-serial,chardev={port},index={i},irq={irq}"]
        line += ["-chardev", f"socket,id=qmp,fd={qmp}", "-mon", "chardev=qmp,mode=control"]
        if self.adb_port is not None:
            line += ["-netdev", f"user,id=net,hostfwd=tcp:127.0.0.1:{self.adb_port}-:{ADBD_PORT}",
                     "-device", "virtio-net-pci,netdev=net,romfile="]
        if self.ufs_mib:
            line += ["-drive", "if=none,id=ufs0,format=raw,discard=unmap,"
                     f"file={_escaped(self._ufs())}",
                     "-device", f"ufs,id=ufs,addr={UFS_PCI_ADDRESS}",
                     "-device", "ufs-lu,bus=ufs,drive=ufs0,lun=0"]
        line += ["-kernel", str(self.kernel.vmlinux), "-initrd", str(self.initramfs),
                 "-append", " ".join(append)]
        return line

    def _ufs(self) -> Path:
        """An empty medium, removed with the run."""
        path = self.folder / "ufs"
        with path.open("wb") as file:
            file.truncate(self.ufs_mib << 20)
        return path


def _escaped(path: Path) -> str:
    """A path in QEMU's option syntax: a comma is written twice."""
    return str(path).replace(",", ",,")


def environment() -> dict[str, str]:
    libraries = [SYSROOT / "usr/lib/x86_64-linux-gnu", SYSROOT / "lib/x86_64-linux-gnu",
                 SYSROOT / "usr/lib/x86_64-linux-gnu/pulseaudio"]
    modules = SYSROOT / "usr/lib/x86_64-linux-gnu/qemu"
    return {**os.environ, "LD_LIBRARY_PATH": ":".join(map(str, libraries)),
            "QEMU_MODULE_DIR": str(modules)}


def free_port() -> int:
    """A TCP port of the loopback address that is unused at this moment."""
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]
