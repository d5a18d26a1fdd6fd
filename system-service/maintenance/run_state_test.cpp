// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "maintenance/run_state.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

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
    state.interval = std::chrono::hours(36);
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

TEST(RunStateTest, SurvivesARestart) {
    Tree tree;
    StateStore store(tree.PathOf("/state"));
    for (const PolicyState& state : {Sample(), PolicyState()}) {
        ASSERT_TRUE(store.Save(state).ok());
        StateStore::Loaded loaded = *store.Load();
        EXPECT_EQ("", loaded.note);
        ExpectSame(state.last_complete, loaded.state.last_complete);
        ExpectSame(state.last_attempt, loaded.state.last_attempt);
        ASSERT_EQ(state.age.has_value(), loaded.state.age.has_value());
        if (state.age.has_value()) {
            ExpectSame(state.age->at, loaded.state.age->at);
            EXPECT_EQ(state.age->elapsed, loaded.state.age->elapsed);
            EXPECT_EQ(state.age->powered, loaded.state.age->powered);
        }
        EXPECT_EQ(state.interval, loaded.state.interval);
        ASSERT_EQ(state.refused.size(), loaded.state.refused.size());
        for (size_t i = 0; i < state.refused.size(); ++i) {
            ExpectSame(state.refused[i].at, loaded.state.refused[i].at);
            EXPECT_EQ(state.refused[i].gates, loaded.state.refused[i].gates);
        }
        EXPECT_EQ(state.overrides, loaded.state.overrides);
        EXPECT_EQ(state.overrides_boot_id, loaded.state.overrides_boot_id);
    }
}

TEST(RunStateTest, ReadsTheFormatOfTheFirstVersion) {
    auto state = ParseState(
            "storekeeper-state 1\n"
            "last_complete wall_s=1767225600 boot_ns=123456789 boot_id=b\n"
            "checksum 1d6652cb63210171\n");
    ASSERT_TRUE(state.ok()) << state.error();
    EXPECT_EQ(WallTime(1767225600), state->last_complete->wall);
    EXPECT_FALSE(state->age.has_value());
}

TEST(RunStateTest, WithoutAFileTheMemoryIsEmpty) {
    Tree tree;
    StateStore::Loaded loaded = *StateStore(tree.PathOf("/state")).Load();
    EXPECT_EQ("", loaded.note);
    EXPECT_FALSE(loaded.state.last_complete.has_value());
}

TEST(RunStateTest, EveryTruncationAndEveryFlippedByteIsNoticed) {
    const std::string good = FormatState(Sample());
    ASSERT_TRUE(ParseState(good).ok());
    for (size_t i = 0; i < good.size(); ++i) {
        EXPECT_FALSE(ParseState(good.substr(0, i)).ok()) << i;
        std::string flipped = good;
        flipped[i] = static_cast<char>(flipped[i] ^ 1);
        EXPECT_FALSE(ParseState(flipped).ok()) << i;
    }
}

TEST(RunStateTest, ACorruptFileIsSetAsideWithANote) {
    for (const std::string& content :
         {std::string(), std::string("garbage\n"), std::string("\0\1\2\n", 4),
          std::string(5 << 20, '['), FormatState(Sample()) + "more\n"}) {
        Tree tree;
        tree.Write("/state", content);
        StateStore store(tree.PathOf("/state"));
        StateStore::Loaded loaded = *store.Load();
        EXPECT_FALSE(loaded.state.last_complete.has_value());
        EXPECT_THAT(loaded.note, HasSubstr("was set aside as"));
        EXPECT_EQ(content, tree.Read("/state.corrupt"));
        // It is in nobody's way any more.
        EXPECT_EQ("", store.Load()->note);
        EXPECT_TRUE(store.Save(Sample()).ok());
        EXPECT_TRUE(store.Load()->state.last_complete.has_value());
    }
}

TEST(RunStateTest, AFailureToSaveNamesTheFile) {
    Tree tree;
    auto saved = StateStore(tree.PathOf("/none/state")).Save(Sample());
    ASSERT_FALSE(saved.ok());
    EXPECT_THAT(saved.error().message(), HasSubstr("/none/state.new"));
}

}  // namespace
}  // namespace storekeeper
