# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""The virtual phone's adbd as in a user, a userdebug and an eng build."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator

import pytest
from conftest import BACKSTOP, OUT, Phone, lab

from labtool import adb

IN_PRODUCTION = "adbd cannot run as root in production builds\n"
ALREADY_ROOT = "adbd is already running as root\n"
BECOMES_ROOT = "restarting adbd as root\n"
NOT_ROOT = "adbd not running as root\n"
LEAVES_ROOT = "restarting adbd as non root\n"


class Device:
    """adb's own client, as any program calls it."""

    def __init__(self, phone: Phone) -> None:
        self.port = int(str(phone.state["adb_server_port"]))
        self.serial = str(phone.state["serial"])
        self.home = OUT / "run" / phone.name

    def adb(self, *words: str) -> str:
        done = subprocess.run(adb.command(self.port, self.serial, *words), text=True,
                              env=adb.environment(self.home), capture_output=True,
                              timeout=BACKSTOP)
        assert done.returncode == 0, done
        return done.stdout

    def shell(self, line: str) -> str:
        """Waits for the device first: a reboot and a change of adbd's user drop the link."""
        return self.adb("wait-for-device", "shell", line)

    def uid(self) -> str:
        return self.shell("id -u").strip()


def boot(build: str) -> Iterator[Device]:
    name = f"adb-{build}-{os.getpid()}"
    booted = lab("up", "--name", name, "--build", build)
    assert booted.code == 0, booted
    try:
        yield Device(Phone(name))
    finally:
        lab("down", "--name", name)


@pytest.fixture(scope="module")
def user() -> Iterator[Device]:
    yield from boot("user")


@pytest.fixture(scope="module")
def userdebug() -> Iterator[Device]:
    yield from boot("userdebug")


def test_a_user_build_gives_no_root(user: Device) -> None:
    assert user.shell("getprop ro.build.type").strip() == "user"
    assert user.uid() == "2000"
    assert user.adb("root") == IN_PRODUCTION
    assert user.adb("unroot") == NOT_ROOT
    assert user.uid() == "2000"


def test_a_user_build_s_shell_may_what_test_harnesses_need(user: Device) -> None:
    assert "storekeeperd" in user.shell("logcat -d")
    user.shell("logcat -c")
    assert "storekeeperd is ready" not in user.shell("logcat -d")
    assert user.shell("echo here >/sdcard/a && cat /sdcard/a && rm /sdcard/a") == "here\n"
    assert user.shell("stat -f -c %t /sdcard").strip() == "ef53"


def test_a_reboot_needs_no_root(user: Device) -> None:
    before = user.shell("cat /proc/sys/kernel/random/boot_id")
    user.shell("echo kept >/data/local/tmp/kept")
    user.adb("reboot")
    assert user.shell("cat /proc/sys/kernel/random/boot_id") != before
    assert user.shell("getprop sys.boot_completed; cat /data/local/tmp/kept") == "1\nkept\n"
    assert user.uid() == "2000"


def test_a_userdebug_build_gives_root_until_the_next_boot(userdebug: Device) -> None:
    assert userdebug.uid() == "2000"
    assert userdebug.adb("root") == BECOMES_ROOT
    assert userdebug.uid() == "0"
    assert userdebug.adb("root") == ALREADY_ROOT
    assert userdebug.adb("unroot") == LEAVES_ROOT
    assert userdebug.uid() == "2000"
    assert userdebug.adb("unroot") == NOT_ROOT
    assert userdebug.adb("root") == BECOMES_ROOT
    userdebug.adb("reboot")
    assert userdebug.uid() == "2000"


def test_unroot_ends_the_old_user_s_processes(userdebug: Device) -> None:
    assert userdebug.adb("root") == BECOMES_ROOT
    userdebug.shell("setsid sleep 4321 </dev/null >/dev/null 2>&1 & true")
    assert "sleep 4321" in userdebug.shell("ps -A -o args")
    assert userdebug.adb("unroot") == LEAVES_ROOT
    assert "sleep 4321" not in userdebug.shell("ps -A -o args")


def test_a_phone_without_a_build_is_root(phone: Phone) -> None:
    device = Device(phone)
    assert device.uid() == "0"
    assert device.adb("root") == ALREADY_ROOT
