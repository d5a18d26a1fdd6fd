# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""The devices of vphone: battery, charger, touch screen."""

from __future__ import annotations

import re
import struct
import subprocess

from conftest import Phone, finish, start

# linux/input-event-codes.h
EV_KEY, BTN_TOUCH = 1, 0x14A


def test_battery_is_visible_in_sysfs(phone: Phone) -> None:
    def read(path: str) -> str:
        return phone.output(f"cat /sys/class/power_supply/{path}").strip()

    shown = phone.lab("battery", "31", "--no-ac", "--temp", "41.5")
    assert shown.code == 0
    assert "POWER_SUPPLY_CAPACITY=31" in shown.out
    assert read("battery/capacity") == "31"
    assert read("battery/temp") == "415"
    assert read("battery/status") == "Discharging"
    assert read("ac/online") == "0"
    assert phone.lab("battery", "85", "--ac", "--temp", "25").code == 0
    assert read("ac/online") == "1"
    assert read("battery/status") == "Charging"
    assert phone.lab("battery", "--no-ac").code == 0


def test_battery_refuses_more_than_full(phone: Phone) -> None:
    assert phone.lab("battery", "101").code == 2
    assert phone.output("cat /sys/class/power_supply/battery/capacity").strip() != "101"


def test_the_daemon_sees_the_battery(phone: Phone) -> None:
    phone.lab("battery", "12")
    assert re.search(r"battery\s+closed\s+12 %", phone.output("cmd storekeeper status"))
    phone.lab("battery", "85")
    assert re.search(r"battery\s+open\s+85 %", phone.output("cmd storekeeper status"))


def test_a_tap_is_an_input_event(phone: Phone) -> None:
    # The property is set once the device is open, since a device delivers events only to open
    # files.
    reader = start("shell", "--name", phone.name, "--",
                   "exec 3</dev/input/event0; setprop test.touch open; "
                   "dd bs=24 count=2 iflag=fullblock <&3 2>/dev/null | od -An -tx1 -v",
                   stdin=subprocess.DEVNULL)
    phone.output("lab-wait-property test.touch=open 20")
    assert phone.lab("touch").code == 0
    data = bytes(int(x, 16) for x in finish(reader).out.split())
    # struct input_event of a 64-bit kernel: two longs of time, type, code, value.
    events = [struct.unpack("<QQHHi", data[i:i + 24])[2:] for i in range(0, len(data), 24)]
    assert len(events) == 2
    assert all(kind in (0, 1, 3) for kind, _, _ in events)
