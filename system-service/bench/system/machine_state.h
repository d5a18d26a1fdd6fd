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

// Several clocks at one moment, to check one by the others: the kernel's (clock_gettime(2)) and the
// processor's own.
struct ClockSet {
    std::chrono::nanoseconds raw{};        // CLOCK_MONOTONIC_RAW: never set or slewed
    std::chrono::nanoseconds monotonic{};  // slewed; stops in suspend
    std::chrono::nanoseconds boot{};       // slewed; runs in suspend
    std::chrono::nanoseconds wall{};       // can be set
    // ARM's generic timer (CNTVCT_EL0 by CNTFRQ_EL0), which bypasses the C library and the kernel's
    // timekeeping. Absent if the firmware has set no rate, on other processors, whose counters
    // report none, and in 32-bit programs, which not every kernel lets read it.
    std::optional<std::chrono::nanoseconds> counter;

    // Reads the clocks one after the other, and again if the program was interrupted in between: up
    // to 10 times, and the closest set counts.
    static ClockSet Now(const std::function<std::chrono::nanoseconds(clockid_t)>& read = ReadClock);
};

// Time of a counter that has counted `ticks` at `rate` a second. Absent if no processor's counter
// has this rate.
std::optional<std::chrono::nanoseconds> CountedTime(uint64_t ticks, uint64_t rate);

// Limits of the processors' speed, as sysfs reports them.
struct CpuLimits {
    // Governors of /sys/devices/system/cpu/cpufreq/policy*
    // (Documentation/admin-guide/pm/cpufreq.rst), each once, sorted: "performance", "schedutil".
    std::vector<std::string> governors;
    // Policies whose scaling_max_freq is below cpuinfo_max_freq: "policy4 at 1800000 of 2400000
    // kHz".
    std::vector<std::string> capped;
    // Active cooling devices: cur_state above 0 (Documentation/driver-api/thermal/sysfs-api.rst).
    std::vector<std::string> cooling;

    bool operator==(const CpuLimits&) const = default;
};

// Limits that cannot be read are left out: virtual machines have none of them.
CpuLimits ReadCpuLimits(const FileReader& files);

inline constexpr char kProcStatPath[] = "/proc/stat";

// Time of all processors since boot, in ticks of sysconf(_SC_CLK_TCK): the line "cpu" of /proc/stat
// (Documentation/filesystems/proc.rst, 1.7).
struct CpuTime {
    uint64_t user = 0;    // includes nice
    uint64_t system = 0;  // includes interrupts
};

android::base::Result<CpuTime> ParseProcStat(std::string_view stat);

}  // namespace storekeeper
