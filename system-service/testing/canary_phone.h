// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <utility>

#include "base/record_file.h"
#include "maintenance/canary/chip_guard.h"
#include "mounts/block_device.h"
#include "mounts/chip_id.h"
#include "testing/fake_clock.h"
#include "testing/fake_flash.h"
#include "testing/tree.h"

namespace storekeeper {

// A phone that can restart, with /data on an eMMC, /cache on another partition of it, and a
// ChipGuard.
class CanaryPhone {
  public:
    static constexpr char kCid[] = "150100544553544d3107deadbeef3b9f";

    CanaryPhone() {
        tree.Write("/sys/dev/block/179:0/device/cid", std::string(kCid) + "\n");
        SetFirmware("0x01");
        for (const char* partition : {"179:1", "179:2"}) {
            const std::string node = std::string("/sys/dev/block/") + partition;
            tree.Write(node + "/partition", "1\n");
            // The target of "179:1/..": the tree has no links.
            tree.Write("/sys/dev/block/dev", "179:0\n");
        }
        Mount("ext4", "rw");
        Boot();
    }

    void SetFirmware(const std::string& firmware) {
        tree.Write("/sys/dev/block/179:0/device/fwrev", firmware + "\n");
    }
    void SetGranularity(uint64_t bytes) {
        tree.Write("/sys/dev/block/179:2/queue/discard_granularity", std::to_string(bytes) + "\n");
    }
    void Mount(const std::string& type, const std::string& options) {
        tree.Write("/proc/self/mountinfo", "40 21 179:2 / /data rw - " + type + " /dev/x " +
                                                   options +
                                                   "\n41 21 179:1 / /cache rw - ext4 /dev/y rw\n");
    }

    // Cuts the power and boots again.
    void Restart(uint64_t seed = 1) {
        guard.reset();
        records.reset();
        flash.Restart(seed);
        clock.Reboot(std::chrono::seconds(100));
        Boot();
    }
    // Begins a boot with a new boot_id and starts the daemon. StartDaemon() restarts the daemon
    // alone.
    void Boot() {
        static int boots = 0;
        tree.Write("/proc/sys/kernel/random/boot_id", "boot-" + std::to_string(++boots) + "\n");
        StartDaemon();
    }
    void StartDaemon() {
        guard.reset();
        records.emplace(flash, FakeFlash::PathOf("state.log"));
        guard.emplace(ChipGuard::Seams{.syscalls = flash,
                                       .files = files,
                                       .clock = clock,
                                       .records = *records},
                      ChipGuard::Terms{.canary = FakeFlash::PathOf("canary"),
                                       .restart_wait = restart_wait});
    }

    // Examines the chip, as at the beginning of a run.
    TrimAdmission Examine(bool manual = false) {
        return guard->Examine({data()}, manual, may_discard ? &discard : nullptr);
    }
    std::string Verdict(bool manual = false) { return Examine(manual).verdict; }
    ChipTrust trust() const {
        const std::vector<ChipTrust> chips = guard->chips();
        return chips.empty() ? ChipTrust() : chips.front();
    }
    static dev_t data() { return *ParseDevice("179:2"); }
    static dev_t cache() { return *ParseDevice("179:1"); }

    Tree tree;
    FileReader files = tree.files();
    FakeClock clock;
    FakeFlash flash;
    std::chrono::seconds restart_wait = std::chrono::hours(72);
    bool may_discard = true;
    ChipGuard::Discard discard = [this](uint64_t start, uint64_t length) {
        return flash.Discard(start, length);
    };
    std::optional<RecordFile> records;
    std::optional<ChipGuard> guard;
};

}  // namespace storekeeper
