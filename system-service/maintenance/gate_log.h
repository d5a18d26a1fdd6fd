// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <map>
#include <optional>
#include <string>

#include "maintenance/policy/policy.h"

namespace storekeeper {

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

}  // namespace storekeeper
