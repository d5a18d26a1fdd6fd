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

std::string Disk(const std::string& name, int64_t in_flight, int64_t busy_ms) {
    return " 179 0 " + name + " 1 2 3 4 5 6 7 8 " + std::to_string(in_flight) + " " +
           std::to_string(busy_ms) + " 11 0 0 0 0 0 0\n";
}

std::string Pressure(const std::string& avg10) {
    return "some avg10=" + avg10 + " avg60=0.00 avg300=0.00 total=5\n" +
           "full avg10=0.00 avg60=0.00 avg300=0.00 total=3\n";
}

TEST(StorageWatchTest, TakesTheBusiestDiskAndPassesOverVirtualOnes) {
    Result<BusiestDisk> activity = FindBusiestDisk(
            Disk("loop0", 99, 9999) + Disk("mmcblk0", 2, 100) + Disk("mmcblk0p1", 1, 700) +
            Disk("dm-0", 50, 5000) + Disk("zram0", 7, 7000));
    ASSERT_TRUE(activity.ok()) << activity.error();
    EXPECT_EQ(2U, activity->in_flight);
    EXPECT_EQ(700, activity->busy.count());
}

TEST(StorageWatchTest, WithoutADiskNothingIsKnown) {
    for (const std::string& text :
         {std::string("garbage\n"), std::string("179 0 mmcblk0 1 2 3\n"), Disk("mmcblk0", -1, 5),
          Disk("loop0", 0, 0), std::string(), Disk("mmcblk0", 1, 1) + std::string(1 << 20, '1')}) {
        EXPECT_FALSE(FindBusiestDisk(text).ok()) << text.substr(0, 80);
    }
}

class StorageWatchReadTest : public testing::Test {
  protected:
    Tree tree_;
    FileReader files_ = tree_.files();
    FakeClock clock_;
    StorageWatch watch_{files_, clock_};
};

TEST_F(StorageWatchReadTest, PrefersPressure) {
    tree_.Write("/proc/diskstats", Disk("mmcblk0", 3, 100));
    tree_.Write("/proc/pressure/io", Pressure("12.00"));
    Result<StorageReading> reading = watch_.Read();
    EXPECT_EQ(12, reading->busy_percent);
    EXPECT_EQ(3, reading->in_flight);
}

TEST_F(StorageWatchReadTest, WithoutItTheTimeSinceTheLastLookTells) {
    for (const char* pressure : {"", "garbage\n"}) {
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
