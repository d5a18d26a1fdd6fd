// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include <sys/sysmacros.h>

#include <algorithm>
#include <cstdint>
#include <string_view>

#include "base/diskstats.h"
#include "latency/latency_collector.h"

using namespace storekeeper;

// Input: two tables, separated by the first zero byte, and the latency between them.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const std::string_view before = text.substr(0, text.find('\0'));
    const std::string_view after = text.substr(std::min(before.size() + 1, text.size()));
    auto all = ParseDiskstats(before);
    (void)FindDiskStats(text, makedev(179, 0));
    if (!all.ok()) return 0;
    for (const DiskStats& then : *all) {
        auto now = FindDiskStats(after, then.device);
        if (!now.ok()) continue;
        auto samples = DiskLatency(then, *now, WallTime(0), std::chrono::seconds(1));
        if (!samples.ok()) continue;
        for (const LatencySample& sample : *samples) {
            if (sample.count == 0 || sample.total.count() < 0) __builtin_trap();
        }
    }
    return 0;
}
