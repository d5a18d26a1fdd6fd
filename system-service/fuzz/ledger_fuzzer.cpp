// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

// Input: samples with any clock, chip, wear and counter. Ledger, forecast and alerts must not
// crash, and no range may be reversed.

#include <fuzzer/FuzzedDataProvider.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "health/alerts.h"
#include "health/forecast.h"
#include "health/ledger.h"

using namespace storekeeper;

namespace {

// Returns a realistic step as often as any value, so that whole histories arise.
WallTime TimeAfter(FuzzedDataProvider* provider, WallTime before) {
    if (provider->ConsumeBool())
        return before + std::chrono::hours{provider->ConsumeIntegral<uint8_t>()};
    return WallTime{provider->ConsumeIntegral<int64_t>()};
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    FuzzedDataProvider provider(data, size);
    std::vector<WearSample> samples;
    WallTime wall{1'700'000'000};
    uint64_t written = 0;
    while (provider.remaining_bytes() > 0 && samples.size() < 400) {
        // The limit keeps the sum below from overflowing.
        constexpr WallTime kFar{int64_t{1} << 40};
        wall = TimeAfter(&provider, std::clamp(wall, -kFar, kFar));
        written = provider.ConsumeBool()
                          ? written + (uint64_t{provider.ConsumeIntegral<uint8_t>()} << 30)
                          : provider.ConsumeIntegral<uint64_t>();
        WearSample sample{.wall = wall, .source = provider.ConsumeBool() ? "ufs" : "sysfs"};
        sample.boot_id = std::to_string(provider.ConsumeIntegralInRange(0, 3));
        sample.chip = provider.ConsumeIntegralInRange(0, 15) == 0 ? "b" : "a";
        sample.wear = {.ext_csd_rev = 8,
                       .life_time_a = provider.ConsumeIntegralInRange<uint8_t>(0, 13),
                       .life_time_b = provider.ConsumeIntegralInRange<uint8_t>(0, 13),
                       .pre_eol_info = provider.ConsumeIntegralInRange<uint8_t>(0, 4)};
        if (provider.ConsumeBool()) sample.filesystem_written_bytes = written;
        samples.push_back(sample);
    }
    const Ledger ledger = BuildLedger(samples);
    const WallTime now = ledger.points.empty() ? wall : ledger.points.back().wall;
    std::optional<Normal> prior;
    if (size % 2 == 1) prior = Normal{.mean = 0x1p40, .deviation = 0x1p38};
    const Forecast forecast = MakeForecast(ledger, now, prior);
    if (forecast.state == Forecast::State::kRange) {
        if (*forecast.earliest > *forecast.latest || *forecast.earliest < now) __builtin_trap();
    } else if (forecast.reason.empty() || forecast.latest.has_value()) {
        __builtin_trap();
    }
    if (forecast.bytes_per_step.has_value() &&
        forecast.bytes_per_step->low > forecast.bytes_per_step->high) {
        __builtin_trap();
    }
    AlertState state;
    const AlertFacts facts{.device = "fuzz", .critical_health = 1, .over_budget = "fuzz"};
    UpdateAlerts(ledger, forecast, facts, now, &state);
    if (!UpdateAlerts(ledger, forecast, facts, now, &state).raised.empty()) __builtin_trap();
    return 0;
}
