// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "latency/latency_sample.h"
#include "maintenance/actions/hid_control.h"
#include "maintenance/policy/policy.h"

namespace storekeeper {

// Latency of the probe's reads, measured over a time within one boot.
struct ReadFigure {
    BootTime begin{};
    LatencySample sample;  // of kind kRead, with its histogram
};

// The 99th percentile of all reads in the figures that begin at `since` or later. Absent if these
// are fewer than kMinReads.
std::optional<std::chrono::nanoseconds> SpeedOfReads(const std::vector<ReadFigure>& figures,
                                                     BootTime since);
inline constexpr uint64_t kMinReads = 48;

// The history of the defragmentation of one chip.
struct DefragMemory {
    // Lasts from the first analysis that finds enough to move until one finds little left or no
    // progress, or until four weeks' budgets are used up.
    struct Round {
        std::chrono::nanoseconds p99_before{};
        uint64_t moved_bytes = 0;
        // Bytes that the last analysis of the round found fragmented.
        uint64_t fragmented_bytes = 0;
        // Absent while the round lasts. Once it has ended, reads are measured and judge it.
        std::optional<RunStamp> ended;
    };

    std::string chip;  // Chip::id and firmware: another firmware is another chip
    std::optional<std::chrono::nanoseconds> best_p99;
    std::optional<Round> round;
    // Consecutive rounds without faster reads.
    uint32_t failed_rounds = 0;
    // Result of the last round, for people; "" before the first.
    std::string last;
};

struct DefragInputs {
    RunStamp now;
    HidReading hid;
    std::vector<ReadFigure> reads;
    // An analysis of this run is valid.
    bool analyzed = false;
    // This run has moved data before that analysis.
    bool moved_this_run = false;
    uint64_t run_left_bytes = 0;   // bytes that this run may still move
    uint64_t week_left_bytes = 0;  // bytes left of the write budget
};

enum class DefragStep { kNothing, kAnalyze, kDefragment };

struct DefragDecision {
    DefragStep step = DefragStep::kNothing;
    uint64_t bytes = 0;  // bytes to move, at most
    // The reason for the step, or for doing nothing: a sentence without a full stop.
    std::string why;
};

// Bytes moved in one run at most: a quarter of a week's default budget.
inline constexpr uint64_t kDefragRunBytes = 256 << 20;

// Judges a round that has ended, updates the memory of reads, and chooses the next step.
// Defragmentation wears the flash. So it begins only where reads are slow and the chip finds much
// fragmented, and it ends for good after two consecutive rounds that did not make reads faster.
DefragDecision DecideDefrag(const DefragInputs& inputs, const PolicyConfig& config,
                            DefragMemory* memory);
inline constexpr uint32_t kMaxFailedRounds = 2;

}  // namespace storekeeper
