// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <json/value.h>

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "bench/honesty.h"
#include "bench/job_file.h"
#include "bench/statistics.h"

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

    // What all processors did meanwhile, in per cent of one.
    struct Cpu {
        double user_pct = 0;
        double system_pct = 0;
    };

    BenchVerdict verdict() const { return VerdictOf(reasons); }
    std::chrono::nanoseconds passed() const { return after.clocks.raw - before.clocks.raw; }
    // Absent where a counter is missing or went back.
    std::optional<Cpu> cpu() const;
    double mb_per_s() const { return PerSecond(Megabytes(claim.bytes()), claim.time); }
    double iops() const { return PerSecond(static_cast<double>(ios), claim.time); }
};

struct BenchFigure {
    BenchJob job;
    std::vector<BenchRepetition> repetitions;

    // INVALID when half of them are, else by the worst of those that are not.
    BenchVerdict verdict() const;
    // Of the repetitions that are not INVALID: mb_per_s, p50_ms, p90_ms, p99_ms, p99_9_ms and
    // sync_p50_ms; without a value for what a repetition has none of.
    std::map<std::string, std::vector<double>> values() const;
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

// A number for people; "-" where there is none.
std::string NumberText(std::optional<double> value, const char* format);

// As docs/bench.schema.json has it. Units stand in the keys, what is not known is null.
Json::Value BenchToJson(const BenchResult& result);

// A result for people: a line a figure with the medians of its repetitions, and why
// any of them is doubted.
std::string BenchToText(const BenchResult& result);

}  // namespace storekeeper
