// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "maintenance/decision_text.h"

#include <gtest/gtest.h>

namespace storekeeper {
namespace {

TEST(DecisionTextTest, LimitsAsPeopleWriteThem) {
    struct Row {
        const char* gate;
        const char* text;
        std::optional<int64_t> limit;
    };
    for (const Row& row :
         {Row{"heat", "400", 400}, Row{"heat", "40C", 400}, Row{"heat", "40.5C", 405},
          Row{"heat", "-1", -1}, Row{"heat", "C", std::nullopt},
          Row{"heat", "1000000C", std::nullopt}, Row{"battery", "40C", std::nullopt},
          Row{"battery", "", std::nullopt}, Row{"battery", " 40", std::nullopt},
          Row{"nosuch", "7", 7}, Row{"nosuch", "99999999999999999999999", std::nullopt}}) {
        const android::base::Result<int64_t> limit = ParseGateLimit(row.gate, row.text);
        EXPECT_EQ(row.limit, limit.ok() ? std::optional(*limit) : std::nullopt)
                << row.gate << " " << row.text;
    }
}

TEST(DecisionTextTest, SinceWhenAGateIsAsItIs) {
    GateLog log;
    EXPECT_EQ(std::nullopt, log.Since("battery"));
    Decision decision;
    decision.gates = {Gate{.name = "battery", .pass = false}};
    log.Note(decision, BootTime(1));
    log.Note(decision, BootTime(2));
    EXPECT_EQ(BootTime(1), log.Since("battery"));
    decision.gates[0].pass = true;
    log.Note(decision, BootTime(3));
    EXPECT_EQ(BootTime(3), log.Since("battery"));
}

TEST(DecisionTextTest, OnlyErrorsOfThePolicysLastRunAreFailures) {
    for (TrimOutcome outcome : {TrimOutcome::kTrimmed, TrimOutcome::kAborted, TrimOutcome::kBusy,
                                TrimOutcome::kChipQuirk, TrimOutcome::kNoTrim}) {
        EXPECT_EQ("", FailureOf({.outcome = outcome, .reason = "x"}))
                << OutcomeFactsOf(outcome).name;
    }
    EXPECT_EQ("an error", FailureOf({.outcome = TrimOutcome::kIoError, .reason = "an error"}));
    EXPECT_EQ(OutcomeFactsOf(TrimOutcome::kIoError).meaning,
              FailureOf({.outcome = TrimOutcome::kIoError}));
    // The last run of the policy counts, not a later one by command.
    EXPECT_EQ("", LastFailure({}));
    EXPECT_EQ("b", LastFailure({{.manual = true, .outcome = TrimOutcome::kIoError, .reason = "a"},
                                {.outcome = TrimOutcome::kIoError, .reason = "b"},
                                {.outcome = TrimOutcome::kIoError, .reason = "c"}}));
}

}  // namespace
}  // namespace storekeeper
