// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "bench/ager.h"

#include <errno.h>
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "testing/fake_clock.h"
#include "testing/fake_syscalls.h"

namespace storekeeper {
namespace {

using android::base::borrowed_fd;
using android::base::Error;
using android::base::Result;
using android::base::unique_fd;
using testing::HasSubstr;

constexpr uint64_t kMib = 1024 * 1024;

// A file system of 200 MiB that records the lengths of its files and uses 1 % more for metadata.
// Writing a page takes 1 ms.
class Disk : public FakeSyscalls {
  public:
    explicit Disk(FakeClock& clock) : clock_(clock) {}

    uint64_t capacity = 200 * kMib;
    bool no_direct = false;
    bool buffers = false;  // accepts O_DIRECT but uses the page cache
    uint64_t page = 4096;  // a smaller request uses the page cache, as on f2fs
    std::optional<uint64_t> disk_written;
    int flags = 0;  // flags of the last open(2)
    int write_error = 0;
    std::map<std::string, uint64_t> files;
    std::set<uint64_t> pages;  // written one at a time
    uint64_t writes = 0;
    uint64_t syncs = 0;
    uint64_t late_syncs = 0;  // after `stop_after` writes
    uint64_t stop_after = UINT64_MAX;

    uint64_t Used() const {
        uint64_t used = 0;
        for (const auto& [path, bytes] : files) used += bytes + bytes / 100;
        return used;
    }
    Result<unique_fd> Open(const std::string& path, int how) override {
        if (no_direct && (how & O_DIRECT) != 0) return Error(EINVAL) << "no O_DIRECT";
        flags = how;
        unique_fd fd(open("/dev/null", O_RDWR | O_CLOEXEC));
        files.try_emplace(path, 0);
        names_[fd.get()] = path;
        return fd;
    }
    Result<size_t> Pwrite(borrowed_fd fd, const void* buffer, size_t size, off_t offset) override {
        if (write_error != 0) return Error(write_error) << "cannot write";
        EXPECT_EQ(0u, reinterpret_cast<uintptr_t>(buffer) % 4096);
        EXPECT_LE(size, 256u * 1024);
        EXPECT_EQ(0u, size % 4096);
        uint64_t& length = files[names_[fd.get()]];
        if (Used() + size > capacity) return Error(ENOSPC) << "cannot write";
        length = std::max(length, static_cast<uint64_t>(offset) + size);
        if (size == 4096) pages.insert(offset / 4096);
        ++writes;
        const bool cached = (buffers || size % page != 0) && (flags & O_DSYNC) == 0;
        if (disk_written.has_value() && !cached) *disk_written += size;
        if (cached) return size;
        clock_.Advance(std::chrono::milliseconds(size / 4096));
        return size;
    }
    Result<void> Fdatasync(borrowed_fd) override {
        ++syncs;
        if (writes >= stop_after) ++late_syncs;
        return {};
    }
    Result<struct statvfs> Statvfs(const std::string&) override {
        struct statvfs answer = {};
        answer.f_frsize = 4096;
        answer.f_bavail = (capacity - std::min(capacity, Used())) / 4096;
        return answer;
    }

  private:
    FakeClock& clock_;
    std::map<int, std::string> names_;
};

class AgerTest : public testing::Test {
  protected:
    Result<AgeOutcome> Age(uint64_t until_free, uint64_t churn) {
        std::map<std::string, uint64_t> files;
        for (const auto& [path, bytes] : disk_.files) files[path.substr(strlen("/own/"))] = bytes;
        return AgeFileSystem(disk_, clock_, "/own",
                             {.path = [](const std::string& name) { return "/own/" + name; },
                              .stop = [this] { return disk_.writes >= disk_.stop_after; },
                              .progress = [](const std::string&) {},
                              .disk_written = [this] { return disk_.disk_written; }},
                             {.until_free_bytes = until_free,
                              .churn = churn,
                              .page_bytes = disk_.page},
                             files);
    }
    uint64_t Free() const { return disk_.capacity - disk_.Used(); }

    FakeClock clock_;
    Disk disk_{clock_};
};

TEST_F(AgerTest, FillsUntilThatMuchIsFree) {
    auto outcome = Age(24 * kMib, 0);
    ASSERT_TRUE(outcome.ok()) << outcome.error();
    EXPECT_GE(Free(), 24 * kMib);
    EXPECT_LE(Free(), 24 * kMib + 128 * 1024);
    EXPECT_TRUE(outcome->direct);
    EXPECT_FALSE(outcome->stopped);
    EXPECT_EQ(Free() / 4096 * 4096, outcome->free_bytes);
    EXPECT_EQ(0u, disk_.files.count("/own/churn"));
    EXPECT_GT(disk_.syncs, 0u);
}

TEST_F(AgerTest, WritesAtRandomInTheRestAndLeavesTheReserve) {
    auto outcome = Age(24 * kMib, 2000);
    ASSERT_TRUE(outcome.ok()) << outcome.error();
    EXPECT_EQ(2000u, outcome->churned);
    EXPECT_GT(outcome->churn_bytes, 16 * kMib);
    EXPECT_GE(Free(), AgeReserve(24 * kMib));
    ASSERT_EQ(20u, outcome->samples.size());
    EXPECT_EQ(2000u, outcome->samples.back().writes);
    // Writing a page takes a millisecond.
    EXPECT_NEAR(1000, outcome->samples.front().iops, 1);
    EXPECT_EQ(100u, outcome->samples.front().latency.count());
    // The writes are spread over the file and seldom hit the same page twice.
    EXPECT_GT(disk_.pages.size(), 1600u);
}

TEST_F(AgerTest, LeavesTheReserveHoweverLargeTheRest) {
    disk_.capacity = 400 * kMib;
    disk_.files["/own/churn"] = kMib;
    auto outcome = Age(24 * kMib, 10);
    ASSERT_TRUE(outcome.ok()) << outcome.error();
    EXPECT_EQ(10u, outcome->churned);
    EXPECT_GE(Free(), AgeReserve(24 * kMib));
    EXPECT_LE(Free(), AgeReserve(24 * kMib) + kMib);
}

TEST_F(AgerTest, SamplesAreAsLongAsEachOther) {
    struct Row {
        uint64_t churn;
        size_t samples;
        uint64_t first;
        uint64_t fourth;
    };
    for (const Row& row : {Row{5988, 20, 299, 1197}, Row{59, 20, 2, 11}, Row{25, 20, 1, 5},
                           Row{20, 20, 1, 4}, Row{7, 7, 1, 4}}) {
        auto outcome = Age(24 * kMib, row.churn);
        ASSERT_TRUE(outcome.ok()) << outcome.error();
        ASSERT_EQ(row.samples, outcome->samples.size()) << row.churn;
        EXPECT_EQ(row.first, outcome->samples[0].writes);
        EXPECT_EQ(row.fourth, outcome->samples[3].writes);
        EXPECT_EQ(row.churn, outcome->samples.back().writes);
    }
}

TEST_F(AgerTest, AStoppedAgingReportsAllItsWrites) {
    ASSERT_TRUE(Age(24 * kMib, 1).ok());
    disk_.stop_after = disk_.writes + 130;
    auto outcome = Age(24 * kMib, 2000);
    ASSERT_TRUE(outcome.ok()) << outcome.error();
    EXPECT_TRUE(outcome->stopped);
    EXPECT_EQ(130u, outcome->churned);
    ASSERT_EQ(2u, outcome->samples.size());
    EXPECT_EQ(30u, outcome->samples[1].latency.count());
    EXPECT_EQ(130u, outcome->samples[1].writes);
}

TEST_F(AgerTest, FillsAgainWhatOthersHaveFreed) {
    ASSERT_TRUE(Age(24 * kMib, 10).ok());
    disk_.capacity += 50 * kMib;
    auto outcome = Age(24 * kMib, 10);
    ASSERT_TRUE(outcome.ok()) << outcome.error();
    EXPECT_GT(outcome->filled_bytes, 20 * kMib);
    EXPECT_GE(Free(), AgeReserve(24 * kMib));
    EXPECT_LE(Free(), 24 * kMib);
}

TEST_F(AgerTest, WritesElsewhereEachTime) {
    ASSERT_TRUE(Age(24 * kMib, 10).ok());
    std::set<std::set<uint64_t>> runs;
    for (int i = 0; i < 3; ++i) {
        disk_.pages.clear();
        ASSERT_TRUE(Age(24 * kMib, 100).ok());
        runs.insert(disk_.pages);
    }
    EXPECT_EQ(3u, runs.size());
}

TEST_F(AgerTest, WritesBeyondFourGibibytes) {
    disk_.files["/own/churn"] = 5 * 1024 * kMib;
    disk_.capacity = disk_.Used() + 30 * kMib;
    auto outcome = Age(24 * kMib, 100);
    ASSERT_TRUE(outcome.ok()) << outcome.error();
    EXPECT_GT(outcome->churn_bytes, 5 * 1024 * kMib);
    EXPECT_EQ(outcome->churn_bytes, disk_.files["/own/churn"]);
    EXPECT_GT(*disk_.pages.rbegin(), 4 * 1024 * kMib / 4096);
}

TEST_F(AgerTest, IsReported) {
    auto outcome = Age(24 * kMib, 100);
    ASSERT_TRUE(outcome.ok()) << outcome.error();
    const Json::Value json = AgeToJson(*outcome, "/data/local/tmp", true);
    EXPECT_EQ(100u, json["churn"]["writes"].asUInt64());
    EXPECT_NEAR(1000, json["churn"]["iops"].asDouble(), 1);
    EXPECT_NEAR(1, json["churn"]["p99_ms"].asDouble(), 0.05);
    // 4 KiB take a millisecond.
    EXPECT_NEAR(4.096, json["fill_mb_per_s"].asDouble(), 0.01);
    EXPECT_THAT(AgeToText(*outcome, "/x", true), HasSubstr("its files stay"));
    EXPECT_THAT(AgeToText(*outcome, "/x", true), HasSubstr("100 writes    1000.0 IOPS"));
    const Json::Value none = AgeToJson(AgeOutcome(), "/x", false);
    EXPECT_TRUE(none["fill_mb_per_s"].isNull());
    EXPECT_THAT(AgeToText(AgeOutcome(), "/x", false), HasSubstr("at - MB/s"));
}

TEST_F(AgerTest, KeepsTheReserveWhateverIsAskedFor) {
    auto outcome = Age(0, 0);
    ASSERT_TRUE(outcome.ok()) << outcome.error();
    EXPECT_GE(Free(), AgeReserve(0));
    EXPECT_EQ(kMib, AgeReserve(0));
    EXPECT_EQ(3 * kMib, AgeReserve(24 * kMib));
    EXPECT_EQ(16 * kMib, AgeReserve(UINT64_MAX));
}

TEST_F(AgerTest, StopsBetweenTwoWritesAndGoesOnThere) {
    uint64_t filled = 0;
    for (disk_.stop_after = 100; disk_.stop_after < 1200; disk_.stop_after += 100) {
        auto outcome = Age(24 * kMib, 500);
        ASSERT_TRUE(outcome.ok()) << outcome.error();
        EXPECT_TRUE(outcome->stopped);
        EXPECT_EQ(disk_.stop_after, disk_.writes);
        // A stop does not wait for a slow card's sync.
        EXPECT_EQ(0u, disk_.late_syncs);
        EXPECT_GE(outcome->found_bytes, filled);
        filled = outcome->found_bytes + outcome->filled_bytes;
    }
    disk_.stop_after = UINT64_MAX;
    auto outcome = Age(24 * kMib, 500);
    ASSERT_TRUE(outcome.ok()) << outcome.error();
    EXPECT_FALSE(outcome->stopped);
    EXPECT_EQ(500u, outcome->churned);
    EXPECT_EQ(0u, outcome->filled_bytes);
    EXPECT_GE(Free(), 2 * kMib);
    // No file was filled twice.
    for (const auto& [path, bytes] : disk_.files) EXPECT_LE(bytes, 64 * kMib) << path;
}

TEST_F(AgerTest, DoesWithoutDirectIo) {
    disk_.no_direct = true;
    auto outcome = Age(100 * kMib, 10);
    ASSERT_TRUE(outcome.ok()) << outcome.error();
    EXPECT_EQ(10u, outcome->churned);
    EXPECT_FALSE(outcome->direct);
    EXPECT_EQ(O_DSYNC, disk_.flags & (O_DSYNC | O_DIRECT));
    const Json::Value json = AgeToJson(*outcome, "/x", false);
    EXPECT_FALSE(json["direct"].asBool());
    EXPECT_THAT(AgeToText(*outcome, "/x", false), HasSubstr("no O_DIRECT here"));
}

TEST_F(AgerTest, ADirectWriteThatTheDiskDoesNotSeeIsNone) {
    for (const bool buffers : {false, true}) {
        disk_.files.clear();
        disk_.disk_written = 0;
        disk_.buffers = buffers;
        auto outcome = Age(100 * kMib, 10);
        ASSERT_TRUE(outcome.ok()) << outcome.error();
        EXPECT_EQ(10u, outcome->churned);
        EXPECT_EQ(10u, outcome->samples.size());
        EXPECT_EQ(!buffers, outcome->direct);
        EXPECT_EQ(buffers ? O_DSYNC : 0, disk_.flags & O_DSYNC);
        // The time is that of the disk, not of the cache, which takes none.
        EXPECT_NEAR(1000, outcome->samples[0].iops, 1);
    }
}

TEST_F(AgerTest, WritesPagesOfTheKernelsSize) {
    disk_.page = 16384;
    disk_.disk_written = 0;
    auto outcome = Age(100 * kMib, 10);
    ASSERT_TRUE(outcome.ok()) << outcome.error();
    EXPECT_TRUE(outcome->direct);
    EXPECT_EQ(0u, outcome->churn_bytes % disk_.page);
    // Writing 4 KiB takes a millisecond.
    EXPECT_NEAR(250, outcome->samples[0].iops, 1);
}

TEST_F(AgerTest, SaysWhatStoppedIt) {
    disk_.write_error = EROFS;
    auto outcome = Age(24 * kMib, 0);
    ASSERT_FALSE(outcome.ok());
    EXPECT_EQ(EROFS, outcome.error().code());

    disk_.write_error = 0;
    disk_.files["/own/fill-000001"] = 0;
    disk_.capacity = kMib;
    outcome = Age(24 * kMib, 10);
    ASSERT_FALSE(outcome.ok());
    EXPECT_EQ(ENOSPC, outcome.error().code());
    EXPECT_THAT(outcome.error().message(), HasSubstr("no room for random writes"));
}

}  // namespace
}  // namespace storekeeper
