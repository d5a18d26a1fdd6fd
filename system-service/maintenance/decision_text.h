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

// The gates that are open (`pass`) or closed, as text: "untouched 720 of 3600 s (screen off),
// interval (never yet)".
std::string DescribeGates(const Decision& decision, bool pass);

// Names of the closed gates, a blank between them. Two refusals with the same names are not logged
// or recorded twice.
std::string ClosedGates(const Decision& decision);

// Parses a limit of this gate, in the gate's unit. A temperature may be in degrees: "400", "40C"
// and "40.5C". An unknown gate takes any number.
android::base::Result<int64_t> ParseGateLimit(const std::string& gate, const std::string& text);

// The limits that root may set, as text: "20 % to 100 %". It adds the meaning where the unit does
// not show it.
std::string RangeText(const OverrideRange& range);

// Remembers since when each gate has been open or closed. A change between two calls of Note() is
// dated by the later one.
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

// Why the policy may never begin a run here, so that vold must trim (vold-patches/). The reasons: a
// gate that never gives way is closed and cannot be read; the deadline is past and no run is
// possible; the last run failed. "" if the policy may run. Also "" for a chip that must not be
// trimmed yet or at all, because vold would trim it.
std::string WhyNoRun(const Decision& decision, const std::string& last_failure);

// The reason of a run that failed and whose successor would fail as well. "" for a run that
// trimmed, was stopped, or was refused: by another run, for its chip, or by notrim in the fstab.
std::string FailureOf(const TrimReceipt& receipt);

// FailureOf() the newest run of the policy in these receipts, which are newest first.
std::string LastFailure(const std::vector<TrimReceipt>& receipts);

}  // namespace storekeeper
