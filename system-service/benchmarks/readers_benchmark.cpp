// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

// Parsers and decisions that each check of the policy and each dump runs. The benchmark reads no
// files beside the program, because TradeFed takes each of them for a benchmark.

#include <android-base/result.h>
#include <android-base/stringprintf.h>
#include <benchmark/benchmark.h>

#include <chrono>
#include <cstdint>
#include <string>

#include "base/diskstats.h"
#include "health/ext_csd.h"
#include "maintenance/policy/policy.h"
#include "mounts/mountinfo.h"

namespace storekeeper {
namespace {

using android::base::Result;
using android::base::StringAppendF;

void MountTableOfAPhone(benchmark::State& state) {
    std::string text;
    for (int mount = 1; mount <= 96; ++mount) {
        const int id = 20 + mount;
        StringAppendF(&text,
                      "%d 20 254:%d / /apex/com.android.module@%d ro,nodev,noatime shared:%d - "
                      "ext4 /dev/block/dm-%d ro,seclabel,errors=panic\n",
                      id, id, id, id, id);
    }
    if (ParseMountinfo(text).mounts.size() != 96) {
        state.SkipWithError("a line of this benchmark is none of mountinfo");
        return;
    }
    for ([[maybe_unused]] auto _ : state) benchmark::DoNotOptimize(ParseMountinfo(text));
    state.SetBytesProcessed(static_cast<int64_t>(state.iterations() * text.size()));
}
BENCHMARK(MountTableOfAPhone);

void DiskstatsOfPartitions(benchmark::State& state) {
    std::string text;
    for (int64_t part = 1; part <= state.range(0); ++part) {
        text += " 179 " + std::to_string(part) + " mmcblk0p" + std::to_string(part) +
                " 4096 17 524288 9000 2048 33 262144 31000 0 21000 40000 512 0 65536 700 90 120\n";
    }
    if (!ParseDiskstats(text).ok()) {
        state.SkipWithError("a line of this benchmark is none of diskstats");
        return;
    }
    for ([[maybe_unused]] auto _ : state) benchmark::DoNotOptimize(ParseDiskstats(text));
    state.SetBytesProcessed(static_cast<int64_t>(state.iterations() * text.size()));
}
// A Nexus 5 has 29 partitions, many newer phones more than 60.
BENCHMARK(DiskstatsOfPartitions)->Arg(29)->Arg(64);

void ExtCsdFromHexToReport(benchmark::State& state) {
    // A plausible register of eMMC 5.1.
    std::string hex;
    for (uint16_t byte = 0; byte < 512; ++byte) hex += byte == kExtCsdRev ? "08" : "01";
    for ([[maybe_unused]] auto _ : state) {
        Result<ExtCsd> ext_csd = ExtCsd::FromHex(hex);
        if (!ext_csd.ok()) {
            state.SkipWithError("the register is not read");
            return;
        }
        benchmark::DoNotOptimize(ExtCsdToJson(*ext_csd));
    }
}
BENCHMARK(ExtCsdFromHexToReport);

void DecisionWithEveryGateAsked(benchmark::State& state) {
    const PolicyInputs inputs{.now = {.since_boot = std::chrono::hours(50)}};
    for ([[maybe_unused]] auto _ : state) {
        benchmark::DoNotOptimize(Decide(inputs, PolicyState(), PolicyConfig()));
    }
}
BENCHMARK(DecisionWithEveryGateAsked);

}  // namespace
}  // namespace storekeeper

BENCHMARK_MAIN();
