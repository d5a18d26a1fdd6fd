// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "latency/histogram.h"

#include <gtest/gtest.h>

#include <string>

#include "latency/histogram_buckets.h"

namespace storekeeper {
namespace {

using std::chrono::nanoseconds;

TEST(HistogramTest, EachBucketBeginsWhereTheOneBeforeEnds) {
    for (uint32_t bucket = 1; bucket < kBuckets; ++bucket) {
        const uint64_t start = BucketStart(bucket);
        EXPECT_EQ(bucket, BucketOf(start)) << start;
        EXPECT_EQ(bucket - 1, BucketOf(start - 1)) << start;
    }
}

TEST(HistogramTest, NoBucketIsWiderThanOneInThirtyTwo) {
    for (uint32_t bucket = 32; bucket + 1 < kBuckets; ++bucket) {
        const uint64_t start = BucketStart(bucket);
        EXPECT_LE((BucketStart(bucket + 1) - start) * 32, start) << bucket;
    }
}

TEST(HistogramTest, TheLastBucketTakesTheRest) {
    EXPECT_EQ(kBuckets - 1, BucketOf(1ULL << kBucketTop));
    EXPECT_EQ(kBuckets - 1, BucketOf(UINT64_MAX));
}

TEST(HistogramTest, ReportsPercentilesToABucketsWidth) {
    Histogram histogram;
    for (int i = 1; i <= 1000; ++i) histogram.Add(nanoseconds(i * 1000));
    EXPECT_NEAR(500'000, histogram.Percentile(50)->count(), 500'000 * 0.032);
    EXPECT_NEAR(990'000, histogram.Percentile(99)->count(), 990'000 * 0.032);
    EXPECT_NEAR(1'000'000, histogram.Percentile(100)->count(), 1'000'000 * 0.032);
}

// A double cannot hold all counts beyond 2^53, so their sum may differ from the count.
TEST(HistogramTest, TheLastBucketEndsTheHundredthPercentile) {
    Histogram histogram;
    histogram.Add(nanoseconds(1), 1ULL << 53);
    histogram.Add(nanoseconds(2));
    histogram.Add(nanoseconds(3));
    EXPECT_EQ(nanoseconds(4), histogram.Percentile(100));
}

TEST(HistogramTest, KnowsNothingWithoutSamples) {
    EXPECT_FALSE(Histogram().Percentile(50).has_value());
}

TEST(HistogramTest, MergingIsCountingTogether) {
    Histogram one;
    Histogram other;
    Histogram both;
    for (int i = 0; i < 100; ++i) {
        (i % 2 == 0 ? one : other).Add(nanoseconds(i * i * 1000));
        both.Add(nanoseconds(i * i * 1000));
    }
    one.Merge(other);
    EXPECT_EQ(both, one);
}

TEST(HistogramTest, ComesBackFromBytes) {
    Histogram histogram;
    histogram.Add(nanoseconds(0));
    histogram.Add(nanoseconds(17), 3);
    histogram.Add(nanoseconds(1'234'567), 1'000'000'000'000);
    histogram.Add(nanoseconds(INT64_MAX), 2);
    android::base::Result<Histogram> back = Histogram::Decode(histogram.Encode());
    ASSERT_TRUE(back.ok()) << back.error();
    EXPECT_EQ(histogram, *back);
    EXPECT_EQ(Histogram(), *Histogram::Decode(""));
}

struct Garbage {
    std::string bytes;
    const char* problem;
};

class HistogramGarbageTest : public testing::TestWithParam<Garbage> {};

TEST_P(HistogramGarbageTest, IsRefusedWithItsReason) {
    android::base::Result<Histogram> read = Histogram::Decode(GetParam().bytes);
    ASSERT_FALSE(read.ok());
    EXPECT_NE(std::string::npos, read.error().message().find(GetParam().problem))
            << read.error().message();
}

INSTANTIATE_TEST_SUITE_P(
        All, HistogramGarbageTest,
        testing::Values(Garbage{"\x05", "ends within a number"},
                        Garbage{"\x85", "ends within a number"},
                        Garbage{std::string(11, '\xff'), "more than 64 bits"},
                        Garbage{std::string(9, '\x80') + "\x81\x01", "more than 64 bits"},
                        Garbage{"\xff\xff\x7f\x01", "of 1152"},
                        Garbage{"\xff\x08\x01\x01\x01", "bucket 1151 + 1 of 1152"},
                        Garbage{std::string("\x05\x00", 2), "counts 0"},
                        Garbage{std::string("\x05\x01\x00\x01", 4), "bucket 5 twice"},
                        Garbage{"\x05\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01\x01\x01",
                                "bucket 6 counts 1"}));

}  // namespace
}  // namespace storekeeper
