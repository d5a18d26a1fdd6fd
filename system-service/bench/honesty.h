// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "bench/device_reader.h"

namespace storekeeper {

// The work that a job claims to have done.
struct Claim {
    uint64_t read_bytes = 0;
    uint64_t written_bytes = 0;
    uint64_t bytes() const { return read_bytes + written_bytes; }
    uint64_t writes = 0;  // number of requests, or of files
    uint64_t syncs = 0;
    std::chrono::nanoseconds time{};
    bool direct = false;        // past the page cache
    bool compressible = false;  // its data is not random
};

// A reason to doubt a figure, or a fact to know about it.
struct BenchReason {
    enum class Level { kNote, kSuspect, kInvalid };

    std::string code;
    Level level = Level::kNote;
    std::string text;

    bool operator==(const BenchReason&) const = default;
};

// The level's name: "note", "suspect", "invalid".
std::string BenchReasonLevelName(BenchReason::Level level);

enum class BenchVerdict { kValid, kSuspect, kInvalid };

// The verdict's name: "VALID", "SUSPECT", "INVALID".
std::string BenchVerdictName(BenchVerdict verdict);

// Compares a job's claim with the kernel's counters. Codes:
//   clocks   clock_rate, suspended, wall_stepped, time_long, time_short, time_gap, too_short
//   bytes    page_cache, bytes_missing, no_disk, background_io, trim_running, compressible
//   syncs    flush_missing, flush_unknown, nobarrier, volatile_cache
//   physics  faster_than_bus, faster_than_flash
//   device   throttled, cpu_capped, governor, free_space, charger_changed, heated, gc_running
// runner.h has the codes that come from the jobs' file itself.
std::vector<BenchReason> JudgeClaim(const Claim& claim, const BenchPlace& place,
                                    const DeviceState& before, const DeviceState& after);

// The verdict of the worst reason.
BenchVerdict VerdictOf(const std::vector<BenchReason>& reasons);

}  // namespace storekeeper
