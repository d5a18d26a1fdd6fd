# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""The health report against the registers of the chip itself."""

from __future__ import annotations

from mobly import asserts

import storekeeper_device
from storekeeper_device import main

# JESD84-B51, 7.4: bytes of the EXT_CSD.
EXT_CSD_BYTES = 512
EXT_CSD_REV, PRE_EOL_INFO, LIFE_TIME_EST_A, LIFE_TIME_EST_B = 192, 267, 268, 269


class HealthTest(storekeeper_device.StorekeeperTest):
    def register(self) -> bytes:
        """The EXT_CSD as the kernel or our tool reads it now."""
        self.device.needs_root()
        text = self.device.run("cat /sys/kernel/debug/mmc*/mmc*/ext_csd 2>/dev/null").out.strip()
        asserts.skip_if(len(text) != 2 * EXT_CSD_BYTES,
                        "no eMMC whose EXT_CSD debugfs shows: a user build, or UFS")
        return bytes.fromhex(text)

    def test_wear_is_the_register_s(self) -> None:
        register = self.register()
        health = self.device.json("health")
        asserts.skip_if(health["wear_source"] not in ("sysfs", "ext_csd"),
                        f"the wear is reported by {health['wear_source']}")
        source = next(s for s in health["sources"] if s["name"] == health["wear_source"])
        for key, byte in (("life_time_a", LIFE_TIME_EST_A), ("life_time_b", LIFE_TIME_EST_B),
                          ("pre_eol_info", PRE_EOL_INFO)):
            reported = source[key] or 0
            asserts.assert_equal(reported, register[byte], f"{key}: {source}")

    def test_the_verdict_follows_from_the_worse_estimate(self) -> None:
        register = self.register()
        worse = max(register[LIFE_TIME_EST_A], register[LIFE_TIME_EST_B])
        verdict = self.device.json("health")["verdict"]
        if not 1 <= worse <= 10:
            # 0 is "not defined", which is not new; 11 is beyond the life that was estimated.
            asserts.assert_not_equal(verdict["used_to_pct"], 0, verdict)
            return
        asserts.assert_equal(verdict["used_to_pct"], 10 * worse, verdict)
        asserts.assert_equal(self.device.property("storekeeper.status.life_used_pct"),
                             str(10 * worse))

    def test_the_revision_is_the_register_s(self) -> None:
        register = self.register()
        items = {item["name"]: item for item in self.device.json("health")["items"]}
        asserts.skip_if(items.get("rev", {}).get("state") != "reported",
                        "this kernel shows no rev")
        asserts.assert_equal(int(items["rev"]["value"], 16), register[EXT_CSD_REV])

    def test_no_serial_number_is_shown(self) -> None:
        serial = self.device.run("cat /sys/block/mmcblk*/device/serial 2>/dev/null").out.split()
        asserts.skip_if(not serial or "denied" in " ".join(serial), "no eMMC, or nobody may look")
        dump = self.device.output("dumpsys storekeeper --json")
        asserts.assert_not_in(serial[0].removeprefix("0x"), dump)


if __name__ == "__main__":
    main()
