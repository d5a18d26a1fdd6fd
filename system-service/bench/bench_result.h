// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <json/value.h>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "bench/evidence.h"
#include "bench/fio_result.h"
#include "bench/honesty.h"
#include "bench/job_file.h"

namespace storekeeper {

// What one job did once, and what is to be thought of it.
struct BenchRepetition {
    Claim claim;
    uint64_t ios = 0;
    LatencyBins latency;
    LatencyBins sync_latency;
    DeviceState before;
    DeviceState after;
    std::vector<BenchReason> reasons;

    BenchVerdict verdict() const { return VerdictOf(reasons); }
    // 10^6 bytes a second.
    double mb_per_s() const;
    double iops() const;
};

struct BenchFigure {
    BenchJob job;
    std::vector<BenchRepetition> repetitions;

    // INVALID when half of them are, else by the worst of those that are not.
    BenchVerdict verdict() const;
};

struct BenchResult {
    WallTime made{};
    std::string matrix;
    std::string fio_version;
    std::string model;   // ro.product.model; "" when not known
    std::string build;   // ro.build.id
    std::string folder;  // that was measured
    BenchPlace place;
    std::vector<BenchFigure> figures;
};

// As docs/bench.schema.json has it. Units stand in the keys, what is not known is null.
Json::Value BenchToJson(const BenchResult& result);

}  // namespace storekeeper
