// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "writers/budget.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace storekeeper {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr uint64_t kMib = 1 << 20;
constexpr uint64_t kDaySeconds = 86'400;
constexpr int64_t kToday = 20'000;
constexpr uint32_t kApp = 10'101;
constexpr WritersConfig kBoth{.app_budget_mib = 100, .system_budget_mib = 1000};

UidRow Row(int64_t day, uint32_t uid, uint64_t mib, uint64_t span_s = kDaySeconds) {
    return {.day = day, .uid = uid, .device_bytes = mib * kMib, .span_s = span_s};
}

TEST(BudgetTest, AnAppHasAnothersBudgetThanTheSystem) {
    EXPECT_EQ(100 * kMib, BudgetOf(kApp, kBoth));
    EXPECT_EQ(100 * kMib, BudgetOf(1'010'101, kBoth));
    EXPECT_EQ(100 * kMib, BudgetOf(20'101, kBoth));
    EXPECT_EQ(1000 * kMib, BudgetOf(1000, kBoth));
    EXPECT_EQ(1000 * kMib, BudgetOf(0, kBoth));
    EXPECT_EQ(std::nullopt, BudgetOf(1000, {.app_budget_mib = 1}));
    EXPECT_EQ(std::nullopt, BudgetOf(kApp, {.system_budget_mib = 1}));
    EXPECT_FALSE(HasBudgets({}));
    EXPECT_TRUE(HasBudgets({.app_budget_mib = 1}));
    EXPECT_TRUE(HasBudgets({.system_budget_mib = 1}));
}

TEST(BudgetTest, ALongerSpanIsScaledToADayAndAShorterOneIsNot) {
    const struct {
        uint64_t span_s;
        uint64_t mib;
    } rows[] = {{0, 300},
                {kDaySeconds / 2, 300},
                {kDaySeconds, 300},
                {kDaySeconds * 3 / 2, 200},
                {kDaySeconds * 3, 100}};
    for (const auto& row : rows) {
        EXPECT_EQ(row.mib * kMib, BytesOfADay(Row(1, kApp, 300, row.span_s))) << row.span_s;
    }
}

struct OffendersCase {
    const char* name;
    std::vector<UidRow> rows;
    // Format: "uid days today repeats first-last most"; days count backwards from today.
    std::vector<std::string> offenders;
};

std::string Summary(const Offender& offender) {
    return std::to_string(offender.uid) + " " + std::to_string(offender.days_over) +
           (offender.today ? " today" : "") + (offender.repeats ? " repeats" : "") + " " +
           std::to_string(kToday - offender.first.day) + "-" +
           std::to_string(kToday - offender.last.day) + " " +
           std::to_string(kToday - offender.most.day) + ":" +
           std::to_string(offender.most.bytes / kMib);
}

class OffendersTest : public testing::TestWithParam<OffendersCase> {};

TEST_P(OffendersTest, AreThoseOverTheirBudget) {
    std::vector<std::string> found;
    for (const Offender& offender : FindOffenders(GetParam().rows, kBoth, kToday)) {
        found.push_back(Summary(offender));
    }
    EXPECT_EQ(GetParam().offenders, found);
}

INSTANTIATE_TEST_SUITE_P(
        All, OffendersTest,
        testing::Values(
                OffendersCase{"Nobody", {}, {}},
                OffendersCase{"AsMuchAsTheBudget",
                              {Row(kToday, kApp, 100), Row(kToday, 1000, 1000)},
                              {}},
                OffendersCase{"OverToday", {Row(kToday, kApp, 101)}, {"10101 1 today 0-0 0:101"}},
                OffendersCase{"OverInTheMean",
                              {Row(kToday, kApp, 300, kDaySeconds * 2)},
                              {"10101 1 today 0-0 0:150"}},
                OffendersCase{"NotInTheMean", {Row(kToday, kApp, 300, kDaySeconds * 3)}, {}},
                OffendersCase{"NoLongerOver",
                              {Row(kToday - 2, kApp, 500), Row(kToday, kApp, 1)},
                              {"10101 1 2-2 2:500"}},
                OffendersCase{"TheMostMayLieBetween",
                              {Row(kToday - 9, kApp, 200), Row(kToday - 5, kApp, 400),
                               Row(kToday, kApp, 300)},
                              {"10101 3 today repeats 9-0 5:400"}},
                OffendersCase{"RowsInAnyOrder",
                              {Row(kToday, kApp, 300), Row(kToday - 9, kApp, 200),
                               Row(kToday - 5, kApp, 400)},
                              {"10101 3 today repeats 9-0 5:400"}},
                OffendersCase{"TwiceIsNoRepetition",
                              {Row(kToday - 1, kApp, 200), Row(kToday, kApp, 200)},
                              {"10101 2 today 1-0 1:200"}},
                OffendersCase{"AnIsolatedUidIsSomebodyElsesTheNextDay",
                              {Row(kToday - 2, 99'001, 200), Row(kToday - 1, 99'001, 200),
                               Row(kToday, 99'001, 200)},
                              {"99001 3 today 2-0 2:200"}},
                OffendersCase{"ThirtyDaysCount",
                              {Row(kToday - 29, kApp, 200), Row(kToday - 30, kApp, 900),
                               Row(kToday + 1, kApp, 900)},
                              {"10101 1 29-29 29:200"}},
                OffendersCase{"OthersAreNobody", {Row(kToday, UidRow::kOthers, 9000)}, {}},
                OffendersCase{"ThoseOfTodayFirstThenByBytesThenByUid",
                              {Row(kToday - 1, 10'100, 900), Row(kToday, 10'103, 200),
                               Row(kToday, 10'102, 200), Row(kToday, 10'104, 300)},
                              {"10104 1 today 0-0 0:300", "10102 1 today 0-0 0:200",
                               "10103 1 today 0-0 0:200", "10100 1 1-1 1:900"}}),
        [](const auto& row) { return row.param.name; });

TEST(OverBudgetTest, NobodyWithoutABudget) {
    const std::vector<UidRow> rows = {Row(kToday, kApp, 900), Row(kToday, 1000, 9000)};
    EXPECT_THAT(FindOffenders(rows, {}, kToday), IsEmpty());
    EXPECT_EQ(kApp, FindOffenders(rows, {.app_budget_mib = 1}, kToday).at(0).uid);
    EXPECT_EQ(1000U, FindOffenders(rows, {.system_budget_mib = 1}, kToday).at(0).uid);
}

TEST(OverBudgetTest, ThePropertyHasTheUidsOfToday) {
    EXPECT_EQ("", OverBudgetProperty({}));
    const std::vector<Offender> offenders = {{.uid = 10'102, .today = true},
                                             {.uid = 0, .today = true},
                                             {.uid = 10'103}};
    EXPECT_EQ("10102,0", OverBudgetProperty(offenders));
}

TEST(OverBudgetTest, TheAlertNamesWhoWroteMostAndTheThreshold) {
    EXPECT_EQ("", OverBudgetText({}));
    std::vector<UidRow> rows = {Row(kToday - 1, kApp, 200), Row(kToday - 1, 10'102, 150)};
    EXPECT_EQ("", OverBudgetText(FindOffenders(rows, kBoth, kToday)));
    rows.push_back(Row(kToday, kApp, 250));
    const std::string text =
            "uid 10101 wrote 250 MiB to the flash in a day, over budget on 2 of the last 30 days "
            "(warning above 100 MiB a day)";
    EXPECT_EQ(text, OverBudgetText(FindOffenders(rows, kBoth, kToday)));
    rows.push_back(Row(kToday, 10'102, 101));
    EXPECT_EQ(text + "; 1 more uid, see dumpsys storekeeper latency",
              OverBudgetText(FindOffenders(rows, kBoth, kToday)));
}

}  // namespace
}  // namespace storekeeper
