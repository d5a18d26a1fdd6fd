// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/result.h>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "base/clock.h"
#include "latency/latency_sample.h"
#include "latency/uid_io.h"

namespace storekeeper {

// The first of the `days` days, counted from the epoch, that a day lies in. Longer spans that are
// multiples hold shorter ones whole.
int64_t FirstDayOf(int64_t day, int64_t days);

// What happened to the device, or to the history itself: kind as in docs/dump.schema.json.
struct HistoryEvent {
    std::string kind;
    WallTime wall{};
    std::string text;

    bool operator==(const HistoryEvent&) const = default;
};

// Latency of some days in a row, in the form that is stored.
struct LatencyRow {
    int64_t day = 0;  // the first
    int64_t days = 1;
    LatencySource source = LatencySource::kDiskstats;
    IoKind kind = IoKind::kRead;
    WallTime wall{};              // when its last sample ended
    std::chrono::seconds span{};  // of its samples together
    uint64_t count = 0;
    std::chrono::nanoseconds total{};
    std::string histogram;  // Histogram::Encode()

    // In the row of its day; of its week where each request is counted, for these histograms are
    // several times as long as all others together.
    static LatencyRow Of(const LatencySample& sample);
    android::base::Result<LatencySample> Sample() const;
    // Adds the other to this one, which keeps its days. An error when one of the histograms cannot
    // be read; then nothing is changed.
    android::base::Result<void> Join(const LatencyRow& other);
    // Of which day, source and kind: rows are kept in this order.
    int64_t Key() const;

    bool operator==(const LatencyRow&) const = default;
};

// What a uid wrote in some days in a row.
struct UidRow {
    // Stands for all uids that are not distinguished: (uid_t)-1, which is no uid.
    static constexpr uint32_t kOthers = UINT32_MAX;

    int64_t day = 0;
    int64_t days = 1;
    uint32_t uid = 0;
    uint64_t written_bytes = 0;

    bool operator==(const UidRow&) const = default;
};

}  // namespace storekeeper
