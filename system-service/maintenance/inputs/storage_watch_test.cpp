// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "maintenance/inputs/system_inputs.h"
#include "testing/fake_clock.h"
#include "testing/tree.h"

namespace storekeeper {
namespace {

using android::base::Result;
using std::chrono::hours;
using std::chrono::seconds;
using testing::HasSubstr;
using testing::Not;

std::string Disk(const std::string& name, int64_t in_flight, int64_t busy_ms, int number = 0) {
    return " 179 " + std::to_string(number) + " " + name + " 1 2 3 4 5 6 7 8 " +
           std::to_string(in_flight) + " " + std::to_string(busy_ms) + " 11 0 0 0 0 0 0\n";
}

std::string Pressure(const std::string& avg10) {
    return "some avg10=" + avg10 + " avg60=0.00 avg300=0.00 total=5\n" +
           "full avg10=0.00 avg60=0.00 avg300=0.00 total=3\n";
}

class StorageWatchReadTest : public testing::Test {
  protected:
    Tree tree_;
    FileReader files_ = tree_.files();
    FakeClock clock_;
    StorageWatch watch_{files_, clock_};
};

// Each case reads twice, 100 s apart.
TEST_F(StorageWatchReadTest, TakesTheBusiestDiskAndPassesOverVirtualOnes) {
    const auto show = [this](int64_t busy_ms) {
        tree_.Write("/proc/diskstats",
                    Disk("loop0", 99, busy_ms * 9) + Disk("mmcblk0", 2, busy_ms) +
                            Disk("mmcblk0boot0", 0, busy_ms * 2, 8) +
                            Disk("dm-0", 50, busy_ms * 5) + Disk("zram0", 7, busy_ms * 7));
    };
    show(1000);
    EXPECT_EQ(2, watch_.Read()->in_flight);
    clock_.Advance(seconds(100));
    show(11000);
    EXPECT_EQ(20, watch_.Read()->busy_percent);
}

// Counters of Synology's kernel, retyped from a public report: it counts seven requests that the
// disk does not have.
TEST_F(StorageWatchReadTest, TheDisksOwnLineCounts) {
    tree_.Write("/proc/diskstats",
                "   8       0 sata1 18289234 126574923 9396705207 1333168424 11374085 37209420 "
                "2406587341 2249203429 0 199683401 3618694472 0 0 0 0 364389 36322618\n"
                "   8       3 sata1p3 18282438 126574923 9396688736 1332754329 2060017 32766263 "
                "2297566105 743211911 7 193086740 2075966240 0 0 0 0 0 0\n");
    EXPECT_EQ(0, watch_.Read()->in_flight);
    struct Row {
        const char* disk;
        const char* other;
        bool is_partition;
    };
    for (const Row& row :
         {Row{"sda", "sda3", true}, Row{"sda", "sda12", true}, Row{"mmcblk0", "mmcblk0p1", true},
          Row{"nvme0n1", "nvme0n1p12", true}, Row{"mmcblk0", "mmcblk0boot0", false},
          Row{"mmcblk0", "mmcblk0p", false}, Row{"mmcblk0", "mmcblk01", false},
          Row{"sda", "sdab", false}, Row{"sda", "sda", false}}) {
        tree_.Write("/proc/diskstats", Disk(row.disk, 0, 1) + Disk(row.other, 7, 1, 3));
        EXPECT_EQ(row.is_partition ? 0 : 7, watch_.Read()->in_flight) << row.other;
    }
}

TEST_F(StorageWatchReadTest, ACountThatWrappedOrIsStuckIsLeftOut) {
    for (const char* wrapped : {"4294967295", "18446744073709551609", "2147483648"}) {
        tree_.Write("/proc/diskstats", std::string(" 179 0 mmcblk0 1 2 3 4 5 6 7 8 ") + wrapped +
                                               " 100 11\n" + Disk("mmcblk1", 1, 1, 8));
        const Result<StorageReading> reading = watch_.Read();
        EXPECT_EQ(1, reading->in_flight);
        EXPECT_THAT(reading->source, HasSubstr("mmcblk0 has " + std::string(wrapped) +
                                               " requests in flight, which wrapped"));
    }
    // No request takes a minute, so the same number for longer is no load. The disk's busy time
    // goes on.
    StorageWatch watch(files_, clock_);
    const auto show = [&](int64_t in_flight, int64_t busy_ms) {
        tree_.Write("/proc/diskstats", Disk("mmcblk0", in_flight, busy_ms));
        return *watch.Read();
    };
    EXPECT_EQ(7, show(7, 1000).in_flight);
    clock_.Advance(seconds(59));
    EXPECT_EQ(7, show(7, 60000).in_flight);
    clock_.Advance(seconds(1));
    const StorageReading stuck = show(7, 61000);
    EXPECT_EQ(0, stuck.in_flight);
    EXPECT_EQ(std::nullopt, stuck.busy_percent);
    EXPECT_THAT(stuck.source, HasSubstr("mmcblk0 has 7 requests in flight for 60 s: the count is "
                                        "stuck"));
    clock_.Advance(seconds(1));
    EXPECT_EQ(8, show(8, 62000).in_flight);
    clock_.Advance(seconds(100));
    const StorageReading idle = show(0, 63000);
    EXPECT_EQ(0, idle.in_flight);
    EXPECT_EQ(1, idle.busy_percent);
    clock_.Advance(seconds(100));
    EXPECT_THAT(show(0, 64000).source, Not(HasSubstr("stuck")));
}

TEST_F(StorageWatchReadTest, ADiskThatCountsNothingIsLeftOut) {
    tree_.Write("/sys/dev/block/179:0/queue/iostats", "0\n");
    tree_.Write("/sys/dev/block/179:0/uevent", "DEVNAME=mmcblk0\n");
    for (const int64_t busy_ms : {1000, 1000}) {
        tree_.Write("/proc/diskstats", Disk("mmcblk0", 3, busy_ms));
        const Result<StorageReading> reading = watch_.Read();
        EXPECT_EQ(std::nullopt, reading->busy_percent);
        EXPECT_EQ(0, reading->in_flight);
        EXPECT_THAT(reading->source, HasSubstr("not counted: queue/iostats is 0 on mmcblk0"));
        clock_.Advance(seconds(100));
    }
    tree_.Write("/proc/pressure/io", Pressure("12.00"));
    EXPECT_EQ(12, watch_.Read()->busy_percent);
    EXPECT_THAT(watch_.Read()->source, HasSubstr("; not counted: queue/iostats is 0 on mmcblk0"));
}

TEST_F(StorageWatchReadTest, WithoutADiskNothingIsKnown) {
    for (const std::string& text :
         {std::string("garbage\n"), std::string("179 0 mmcblk0 1 2 3\n"), Disk("mmcblk0", -1, 5),
          Disk("loop0", 0, 0), Disk("mmcblk0", 1, 1) + std::string(1 << 20, '1') + "\n"}) {
        tree_.Write("/proc/diskstats", text);
        EXPECT_FALSE(watch_.Read().ok()) << text.substr(0, 80);
    }
}

TEST_F(StorageWatchReadTest, PrefersPressure) {
    tree_.Write("/proc/diskstats", Disk("mmcblk0", 3, 100));
    const std::pair<const char*, int> cases[] = {{"12.00", 12},
                                                 {"0.00", 0},
                                                 {"0.01", 1},
                                                 {"42.20", 43},
                                                 {"100.00", 100}};
    for (const auto& [avg10, percent] : cases) {
        tree_.Write("/proc/pressure/io", Pressure(avg10));
        Result<StorageReading> reading = watch_.Read();
        EXPECT_EQ(percent, reading->busy_percent) << avg10;
        EXPECT_EQ(3, reading->in_flight);
    }
}

TEST_F(StorageWatchReadTest, WithoutPressureTheDiskBusyTimeCounts) {
    for (const char* pressure : {"", "garbage\n", "some avg10=x.00 avg60=0.00\n"}) {
        StorageWatch watch(files_, clock_);
        if (*pressure != '\0') tree_.Write("/proc/pressure/io", pressure);
        tree_.Write("/proc/diskstats", Disk("mmcblk0", 0, 1000));
        EXPECT_EQ(std::nullopt, watch.Read()->busy_percent);
        clock_.Advance(seconds(100));
        tree_.Write("/proc/diskstats", Disk("mmcblk0", 0, 26000));
        EXPECT_EQ(25, watch.Read()->busy_percent);
        clock_.Advance(hours(2));
        EXPECT_EQ(std::nullopt, watch.Read()->busy_percent);
    }
}

TEST_F(StorageWatchReadTest, WithoutDiskstatsNothingIsKnown) {
    Result<StorageReading> reading = watch_.Read();
    ASSERT_FALSE(reading.ok());
    EXPECT_THAT(reading.error().message(), HasSubstr("/proc/diskstats"));
    tree_.Write("/proc/diskstats", std::string_view("\0\1\2\n", 4));
    EXPECT_FALSE(watch_.Read().ok());
    tree_.Write("/proc/diskstats", "179 0 mmcblk0 1 2");
    EXPECT_FALSE(watch_.Read().ok());
}

}  // namespace
}  // namespace storekeeper
