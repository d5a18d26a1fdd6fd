// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "testing/history_use.h"

#include <algorithm>
#include <cmath>

namespace storekeeper {
namespace {

constexpr int kRounds = 4;
constexpr std::chrono::hours kRound(6);

// Requests in six hours; their median time in nanoseconds.
struct Traffic {
    int requests;
    double median;
    double spread;  // standard deviation of the logarithm
};

Traffic TrafficOf(LatencySource source, IoKind kind) {
    constexpr Traffic kDisk[] = {{2000, 3e5, 0.8},
                                 {3000, 9e5, 1.0},
                                 {400, 3e6, 0.7},
                                 {20, 1e7, 0.5}};
    constexpr Traffic kProbe = {16, 8e5, 0.5};
    return source == LatencySource::kProbe ? kProbe : kDisk[static_cast<size_t>(kind)];
}

// Quantile of the normal distribution, so that evenly spread values make up a distribution without
// thousands of random numbers.
double Quantile(double part) {
    // The logistic distribution, scaled to the same variance, is close enough.
    return std::log(part / (1 - part)) * 0.5513;
}

}  // namespace

const Histogram& HistoryUse::Times(LatencySource source, IoKind kind) {
    std::vector<Histogram>& variants = times_[{source, kind}];
    while (variants.size() < kVariants) {
        const Traffic traffic = TrafficOf(source, kind);
        const double median = traffic.median * (0.9 + 0.02 * static_cast<double>(variants.size()));
        const int steps = std::min(traffic.requests, 200);
        Histogram& times = variants.emplace_back();
        for (int i = 0; i < steps; ++i) {
            const double time = median * std::exp(traffic.spread * Quantile((i + 0.5) / steps));
            times.Add(std::chrono::nanoseconds(static_cast<int64_t>(time)),
                      static_cast<uint64_t>(traffic.requests / steps));
        }
    }
    return variants[random_() % kVariants];
}

void HistoryUse::Latency(LatencySource source, IoKind kind) {
    const Traffic traffic = TrafficOf(source, kind);
    LatencySample sample{.wall = clock_.Wall(),
                         .span = kRound,
                         .source = source,
                         .kind = kind,
                         .count = static_cast<uint64_t>(traffic.requests)};
    sample.total =
            std::chrono::nanoseconds(static_cast<int64_t>(traffic.median)) * traffic.requests;
    if (source != LatencySource::kDiskstats) sample.histogram = Times(source, kind);
    history_.Add(sample);
}

void HistoryUse::AddDay() {
    for (int round = 0; round < kRounds; ++round) {
        clock_.Advance(kRound);
        for (const LatencySource source : {LatencySource::kDiskstats, LatencySource::kProbe}) {
            for (const IoKind kind : kIoKinds) Latency(source, kind);
        }
    }
    ++days_;
    history_.Add(WearSample{.wall = clock_.Wall(),
                            .boot_id = "6ba7b810-9dad-11d1-80b4-00c04fd430c8",
                            .chip = "0123456789abcdef",
                            .source = "sysfs",
                            .wear = {.ext_csd_rev = 8,
                                     .life_time_a = static_cast<uint8_t>(1 + days_ / 300),
                                     .life_time_b = static_cast<uint8_t>(1 + days_ / 500),
                                     .pre_eol_info = 1},
                            .filesystem_written_bytes = days_ * 7'000'000'000});
    for (uint32_t uid = 0; uid < kUids; ++uid) {
        const uint64_t written = 1'000'000 * uid + random_() % 100'000'000;
        history_.Add(UidRow{.day = DayOf(clock_.Wall()),
                            .uid = 10'000 + uid,
                            .written_bytes = written,
                            .fsyncs = written / 50'000,
                            .device_bytes = written / 5 * 6,
                            .span_s = 86'400});
    }
}

void HistoryUse::Day() {
    AddDay();
    if (!history_.IsFlushDue()) return;
    const android::base::Result<void> flushed = history_.Flush();
    ++flushes_;
    if (!flushed.ok() && flushed_.ok()) flushed_ = flushed;
}

}  // namespace storekeeper
