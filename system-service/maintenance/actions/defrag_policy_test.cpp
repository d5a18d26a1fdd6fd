// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "maintenance/actions/defrag_policy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <string>

namespace storekeeper {
namespace {

using std::chrono::hours;
using std::chrono::microseconds;
using testing::HasSubstr;

constexpr uint64_t kMib = 1 << 20;

ReadFigure Reads(microseconds time, uint64_t count, BootTime begin = BootTime(0)) {
    ReadFigure figure{.begin = begin, .sample = {.source = LatencySource::kProbe}};
    figure.sample.histogram.Add(time, count);
    return figure;
}

class DefragPolicyTest : public testing::Test {
  protected:
    DefragPolicyTest() {
        inputs_.now = {.boot_id = "a", .since_boot = hours(10)};
        inputs_.hid.state = HidState::kIdle;
        inputs_.run_left_bytes = 256 * kMib;
        inputs_.week_left_bytes = 1024 * kMib;
        memory_.best_p99 = microseconds(100);
    }

    DefragDecision Decide() { return DecideDefrag(inputs_, config_, &memory_); }

    void Found(uint64_t fragmented_mib) {
        inputs_.hid = {.state = HidState::kDefragRequired,
                       .fragmented_bytes = fragmented_mib * kMib};
        inputs_.analyzed = true;
    }
    // A round that has ended; reads before it took 300 us.
    void EndRound() {
        inputs_.reads = {Reads(microseconds(300), 100)};
        Found(600);
        ASSERT_EQ(DefragStep::kDefragment, Decide().step);
        memory_.round->moved_bytes = 550 * kMib;
        Found(50);
        EXPECT_EQ(DefragStep::kNothing, Decide().step);
        ASSERT_TRUE(memory_.round->ended.has_value());
        inputs_.analyzed = false;
        inputs_.hid = {.state = HidState::kIdle};
    }

    PolicyConfig config_;
    DefragInputs inputs_;
    DefragMemory memory_;
};

TEST_F(DefragPolicyTest, NeedsReadsToBeSlow) {
    struct Case {
        int us;
        uint64_t count;
        DefragStep step;
        const char* why;
    };
    const Case cases[] = {
            {100, 0, DefragStep::kNothing, "fewer than 48 reads have been measured"},
            {300, 47, DefragStep::kNothing, "fewer than 48 reads have been measured"},
            {100, 48, DefragStep::kNothing, "reads are not slow: p99 "},
            {140, 48, DefragStep::kNothing, "reads are not slow"},
            {180, 48, DefragStep::kAnalyze, "reads are slow"},
    };
    for (const Case& each : cases) {
        memory_.best_p99 = microseconds(100);
        inputs_.reads = {Reads(microseconds(each.us), each.count)};
        const DefragDecision decision = Decide();
        EXPECT_EQ(each.step, decision.step) << each.us;
        EXPECT_THAT(decision.why, HasSubstr(each.why));
    }
}

// The device was slow when Storekeeper was installed.
TEST_F(DefragPolicyTest, TwoMillisecondsAreSlowWhateverIsKnown) {
    memory_.best_p99.reset();
    inputs_.reads = {Reads(microseconds(2500), 100)};
    EXPECT_EQ(DefragStep::kAnalyze, Decide().step);
    memory_.best_p99.reset();
    inputs_.reads = {Reads(microseconds(1500), 100)};
    EXPECT_EQ(DefragStep::kNothing, Decide().step);
}

TEST_F(DefragPolicyTest, AllFiguresSinceThenCountTogether) {
    EXPECT_EQ(std::nullopt, SpeedOfReads({}, BootTime(0)));
    const std::vector<ReadFigure> figures = {Reads(microseconds(900), 30),
                                             Reads(microseconds(300), 30, hours(1))};
    EXPECT_GT(*SpeedOfReads(figures, BootTime(0)), microseconds(800));
    EXPECT_EQ(std::nullopt, SpeedOfReads(figures, hours(1)));
    // A sample of means has no percentiles.
    ReadFigure mean{.sample = {.source = LatencySource::kDiskstats, .count = 1000}};
    EXPECT_EQ(std::nullopt, SpeedOfReads({mean}, BootTime(0)));
}

TEST_F(DefragPolicyTest, IsOffWithoutABudget) {
    config_.week_write_mib = 0;
    EXPECT_EQ("off: week_write_mib is 0", Decide().why);
}

TEST_F(DefragPolicyTest, LeavesAloneWhatItDoesNotKnow) {
    inputs_.reads = {Reads(microseconds(300), 100)};
    struct Case {
        HidState state;
        const char* why;
    };
    for (const Case& each : {Case{HidState::kAnalysis, "another process has begun: "},
                             Case{HidState::kDefrag, "another process has begun: "},
                             Case{HidState::kUnknown, "a state that is not known"}}) {
        inputs_.hid.state = each.state;
        EXPECT_EQ(DefragStep::kNothing, Decide().step);
        EXPECT_THAT(Decide().why, HasSubstr(each.why));
    }
    inputs_.hid = {.state = HidState::kDefragRequired};
    inputs_.analyzed = true;
    EXPECT_EQ("the UFS does not report how much is fragmented", Decide().why);
}

TEST_F(DefragPolicyTest, MovesWhatTheBudgetsAllow) {
    inputs_.reads = {Reads(microseconds(300), 100)};
    struct Case {
        uint64_t fragmented_mib;
        uint64_t run_bytes;
        uint64_t week_bytes;
        uint64_t bytes;
        const char* why;
    };
    const Case cases[] = {
            {511, 256 * kMib, 1024 * kMib, 0, "511 MiB are fragmented, less than 512 MiB"},
            {512, 256 * kMib, 1024 * kMib, 256 * kMib, "512 MiB are fragmented"},
            {512, 1024 * kMib, 1024 * kMib, 512 * kMib, "512 MiB are fragmented"},
            {512, 256 * kMib, 10 * kMib + 5000, 10 * kMib + 4096, "512 MiB are fragmented"},
            {512, 100, 1024 * kMib, 0, "512 MiB are left for the next run"},
            {512, 256 * kMib, 4095, 0, "the write budget of the week is used up"},
    };
    for (const Case& each : cases) {
        memory_.round.reset();
        Found(each.fragmented_mib);
        inputs_.run_left_bytes = each.run_bytes;
        inputs_.week_left_bytes = each.week_bytes;
        const DefragDecision decision = Decide();
        EXPECT_EQ(each.bytes, decision.bytes) << each.why;
        EXPECT_EQ(each.bytes == 0 ? DefragStep::kNothing : DefragStep::kDefragment, decision.step);
        EXPECT_THAT(decision.why, HasSubstr(each.why));
    }
    // kDefragNotRequired means that nothing is fragmented, whatever the size says.
    memory_.round.reset();
    inputs_.week_left_bytes = 1024 * kMib;
    inputs_.hid = {.state = HidState::kDefragNotRequired, .fragmented_bytes = 9999 * kMib};
    EXPECT_THAT(Decide().why, HasSubstr("0 bytes are fragmented"));
}

TEST_F(DefragPolicyTest, ARoundGoesOnUntilLittleIsLeft) {
    inputs_.reads = {Reads(microseconds(300), 100)};
    Found(600);
    EXPECT_EQ(DefragStep::kDefragment, Decide().step);
    // Reads were fast for a day. A round that has begun goes on nevertheless.
    inputs_.reads = {Reads(microseconds(100), 100)};
    inputs_.analyzed = false;
    EXPECT_EQ(DefragStep::kAnalyze, Decide().step);
    Found(64);
    EXPECT_EQ(DefragStep::kDefragment, Decide().step);
    memory_.round->moved_bytes = 536 * kMib;
    Found(63);
    const DefragDecision decision = Decide();
    EXPECT_EQ(DefragStep::kNothing, decision.step);
    EXPECT_EQ("63 MiB are fragmented, less than 64 MiB: the round has ended, 536 MiB moved",
              decision.why);
}

TEST_F(DefragPolicyTest, ARoundEndsAfterFourBudgets) {
    inputs_.reads = {Reads(microseconds(300), 100)};
    Found(20000);
    EXPECT_EQ(DefragStep::kDefragment, Decide().step);
    memory_.round->moved_bytes = 4095 * kMib;
    Found(16000);
    EXPECT_EQ(DefragStep::kDefragment, Decide().step);
    memory_.round->moved_bytes = 4096 * kMib;
    EXPECT_EQ("the round has ended, 4 GiB moved, and 15.6 GiB are left", Decide().why);
    EXPECT_TRUE(memory_.round->ended.has_value());
}

TEST_F(DefragPolicyTest, ARoundIsJudgedByReadsThatFollowIt) {
    EndRound();
    EXPECT_THAT(Decide().why, HasSubstr("reads are measured before the next"));
    inputs_.reads.push_back(Reads(microseconds(100), 100, hours(10)));
    EXPECT_THAT(Decide().why, HasSubstr("reads are not slow"));
    EXPECT_EQ(0U, memory_.failed_rounds);
    EXPECT_FALSE(memory_.round.has_value());
    EXPECT_THAT(memory_.last, HasSubstr("550 MiB moved, p99 of reads "));
}

TEST_F(DefragPolicyTest, AfterARebootAllReadsFollowIt) {
    EndRound();
    inputs_.now = {.boot_id = "b", .since_boot = hours(1)};
    inputs_.reads = {Reads(microseconds(100), 100, BootTime(0))};
    EXPECT_THAT(Decide().why, HasSubstr("reads are not slow"));
}

TEST_F(DefragPolicyTest, TwoRoundsInARowThatDoNotHelpAreTheLast) {
    for (const uint32_t failed : {1U, 2U}) {
        EndRound();
        inputs_.reads = {Reads(microseconds(290), 100, hours(10))};
        const DefragDecision decision = Decide();
        EXPECT_EQ(failed, memory_.failed_rounds);
        EXPECT_EQ(failed == 1 ? DefragStep::kAnalyze : DefragStep::kNothing, decision.step);
    }
    EXPECT_THAT(Decide().why, HasSubstr("stopped: 2 rounds in a row did not make reads faster; the "
                                        "last: 550 MiB moved, p99 of reads "));
    // Defragmentation has ended for good.
    inputs_.reads = {Reads(microseconds(9000), 100, hours(20))};
    EXPECT_EQ(DefragStep::kNothing, Decide().step);
}

TEST_F(DefragPolicyTest, ARoundThatHelpsForgivesTheOneBefore) {
    EndRound();
    inputs_.reads = {Reads(microseconds(290), 100, hours(10))};
    EXPECT_EQ(DefragStep::kAnalyze, Decide().step);
    EndRound();
    inputs_.reads = {Reads(microseconds(200), 100, hours(10))};
    Decide();
    EXPECT_EQ(0U, memory_.failed_rounds);
}

TEST_F(DefragPolicyTest, ARoundThatReducesNoFragmentationIsGivenUp) {
    inputs_.reads = {Reads(microseconds(300), 100)};
    Found(600);
    EXPECT_EQ(DefragStep::kDefragment, Decide().step);
    memory_.round->moved_bytes = 256 * kMib;
    inputs_.moved_this_run = true;
    EXPECT_EQ("the round has ended: 256 MiB moved, and not less fragmented than before, 600 MiB",
              Decide().why);
    EXPECT_EQ(1U, memory_.failed_rounds);
    EXPECT_FALSE(memory_.round.has_value());
    // Between two runs, use may have fragmented as much again.
    inputs_.moved_this_run = false;
    Found(600);
    EXPECT_EQ(DefragStep::kDefragment, Decide().step);
    Found(700);
    EXPECT_EQ(DefragStep::kDefragment, Decide().step);
}

}  // namespace
}  // namespace storekeeper
