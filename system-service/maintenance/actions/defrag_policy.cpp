// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "maintenance/actions/defrag_policy.h"

#include <algorithm>

#include "base/quantity_text.h"

namespace storekeeper {
namespace {

using std::chrono::microseconds;
using std::chrono::nanoseconds;

constexpr uint64_t kMib = 1 << 20;
constexpr double kTail = 99;
constexpr int64_t kPercent = 100;
// Reads are slow if their 99th percentile is this many percent of the best that was measured, or
// this long: a UFS reads 4 KiB in some 100 us.
constexpr int64_t kSlowPercent = 150;
constexpr microseconds kSlow(2000);
// Fall of the 99th percentile, in percent, from which on a round has helped. A smaller fall is
// scatter.
constexpr int64_t kGainPercent = 10;
// A round may leave 1/8 of the fragmentation that begins one.
constexpr uint64_t kLeftOverShare = 8;
// Weeks' write budgets that a round moves at most before reads judge it.
constexpr uint64_t kMaxRoundWeeks = 4;

std::string P99(nanoseconds time) {
    return std::to_string(std::chrono::duration_cast<microseconds>(time).count()) + " us";
}

DefragDecision DoNothing(std::string why) {
    return {.why = std::move(why)};
}

// Judges a round that has ended by its effect on reads.
void JudgeRound(nanoseconds p99, DefragMemory* memory) {
    const nanoseconds before = memory->round->p99_before;
    const bool helped = p99 * kPercent <= before * (kPercent - kGainPercent);
    memory->failed_rounds = helped ? 0 : memory->failed_rounds + 1;
    memory->last = SizeText(memory->round->moved_bytes) + " moved, p99 of reads " + P99(before) +
                   " before and " + P99(p99) + " after";
    memory->round.reset();
}

void GiveUp(std::string why, DefragMemory* memory) {
    ++memory->failed_rounds;
    memory->last = std::move(why);
    memory->round.reset();
}

// Time from which on figures of reads count: from the end of a round that is to be judged.
BootTime CountsFrom(const DefragMemory& memory, const RunStamp& now) {
    if (!memory.round.has_value() || !memory.round->ended.has_value()) return BootTime(0);
    const RunStamp& ended = *memory.round->ended;
    return ended.boot_id == now.boot_id ? ended.since_boot : BootTime(0);
}

bool IsSlow(nanoseconds p99, const DefragMemory& memory) {
    const nanoseconds best = memory.best_p99.value_or(p99);
    return p99 * kPercent >= best * kSlowPercent || p99 >= kSlow;
}

// Why reads do not permit a round; absent if they do.
std::optional<DefragDecision> WhyNoRound(const DefragInputs& inputs, DefragMemory* memory) {
    const std::optional<nanoseconds> p99 =
            SpeedOfReads(inputs.reads, CountsFrom(*memory, inputs.now));
    const bool judged = memory->round.has_value() && memory->round->ended.has_value();
    if (p99.has_value()) {
        if (judged) JudgeRound(*p99, memory);
        memory->best_p99 = std::min(*p99, memory->best_p99.value_or(*p99));
    } else if (judged) {
        return DoNothing("a round has ended, " + SizeText(memory->round->moved_bytes) +
                         " moved; reads are measured before the next");
    }
    if (memory->failed_rounds >= kMaxFailedRounds) {
        return DoNothing("stopped: " + Counted(memory->failed_rounds, "round") +
                         " in a row did not make reads faster; the last: " + memory->last);
    }
    if (memory->round.has_value()) return std::nullopt;
    if (!p99.has_value()) {
        return DoNothing("fewer than " + std::to_string(kMinReads) + " reads have been measured");
    }
    if (IsSlow(*p99, *memory)) return std::nullopt;
    return DoNothing("reads are not slow: p99 " + P99(*p99) + ", at best " +
                     P99(*memory->best_p99) +
                     (memory->last.empty() ? "" : "; the last round: " + memory->last));
}

DefragDecision AfterAnalysis(const DefragInputs& inputs, const PolicyConfig& config,
                             DefragMemory* memory) {
    const bool required = inputs.hid.state == HidState::kDefragRequired;
    if (required && !inputs.hid.fragmented_bytes.has_value()) {
        return DoNothing("the UFS does not report how much is fragmented");
    }
    const uint64_t fragmented = required ? *inputs.hid.fragmented_bytes : 0;
    std::optional<DefragMemory::Round>& round = memory->round;
    // A round begins with more fragmentation than it may leave.
    const uint64_t little = static_cast<uint64_t>(config.defrag_fragmented_mib) * kMib /
                            (round.has_value() ? kLeftOverShare : 1);
    if (fragmented < little) {
        const std::string found =
                SizeText(fragmented) + " are fragmented, less than " + SizeText(little);
        if (!round.has_value()) return DoNothing(found);
        round->ended = inputs.now;
        return DoNothing(found + ": the round has ended, " + SizeText(round->moved_bytes) +
                         " moved");
    }
    // Two analyses of one run are compared, because use fragments anew between runs.
    if (round.has_value() && inputs.moved_this_run && fragmented >= round->fragmented_bytes) {
        GiveUp(SizeText(round->moved_bytes) + " moved, and not less fragmented than before, " +
                       SizeText(fragmented),
               memory);
        return DoNothing("the round has ended: " + memory->last);
    }
    const uint64_t most = kMaxRoundWeeks * static_cast<uint64_t>(config.week_write_mib) * kMib;
    if (round.has_value() && round->moved_bytes >= most) {
        round->ended = inputs.now;
        return DoNothing("the round has ended, " + SizeText(round->moved_bytes) + " moved, and " +
                         SizeText(fragmented) + " are left");
    }
    if (!round.has_value()) {
        round = DefragMemory::Round{
                .p99_before = SpeedOfReads(inputs.reads, BootTime(0)).value_or(nanoseconds(0))};
    }
    round->fragmented_bytes = fragmented;
    const uint64_t bytes = std::min({fragmented, inputs.run_left_bytes, inputs.week_left_bytes});
    if (bytes < kHidUnitBytes) {
        return DoNothing(SizeText(fragmented) + " are left for the next run");
    }
    return {.step = DefragStep::kDefragment,
            .bytes = bytes / kHidUnitBytes * kHidUnitBytes,
            .why = SizeText(fragmented) + " are fragmented"};
}

}  // namespace

std::optional<nanoseconds> SpeedOfReads(const std::vector<ReadFigure>& figures, BootTime since) {
    Histogram reads;
    for (const ReadFigure& figure : figures) {
        if (figure.begin >= since) reads.Merge(figure.sample.histogram);
    }
    if (reads.count() < kMinReads) return std::nullopt;
    return reads.Percentile(kTail);
}

DefragDecision DecideDefrag(const DefragInputs& inputs, const PolicyConfig& config,
                            DefragMemory* memory) {
    if (config.week_write_mib == 0) return DoNothing("off: week_write_mib is 0");
    if (std::optional<DefragDecision> no = WhyNoRound(inputs, memory); no.has_value()) return *no;
    switch (inputs.hid.state) {
        case HidState::kAnalysis:
        case HidState::kDefrag:
            return DoNothing("another process has begun: " + HidStateName(inputs.hid.state));
        case HidState::kUnknown:
            return DoNothing("the UFS reports a state that is not known");
        default:
            break;
    }
    if (inputs.week_left_bytes < kHidUnitBytes) {
        return DoNothing("the write budget of the week is used up");
    }
    // An analysis stays valid until the state is idle, and its age is unknown: begin with a new
    // one.
    if (!inputs.analyzed) return {.step = DefragStep::kAnalyze, .why = "reads are slow"};
    return AfterAnalysis(inputs, config, memory);
}

}  // namespace storekeeper
