// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/result.h>

#include <cstdint>
#include <string_view>

namespace storekeeper {

inline constexpr char kProcStatPath[] = "/proc/stat";

// What all processors have done since boot, in ticks of sysconf(_SC_CLK_TCK): the line "cpu" of
// /proc/stat (Documentation/filesystems/proc.rst, 1.7).
struct CpuTime {
    uint64_t user = 0;    // with nice
    uint64_t system = 0;  // with interrupts
    uint64_t idle = 0;    // with waiting for I/O
};

android::base::Result<CpuTime> ParseProcStat(std::string_view stat);

}  // namespace storekeeper
