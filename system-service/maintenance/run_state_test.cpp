// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include <android-base/file.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/record_file.h"
#include "health/alerts.h"
#include "maintenance/run_memory.h"
#include "maintenance/trim/receipt.h"
#include "testing/tree.h"

namespace storekeeper {
namespace {

using testing::HasSubstr;

PolicyState Sample() {
    PolicyState state;
    state.last_complete = RunStamp{.boot_id = "11111111-2222-3333-4444-555555555555",
                                   .since_boot = BootTime(123456789),
                                   .wall = WallTime(1767225600)};
    state.last_attempt =
            RunStamp{.boot_id = "", .since_boot = BootTime(0), .wall = WallTime(1767225601)};
    state.age = RunAge{.at = *state.last_complete,
                       .elapsed = std::chrono::seconds(90000),
                       .powered = std::chrono::seconds(80000)};
    state.written_bytes = 123456789012;
    state.refused = {{.at = *state.last_complete, .gates = "battery heat"},
                     {.at = *state.last_attempt, .gates = "untouched"}};
    state.overrides = {{"heat", -400}, {"untouched", 60}};
    state.overrides_boot_id = "11111111-2222-3333-4444-555555555555";
    return state;
}

void ExpectSame(const std::optional<RunStamp>& expected, const std::optional<RunStamp>& actual) {
    ASSERT_EQ(expected.has_value(), actual.has_value());
    if (!expected.has_value()) return;
    EXPECT_EQ(expected->boot_id, actual->boot_id);
    EXPECT_EQ(expected->since_boot, actual->since_boot);
    EXPECT_EQ(expected->wall, actual->wall);
}

TEST(RunStateTest, IsReadAsItWasWritten) {
    for (const PolicyState& state : {Sample(), PolicyState()}) {
        const auto parsed = ParseFields<PolicyState>(WriteFields(state));
        ASSERT_TRUE(parsed.ok()) << parsed.error();
        ExpectSame(state.last_complete, parsed->last_complete);
        ExpectSame(state.last_attempt, parsed->last_attempt);
        ASSERT_EQ(state.age.has_value(), parsed->age.has_value());
        if (state.age.has_value()) {
            ExpectSame(state.age->at, parsed->age->at);
            EXPECT_EQ(state.age->elapsed, parsed->age->elapsed);
            EXPECT_EQ(state.age->powered, parsed->age->powered);
        }
        EXPECT_EQ(state.written_bytes, parsed->written_bytes);
        ASSERT_EQ(state.refused.size(), parsed->refused.size());
        for (size_t i = 0; i < state.refused.size(); ++i) {
            ExpectSame(state.refused[i].at, parsed->refused[i].at);
            EXPECT_EQ(state.refused[i].gates, parsed->refused[i].gates);
        }
        EXPECT_EQ(state.overrides, parsed->overrides);
        EXPECT_EQ(state.overrides_boot_id, parsed->overrides_boot_id);
    }
}

TEST(RunStateTest, ReadsARecordOfFormat1) {
    std::string text;
    ASSERT_TRUE(android::base::ReadFileToString(TestDataDirectory() + "/records/state.log", &text));
    const auto parsed = RecordFile::Parse(text);
    ASSERT_TRUE(parsed.ok()) << parsed.error();
    EXPECT_EQ(0U, parsed->damaged);
    ASSERT_EQ(4U, parsed->records.size());
    EXPECT_TRUE(ParseFields<TrimReceipt>(parsed->records[0].payload).ok());
    const auto state = ParseFields<PolicyState>(parsed->records[1].payload);
    ASSERT_TRUE(state.ok()) << state.error();
    EXPECT_EQ("battery heat", state->refused.at(0).gates);
    EXPECT_EQ(parsed->records[1].payload, WriteFields(*state));
    const auto alerts = ParseAlertState(parsed->records[3].payload);
    ASSERT_TRUE(alerts.ok()) << alerts.error();
    EXPECT_EQ(parsed->records[3].payload, FormatAlertState(*alerts));
}

TEST(RunStateTest, GarbageIsRefused) {
    const std::string good = WriteFields(Sample());
    const std::string cases[][2] = {{"123456789012", "-1"},
                                    {"\"powered_s\"", "\"off_s\""},
                                    {"90000", "\"x\""},
                                    {"\"boot_id\"", "\"boot\""},
                                    {"-400", "9223372036854775808"},
                                    {"\"battery heat\"", "1"},
                                    {"{", "["}};
    for (const auto& [part, instead] : cases) {
        std::string bad = good;
        bad.replace(bad.find(part), part.size(), instead);
        EXPECT_FALSE(ParseFields<PolicyState>(bad).ok()) << bad;
    }
    EXPECT_FALSE(ParseFields<PolicyState>("last_complete wall_s=1 boot_ns=1 boot_id=b").ok());
}

TEST(RunStateTest, TheLongestFitsARecord) {
    PolicyState state = Sample();
    state.refused.resize(kMaxRefusedRuns,
                         {.at = *state.last_complete, .gates = std::string(300, 'x')});
    for (int i = 0; i < 16; ++i) state.overrides["gate" + std::to_string(i)] = INT64_MIN;
    EXPECT_GE(RecordFile::kMaxPayloadBytes, WriteFields(state).size());
}

}  // namespace
}  // namespace storekeeper
