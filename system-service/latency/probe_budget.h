// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/result.h>

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/clock.h"

namespace storekeeper {

// The probe's I/O so far and the idle time since, stored as text at the start of the probe's file.
// Idle time counts while the device is switched on (CLOCK_BOOTTIME). The time between the last note
// of a boot and its end is lost, so that no clock jump, reboot or crash returns any budget.
struct ProbeBudget {
    // The whole budget returns this long after the last I/O. Therefore no period of this length
    // contains more I/O than the budget.
    static constexpr std::chrono::hours kDay{24};

    uint32_t used_kib = 0;
    std::chrono::seconds idle{};  // time from the last I/O to `noted`
    BootTime noted{};             // time of this note, since boot
    std::string boot_id;          // /proc/sys/kernel/random/boot_id
    uint32_t filled_pages = 0;    // data pages of the file that have been written

    // The budget at time `now` of the boot `boot`.
    ProbeBudget RefilledAt(BootTime now, const std::string& boot) const;
    // The unused part of a budget of `kib_per_day` KiB.
    uint32_t RemainingKib(uint32_t kib_per_day) const;

    std::string Encode() const;
    // Parses the first line and ignores the rest. The error describes the defect.
    static android::base::Result<ProbeBudget> Decode(std::string_view text);

    bool operator==(const ProbeBudget&) const = default;
};

}  // namespace storekeeper
