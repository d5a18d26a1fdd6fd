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

// One run of one job, with the doubts about it.
struct BenchRepetition {
    Claim claim;
    uint64_t ios = 0;
    LatencyBins latency;
    LatencyBins sync_latency;
    DeviceState before;
    DeviceState after;
    std::vector<BenchReason> reasons;

    // CPU time of all processors during the run, in percent of one processor.
    struct Cpu {
        double user_pct = 0;
        double system_pct = 0;
    };

    BenchVerdict verdict() const { return VerdictOf(reasons); }
    std::chrono::nanoseconds passed() const { return after.clocks.raw - before.clocks.raw; }
    // Absent if a counter is missing or went back.
    std::optional<Cpu> cpu() const;
    double mb_per_s() const { return PerSecond(Megabytes(claim.bytes()), claim.time); }
    double iops() const { return PerSecond(static_cast<double>(ios), claim.time); }
};

struct BenchFigure {
    BenchJob job;
    std::vector<BenchRepetition> repetitions;

    // INVALID if at least half of the repetitions are; else the worst verdict of the others.
    BenchVerdict verdict() const;
    // Values of the repetitions that are not INVALID: mb_per_s, p50_ms, p90_ms, p99_ms, p99_9_ms
    // and sync_p50_ms. A repetition without a latency adds no value for it.
    std::map<std::string, std::vector<double>> values() const;
};

struct BenchResult {
    WallTime made{};
    std::string matrix;
    std::string fio_version;
    std::string model;   // ro.product.model; "" if unknown
    std::string build;   // ro.build.id
    std::string folder;  // the measured folder
    BenchPlace place;
    std::vector<BenchFigure> figures;
};

// A number for people; "-" if absent.
std::string NumberText(std::optional<double> value, const char* format);

// The result as docs/bench.schema.json describes it. Keys contain the units; unknown values are
// null.
Json::Value BenchToJson(const BenchResult& result);

// A result for people: a line for each figure with the medians of its repetitions, and the reasons
// to doubt any of them.
std::string BenchToText(const BenchResult& result);

}  // namespace storekeeper
