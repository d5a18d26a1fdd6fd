# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""A device of the host tests, over adb alone: a phone or the virtual one."""

from __future__ import annotations

import json
import struct
import sys
from typing import Any

from mobly import asserts, base_test, test_runner
from mobly.controllers import android_device
from mobly.controllers.android_device_lib import adb

# The module's TradeFed configuration removes it, too, if a test dies.
SCRATCH = "/data/local/tmp/storekeeper_host_test"
# A pass over a full phone with a slow card; the service itself paces it.
RUN_S = 1200
# Exit codes of `cmd storekeeper help exit-codes`.
NOT_ALLOWED, NOT_HERE, NOT_CONFIRMED = 77, 79, 81
# linux/input-event-codes.h
EV_SYN, EV_KEY, BTN_TOUCH = 0, 1, 0x14a


class Answer:
    """How a command ended."""

    def __init__(self, code: int, out: str) -> None:
        self.code = code
        self.out = out


class Device:
    def __init__(self, ad: android_device.AndroidDevice) -> None:
        self.ad = ad

    def run(self, line: str, timeout_s: float = 60) -> Answer:
        """A line for the device's shell; what it prints to either stream."""
        try:
            out = self.ad.adb.shell(f"( {line} ) 2>&1", timeout=timeout_s)
            return Answer(0, out.decode(errors="replace"))
        except adb.AdbError as e:
            return Answer(e.ret_code, e.stdout.decode(errors="replace"))

    def output(self, line: str, timeout_s: float = 60) -> str:
        """Runs a command that must succeed, and returns its output."""
        answer = self.run(line, timeout_s)
        asserts.assert_equal(answer.code, 0, f"`{line}` said: {answer.out.strip()}")
        return answer.out

    def json(self, verb: str) -> Any:
        return json.loads(self.output(f"cmd storekeeper {verb} --json"))

    def is_root(self) -> bool:
        return self.output("id -u").strip() == "0"

    def needs_root(self) -> None:
        asserts.skip_if(not self.is_root(), "this build gives adb no root")

    def property(self, name: str) -> str:
        return self.output(f"getprop {name}").strip()

    def wait_for_state(self, state: str, timeout_s: float, then: str = "true") -> None:
        """Then runs a line of the shell at once, without a way over adb in between."""
        self.wait_until(f'[ "$(getprop storekeeper.status.state)" = {state} ]', timeout_s, then)

    def wait_for_queue(self) -> None:
        """Until the service has put the disk's queue back, which it does 1 to 10 s after a run.

        Without root neither the property nor the queue's files can be read.
        """
        self.wait_until('[ -z "$(getprop storekeeper.queue.saved.nr_requests)" ]', 15)

    def wait_until(self, condition: str, timeout_s: float, then: str = "true") -> None:
        """It ends on the device, too, whatever becomes of adb."""
        self.output(f"timeout {timeout_s:.0f} sh -c 'until {condition}; do sleep 0.05; done' "
                    f"&& {then}", timeout_s + 30)

    def needs_trim(self) -> None:
        """Nothing is expected of a card or a disk that the service leaves alone."""
        plan = next((p for p in self.json("plan")["mounts"] if p["mount"] == "/data"), {})
        asserts.skip_if(not plan.get("would_trim"), plan.get("reason") or "/data is not planned")

    def needs_gates(self) -> None:
        """A report-only product has no gates."""
        asserts.skip_if(self.property("ro.storekeeper.report_only") == "true", "report only")

    def mark(self, name: str) -> None:
        """For the module's configuration, which undoes it should this program die."""
        self.output(f"mkdir -p {SCRATCH} && touch {SCRATCH}/{name}")

    def leave_garbage(self, mib: int) -> None:
        """Blocks of /data that were in use and are free, and of which the chip has not heard."""
        blocks, size = map(int, self.output("stat -f -c '%a %S' /data").split())
        asserts.skip_if(blocks * size < 2 * mib << 20, f"/data has no {2 * mib} MiB left")
        self.output(f"mkdir -p {SCRATCH} && dd if=/dev/zero of={SCRATCH}/garbage bs=1048576 "
                    f"count={mib} && sync && rm {SCRATCH}/garbage && sync", 600)

    def touch_line(self) -> str:
        """A line for the shell: a finger on the screen and off again, as the kernel reports it."""
        # EI_CLASS of the shell's ELF header: sizes of the kernel's answers and of what it takes.
        wide = self.output("od -An -t u1 -j 4 -N 1 /system/bin/sh").strip() == "2"
        node = self._touch_screen(64 if wide else 32)
        time = bytes(16 if wide else 8)
        events = b"".join(time + struct.pack("<HHi", *event) for event in (
            (EV_KEY, BTN_TOUCH, 1), (EV_SYN, 0, 0), (EV_KEY, BTN_TOUCH, 0), (EV_SYN, 0, 0)))
        octal = "".join(f"\\{byte:03o}" for byte in events)
        return f"printf '{octal}' >/dev/input/{node}"

    def _touch_screen(self, bits: int) -> str:
        lines = self.output("for d in /sys/class/input/event*; do echo \"${d##*/} "
                            "$(cat $d/device/capabilities/key)\"; done")
        for line in lines.splitlines():
            # Words of the kernel's long, the highest first.
            name, *words = line.split()
            at = BTN_TOUCH // bits
            if at < len(words) and int(words[-1 - at], 16) >> BTN_TOUCH % bits & 1:
                return name
        asserts.skip("no device below /sys/class/input has BTN_TOUCH")
        raise AssertionError

    def boot_id(self) -> str:
        return self.output("cat /proc/sys/kernel/random/boot_id").strip()

    def reboot(self) -> None:
        """With adb's user the same as before."""
        before = self.boot_id()
        root = self.is_root()
        self.ad.reboot()
        if root:
            self.ad.root_adb()
        self.wait_for_service()
        asserts.assert_not_equal(self.boot_id(), before, "it did not reboot")

    def wait_for_service(self) -> None:
        self.wait_until("cmd storekeeper status >/dev/null 2>&1", 300)

    def restore(self) -> None:
        """Leaves nothing behind; also after a test that failed in the middle."""
        self.run("cmd storekeeper abort")
        for gate in ("interval", "written", "retry", "untouched", "storage"):
            self.run(f"cmd storekeeper set-gate-override {gate} reset")
        self.run(f"rm -rf {SCRATCH}")


class StorekeeperTest(base_test.BaseTestClass):
    """A class of tests on one device that has the service."""

    def setup_class(self) -> None:
        self.device = Device(self.register_controller(android_device)[0])
        # A device without the service is the module controller's; here it must answer. Aborting
        # the class would be counted as ignored.
        answer = self.device.run("timeout 30 cmd storekeeper status")
        asserts.assert_equal(answer.code, 0, f"storekeeper does not answer: {answer.out.strip()}")

    def teardown_test(self) -> None:
        self.device.restore()


def main() -> None:
    """Trade Federation puts its arguments behind a --."""
    if "--" in sys.argv:
        sys.argv = sys.argv[:1] + sys.argv[sys.argv.index("--") + 1:]
    test_runner.main()
