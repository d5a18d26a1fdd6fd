// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "bench/copy_bench.h"

#include <errno.h>
#include <gtest/gtest.h>

#include <numeric>

#include "testing/tree.h"

namespace storekeeper {
namespace {

TEST(CopyLengthsTest, AddUpAndAreAlwaysTheSame) {
    const auto lengths = CopyLengths(8 << 20);
    EXPECT_EQ(8u << 20, std::accumulate(lengths.begin(), lengths.end(), uint64_t{0}));
    EXPECT_EQ(lengths, CopyLengths(8 << 20));
    EXPECT_GT(lengths.size(), 20u);
    EXPECT_TRUE(CopyLengths(0).empty());
    EXPECT_EQ(std::vector<uint64_t>{7}, CopyLengths(7));
}

TEST(CopyBenchTest, CopiesAndLeavesNothing) {
    Tree tree;
    auto folder = OwnFolder::Take(tree.root(), "own");
    ASSERT_TRUE(folder.ok()) << folder.error();
    size_t copies = 0;
    const auto read = [&](bool clocks_first) {
        if (clocks_first) copies = folder->Files()->size();
        return DeviceState();
    };
    auto done = RunCopyBench(&*folder, 1 << 20, read, [] { return false; });
    ASSERT_TRUE(done.ok()) << done.error();
    EXPECT_EQ(1u << 20, done->claim.read_bytes);
    EXPECT_EQ(1u << 20, done->claim.written_bytes);
    EXPECT_GT(done->claim.time.count(), 0);
    EXPECT_EQ(CopyLengths(1 << 20).size(), done->latency.count());
    EXPECT_EQ(2 * done->ios, copies);
    EXPECT_EQ(done->ios, done->claim.writes);
    EXPECT_TRUE(folder->Files()->empty());
}

TEST(CopyBenchTest, StopsBetweenFiles) {
    Tree tree;
    auto folder = OwnFolder::Take(tree.root(), "own");
    ASSERT_TRUE(folder.ok()) << folder.error();
    int asked = 0;
    auto done = RunCopyBench(
            &*folder, 1 << 20, [](bool) { return DeviceState(); }, [&] { return ++asked > 3; });
    ASSERT_FALSE(done.ok());
    EXPECT_EQ(EINTR, done.error().code());
    EXPECT_EQ(3u, folder->Files()->size());
    EXPECT_TRUE(folder->Remove().ok());
}

}  // namespace
}  // namespace storekeeper
