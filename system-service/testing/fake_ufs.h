// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>

#include "health/ufs_fields.h"
#include "maintenance/actions/init_requests.h"
#include "testing/fake_clock.h"
#include "testing/fake_fitrim.h"
#include "testing/tree.h"

namespace storekeeper {

// A UFS 8:0 below /data with host-initiated defragmentation, and an init that executes the rules of
// storekeeperd_trim.rc for it. Both work while the pauser lets time pass.
class FakeUfs {
  public:
    static constexpr dev_t kDisk = 8 << 8;
    static constexpr uint64_t kMib = 1 << 20;
    static constexpr char kHid[] = "/sys/dev/block/8:0/hid/";
    static constexpr char kStrings[] = "/sys/dev/block/8:0/string_descriptors/";

    FakeUfs(Tree& tree, FakeClock& clock, FakePauser& pauser) : tree_(tree), clock_(clock) {
        tree_.Write("/proc/self/mountinfo", "40 21 8:2 / /data rw - f2fs /dev/x rw\n");
        tree_.Write("/proc/sys/kernel/random/boot_id", "boot-1\n");
        tree_.Write("/sys/dev/block/8:2/partition", "2\n");
        // The target of "8:2/..": the tree has no links.
        tree_.Write("/sys/dev/block/dev", "8:0\n");
        tree_.Write("/dev/sys/block/by-name/rootdisk/dev", "8:0\n");
        tree_.MakeDirectory("/sys/dev/block/8:0/device");
        tree_.Write(std::string(kStrings) + "manufacturer_name", "TEST\n");
        tree_.Write(std::string(kStrings) + "product_name", "FAKE\n");
        tree_.Write(std::string(kStrings) + "serial_number", "0123\n");
        tree_.Write(std::string(kStrings) + "product_revision", "0100\n");
        Show();
        pauser.during = [this] {
            Run();
            if (during) during();
        };
    }

    InitProperties properties() {
        return {.get = [this](const std::string& name) { return values[name]; },
                .set = [this](const std::string& name,
                              const std::string& value) { return Set(name, value); }};
    }

    // Writes the present state to the files of sysfs.
    void Show() {
        const bool known = state != HidState::kIdle && state != HidState::kAnalysis;
        tree_.Write(std::string(kHid) + "state", HidStateName(state) + "\n");
        tree_.Write(std::string(kHid) + "fragmented_size",
                    std::to_string(known ? fragmented / kHidUnitBytes : kHidNoSize) + "\n");
        tree_.Write(std::string(kHid) + "defrag_size", std::to_string(size_) + "\n");
        tree_.Write(std::string(kHid) + "progress_ratio",
                    std::to_string(wanted_ == 0 ? 0 : done_ * 100 / wanted_) + "\n");
    }

    HidState state = HidState::kIdle;
    uint64_t fragmented = 600 * kMib;
    uint64_t moved = 0;                // bytes in the chip's life
    uint32_t analyses = 0;             // number in the chip's life
    std::chrono::seconds analysis{3};  // duration of an analysis
    bool init_works = true;            // init executes the requests
    bool chip_works = true;            // the chip executes init's requests
    bool helps = true;                 // moved data is no longer fragmented
    std::function<void()> during;      // runs during each pause
    std::map<std::string, std::string> values;

  private:
    static constexpr uint64_t kBytesPerSecond = 16 * kMib;

    bool Set(const std::string& name, const std::string& value) {
        values[name] = value;
        if (!init_works) return true;
        if (name == "storekeeper.hid.size") {
            size_ = std::stoull(value);
        } else if (name.starts_with("storekeeper.hid.") && chip_works) {
            defrag_next_ = name.ends_with("defrag");
            begun_ = clock_.SinceBoot();
            if (value == "disable") {
                state = HidState::kIdle;
            } else if (defrag_next_ && state == HidState::kDefragRequired) {
                BeginDefrag();
            } else {
                state = HidState::kAnalysis;
                ++analyses;
            }
        }
        Show();
        return true;
    }

    void BeginDefrag() {
        state = HidState::kDefrag;
        wanted_ = std::min(size_ * kHidUnitBytes, fragmented);
        done_ = 0;
        begun_ = clock_.SinceBoot();
    }

    void Run() {
        const auto time = clock_.SinceBoot() - begun_;
        if (state == HidState::kAnalysis && time >= analysis) {
            state = fragmented != 0 ? HidState::kDefragRequired : HidState::kDefragNotRequired;
            if (defrag_next_ && fragmented != 0) BeginDefrag();
        } else if (state == HidState::kDefrag) {
            const auto seconds = std::chrono::floor<std::chrono::seconds>(time).count();
            const uint64_t now =
                    std::min<uint64_t>(wanted_, static_cast<uint64_t>(seconds) * kBytesPerSecond);
            moved += now - done_;
            if (helps) fragmented -= now - done_;
            done_ = now;
            if (done_ == wanted_) state = HidState::kDefragCompleted;
        }
        Show();
    }

    Tree& tree_;
    FakeClock& clock_;
    BootTime begun_{};
    uint64_t size_ = kHidNoSize;
    bool defrag_next_ = false;
    uint64_t wanted_ = 0;
    uint64_t done_ = 0;
};

}  // namespace storekeeper
