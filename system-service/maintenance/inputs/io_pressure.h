// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/result.h>

#include <chrono>
#include <string_view>

namespace storekeeper {

// The file is absent before Linux 4.20, without CONFIG_PSI, and with psi=0 on the kernel's command
// line.
inline constexpr char kIoPressurePath[] = "/proc/pressure/io";

// Time that tasks wait for storage: the line "some" of /proc/pressure/io
// (Documentation/accounting/psi.rst).
struct IoPressure {
    int avg10_percent = 0;              // share of the last 10 s, rounded up
    std::chrono::microseconds total{};  // since boot
};

android::base::Result<IoPressure> ParseIoPressure(std::string_view pressure);

}  // namespace storekeeper
