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

// Reads of the probe, measured over a time within one boot.
struct ReadFigure {
    BootTime begin{};
    LatencySample sample;  // of kind kRead, with its histogram
};

// The 99th percentile of all reads in the figures that begin at `since` or later. Absent for fewer
// than kMinReads.
std::optional<std::chrono::nanoseconds> SpeedOfReads(const std::vector<ReadFigure>& figures,
                                                     BootTime since);
inline constexpr uint64_t kMinReads = 48;

// What is remembered of the defragmentation of one chip.
struct DefragMemory {
    // From the first defragmentation until an analysis finds little left, or four weeks' budgets
    // are used up.
    struct Round {
        std::chrono::nanoseconds p99_before{};
        uint64_t moved_bytes = 0;
        // As the last analysis of the round found.
        uint64_t fragmented_bytes = 0;
        // Absent while it lasts; then reads are measured, and it is judged.
        std::optional<RunStamp> ended;
    };

    std::string chip;  // Chip::id and firmware: another firmware is another chip
    std::optional<std::chrono::nanoseconds> best_p99;
    std::optional<Round> round;
    // In a row, without faster reads.
    uint32_t failed_rounds = 0;
    // What came of the last round, for people; "" before there was one.
    std::string last;
};

struct DefragInputs {
    RunStamp now;
    HidReading hid;
    std::vector<ReadFigure> reads;
    // An analysis of this run stands.
    bool analyzed = false;
    // This run has moved something before that.
    bool moved_this_run = false;
    uint64_t run_left_bytes = 0;   // of what one run may move
    uint64_t week_left_bytes = 0;  // of the write budget
};

enum class DefragStep { kNothing, kAnalyze, kDefragment };

struct DefragDecision {
    DefragStep step = DefragStep::kNothing;
    uint64_t bytes = 0;  // to be moved at most
    // Why, or why nothing: a sentence without a full stop.
    std::string why;
};

// Moved in one run at most: a quarter of a week's budget.
inline constexpr uint64_t kDefragRunBytes = 256 << 20;

// Judges a round that has ended, brings up to date what is known of reads, and says what to do.
// Defragmentation wears: it begins where reads are slow and the chip finds much fragmented, and two
// rounds in a row that did not make reads faster are the last.
DefragDecision DecideDefrag(const DefragInputs& inputs, const PolicyConfig& config,
                            DefragMemory* memory);
inline constexpr uint32_t kMaxFailedRounds = 2;

}  // namespace storekeeper
