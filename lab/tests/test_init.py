# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""The guest's init handles .rc files as Android's does: guest/probe.rc and the shipped one."""

from __future__ import annotations

import re

import pytest
from conftest import Phone, finish, processes, start

SYS_ADMIN = 1 << 21  # linux/capability.h
KILL, SYS_NICE = 1 << 5, 1 << 23
SETS = ("CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb")


def status_field(text: str, key: str) -> str:
    found = re.search(rf"^(?:\S+ )?{key}:\s*(.*)$", text, re.M)
    assert found, f"no {key} in {text}"
    return found[1].strip()


def test_storekeeperd_has_what_its_rc_says_and_no_more(phone: Phone) -> None:
    text = phone.output("cat /proc/$(pidof storekeeperd)/status")
    assert status_field(text, "Uid").split() == ["1000"] * 4
    assert status_field(text, "Gid").split() == ["1000"] * 4
    assert status_field(text, "Groups").split() == ["1004"]
    for key in SETS:
        assert int(status_field(text, key), 16) == SYS_ADMIN, key
    # ioprio be 7
    assert phone.output("ionice -p $(pidof storekeeperd)").strip().endswith("Best-effort: prio 7")


@pytest.fixture(scope="module")
def fired(phone: Phone) -> Phone:
    """The phone after guest/probe.rc's trigger has run and its service has ended."""
    phone.output("setprop test.probe go")
    assert phone.output("getprop test.fired").strip() == ""
    phone.output("setprop test.armed yes; lab-wait-property test.fired 20 && "
                 "lab-wait-property init.svc.probe_caps=stopped 20")
    return phone


def test_a_property_trigger_needs_all_its_conditions(fired: Phone) -> None:
    assert fired.output("getprop test.fired").strip() == "go fallback"


def test_commands_of_an_action(fired: Phone) -> None:
    assert fired.output("stat -c '%a %u %g' /dev/probe").split() == ["2750", "1000", "1007"]
    assert fired.output("stat -c '%a %u %g' /dev/probe/file").split() == ["604", "2000", "1004"]
    assert fired.output("cat /dev/probe/file") == "written by init"


def test_a_service_gets_user_groups_capabilities_and_environment(fired: Phone) -> None:
    lines = [x.removeprefix("probe_caps: ") for x in fired.output("logcat -d").splitlines()
             if x.startswith("probe_caps: ")]
    text = "\n".join(lines)
    assert status_field(text, "Uid").split() == ["2000"] * 4
    assert status_field(text, "Gid").split() == ["1007"] * 4
    assert status_field(text, "Groups").split() == ["1000", "1004"]
    for key in SETS:
        assert int(status_field(text, key), 16) == KILL | SYS_NICE, key
    assert lines[-1] == "env"


def test_a_killed_service_comes_back(phone: Phone) -> None:
    before = phone.output("pidof storekeeperd")
    after = phone.output("kill -9 $(pidof storekeeperd); lab-wait-property test.restarted=1 20 && "
                         "lab-wait-property init.svc.storekeeperd=running 20 && "
                         "cmd -w storekeeper status >/dev/null; pidof storekeeperd")
    assert after.split() != before.split()
    assert len(after.split()) == 1


def test_a_stopped_service_has_no_state(phone: Phone) -> None:
    states = phone.output("""
        setprop ctl.stop storekeeperd
        lab-wait-property storekeeper.status.state= 20
        echo "[$(getprop storekeeper.status.state)]"
        setprop ctl.start storekeeperd
        lab-wait-property storekeeper.status.state=idle 20 && getprop storekeeper.status.state
        cmd -w storekeeper status >/dev/null
        """)
    assert states.splitlines() == ["[]", "idle"]


def test_a_new_servicemanager_gets_the_service_within_seconds(phone: Phone) -> None:
    # `cmd -w` waits for the service; twenty processes do so while it is not registered.
    answered = phone.output("""
        before=$(pidof servicemanager)
        kill -9 $before
        for i in $(seq 20); do
            (timeout 20 cmd -w storekeeper status >/dev/null && echo answered) &
        done
        wait
        test "$(pidof servicemanager)" != "$before"
        """)
    assert answered.split() == ["answered"] * 20
    assert len(phone.output("pidof storekeeperd").split()) == 1


def test_a_second_storekeeperd_refuses(phone: Phone) -> None:
    result = phone.shell("/system_ext/bin/storekeeperd")
    assert result.code != 0
    assert "another process holds the lock on /data/misc/storekeeper" in result.err
    assert phone.shell("cmd storekeeper status").code == 0


def test_nobody_else_can_hold_the_lock_of_storekeeperd(phone: Phone) -> None:
    # The shell uid tries every file of ours that it can open.
    held = phone.output("""
        for path in /system_ext/bin/storekeeperd /data/misc/storekeeper; do
            busybox su -s /system/bin/sh shell -c "exec 9<$path; flock -x -n 9 && sleep 60" &
        done
        sleep 1
        kill -9 $(pidof storekeeperd)
        lab-wait-property init.svc.storekeeperd=running 20 && timeout 50 cmd -w storekeeper status
        """)
    assert "Maintenance: " in held


def test_properties_reach_everybody_and_keep_their_rules(phone: Phone) -> None:
    phone.output("setprop test.value 'a b'")
    assert phone.output("getprop test.value") == "a b\n"
    assert phone.shell("setprop ro.build.type other").code != 0
    phone.output("setprop persist.test.value kept")
    assert phone.output("cat /data/property/persist.test.value").strip() == "kept"


def test_logcat_follows(phone: Phone) -> None:
    follower = start("shell", "--name", phone.name, "--", "exec logcat")
    assert follower.stdout
    first = follower.stdout.readline()
    assert first
    phone.output("setprop ctl.start probe_log")
    assert any(line == "probe_log: marker\n" for line in follower.stdout)
    follower.terminate()
    assert finish(follower).code == 143
    assert processes(f"-s {phone.state['serial']} shell") == []


def test_a_harness_s_questions_have_a_device_s_answers(phone: Phone) -> None:
    for name in ("sys.boot_completed", "dev.bootcomplete"):
        assert phone.output(f"getprop {name}").strip() == "1"
    assert phone.output("getprop ro.build.version.sdk").strip() == "34"
    assert phone.output("pm path android").startswith("package:")
    # The commands that VTS runs before and after a plan.
    assert phone.output("settings get global development_settings_enabled").strip() == "null"
    assert phone.output("am get-current-user").strip() == "0"
    for line in ("settings put global stay_on_while_plugged_in 7", "input keyevent 82",
                 "locksettings set-disabled true", "wm dismiss-keyguard"):
        assert phone.output(line) == ""
    assert phone.shell("am start x/.Y").code == 1
    # A harness writes a file there and checks the type of the file system.
    assert phone.output("stat -f -c %t /sdcard").strip() != "1021994"
    assert phone.output("echo $EXTERNAL_STORAGE").strip() == "/sdcard"
    # toybox, not busybox: harnesses parse its dates.
    assert re.search(r"\d{4}-\d\d-\d\d \d\d:\d\d", phone.output("ls -ld /data"))
