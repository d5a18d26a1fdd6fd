// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <cstdint>
#include <map>
#include <random>
#include <utility>
#include <vector>

#include "history/history.h"
#include "latency/latency_sample.h"
#include "testing/fake_clock.h"

namespace storekeeper {

// The rows that a device in daily use adds to its history: wear once a day, latency of two sources
// and all kinds every six hours, and writes of 40 uids. They are the same every time.
class HistoryUse {
  public:
    static constexpr int kUids = 40;

    HistoryUse(History* history, FakeClock* clock) : history_(*history), clock_(*clock) {}

    // Adds a day's rows and advances the clock by a day.
    void AddDay();
    // Adds a day, then flushes if that is due.
    void Day();

    uint64_t flushes() const { return flushes_; }
    // The first error of a flush.
    const android::base::Result<void>& flushed() const { return flushed_; }

  private:
    // Number of different distributions of six hours.
    static constexpr size_t kVariants = 8;

    void Latency(LatencySource source, IoKind kind);
    const Histogram& Times(LatencySource source, IoKind kind);

    History& history_;
    FakeClock& clock_;
    std::mt19937 random_{1};
    // Distributions by source, kind and variant; each is made once.
    std::map<std::pair<LatencySource, IoKind>, std::vector<Histogram>> times_;
    uint64_t days_ = 0;
    uint64_t flushes_ = 0;
    android::base::Result<void> flushed_;
};

}  // namespace storekeeper
