// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "maintenance/trim/card_model.h"

#include <gtest/gtest.h>

#include "testing/tree.h"

namespace storekeeper {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;
using std::chrono::nanoseconds;

constexpr uint64_t kKib = 1 << 10;
constexpr uint64_t kMib = 1 << 20;
constexpr DiscardLimits kLimits = {.granularity = 512 * kKib, .largest = 199 * 512 * kKib};
constexpr milliseconds kBudget(5);

// Records a step of 8 discards of this size on a card.
void RecordStep(const DiscardCost& card, uint64_t bytes, CardModel* model,
                nanoseconds waited = {}) {
    model->Record(bytes, 8, 8 * bytes, 8 * (card.TimeOf(bytes) + waited));
}

TEST(CardModelTest, ChoosesTheLargestSizeWithinTheBudgetOrTwiceTheFixedTime) {
    struct Row {
        DiscardCost card;
        uint64_t bytes;
        const char* why;
    };
    for (const Row& row :
         {Row{{microseconds(500), milliseconds(5)}, 512 * kKib, "3 ms; 1 MiB takes 5.5"},
          Row{{microseconds(500), microseconds(500)}, 8 * kMib, "4.5 ms; 16 MiB takes 8.5"},
          Row{{milliseconds(4), milliseconds(1)}, 4 * kMib, "8 ms, twice the fixed time"},
          Row{{microseconds(3400), nanoseconds(0)}, kLimits.largest, "any size takes 3.4 ms"},
          Row{{microseconds(50), milliseconds(20)},
              512 * kKib,
              "10 ms: there is no smaller one"}}) {
        CardModel model({row.card});
        EXPECT_EQ(row.bytes, model.ChooseDiscardSize(kLimits, kBudget)) << row.why;
    }
}

TEST(CardModelTest, AnUnknownCardShowsItsCostInTwoSteps) {
    const DiscardCost card{microseconds(500), microseconds(500)};
    CardModel model(std::nullopt);
    EXPECT_EQ(std::nullopt, model.Estimate());
    EXPECT_EQ(512 * kKib, model.ChooseDiscardSize({4 * kKib, 64 * kMib}, kBudget));
    const uint64_t first = model.ChooseDiscardSize(kLimits, kBudget);
    EXPECT_EQ(512 * kKib, first);
    RecordStep(card, first, &model);
    EXPECT_EQ(std::nullopt, model.Estimate());
    const uint64_t second = model.ChooseDiscardSize(kLimits, kBudget);
    EXPECT_EQ(1 * kMib, second);
    RecordStep(card, second, &model);
    ASSERT_TRUE(model.Estimate().has_value());
    EXPECT_NEAR(500e3, static_cast<double>(model.Estimate()->fixed.count()), 1e3);
    EXPECT_NEAR(500e3, static_cast<double>(model.Estimate()->per_mib.count()), 1e3);
}

// A first step that was slow by chance makes larger discards look as quick as small ones.
TEST(CardModelTest, ASizeIsAtMostTwiceTheLargestThatWasSeen) {
    const DiscardCost card{milliseconds(3), milliseconds(1)};
    for (const std::optional<DiscardCost>& remembered :
         {std::optional<DiscardCost>(), std::optional(card)}) {
        CardModel model(remembered);
        RecordStep(card, 512 * kKib, &model, milliseconds(1));
        RecordStep(card, 1 * kMib, &model);
        ASSERT_EQ(nanoseconds(0), model.Estimate()->per_mib);
        EXPECT_EQ(2 * kMib, model.ChooseDiscardSize(kLimits, kBudget));
    }
}

// f2fs on a partition that is not aligned to the granularity of 1 MiB: the kernel splits each of
// its discards at the next multiple (bio_discard_limit()).
TEST(CardModelTest, DiscardsInTwoPartsShowTheSizeThatWasCut) {
    CardModel model(std::nullopt);
    uint64_t size = kMib;
    for (int step = 0; step < 6; ++step) {
        model.Record(size, 64, 32 * size, 64 * microseconds(3249));
        size = model.ChooseDiscardSize({.granularity = kMib, .largest = 64 * kMib}, kBudget);
        EXPECT_EQ((2 * kMib) << step, size);
    }
}

// Small extents say nothing of a size that no discard had.
TEST(CardModelTest, SmallExtentsShowNoLargerSize) {
    CardModel model(std::nullopt);
    model.Record(512 * kKib, 100, 100 * 64 * kKib, milliseconds(50));
    model.Record(512 * kKib, 100, 100 * 127 * kKib, milliseconds(55));
    EXPECT_EQ(512 * kKib, model.ChooseDiscardSize(kLimits, kBudget));
}

TEST(CardModelTest, DiscardsThatWaitedForOthersDoNotCount) {
    const DiscardCost card{milliseconds(1), milliseconds(1)};
    CardModel model(std::nullopt);
    for (int step = 0; step < 8; ++step) {
        // Every second step waits 14 ms for a write.
        const milliseconds waited(step % 2 == 0 ? 14 : 0);
        RecordStep(card, kMib, &model, waited);
        RecordStep(card, 4 * kMib, &model, waited);
    }
    EXPECT_EQ(milliseconds(5), model.Estimate()->TimeOf(4 * kMib));
}

TEST(CardModelTest, OneSizeScalesTheRememberedCost) {
    const DiscardCost card{milliseconds(1), milliseconds(1)};
    CardModel model(card);
    EXPECT_EQ(milliseconds(5), model.Estimate()->TimeOf(4 * kMib));
    RecordStep({milliseconds(2), milliseconds(2)}, kMib, &model);
    EXPECT_EQ(milliseconds(10), model.Estimate()->TimeOf(4 * kMib));
}

TEST(CardModelTest, NoPartOfTheCostIsNegative) {
    CardModel falling(std::nullopt);
    RecordStep({milliseconds(2), {}}, kMib, &falling);
    RecordStep({milliseconds(1), {}}, 4 * kMib, &falling);
    EXPECT_EQ(milliseconds(2), falling.Estimate()->TimeOf(16 * kMib));
    CardModel steep(std::nullopt);
    RecordStep({{}, milliseconds(1)}, kMib, &steep);
    RecordStep({{}, milliseconds(4)}, 2 * kMib, &steep);
    EXPECT_EQ(nanoseconds(0), steep.Estimate()->fixed);
    EXPECT_EQ(milliseconds(4), steep.Estimate()->per_mib);
}

TEST(CardModelTest, StepsWithoutDiscardsTeachNothing) {
    CardModel model(std::nullopt);
    model.Record(kMib, 0, 0, milliseconds(3));
    model.Record(kMib, 8, 0, milliseconds(3));
    model.Record(kMib, 8, 8 * kMib, nanoseconds(0));
    EXPECT_EQ(512 * kKib, model.ChooseDiscardSize(kLimits, kBudget));
}

// The smallest discard takes longer than half a frame, so no second size is tried.
TEST(CardModelTest, TheTimeOfAVerySlowCardIsKnownFromOneSize) {
    CardModel model(std::nullopt);
    EXPECT_EQ(std::nullopt, model.TimeOf(512 * kKib));
    RecordStep({milliseconds(12), {}}, 512 * kKib, &model);
    EXPECT_EQ(512 * kKib, model.ChooseDiscardSize(kLimits, kBudget));
    EXPECT_EQ(milliseconds(12), model.TimeOf(512 * kKib));
    EXPECT_EQ(std::nullopt, model.Estimate());
}

TEST(CardModelTest, ADiskWithOneSizeGetsIt) {
    const DiscardLimits one{.granularity = 4 * kMib, .largest = 4 * kMib};
    CardModel model(std::nullopt);
    EXPECT_EQ(4 * kMib, model.ChooseDiscardSize(one, kBudget));
    RecordStep({milliseconds(2), {}}, 4 * kMib, &model);
    EXPECT_EQ(4 * kMib, model.ChooseDiscardSize(one, kBudget)) << "its double is not tried";
    const DiscardLimits two{.granularity = 4 * kMib, .largest = 8 * kMib};
    EXPECT_EQ(4 * kMib, CardModel(std::nullopt).ChooseDiscardSize(two, kBudget));
}

TEST(RememberedCostTest, IsOfTheChipThatItWasMeasuredOn) {
    Tree tree;
    RecordFile records(RealCalls(), tree.PathOf("/state.log"));
    PutDiscardCost(&records, "chip", {.fixed = milliseconds(2), .per_mib = microseconds(5)});
    EXPECT_EQ(milliseconds(2), FindDiscardCost(records, "chip")->fixed);
    EXPECT_EQ(microseconds(5), FindDiscardCost(records, "chip")->per_mib);
    EXPECT_EQ(std::nullopt, FindDiscardCost(records, "other"));
    PutDiscardCost(&records, "other", {.fixed = milliseconds(7)});
    EXPECT_EQ(std::nullopt, FindDiscardCost(records, "chip"));
}

TEST(RememberedCostTest, ADamagedEntryIsAnUnknownChip) {
    Tree tree;
    for (const char* text : {R"({"chip":"a","fixed_ns":0,"per_mib_ns":0})",
                             R"({"chip":"a","fixed_ns":-1,"per_mib_ns":1000})",
                             R"({"chip":"a","fixed_ns":1000})", "a 1000 1000", ""}) {
        RecordFile records(RealCalls(), tree.PathOf("/state.log"));
        records.Put(RecordKind::kDiscards, text);
        EXPECT_EQ(std::nullopt, FindDiscardCost(records, "a")) << text;
    }
}

}  // namespace
}  // namespace storekeeper
