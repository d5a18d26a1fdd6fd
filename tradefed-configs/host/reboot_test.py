# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""The memory of the service over a reboot."""

from __future__ import annotations

from mobly import asserts

import storekeeper_device
from storekeeper_device import RUN_S, main


class RebootTest(storekeeper_device.StorekeeperTest):
    def gate(self, name: str) -> dict:
        return next(g for g in self.device.json("why")["gates"] if g["name"] == name)

    def test_receipts_and_ledger_survive(self) -> None:
        self.device.needs_trim()
        self.device.output("cmd storekeeper trim /data", RUN_S)
        receipts = self.device.json("receipts")
        chip = self.device.json("health")["chip"]
        self.device.reboot()
        asserts.assert_equal(self.device.json("receipts"), receipts)
        asserts.assert_equal(self.device.json("health")["chip"], chip)

    def test_it_waits_no_shorter_than_before(self) -> None:
        self.device.needs_gates()
        before = self.gate("interval")
        self.device.reboot()
        after = self.gate("interval")
        asserts.assert_equal(after["limit"], before["limit"])
        if before["value"] is not None:
            asserts.assert_greater_equal(after["value"], before["value"])
        asserts.assert_equal(after["value"] is None, before["value"] is None)

    def test_a_limit_that_was_moved_does_not_survive(self) -> None:
        self.device.needs_root()
        self.device.needs_gates()
        limit = self.gate("untouched")["limit"]
        self.device.output("cmd storekeeper set-gate-override untouched 7200")
        asserts.assert_equal(self.gate("untouched")["limit"], 7200)
        self.device.reboot()
        asserts.assert_equal(self.gate("untouched")["limit"], limit)


if __name__ == "__main__":
    main()
