// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "base/clock.h"
#include "maintenance/policy/policy_config.h"

namespace storekeeper {

// What a complete run brought.
struct RunGain {
    uint64_t discarded_bytes = 0;
    uint64_t filesystem_bytes = 0;  // size of what was trimmed
    // By how much the latency probe's 99th percentile fell, percent; negative when it rose. Absent
    // without a probe.
    std::optional<int> p99_percent;
};

// The interval after a run that brought this: half as long when it freed much or made the storage
// faster, half as long again when it did neither, within the configured bounds; else unchanged.
std::chrono::seconds NextInterval(std::chrono::seconds interval, const RunGain& gain,
                                  const PolicyConfig& config);

// When something happened, in both clocks: the boot's own clock is right within one boot, the wall
// clock is all there is across boots.
struct RunStamp {
    std::string boot_id;
    BootTime since_boot{};
    WallTime wall{};
};

// Time since a stamp; never negative. Within a boot the boot's clock counts, whatever the wall
// clock does. Across boots the wall clock counts; when it was set back, at least this boot's whole
// time has passed.
std::chrono::seconds Elapsed(const RunStamp& then, const RunStamp& now);

// How long ago something was, as a sum that is brought up to date now and then. A wall clock that
// jumps by years falsifies at most the one step that crosses a boot meanwhile.
struct RunAge {
    RunStamp at;  // when the sums below were right
    // Time passed, the time switched off included as far as the wall clock shows.
    std::chrono::seconds elapsed{};
    // Time passed while the device was on (suspended counts): what no clock can falsify. Time of an
    // earlier boot that was not written down in time is missing.
    std::chrono::seconds powered{};
};

RunAge BringUpToDate(const RunAge& age, const RunStamp& now);

// Whether the sums should be written down: after `period`, or at once when the wall clock has gone
// back across a boot, for until then only this boot counts.
bool IsWorthWriting(const RunAge& age, const RunStamp& now, std::chrono::seconds period);

}  // namespace storekeeper
