# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""A touch ends a run that the policy began, and the next one goes on there."""

from __future__ import annotations

from mobly import asserts

import storekeeper_device
from storekeeper_device import RUN_S, main

# A disk may be done with the first before it sees the touch.
GARBAGE_MIB = 64, 256, 1024
# The service looks every minute or so; the gates have been moved before.
BEGIN_S = 600
# KEYCODE_SLEEP, KEYCODE_WAKEUP
SCREEN_OFF, SCREEN_ON = "input keyevent 223", "input keyevent 224"


class AbortTest(storekeeper_device.StorekeeperTest):
    def setup_class(self) -> None:
        super().setup_class()
        self.was_on = self.device.property("debug.tracing.screen_state") == "2"

    def setup_test(self) -> None:
        self.device.needs_root()
        if self.was_on:
            self.device.mark("screen_was_on")
            self.device.output(SCREEN_OFF)

    def teardown_test(self) -> None:
        if self.was_on:
            self.device.run(SCREEN_ON)
        super().teardown_test()

    def touch_a_run(self) -> dict:
        """Touches the screen as soon as the policy begins a run, and returns its receipt."""
        touch = self.device.touch_line()
        # Battery, heat and the rest stay as the product has them.
        for limit in ("interval 5", "written 0", "retry 0", "untouched 5", "storage 100"):
            self.device.output(f"cmd storekeeper set-gate-override {limit}")
        closed = [g["name"] for g in self.device.json("why")["gates"]
                  if not g["pass"] and g["name"] in ("battery", "heat", "zones", "checkpoint",
                                                     "framework", "chip")]
        asserts.skip_if(bool(closed), f"kept from it by {', '.join(closed)}")
        self.device.wait_for_state("trimming", BEGIN_S, touch)
        # No further run before this one was looked at.
        self.device.output("cmd storekeeper set-gate-override untouched 3600; "
                           "cmd storekeeper set-gate-override interval 86400")
        self.device.wait_for_state("idle", 60)
        receipt = self.device.json("receipts")[0]
        asserts.assert_false(receipt["manual"], receipt)
        return receipt

    def test_a_touch_ends_a_run(self) -> None:
        self.device.needs_trim()
        for mib in GARBAGE_MIB:
            self.device.leave_garbage(mib)
            receipt = self.touch_a_run()
            if receipt["outcome"] != "trimmed":
                break
        asserts.skip_if(receipt["outcome"] == "trimmed",
                        f"{GARBAGE_MIB[-1]} MiB are trimmed before a touch is seen")
        asserts.assert_equal(receipt["outcome"], "aborted", receipt)
        asserts.assert_in("device in use", receipt["reason"] + str(receipt["mounts"]))
        asserts.assert_false(receipt["complete"], receipt)
        untouched = next(g for g in self.device.json("why")["gates"] if g["name"] == "untouched")
        asserts.assert_less(untouched["value"], 60, untouched)
        # A trim by command begins anew and completes.
        answer = self.device.run("cmd storekeeper trim /data", RUN_S)
        asserts.assert_equal(answer.code, 0, answer.out)


if __name__ == "__main__":
    main()
