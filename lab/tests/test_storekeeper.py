# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""storekeeperd in the guest: its trims, its refusals and their messages."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

import pytest
from conftest import Phone, lab, unwrapped


@pytest.fixture
def cache(phone: Phone) -> Iterator[Phone]:
    """/cache, restored after a test has changed it."""
    yield phone
    phone.shell("umount /cache 2>/dev/null; umount /cache 2>/dev/null; "
                "mount -t ext4 -o nosuid,nodev,noatime /dev/mmcblk0p1 /cache")
    assert phone.shell("grep -q '^/dev/mmcblk0p1 /cache ext4 rw' /proc/mounts").code == 0


def refused(phone: Phone, mount: str) -> tuple[int, str]:
    """Exit code and the only line of a refused trim's output."""
    result = phone.shell(f"cmd storekeeper trim {mount}")
    assert 64 <= result.code <= 75, result
    answer = result.out + result.err
    assert len(answer.splitlines()) == 1, answer
    assert mount in answer
    # The service has neither crashed nor become busy: it still answers.
    assert phone.shell("cmd storekeeper status").code == 0
    return result.code, answer


def trimmed_bytes(phone: Phone) -> int:
    """Bytes discarded, by the card's own count."""
    return int(phone.output("grep ^trimmed_bytes /sys/kernel/debug/vemmc/stats").split()[1])


def test_trim_discards_what_was_deleted(phone: Phone) -> None:
    phone.output("head -c 6000000 /dev/zero >/data/local/tmp/gone; sync; rm /data/local/tmp/gone; "
                 "sync")
    before = trimmed_bytes(phone)
    result = phone.shell("cmd storekeeper trim /data /cache")
    assert result.code == 0, result
    assert trimmed_bytes(phone) - before >= 6000000
    log = phone.output("logcat -d")
    for line in ("Starting fstrim work...", "Invoking FITRIM ioctl on /cache",
                 "Invoking FITRIM ioctl on /data", "Finished fstrim work."):
        assert line in log
    assert re.search(r"Trimmed \d+ bytes on /data", log)
    assert re.search(r"Trimmed \d+ bytes on /cache", log)


def test_a_mount_that_is_not_given_to_it(phone: Phone) -> None:
    code, _ = refused(phone, "/run")
    assert code == 65


def test_a_mount_that_is_not_there(cache: Phone) -> None:
    cache.output("umount /cache")
    code, _ = refused(cache, "/cache")
    assert code == 66


def test_a_mount_that_cannot_discard(cache: Phone) -> None:
    cache.output("umount /cache; mount -t tmpfs tmpfs /cache")
    code, _ = refused(cache, "/cache")
    assert code == 69


def test_a_device_that_cannot_discard() -> None:
    # This test has its own guest: kernel 6.12 cannot turn discards on again.
    result = lab("run", "--measure", "--", "echo 0 >/sys/block/mmcblk0/queue/discard_max_bytes; "
                 "cmd storekeeper trim /cache")
    assert result.code == 69, result
    answer = (result.out + result.err).splitlines()
    assert len(answer) == 1
    assert "/cache" in answer[0]


def test_a_read_only_mount(cache: Phone) -> None:
    cache.output("mount -o remount,ro /cache")
    code, answer = refused(cache, "/cache")
    assert code == 73
    assert "read-only" in answer


def test_dumpsys_reports_health_and_gates(phone: Phone) -> None:
    text = phone.output("dumpsys storekeeper")
    assert re.search(r"^Maintenance: ", text, re.M)
    assert re.search(r"^Storage life: ", text, re.M)
    assert "eMMC 5.1" in text


RESTART = ("kill -9 $(pidof storekeeperd); "
           "lab-wait-property init.svc.storekeeperd=restarting 5 || true; "
           "lab-wait-property init.svc.storekeeperd=running 20; "
           "cmd -w storekeeper status >/dev/null; ")


def first_seen(phone: Phone, before: str = "") -> int:
    """The time when the ledger began, in seconds since the epoch, once there is one."""
    dump = phone.output(f"{before} until dumpsys storekeeper ledger --json >/run/ledger && "
                        "grep -q first_seen /run/ledger; do sleep 1; done; cat /run/ledger")
    events = json.loads(dump)["ledger"]["events"]
    return next(event["wall_s"] for event in events if event["kind"] == "first_seen")


def test_the_ledger_outlives_a_kill(phone: Phone) -> None:
    before = first_seen(phone)
    assert first_seen(phone, RESTART) == before


def test_no_name_of_a_mount_hides_another(phone: Phone) -> None:
    # Names with a control byte, a terminal escape, a backslash, invalid UTF-8, and some 4000 bytes.
    plan = phone.output(r"""
        long=/run/$(printf '%0200d' 1)
        while [ ${#long} -lt 3700 ]; do long=$long/$(printf '%0200d' 1); done
        set -- "/run/d$(printf '\177')" "/run/d$(printf '\033[31m')" '/run/\040' \
            "/run/d$(printf '\377\303')" "$long"
        for name; do mkdir -p "$name" && mount -t tmpfs x "$name" || exit 1; done
        cmd storekeeper plan --json
        dumpsys storekeeper maintenance --json
        for name; do umount "$name"; done
        rm -r /run/0000*
        """)
    assert "/data" in plan
    assert "mountinfo" not in plan
    assert "could not be read" not in plan


def test_an_unknown_section_is_printed_escaped(phone: Phone) -> None:
    result = phone.shell(r"""dumpsys storekeeper "$(printf 'd\033[31m\177')" """)
    assert r"'d\x1b[31m\x7f' is not a section" in result.out


def test_a_damaged_choice_is_on_the_first_screen_until_the_next(phone: Phone) -> None:
    lost = "the choice of an engine is lost"
    screen = unwrapped(phone.output(
        "for folder in /metadata/storekeeper /cache/storekeeper; do "
        "[ -d $folder ] && echo torn >$folder/crypto && break; done; "
        f"{RESTART} dumpsys storekeeper"))
    assert f"Encryption: {lost}" in screen
    assert lost in phone.output(f"{RESTART} cmd storekeeper crypto status")
    assert lost in phone.output("logcat -d")
    phone.output("cmd storekeeper crypto choose auto")
    assert lost not in unwrapped(phone.output(f"{RESTART} dumpsys storekeeper"))


def test_extcsd_agrees_with_the_card(phone: Phone) -> None:
    text = phone.output("/system_ext/bin/storekeeper_extcsd /dev/mmcblk0")
    assert re.search(r"DEVICE_LIFE_TIME_EST_TYP_A\b.*0x01", text)


def test_a_hundred_stuck_readers_stop_nobody() -> None:
    """Readers leave a full pipe unread; `abort` is timed in guest time, other commands answer."""
    stuck = ("busybox su -s /system/bin/sh shell -c 'exec /system/bin/cmd storekeeper help' "
             ">&9 2>&9")
    result = lab("run", "--measure", "--timeout", "300", "--", f"""
        exec 8>&1
        {{
            exec 9>&1 >&8
            cat /dev/zero >&9 &
            i=0
            while [ $i -lt 100 ]; do {stuck} & i=$((i + 1)); done
            busybox timeout 30 cmd storekeeper status >/dev/null
            before=$(date +%s%N); busybox timeout 30 cmd storekeeper abort; after=$(date +%s%N)
            echo "abort $(((after - before) / 1000)) us"
            busybox timeout 30 dumpsys storekeeper | grep Maintenance:
            busybox timeout 30 cmd storekeeper status | grep Maintenance:
            touch /run/done
        }} | until [ -e /run/done ]; do sleep 1; done
    """)
    assert result.code == 0, result
    assert result.out.count("Maintenance: ") == 2, result
    assert "No run is in progress." in result.out
    assert int(re.search(r"abort (\d+) us", result.out)[1]) <= 100_000, result


def test_hostile_arguments_cost_no_memory_for_good() -> None:
    """PSS before, after a call with 20,000 words and after ten more, each time once the heap was
    purged: an allocator keeps the free lists of its largest call (bionic's 448 KiB), and a leak
    grows with each. The kernel's buffer of transactions is not counted: it takes a mebibyte at
    most and stays until memory is short."""
    result = lab("run", "--measure", "--timeout", "300", "--", """
        pss() {
            awk '/^[0-9a-f]+-/ { name = $6 } /^Pss:/ && name != "/dev/binder" { sum += $2 }
                 END { print sum }' /proc/$(pidof storekeeperd)/smaps
        }
        dumpsys storekeeper >/dev/null; cmd storekeeper status >/dev/null
        cmd storekeeper trim /nope >/dev/null 2>&1
        # The daemon purges half a second after a call.
        wait_for_pss_below() {
            tries=400
            until [ "$(pss)" -le "$1" ] || [ $((tries -= 1)) -eq 0 ]; do :; done
        }
        before=$(pss)
        words=$(seq 20000)
        cmd storekeeper trim $words
        wait_for_pss_below $((before + 512))
        first=$(pss)
        for i in 1 2 3 4 5 6 7 8 9 10; do cmd storekeeper trim $words; done
        wait_for_pss_below $((first + 128))
        echo "pss $before $first $(pss)"
        cmd storekeeper receipts
    """)
    assert result.err.count("more than 32 names") == 11, result
    before, first, last = map(int, re.search(r"pss (\d+) (\d+) (\d+)", result.out).groups())
    assert first - before <= 512, result
    # One leaked byte a word would be 195 KiB.
    assert last - first <= 128, result
    assert "nope" not in result.out
