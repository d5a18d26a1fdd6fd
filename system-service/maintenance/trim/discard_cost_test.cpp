// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "maintenance/trim/discard_cost.h"

#include <gtest/gtest.h>

#include <chrono>
#include <string>

#include "testing/free_space.h"
#include "testing/tree.h"

namespace storekeeper {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;
using std::chrono::nanoseconds;

constexpr uint64_t kMib = 1 << 20;

DiscardSample Discard(uint64_t limit, const DiscardCost& card) {
    return FreeSpace{.cost = card}.Slice(limit);
}

void ExpectNear(nanoseconds wanted, nanoseconds got, double share) {
    EXPECT_NEAR(static_cast<double>(wanted.count()), static_cast<double>(got.count()),
                static_cast<double>(wanted.count()) * share);
}

TEST(DiscardCostTest, ADiscardHasAFixedPartAndOneForItsSize) {
    const DiscardCost cost{.fixed = microseconds(500), .per_mib = milliseconds(5)};
    EXPECT_EQ(microseconds(500), cost.Of(0));
    EXPECT_EQ(milliseconds(3), cost.Of(kMib / 2));
    EXPECT_EQ(microseconds(20500), cost.Of(4 * kMib));
}

TEST(DiscardModelTest, TwoSizesShowBothParts) {
    for (const DiscardCost& card : {DiscardCost{microseconds(500), milliseconds(5)},
                                    DiscardCost{milliseconds(5), microseconds(10)},
                                    DiscardCost{microseconds(50), milliseconds(20)}}) {
        DiscardModel model(kMib / 2, std::nullopt);
        model.Add(Discard(kMib / 2, card));
        EXPECT_FALSE(model.is_measured());
        model.Add(Discard(2 * kMib, card));
        EXPECT_TRUE(model.is_measured());
        ExpectNear(card.fixed, model.cost().fixed, 0.001);
        ExpectNear(card.per_mib, model.cost().per_mib, 0.001);
    }
}

TEST(DiscardModelTest, OneSizeAloneIsHalfFixed) {
    DiscardModel model(kMib / 2, std::nullopt);
    EXPECT_EQ(DiscardCost(), model.cost());
    model.Add(
            {.limit_bytes = kMib, .discards = 100, .bytes = 50 * kMib, .took = milliseconds(200)});
    EXPECT_EQ(milliseconds(1), model.cost().fixed);
    EXPECT_EQ(milliseconds(2), model.cost().per_mib);
    // Another of the same changes nothing.
    model.Add({.limit_bytes = kMib, .discards = 10, .bytes = 5 * kMib, .took = milliseconds(20)});
    EXPECT_EQ(milliseconds(1), model.cost().fixed);
    EXPECT_FALSE(model.is_measured());
}

// A sample of discards that others' requests kept waiting for this long.
DiscardSample Waited(DiscardSample sample, nanoseconds time) {
    sample.took += time;
    sample.waited = true;
    return sample;
}

TEST(DiscardModelTest, WhatWaitedForOthersShowsNoCost) {
    const DiscardCost card{.fixed = milliseconds(3), .per_mib = microseconds(100)};
    DiscardModel model(kMib / 2, std::nullopt);
    for (const uint64_t limit : {kMib / 2, 4 * kMib}) {
        model.Add(Discard(limit, card));
        model.Add(Waited(Discard(limit, card), milliseconds(500)));
    }
    ExpectNear(card.fixed, model.cost().fixed, 0.001);
    ExpectNear(card.per_mib, model.cost().per_mib, 0.001);
    // Many of another size count as they are.
    model.Add(Waited(Discard(16 * kMib, card), milliseconds(500)));
    EXPECT_GT(model.cost().Of(16 * kMib), card.Of(16 * kMib));
}

// One free extent, which is not cut.
DiscardSample Extent(uint64_t bytes, nanoseconds took, bool waited) {
    return {.limit_bytes = bytes,
            .discards = 1,
            .bytes = bytes,
            .took = took,
            .extents = 1,
            .waited = waited};
}

// A single one is enough to deny what smaller ones seem to say of its size, but not to confirm it.
TEST(DiscardModelTest, WhatWaitedForOthersShowsTheMostThatADiscardTakes) {
    DiscardModel model(kMib / 2, std::nullopt);
    const auto add = [&](uint64_t bytes, nanoseconds took, bool waited) {
        model.Add(Extent(bytes, took, waited));
    };
    add(kMib / 2, microseconds(3500), false);
    add(2 * kMib, microseconds(4000), false);
    ExpectNear(milliseconds(14), model.cost().Of(32 * kMib), 0.001);
    add(32 * kMib, milliseconds(20), true);
    ExpectNear(milliseconds(14), model.cost().Of(32 * kMib), 0.001);
    add(16 * kMib, milliseconds(4), true);
    EXPECT_LT(model.cost().Of(32 * kMib), milliseconds(8));
    for (int i = 0; i < 8; ++i) add(32 * kMib, milliseconds(20), true);
    EXPECT_GT(model.cost().Of(32 * kMib), milliseconds(16));
}

// Two limits that cut nothing are one size.
TEST(DiscardModelTest, WhatWaitedCountsWhereAllOthersAreOfOneSize) {
    DiscardModel model(kMib / 2, std::nullopt);
    const auto add = [&](uint64_t limit, uint64_t bytes, nanoseconds took, bool waited) {
        DiscardSample sample = Extent(bytes, took, waited);
        sample.limit_bytes = limit;
        model.Add(sample);
    };
    add(kMib / 2, kMib / 2, milliseconds(3), false);
    add(4 * kMib, kMib / 2, milliseconds(3), false);
    add(32 * kMib, 32 * kMib, milliseconds(20), true);
    ExpectNear(milliseconds(20), model.cost().Of(32 * kMib), 0.001);
}

// In slices of f2fs there is nearly always somebody: the few that had nobody say little.
TEST(DiscardModelTest, SlicesThatWaitedCountAsTheyAre) {
    DiscardModel model(kMib / 2, std::nullopt);
    const auto add = [&](uint64_t bytes, nanoseconds took, bool waited) {
        DiscardSample sample = Extent(bytes, took, waited);
        sample.extents = 0;
        model.Add(sample);
    };
    add(kMib, microseconds(1100), false);
    add(4 * kMib, microseconds(1100), false);
    add(64 * kMib, milliseconds(21), true);
    EXPECT_GT(model.cost().Of(64 * kMib), milliseconds(15));
}

// What has waited is better than nothing.
TEST(DiscardModelTest, TwoSizesThatAreNotFarApartDoNotSayWhatOthersTake) {
    DiscardModel model(kMib / 2, std::nullopt);
    const DiscardCost card{.fixed = microseconds(100), .per_mib = milliseconds(1)};
    for (const uint64_t limit : {kMib / 2, kMib}) model.Add(Discard(limit, card));
    model.Add(Waited(Discard(16 * kMib, card), milliseconds(500)));
    EXPECT_GT(model.cost().Of(16 * kMib), card.Of(16 * kMib) * 11 / 10);
}

TEST(DiscardModelTest, WhereAllWaitForOthersTheyHaveToDo) {
    const DiscardCost card{.fixed = milliseconds(3), .per_mib = microseconds(100)};
    DiscardModel model(kMib / 2, std::nullopt);
    EXPECT_EQ(std::nullopt, model.AtMost(kMib));
    model.Add(Waited(Discard(kMib, card), milliseconds(500)));
    const DiscardCost waited = model.cost();
    EXPECT_GT(waited.Of(kMib), card.Of(kMib));
    const nanoseconds at_most = model.AtMost(kMib).value();
    model.Add(Discard(kMib, card));
    EXPECT_LT(model.cost().Of(kMib), waited.Of(kMib));
    EXPECT_LT(model.AtMost(kMib), at_most);
}

TEST(DiscardModelTest, WhoFillsTheDiskWaitsForOthersAsWell) {
    const DiscardCost card{.fixed = milliseconds(3), .per_mib = microseconds(100)};
    const auto whole = [&card](nanoseconds waiting) {
        DiscardModel model(kMib / 2, card);
        for (const uint64_t limit : {kMib / 2, 4 * kMib}) {
            model.Add(Discard(limit, card));
            model.Add(Waited(Discard(limit, card), waiting));
        }
        return model.WorkSoFar(4 * kMib);
    };
    const nanoseconds alone = whole(nanoseconds(0));
    const nanoseconds each = Discard(kMib / 2, card).took + Discard(4 * kMib, card).took;
    ExpectNear(alone * 5 / 4, whole(each / 4), 0.01);
    // A third of the time is theirs at most.
    ExpectNear(alone * 3 / 2, whole(each * 100), 0.01);
}

TEST(DiscardModelTest, WhatIsKnownHoldsUntilTwoSizesDeny) {
    const DiscardCost known{.fixed = milliseconds(1), .per_mib = milliseconds(1)};
    const DiscardCost card{.fixed = milliseconds(3), .per_mib = milliseconds(2)};
    DiscardModel model(kMib / 2, known);
    EXPECT_EQ(known, model.cost());
    model.Add(Discard(kMib / 2, known));
    ExpectNear(known.fixed, model.cost().fixed, 0.001);
    ExpectNear(known.per_mib, model.cost().per_mib, 0.001);
    EXPECT_FALSE(model.is_measured());
    DiscardModel denied(kMib / 2, known);
    denied.Add(Discard(kMib / 2, card));
    EXPECT_GT(denied.cost().fixed, known.fixed);
    denied.Add(Discard(4 * kMib, card));
    EXPECT_TRUE(denied.is_measured());
    ExpectNear(card.fixed, denied.cost().fixed, 0.001);
    ExpectNear(card.per_mib, denied.cost().per_mib, 0.001);
}

TEST(DiscardModelTest, NoPartIsBelowZero) {
    // Larger ones took less in all, and the reverse: noise.
    DiscardModel model(kMib / 2, std::nullopt);
    model.Add({.limit_bytes = kMib, .discards = 100, .bytes = 50 * kMib, .took = milliseconds(90)});
    model.Add(
            {.limit_bytes = 2 * kMib, .discards = 25, .bytes = 50 * kMib, .took = milliseconds(5)});
    EXPECT_GE(model.cost().per_mib.count(), 0);
    EXPECT_EQ(nanoseconds(0), model.cost().per_mib);
    DiscardModel other(kMib / 2, std::nullopt);
    other.Add({.limit_bytes = kMib, .discards = 100, .bytes = 50 * kMib, .took = milliseconds(40)});
    other.Add({.limit_bytes = 2 * kMib,
               .discards = 25,
               .bytes = 50 * kMib,
               .took = milliseconds(90)});
    EXPECT_EQ(nanoseconds(0), other.cost().fixed);
}

TEST(DiscardModelTest, WhatShowsNothingIsLeftOut) {
    DiscardModel model(kMib / 2, std::nullopt);
    model.Add({.limit_bytes = kMib, .discards = 0, .bytes = kMib, .took = milliseconds(1)});
    model.Add({.limit_bytes = kMib, .discards = 1, .bytes = 0, .took = milliseconds(1)});
    model.Add({.limit_bytes = kMib, .discards = 1, .bytes = kMib, .took = milliseconds(0)});
    EXPECT_EQ(DiscardCost(), model.cost());
    EXPECT_EQ(nanoseconds(0), model.WorkSoFar(kMib));
}

// What one size has cost says what another one would.
TEST(DiscardModelTest, WorkOfAnotherSizeFollowsFromTheCounts) {
    const DiscardCost card{.fixed = milliseconds(1), .per_mib = microseconds(500)};
    for (const uint64_t seen : {kMib / 2, kMib, 4 * kMib}) {
        DiscardModel model(FreeSpace::kUnit, card);
        const DiscardSample sample = Discard(seen, card);
        model.Add(sample);
        for (const uint64_t size : {kMib / 2, kMib, 4 * kMib, 64 * kMib}) {
            ExpectNear(Discard(size, card).took, model.WorkSoFar(size), 0.05);
        }
        ExpectNear(sample.took, model.WorkSoFar(seen), 0.01);
        ExpectNear(model.WorkSoFar(seen) / static_cast<int64_t>(sample.bytes / kMib),
                   model.WorkPerMib(seen), 0.01);
    }
}

// Extents that are shorter than any size are one discard each, whatever the size.
TEST(DiscardModelTest, ShortExtentsAreNotCut) {
    const DiscardCost card{.fixed = milliseconds(1), .per_mib = milliseconds(1)};
    DiscardModel model(4096, card);
    model.Add({.limit_bytes = 8 * kMib,
               .discards = 1000,
               .bytes = 100 * kMib,
               .took = milliseconds(1100)});
    ExpectNear(model.WorkPerMib(8 * kMib), model.WorkPerMib(kMib), 0.001);
    ExpectNear(model.WorkPerMib(8 * kMib), model.WorkPerMib(64 * kMib), 0.001);
}

TEST(DiscardModelTest, KnownExtentsAreNotGuessed) {
    const DiscardCost card{.fixed = milliseconds(1), .per_mib = milliseconds(1)};
    DiscardModel model(kMib / 2, card);
    EXPECT_EQ(100, model.PercentLongerThan(kMib));
    EXPECT_EQ(std::nullopt, model.AtMost(kMib));
    model.AddExtents(3, kMib);
    model.AddExtents(1, 9 * kMib);
    EXPECT_EQ(4U, model.extents());
    EXPECT_EQ(75, model.PercentLongerThan(kMib));
    EXPECT_EQ(0, model.PercentLongerThan(9 * kMib));
    // 4 discards of 12 MiB, and 3 + 5 in sizes of 2 MiB: 1.75 + 2 + 2 + 2 + 1.25.
    ExpectNear(microseconds(1333), model.WorkPerMib(64 * kMib), 0.01);
    ExpectNear(microseconds(1666), model.WorkPerMib(2 * kMib), 0.01);
    // Lengths are kept with three bits, and none of a phone's is too long.
    model.AddExtents(1, (uint64_t{1} << 37) - 4096);
    EXPECT_EQ(99, model.PercentLongerThan(uint64_t{1} << 36));
}

TEST(DiscardModelTest, WholeExtentsAreADiscardEach) {
    const DiscardCost card{.fixed = milliseconds(1), .per_mib = milliseconds(1)};
    DiscardModel model(kMib / 2, card);
    model.Add({.limit_bytes = kMib,
               .discards = 20,
               .bytes = 20 * kMib,
               .took = milliseconds(40),
               .extents = 5});
    EXPECT_EQ(milliseconds(4), model.AtMost(2 * kMib));
    ExpectNear(milliseconds(25), model.WholeSoFar(64 * kMib), 0.01);
    // As soon as some are not known it is the work of large discards.
    model.Add({.limit_bytes = kMib, .discards = 4, .bytes = 4 * kMib, .took = milliseconds(8)});
    EXPECT_EQ(model.WorkSoFar(64 * kMib), model.WholeSoFar(64 * kMib));
}

class DiscardMemoryTest : public testing::Test {
  protected:
    Tree tree_;
    RecordFile records_{RealCalls(), tree_.PathOf("/state.log")};
};

TEST_F(DiscardMemoryTest, IsByChip) {
    const DiscardCost one{.fixed = nanoseconds(1), .per_mib = nanoseconds(2)};
    const DiscardCost two{.fixed = nanoseconds(0), .per_mib = nanoseconds(3)};
    EXPECT_EQ(std::nullopt, FindDiscardCost(records_, "a"));
    PutDiscardCost(&records_, "a", one);
    PutDiscardCost(&records_, "b", two);
    EXPECT_EQ(one, FindDiscardCost(records_, "a"));
    EXPECT_EQ(two, FindDiscardCost(records_, "b"));
    PutDiscardCost(&records_, "a", two);
    EXPECT_EQ(two, FindDiscardCost(records_, "a"));
}

TEST_F(DiscardMemoryTest, KeepsTheNewestFour) {
    for (const char* chip : {"a", "b", "c", "d", "e"}) {
        PutDiscardCost(&records_, chip, {.fixed = nanoseconds(1)});
    }
    EXPECT_EQ(std::nullopt, FindDiscardCost(records_, "a"));
    EXPECT_NE(std::nullopt, FindDiscardCost(records_, "b"));
    EXPECT_NE(std::nullopt, FindDiscardCost(records_, "e"));
}

TEST_F(DiscardMemoryTest, WhatIsNoCostIsForgotten) {
    for (const char* text : {"", "a", "a 1", "a 1 2 3", "a x 2", "a 1 x", "a -1 2", "a 1 -2",
                             "a 0 0", "a 60000000001 1", "a 1 60000000001"}) {
        records_.Put(RecordKind::kDiscards, text);
        EXPECT_EQ(std::nullopt, FindDiscardCost(records_, "a")) << text;
    }
    records_.Put(RecordKind::kDiscards, "b x y\ta 60000000000 0");
    EXPECT_NE(std::nullopt, FindDiscardCost(records_, "a"));
}

}  // namespace
}  // namespace storekeeper
