# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""adb with a server of its own for each phone, so that it never meets the user's."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

from . import qemu
from .paths import ANDROID_LIBS, SYSROOT, LabError
from .watch import die_with_parent

ADB = SYSROOT / "usr/lib/android-sdk/platform-tools/adb"


def environment(home: Path) -> dict[str, str]:
    """The server's environment. `home` holds its key and log. USB devices are not searched for."""
    return {**os.environ, "HOME": str(home), "ANDROID_ADB_LOG_PATH": str(home / "adb.log"),
            "ADB_MDNS": "0", "ADB_USB": "0", "ADB_EMU": "0",
            "LD_LIBRARY_PATH": f"{ANDROID_LIBS}:{SYSROOT / 'usr/lib/x86_64-linux-gnu'}"}


def start_server(home: Path, log: Path) -> tuple[subprocess.Popen[bytes], int]:
    """Starts a server as a child of this process; returns it and its port once it takes clients."""
    if not ADB.exists():
        raise LabError(f"{ADB} is missing; run `lab/lab setup`")
    for _ in range(5):
        port = qemu.free_port()
        reading, writing = os.pipe()
        with log.open("ab") as out:
            # `adb start-server` runs this command, too, but forks it into the background.
            server = subprocess.Popen(
                [str(ADB), "-L", f"tcp:localhost:{port}", "fork-server", "server",
                 "--reply-fd", str(writing)],
                pass_fds=[writing], env=environment(home), stdin=subprocess.DEVNULL, stdout=out,
                stderr=out, start_new_session=True, preexec_fn=die_with_parent)
        os.close(writing)
        with os.fdopen(reading, "rb") as reply:
            if reply.read(3) == b"OK\n":
                return server, port
        server.kill()
        server.wait()
    raise LabError(f"the adb server does not start; see {log}")


def client(server_port: int, *words: str) -> list[str]:
    # The address, not "localhost": if no server runs, a client starts one itself, but only for
    # "localhost". The server accepts no other name.
    return [str(ADB), "-L", f"tcp:127.0.0.1:{server_port}", *words]


def command(server_port: int, serial: str, *words: str) -> list[str]:
    return client(server_port, "-s", serial, *words)


def connect(server_port: int, serial: str, home: Path) -> None:
    """Connects the server to the guest, whose adbd must be listening already."""
    done = subprocess.run(client(server_port, "connect", serial), env=environment(home),
                          capture_output=True, text=True, stdin=subprocess.DEVNULL)
    if "connected to" not in done.stdout:
        raise LabError(f"adb cannot connect to {serial}: {(done.stdout + done.stderr).strip()}")
    subprocess.run(command(server_port, serial, "wait-for-device"), env=environment(home),
                   stdin=subprocess.DEVNULL, check=False)
