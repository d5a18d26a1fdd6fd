// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "bench/system/machine_state.h"

#include <android-base/parseint.h>

#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <vector>

#include "base/power_and_heat.h"
#include "base/tokens.h"

namespace storekeeper {
namespace {

using android::base::Error;
using android::base::Result;
using std::chrono::nanoseconds;

// Even system calls on a slow processor, where the C library needs them, are several times faster.
constexpr nanoseconds kTogether = std::chrono::microseconds(100);
constexpr int kTries = 10;

std::optional<nanoseconds> ReadCounter() {
#if defined(__aarch64__)
    uint64_t ticks = 0;
    uint64_t rate = 0;
    // The barrier keeps the counter from being read early (Arm Architecture Reference Manual,
    // D11.1.2).
    asm volatile("isb\n\tmrs %0, cntvct_el0" : "=r"(ticks) : : "memory");
    asm volatile("mrs %0, cntfrq_el0" : "=r"(rate));
    return CountedTime(ticks, rate);
#else
    return std::nullopt;
#endif
}

constexpr char kPolicies[] = "/sys/devices/system/cpu/cpufreq";

std::vector<std::string> ListByPrefix(const FileReader& files, const std::string& folder,
                                      const std::string& prefix) {
    std::vector<std::string> names = files.List(folder).value_or(std::vector<std::string>());
    std::erase_if(names, [&](const std::string& name) { return !name.starts_with(prefix); });
    return names;
}

}  // namespace

std::optional<nanoseconds> CountedTime(uint64_t ticks, uint64_t rate) {
    constexpr uint64_t kSecond = 1'000'000'000;
    // Firmware sets the rate, to 1 MHz or more; firmware that does not leaves 0.
    if (rate < kSecond / 1000 || rate > kSecond * 10) return std::nullopt;
    return nanoseconds(
            static_cast<int64_t>(ticks / rate * kSecond + ticks % rate * kSecond / rate));
}

ClockSet ClockSet::Now(const std::function<nanoseconds(clockid_t)>& read) {
    ClockSet best;
    nanoseconds least = nanoseconds::max();
    for (int tries = 0; tries < kTries && least > kTogether; ++tries) {
        const ClockSet set = {.raw = read(CLOCK_MONOTONIC_RAW),
                              .monotonic = read(CLOCK_MONOTONIC),
                              .boot = read(CLOCK_BOOTTIME),
                              .wall = read(CLOCK_REALTIME),
                              .counter = ReadCounter()};
        const nanoseconds apart = read(CLOCK_MONOTONIC_RAW) - set.raw;
        if (apart >= least) continue;
        least = apart;
        best = set;
    }
    return best;
}

CpuLimits ReadCpuLimits(const FileReader& files) {
    CpuLimits limits;
    std::set<std::string> governors;
    for (const std::string& name : ListByPrefix(files, kPolicies, "policy")) {
        const std::string policy = std::string(kPolicies) + "/" + name;
        const Result<std::string> governor = files.ReadAttribute(policy + "/scaling_governor");
        if (governor.ok()) governors.insert(*governor);
        const auto now = ReadCount(files, policy + "/scaling_max_freq");
        const auto most = ReadCount(files, policy + "/cpuinfo_max_freq");
        if (now.has_value() && most.has_value() && *now < *most) {
            limits.capped.push_back(name + " at " + std::to_string(*now) + " of " +
                                    std::to_string(*most) + " kHz");
        }
    }
    limits.governors.assign(governors.begin(), governors.end());
    for (const std::string& name : ListByPrefix(files, kThermal, "cooling_device")) {
        const std::string device = std::string(kThermal) + "/" + name;
        if (ReadCount(files, device + "/cur_state").value_or(0) == 0) continue;
        limits.cooling.push_back(files.ReadAttribute(device + "/type").value_or(name));
    }
    return limits;
}

Result<CpuTime> ParseProcStat(std::string_view stat) {
    const std::string line(stat.substr(0, std::min(stat.find('\n'), stat.size())));
    const std::vector<std::string> words = Tokenize(line, " ");
    // user nice system idle iowait irq softirq; Linux 2.6 has them all.
    std::array<uint64_t, 7> ticks = {};
    if (words.size() <= ticks.size() || words[0] != "cpu") {
        return Error() << kProcStatPath << " does not begin with the line of all processors";
    }
    for (size_t i = 0; i < ticks.size(); ++i) {
        if (!android::base::ParseUint(words[i + 1], &ticks[i])) {
            return Error() << kProcStatPath << ": '" << words[i + 1].substr(0, 20)
                           << "' is not a number";
        }
    }
    return CpuTime{.user = ticks[0] + ticks[1], .system = ticks[2] + ticks[5] + ticks[6]};
}

}  // namespace storekeeper
