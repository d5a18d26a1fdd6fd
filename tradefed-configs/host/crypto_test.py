# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""Who encrypts: a choice is a trial until it is confirmed, and is taken back."""

from __future__ import annotations

from mobly import asserts

import storekeeper_device
from storekeeper_device import NOT_ALLOWED, NOT_CONFIRMED, NOT_HERE, RUN_S, main

SWITCHABLE = ("cpu", "hw-offload")


class CryptoTest(storekeeper_device.StorekeeperTest):
    def setup_class(self) -> None:
        super().setup_class()
        self.before = self.device.json("crypto")

    def teardown_test(self) -> None:
        if self.device.is_root() and self.before["choice"]["stage"] == "none":
            self.device.run("cmd storekeeper crypto rollback")
        super().teardown_test()

    def choice(self) -> dict:
        return self.device.json("crypto")["choice"]

    def can_choose(self) -> bool:
        return self.before["choice_file"] is not None and any(
            v["state"] in SWITCHABLE for v in self.before["volumes"])

    def test_a_volume_is_judged_with_evidence(self) -> None:
        for volume in self.before["volumes"]:
            asserts.assert_true(volume["evidence"] or volume["state"] == "unknown", volume)

    def test_only_root_and_system_choose(self) -> None:
        asserts.skip_if(self.device.is_root(), "adb is root here")
        for verb in ("choose kernel", "confirm", "rollback"):
            answer = self.device.run(f"cmd storekeeper crypto {verb}")
            asserts.assert_equal(answer.code, NOT_ALLOWED, answer.out)

    def test_where_nothing_is_safe_nothing_is_chosen(self) -> None:
        self.device.needs_root()
        asserts.skip_if(self.can_choose(), "this device can choose")
        answer = self.device.run("cmd storekeeper crypto choose kernel", RUN_S)
        asserts.assert_equal(answer.code, NOT_HERE, answer.out)
        asserts.assert_equal(len(answer.out.strip().splitlines()), 1, answer.out)
        for key in ("mode", "stage"):
            asserts.assert_equal(self.choice()[key], self.before["choice"][key])

    def test_choose_confirm_and_take_back(self) -> None:
        self.device.needs_root()
        asserts.skip_if(not self.can_choose(), "nothing can be chosen on this device")
        asserts.skip_if(self.before["choice"]["stage"] != "none", "somebody chose before")
        self.device.mark("chose")
        self.device.output("cmd storekeeper crypto choose kernel", RUN_S)
        asserts.assert_equal((self.choice()["mode"], self.choice()["stage"]), ("kernel", "trial"))
        # This boot still has what was there before.
        answer = self.device.run("cmd storekeeper crypto confirm", RUN_S)
        asserts.assert_equal(answer.code, NOT_CONFIRMED, answer.out)
        asserts.assert_equal(self.choice()["stage"], "trial")
        self.device.reboot()
        answer = self.device.run("cmd storekeeper crypto confirm", RUN_S)
        if answer.code == 0:
            asserts.assert_equal(self.choice()["stage"], "confirmed")
            now = {v["mount"]: v["state"] for v in self.device.json("crypto")["volumes"]}
            for volume in self.before["volumes"]:
                if volume["state"] in SWITCHABLE:
                    asserts.assert_equal(now[volume["mount"]], "cpu")
        else:
            # An impossible choice stays a trial; one without a gain is taken back.
            asserts.assert_in(self.choice()["stage"], ("trial", "none"), answer.out)
        self.device.output("cmd storekeeper crypto rollback")
        asserts.assert_equal((self.choice()["mode"], self.choice()["stage"]), ("auto", "none"))
        self.device.reboot()
        asserts.assert_equal(
            [(v["mount"], v["cipher"], v["state"]) for v in self.device.json("crypto")["volumes"]],
            [(v["mount"], v["cipher"], v["state"]) for v in self.before["volumes"]])


if __name__ == "__main__":
    main()
