// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "maintenance/actions/action_memory.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace storekeeper {
namespace {

using std::chrono::hours;
using testing::HasSubstr;

const RunStamp kThen = {.boot_id = "boot", .since_boot = BootTime(7), .wall = WallTime(1767225600)};

ActionMemory Sample() {
    ActionMemory memory;
    memory.week = {.began = {.at = kThen,
                             .elapsed = std::chrono::seconds(9),
                             .powered = std::chrono::seconds(8)},
                   .written_bytes = 1 << 30};
    memory.defrag = {.chip = "0123456789abcdef 0100",
                     .best_p99 = std::chrono::nanoseconds(120'000),
                     .round = DefragMemory::Round{.p99_before = std::chrono::nanoseconds(360'000),
                                                  .moved_bytes = 3,
                                                  .fragmented_bytes = 4,
                                                  .ended = kThen},
                     .failed_rounds = 1,
                     .last = "\"quoted\""};
    return memory;
}

TEST(ActionMemoryTest, IsReadAsItWasWritten) {
    ActionMemory without = Sample();
    without.defrag.best_p99.reset();
    without.defrag.round->ended.reset();
    ActionMemory idle = Sample();
    idle.defrag.round.reset();
    for (const ActionMemory& memory : {Sample(), without, idle, ActionMemory()}) {
        const std::string text = WriteFields(memory);
        EXPECT_EQ(std::string::npos, text.find('\n'));
        const auto again = ParseFields<ActionMemory>(text);
        ASSERT_TRUE(again.ok()) << again.error();
        EXPECT_EQ(text, WriteFields(*again));
    }
    const ActionMemory again = *ParseFields<ActionMemory>(WriteFields(Sample()));
    EXPECT_EQ(kThen.since_boot, again.defrag.round->ended->since_boot);
    EXPECT_EQ(8, again.week.began.powered.count());
    EXPECT_EQ(1U << 30, again.week.written_bytes);
    EXPECT_EQ("\"quoted\"", again.defrag.last);
}

TEST(ActionMemoryTest, AnErrorNamesTheWrongField) {
    struct Case {
        std::string from;
        std::string to;
        const char* error;
    };
    const Case cases[] = {
            {"\"week\":", "\"week\":1,\"x\":", "its week has"},
            {"\"at\":", "\"at\":1,\"x\":", "its at has"},
            {"\"boot_id\":\"boot\"", "\"boot_id\":1", "its boot_id has"},
            {"\"at\":{\"boot_id\":\"boot\"", "\"at\":{\"boot_id\":1", "its boot_id has"},
            {"\"powered_s\":8", "\"powered_s\":8.0", "its powered_s has"},
            {"\"boot_ns\":7", "\"boot_ns\":-7", "its boot_ns has"},
            {"\"wall_s\":1767225600", "\"wall_s\":18446744073709551615", "its wall_s has"},
            {"\"elapsed_s\":9", "\"elapsed_s\":\"9\"", "its elapsed_s has"},
            {"\"elapsed_s\":9", "\"elapsed_s\":5000000000", "its elapsed_s has"},
            {"\"powered_s\":8", "\"powered_s\":8.5", "its powered_s has"},
            {"\"written_bytes\":", "\"written\":", "its written_bytes is missing"},
            {"\"defrag\":", "\"defrag\":null,\"x\":", "its defrag has"},
            {"\"chip\":", "\"chip\":3,\"x\":", "its chip has"},
            {"\"best_p99_ns\":120000", "\"best_p99_ns\":true", "its best_p99_ns has"},
            {"\"round\":", "\"round\":3,\"x\":", "its round has"},
            {"\"p99_before_ns\":", "\"x\":", "its p99_before_ns is missing"},
            {"\"moved_bytes\":3", "\"moved_bytes\":[]", "its moved_bytes has"},
            {"\"fragmented_bytes\":4", "\"fragmented_bytes\":{}", "its fragmented_bytes has"},
            {"\"ended\":", "\"ended\":1,\"x\":", "its ended has"},
            {"\"failed_rounds\":1", "\"failed_rounds\":-1", "its failed_rounds has"},
            {"\"failed_rounds\":1", "\"failed_rounds\":1.0", "its failed_rounds has"},
            {"\"last\":", "\"x\":", "its last is missing"},
    };
    const std::string good = WriteFields(Sample());
    for (const Case& each : cases) {
        std::string text = good;
        const size_t at = text.find(each.from);
        ASSERT_NE(std::string::npos, at) << each.from;
        text.replace(at, each.from.size(), each.to);
        const auto memory = ParseFields<ActionMemory>(text);
        ASSERT_FALSE(memory.ok()) << text;
        EXPECT_THAT(memory.error().message(), HasSubstr(each.error));
    }
    EXPECT_FALSE(ParseFields<ActionMemory>("{").ok());
    EXPECT_FALSE(ParseFields<ActionMemory>("[]").ok());
}

RunStamp At(const char* boot, hours since_boot, hours wall) {
    return {.boot_id = boot, .since_boot = since_boot, .wall = wall};
}

TEST(WriteWeekTest, BeginsWithTheFirstLook) {
    const WriteWeek week = BringUpToDate(WriteWeek(), At("a", hours(2), hours(9)));
    EXPECT_EQ("a", week.began.at.boot_id);
    EXPECT_EQ(0U, week.written_bytes);
}

TEST(WriteWeekTest, LastsSevenDaysOfBeingSwitchedOn) {
    WriteWeek week = BringUpToDate(WriteWeek(), At("a", hours(0), hours(0)));
    week.written_bytes = 100;
    week = BringUpToDate(week, At("a", hours(100), hours(100)));
    EXPECT_EQ(100U, week.written_bytes);
    // The device was off for a year, or its clock jumped: 100 powered hours are still 100.
    week = BringUpToDate(week, At("b", hours(60), hours(9000)));
    EXPECT_EQ(100U, week.written_bytes);
    week = BringUpToDate(week, At("b", hours(67), hours(9007)));
    EXPECT_EQ(100U, week.written_bytes);
    week = BringUpToDate(week, At("b", hours(68), hours(9008)));
    EXPECT_EQ(0U, week.written_bytes);
}

TEST(WriteWeekTest, LastsAsLongWhereTheBootHasNoId) {
    WriteWeek week = BringUpToDate(WriteWeek(), At("", hours(1), hours(1)));
    week.written_bytes = 100;
    EXPECT_EQ(100U, BringUpToDate(week, At("", hours(2), hours(2))).written_bytes);
    EXPECT_EQ(0U, BringUpToDate(week, At("", hours(169), hours(169))).written_bytes);
}

}  // namespace
}  // namespace storekeeper
