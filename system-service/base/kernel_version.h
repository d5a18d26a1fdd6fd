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

// Parses "4.9.337-perf+" or "6.12-rc1"; nullopt if the text does not begin with two numbers.
std::optional<KernelVersion> ParseKernelRelease(std::string_view release);

// The release string of uname(2).
std::string KernelRelease();

}  // namespace storekeeper
