// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "latency/probe_budget.h"

#include <gtest/gtest.h>

#include <string>

namespace storekeeper {
namespace {

using std::chrono::hours;
using std::chrono::minutes;
using std::chrono::seconds;

ProbeBudget Used(uint32_t kib, BootTime noted) {
    return {.used_kib = kib, .noted = noted, .boot_id = "one", .filled_pages = 31};
}

TEST(ProbeBudgetTest, IsForgivenADayAfterTheLastUse) {
    const ProbeBudget used = Used(200, hours(1));
    EXPECT_EQ(56U, used.RefilledAt(hours(24), "one").RemainingKib(256));
    EXPECT_EQ(256U, used.RefilledAt(hours(25), "one").RemainingKib(256));
    EXPECT_EQ(0U, Used(300, hours(1)).RemainingKib(256));
}

TEST(ProbeBudgetTest, CountsTheTimeOfOtherBootsThatWasNoted) {
    // The note was written after ten hours; the rest of the first boot is lost.
    const ProbeBudget noted = Used(200, hours(1)).RefilledAt(hours(11), "one");
    EXPECT_EQ(hours(10), noted.idle);
    EXPECT_EQ(56U, noted.RefilledAt(hours(13), "two").RemainingKib(256));
    EXPECT_EQ(256U, noted.RefilledAt(hours(14), "two").RemainingKib(256));
}

TEST(ProbeBudgetTest, GivesNothingForABootWhoseIdIsNotKnown) {
    const ProbeBudget used = Used(200, hours(1));
    EXPECT_EQ(minutes(5), used.RefilledAt(minutes(5), "").idle);
    ProbeBudget nameless = used;
    nameless.boot_id = "";
    EXPECT_EQ(hours(2), nameless.RefilledAt(hours(2), "").idle);
}

TEST(ProbeBudgetTest, ComesBackFromText) {
    for (const char* boot : {"", "11111111-2222-3333-4444-555555555555"}) {
        ProbeBudget budget = Used(77, BootTime(123456789));
        budget.idle = seconds(99);
        budget.boot_id = boot;
        auto back = ProbeBudget::Decode(budget.Encode() + std::string(100, '\0'));
        ASSERT_TRUE(back.ok()) << back.error();
        EXPECT_EQ(budget, *back);
    }
}

TEST(ProbeBudgetTest, GarbageIsRefused) {
    for (const std::string& text :
         {std::string(), std::string(4096, '\0'), std::string("hello\n"),
          std::string("storekeeper-probe-1 1 1 1 1\n"),
          std::string("storekeeper-probe-2 1 1 1 1 x\n"),
          std::string("storekeeper-probe-1 -1 1 1 1 x\n"),
          std::string("storekeeper-probe-1 1 86401 1 1 x\n"),
          std::string("storekeeper-probe-1 1 1 -1 1 x\n"),
          std::string("storekeeper-probe-1 1 1 1 -1 x\n"),
          "storekeeper-probe-1 1 1 1 1 " + std::string(65, 'x') + "\n",
          "storekeeper-probe-1 1 1 1 1 " + std::string(600, 'x') + "\n"}) {
        EXPECT_FALSE(ProbeBudget::Decode(text).ok()) << text.substr(0, 40);
    }
}

}  // namespace
}  // namespace storekeeper
