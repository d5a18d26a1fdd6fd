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

// What the probe has read and written, and how long it has done neither since: text that begins the
// probe's own file. Time is that of being switched on (CLOCK_BOOTTIME), the part of a boot behind
// the last note in it lost: no jump of the wall clock, no reboot and no crash gives anything.
struct ProbeBudget {
    // This long after the last I/O all is forgiven: then no time of this length has more than the
    // budget in it.
    static constexpr std::chrono::hours kDay{24};

    uint32_t used_kib = 0;
    std::chrono::seconds idle{};  // up to `noted`, since the last I/O
    BootTime noted{};             // when this was written, in the boot
    std::string boot_id;          // of /proc/sys/kernel/random/boot_id
    uint32_t filled_pages = 0;    // of the file that were written once

    // As at this moment.
    ProbeBudget At(BootTime now, const std::string& boot) const;
    // Of this many KiB a day.
    uint32_t LeftOf(uint32_t kib_per_day) const;

    std::string Encode() const;
    // The error says what is wrong with the text, which may go on behind the line.
    static android::base::Result<ProbeBudget> Decode(std::string_view text);

    bool operator==(const ProbeBudget&) const = default;
};

}  // namespace storekeeper
