// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <compare>
#include <optional>
#include <string>
#include <string_view>

namespace storekeeper {

// The first two numbers of a kernel's release.
struct KernelVersion {
    unsigned major = 0;
    unsigned minor = 0;

    // NOLINTNEXTLINE(modernize-use-nullptr): the compiler's own comparisons with 0
    auto operator<=>(const KernelVersion&) const = default;
};

// "4.9.337-perf+", "6.12-rc1". Absent for a text that does not begin with two numbers.
std::optional<KernelVersion> ParseKernelRelease(std::string_view release);

// The release that uname(2) reports.
std::string KernelRelease();

}  // namespace storekeeper
