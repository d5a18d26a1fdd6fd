# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""Devices through the adb program on PATH, which may be given a server by its own variables."""

from __future__ import annotations

import subprocess

# A device that went away leaves adb waiting for ever.
TIMEOUT_S = 120


class AdbError(Exception):
    """The reason why a device could not be asked, and the remedy."""


def _adb(*words: str) -> subprocess.CompletedProcess[bytes]:
    try:
        return subprocess.run(["adb", *words], capture_output=True, stdin=subprocess.DEVNULL,
                              timeout=TIMEOUT_S)
    except FileNotFoundError:
        raise AdbError("adb is not on PATH; install it (Debian: apt install adb), "
                       "or give files") from None
    except subprocess.TimeoutExpired:
        raise AdbError(f"adb {' '.join(words)}: no answer in {TIMEOUT_S} s; unplug the device and "
                       "plug it in again") from None


def devices() -> list[str]:
    """The serials of the devices that are ready, as adb lists them; at least one."""
    done = _adb("devices")
    if done.returncode:
        raise AdbError(f"adb devices: {_last_line(done)}")
    rows = [x.split("\t") for x in done.stdout.decode(errors="replace").splitlines()[1:]]
    ready = [row[0] for row in rows if len(row) == 2 and row[1] == "device"]
    if not ready:
        others = ", ".join(f"{row[0]} is {row[1]}" for row in rows if len(row) == 2)
        raise AdbError(f"no device is ready ({others or 'adb shows none'})")
    return ready


def only_device() -> str:
    """The one device that is ready."""
    found = devices()
    if len(found) == 1:
        return found[0]
    raise AdbError(f"{len(found)} devices are ready ({', '.join(found)}); name one")


def shell(serial: str, command: str) -> bytes:
    """Returns the output of `command` on the device. Failure of the command is an error, too."""
    done = _adb("-s", serial, "shell", command)
    if done.returncode:
        raise AdbError(f"{serial}: `{command}`: {_last_line(done)}")
    return done.stdout


def _last_line(done: subprocess.CompletedProcess[bytes]) -> str:
    lines = (done.stderr or done.stdout).decode(errors="replace").strip().splitlines()
    return lines[-1] if lines else f"exit code {done.returncode} and not a word"
