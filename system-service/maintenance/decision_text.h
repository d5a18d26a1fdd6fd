// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/result.h>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "maintenance/policy/policy.h"
#include "maintenance/trim/receipt.h"

namespace storekeeper {

// The gates that are open, or those that are closed, with their values and limits:
// "untouched 720 of 3600 s (screen off), interval (never yet)".
std::string DescribeGates(const Decision& decision, bool pass);

// The names of the closed gates: what makes one refusal another than the last.
std::string ClosedGates(const Decision& decision);

// The limit that `text` gives for this gate, in its unit: a number of that, or degrees for a
// temperature: "400", "40C", "40.5C". Any number for a gate that does not exist.
android::base::Result<int64_t> ParseGateLimit(const std::string& gate, const std::string& text);

// The limits that root may set: "20 % to 100 %", and what they mean where that is not plain.
std::string RangeText(const OverrideRange& range);

// Since when each gate has been open or closed, as far as somebody looked.
class GateLog {
  public:
    void Note(const Decision& decision, BootTime now);

    // Absent for a gate that was never evaluated.
    std::optional<BootTime> Since(const std::string& gate) const;

  private:
    struct Entry {
        bool pass = false;
        BootTime since{};
    };
    std::map<std::string, Entry> entries_;
};

// Why the policy may never begin a run here, so that vold must trim (vold-patches/): a gate that
// never gives way is closed and cannot be read, the deadline is past and still no run is possible,
// or the last run failed. "" if the policy may, and for a chip that must not be trimmed: vold would
// trim it.
std::string WhyNoRun(const Decision& decision, const std::string& last_failure);

// The reason of a run that failed as the next one would fail as well; "" for one that trimmed, was
// stopped, or was refused by whoever owns the device.
std::string FailureOf(const TrimReceipt& receipt);

// FailureOf() the policy's last run among these receipts, newest first.
std::string LastFailure(const std::vector<TrimReceipt>& receipts);

}  // namespace storekeeper
