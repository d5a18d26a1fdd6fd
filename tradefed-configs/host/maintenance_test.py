# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""Maintenance gives back what was deleted, once, and leaves the device as it was."""

from __future__ import annotations

from mobly import asserts

import storekeeper_device
from storekeeper_device import RUN_S, Device, main

GARBAGE_MIB = 16


def queue_settings(device: Device) -> str:
    return device.run("cat /sys/block/*/queue/discard_max_bytes /sys/block/*/queue/nr_requests "
                      "2>/dev/null").out


def of_data(receipt: dict) -> dict:
    return next(m for m in receipt["mounts"] if m["mount"] == "/data")


class MaintenanceTest(storekeeper_device.StorekeeperTest):
    def trim(self) -> dict:
        """Trims /data and returns what its receipt says of it."""
        before = self.device.json("receipts")
        answer = self.device.run("cmd storekeeper trim /data", RUN_S)
        asserts.assert_equal(answer.code, 0, answer.out)
        after = self.device.json("receipts")
        asserts.assert_not_equal(after[0], before[0] if before else None, "no receipt was left")
        asserts.assert_true(after[0]["manual"], after[0])
        return of_data(after[0])

    def test_what_was_deleted_is_given_back_once(self) -> None:
        self.device.needs_trim()
        self.device.leave_garbage(GARBAGE_MIB)
        self.device.wait_for_queue()
        settings = queue_settings(self.device)
        first = self.trim()
        asserts.assert_equal(first["outcome"], "trimmed", first)
        asserts.assert_greater_equal(first["filesystem_bytes"], GARBAGE_MIB << 20, first)
        if first["block_layer_bytes"] is not None:
            asserts.assert_greater_equal(first["block_layer_bytes"], GARBAGE_MIB << 20, first)
        # The chip does not get the same discard twice: that wears it for nothing.
        second = self.trim()
        asserts.assert_less(second["block_layer_bytes"] or 0, GARBAGE_MIB << 20, second)
        self.device.wait_for_queue()
        asserts.assert_equal(queue_settings(self.device), settings)

    def test_the_state_is_idle_again_afterwards(self) -> None:
        self.device.needs_trim()
        asserts.assert_equal(self.device.property("storekeeper.status.state"), "idle")
        self.trim()
        asserts.assert_equal(self.device.property("storekeeper.status.state"), "idle")
        asserts.assert_equal(self.device.property("storekeeper.status.last_outcome"), "trimmed")

    def test_each_gate_has_a_name_and_a_limit(self) -> None:
        for gate in self.device.json("why")["gates"]:
            asserts.assert_true(gate["name"] and "limit" in gate and "pass" in gate, gate)


if __name__ == "__main__":
    main()
