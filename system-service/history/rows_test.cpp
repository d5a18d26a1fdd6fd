// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "history/rows.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

namespace storekeeper {
namespace {

using std::chrono::days;
using std::chrono::nanoseconds;
using testing::SizeIs;

LatencySample Sample(uint64_t count) {
    LatencySample sample{.wall = WallTime(days(20000)), .count = count};
    // With a large `count` the sum overflows 64 bits.
    sample.histogram.Add(nanoseconds(5), count);
    sample.histogram.Add(nanoseconds(6), count);
    return sample;
}

TEST(HistoryBatchTest, CountersThatAreGarbageAreDropped) {
    HistoryBatch batch;
    batch.Add(Sample(1));
    batch.Add(Sample(1));
    EXPECT_EQ(0U, batch.dropped());
    batch.Add(Sample(UINT64_MAX));
    EXPECT_EQ(1U, batch.dropped());
    ASSERT_THAT(batch.latency(), SizeIs(1));
    EXPECT_EQ(2U, batch.latency().begin()->second.count);

    HistoryBatch garbage;
    garbage.Add(Sample(UINT64_MAX));
    garbage.Add(Sample(1));
    EXPECT_EQ(1U, garbage.dropped());
}

TEST(HistoryBatchTest, NearlyFullByAnyKind) {
    const auto nearly = [](size_t count, const std::function<void(HistoryBatch*, int)>& add) {
        HistoryBatch batch;
        for (size_t i = 0; i + 1 < count; ++i) add(&batch, static_cast<int>(i));
        EXPECT_FALSE(batch.IsNearlyFull());
        add(&batch, static_cast<int>(count));
        EXPECT_TRUE(batch.IsNearlyFull());
    };
    nearly(HistoryBatch::kMaxWear / 4 * 3, [](HistoryBatch* b, int) { b->Add(WearSample{}); });
    nearly(HistoryBatch::kMaxEvents / 4 * 3, [](HistoryBatch* b, int) { b->Add(HistoryEvent{}); });
    nearly(HistoryBatch::kMaxLatency / 4 * 3,
           [](HistoryBatch* b, int day) { b->Add(LatencySample{.wall = WallTime(days(day))}); });
    nearly(HistoryBatch::kMaxUids / 4 * 3, [](HistoryBatch* b, int uid) {
        b->Add(UidRow{.day = 1, .uid = static_cast<uint32_t>(uid), .written_bytes = 1});
    });
}

TEST(HistoryBatchTest, TakesWhatANewerOneHas) {
    HistoryBatch newer;
    newer.Add(WearSample{});
    newer.Add(Sample(1));
    newer.Add(UidRow{.day = 1, .uid = 7, .written_bytes = 5});
    newer.Add(HistoryEvent{.text = "x"});
    HistoryBatch batch;
    batch.Add(Sample(2));
    batch.Add(UidRow{.day = 1, .uid = 7, .written_bytes = 3});
    batch.Add(newer);
    EXPECT_THAT(batch.wear(), SizeIs(1));
    EXPECT_EQ(3U, batch.latency().begin()->second.count);
    EXPECT_EQ(8U, batch.Uids().at(0).written_bytes);
    EXPECT_EQ("x", batch.events().at(0).text);
}

TEST(HistoryBatchTest, LongTextIsCut) {
    HistoryBatch batch;
    batch.Add(HistoryEvent{.text = "short"});
    batch.Add(HistoryEvent{.text = std::string(1000, 'x')});
    EXPECT_EQ("short", batch.events()[0].text);
    EXPECT_EQ(std::string(HistoryBatch::kMaxText, 'x'), batch.events()[1].text);
}

}  // namespace
}  // namespace storekeeper
