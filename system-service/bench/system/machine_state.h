// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/result.h>
#include <time.h>

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/file_reader.h"

namespace storekeeper {

// What several clocks say at one moment, to check one by the others: the kernel's
// (clock_gettime(2)) and the processor's own.
struct ClockSet {
    std::chrono::nanoseconds raw{};        // CLOCK_MONOTONIC_RAW: nobody sets or slews it
    std::chrono::nanoseconds monotonic{};  // slewed; stands still in suspend
    std::chrono::nanoseconds boot{};       // slewed; goes on in suspend
    std::chrono::nanoseconds wall{};       // can be set
    // ARM's generic timer (CNTVCT_EL0 by CNTFRQ_EL0): neither the C library nor the kernel's
    // bookkeeping stands before it. Absent where the firmware has reported no rate, on other
    // processors, whose counters report none, and in 32-bit programs, which not every kernel lets
    // read it.
    std::optional<std::chrono::nanoseconds> counter;

    // Read one after the other: where this program has to wait for its turn in between, again.
    static ClockSet Now(const std::function<std::chrono::nanoseconds(clockid_t)>& read = ReadClock);
};

// What a counter says that has counted `ticks` at `rate` a second; absent when no counter of a
// processor has such a rate.
std::optional<std::chrono::nanoseconds> CountedTime(uint64_t ticks, uint64_t rate);

// What keeps the processors from their best, as sysfs has it.
struct CpuLimits {
    // Of /sys/devices/system/cpu/cpufreq/policy* (Documentation/admin-guide/pm/cpufreq.rst), each
    // once, sorted: "performance", "schedutil".
    std::vector<std::string> governors;
    // Policies whose scaling_max_freq is below cpuinfo_max_freq: "policy4 at 1800000 of 2400000
    // kHz".
    std::vector<std::string> capped;
    // Cooling devices at work: cur_state above 0 (Documentation/driver-api/thermal/sysfs-api.rst).
    std::vector<std::string> cooling;

    bool operator==(const CpuLimits&) const = default;
};

// What cannot be read does not limit: virtual machines have none of it.
CpuLimits ReadCpuLimits(const FileReader& files);

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
