// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "latency/latency_collector.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/sysmacros.h>

#include <string>

#include "testing/fake_clock.h"
#include "testing/fake_hal.h"
#include "testing/fake_syscalls.h"
#include "testing/tree.h"

namespace storekeeper {
namespace {

using std::chrono::hours;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const dev_t kDisk = makedev(179, 0);

class LatencyCollectorTest : public testing::Test {
  protected:
    LatencyCollectorTest() {
        SetDisk("179 0 mmcblk0 10 0 80 5 20 0 160 9 0 14 14 0 0 0 0\n");
        tree_.Write("/proc/uid_io/stats",
                    "1000 0 0 0 100 0 0 0 0 0 0\n10001 0 0 0 5 0 0 0 0 0 0\n");
    }

    void SetDisk(const std::string& line) { tree_.Write("/proc/diskstats", line); }

    Tree tree_;
    FileReader files_ = tree_.files();
    FakeClock clock_;
    StopSignal stop_;
    LatencyCollector collector_{files_, clock_, {}};
};

TEST_F(LatencyCollectorTest, ReportsWhatHappenedSinceTheTimeBefore) {
    LatencyReadings first = collector_.Measure({kDisk}, {});
    EXPECT_THAT(first.samples, IsEmpty());
    EXPECT_THAT(first.uids, IsEmpty());
    EXPECT_EQ(std::nullopt, first.disk_bytes);
    EXPECT_THAT(first.problems.diskstats, HasSubstr("first sample taken"));
    EXPECT_EQ("off", collector_.MeasureProbe(stop_).problems.probe);

    clock_.Advance(hours(6));
    SetDisk("179 0 mmcblk0 12 0 80 11 20 0 160 9 0 14 14 0 0 0 0\n");
    tree_.Write("/proc/uid_io/stats", "1000 0 0 0 100 0 0 0 50 0 0\n10001 0 0 9 5 0 0 0 0 0 0\n");
    LatencyReadings next = collector_.Measure({kDisk}, {});
    ASSERT_EQ(1U, next.samples.size());
    EXPECT_EQ(IoKind::kRead, next.samples[0].kind);
    EXPECT_EQ(2U, next.samples[0].count);
    EXPECT_EQ(hours(6), next.samples[0].span);
    EXPECT_EQ(clock_.Wall(), next.samples[0].wall);
    EXPECT_THAT(next.uids, ElementsAre(UidIo{.uid = 1000, .written_bytes = 50},
                                       UidIo{.uid = 10001, .read_bytes = 9}));
    EXPECT_EQ(hours(6), next.span);
    EXPECT_EQ(clock_.Wall(), next.wall);
    EXPECT_EQ(0U, next.disk_bytes);
    EXPECT_EQ(std::nullopt, next.filesystem_bytes);
    EXPECT_EQ("", next.problems.diskstats);
    EXPECT_EQ("", next.problems.uid_io);
}

TEST_F(LatencyCollectorTest, ADiskThatIsGoneOrAnotherBeginsAnew) {
    collector_.Measure({kDisk}, {});
    clock_.Advance(hours(1));
    SetDisk("8 0 sda 10 0 80 5 20 0 160 9 0 14 14\n");
    EXPECT_THAT(collector_.Measure({kDisk}, {}).problems.diskstats,
                HasSubstr("no line for device"));
    clock_.Advance(hours(1));
    SetDisk("179 0 mmcblk0 99 0 80 99 99 0 160 99 0 14 14\n"
            "8 0 sda 50 0 80 5 20 0 160 9 0 14 14\n");
    EXPECT_THAT(collector_.Measure({kDisk}, {}).samples, IsEmpty());
    clock_.Advance(hours(1));
    EXPECT_THAT(collector_.Measure({makedev(8, 0)}, {}).samples, IsEmpty());
    clock_.Advance(hours(1));
    SetDisk("8 0 sda 51 0 80 5 20 0 160 9 0 14 14\n");
    EXPECT_EQ(1U, collector_.Measure({makedev(8, 0)}, {}).samples.size());
}

TEST_F(LatencyCollectorTest, AQueueThatCountsNothingMeasuresNothing) {
    const std::string iostats = "/sys/dev/block/179:0/queue/iostats";
    const auto take = [&](const std::string& line) {
        SetDisk("179 0 mmcblk0 " + line + " 0 0 0 0\n");
        clock_.Advance(hours(1));
        return collector_.Measure({kDisk}, {kDisk});
    };
    tree_.Write(iostats, "1\n");
    take("10 0 80 5 20 0 160 9 0 14 14");
    EXPECT_EQ(10U * 512, take("11 0 80 5 20 0 170 9 0 14 14").disk_bytes);
    // While iostats is 0, and in the reading after it, the counters are incomplete.
    tree_.Write(iostats, "0\n");
    for (const char* line : {"11 0 80 5 20 0 170 9 0 14 14", "12 0 80 5 20 0 180 9 0 14 14"}) {
        const LatencyReadings uncounted = take(line);
        EXPECT_THAT(uncounted.samples, IsEmpty());
        EXPECT_EQ("not counted: queue/iostats is 0 on 179:0", uncounted.problems.diskstats);
        EXPECT_EQ(std::nullopt, uncounted.disk_bytes);
        EXPECT_EQ(std::nullopt, uncounted.filesystem_bytes);
    }
    tree_.Write(iostats, "1\n");
    EXPECT_EQ(std::nullopt, take("12 0 80 5 20 0 180 9 0 14 14").disk_bytes);
    const LatencyReadings again = take("13 0 80 5 20 0 190 9 0 14 14");
    EXPECT_EQ(10U * 512, again.disk_bytes);
    EXPECT_EQ(10U * 512, again.filesystem_bytes);
}

TEST_F(LatencyCollectorTest, CountsWhatTheFileSystemAndTheDiskWereWritten) {
    const dev_t partition = makedev(179, 2);
    const auto set = [&](int disk, int part) {
        SetDisk("179 0 mmcblk0 10 0 80 5 20 0 " + std::to_string(disk) +
                " 9 0 14 14 0 0 0 0\n179 2 mmcblk0p2 10 0 80 5 20 0 " + std::to_string(part) +
                " 9 0 14 14 0 0 0 0\n");
        clock_.Advance(hours(1));
        return collector_.Measure({kDisk}, {partition});
    };
    EXPECT_EQ(std::nullopt, set(160, 100).filesystem_bytes);
    const LatencyReadings next = set(170, 104);
    EXPECT_EQ(10U * 512, next.disk_bytes);
    EXPECT_EQ(4U * 512, next.filesystem_bytes);
    // The counter was reset, or the device is gone.
    EXPECT_EQ(std::nullopt, set(20, 10).filesystem_bytes);
    EXPECT_EQ(std::nullopt, collector_.Measure({kDisk}, {makedev(179, 3)}).filesystem_bytes);
    EXPECT_EQ(std::nullopt, set(20, 12).filesystem_bytes);
    tree_.Remove("/proc/diskstats");
    EXPECT_EQ(std::nullopt, collector_.Measure({kDisk}, {partition}).filesystem_bytes);
}

// Counters of a Huawei phone (gsurrel.github.io/PortingAndroid, clone-storage.md), before and after
// FITRIM of 10 GiB.
TEST_F(LatencyCollectorTest, DiscardsThatCountAsWritesAreNotTakenForThem) {
    const auto take = [&](const std::string& writes) {
        SetDisk("179 0 mmcblk0 56051 10089900 13722294 410080 " + writes + " 0 218660 433560\n");
        clock_.Advance(hours(1));
        return collector_.Measure({kDisk}, {kDisk});
    };
    take("1177 1875 24721 23720");
    const LatencyReadings trimmed = take("1257 1875 20996241 43720");
    EXPECT_THAT(trimmed.samples, IsEmpty());
    EXPECT_EQ(std::nullopt, trimmed.disk_bytes);
    EXPECT_EQ(std::nullopt, trimmed.filesystem_bytes);
}

TEST_F(LatencyCollectorTest, SaysWhatTheKernelDoesNotHave) {
    tree_.Remove("/proc/uid_io");
    EXPECT_THAT(collector_.Measure({kDisk}, {}).problems.uid_io, HasSubstr("has no /proc/uid_io"));
    tree_.Write("/proc/uid_io/stats", "hello\n");
    EXPECT_THAT(collector_.Measure({kDisk}, {}).problems.uid_io, HasSubstr("line 1"));
}

TEST_F(LatencyCollectorTest, ProbesAndSaysWhatFails) {
    tree_.Write("/proc/sys/kernel/random/boot_id", "one\n");
    FakeSyscalls syscalls;
    Probe probe(syscalls, files_, clock_, {.path = "/data/probe", .kib_per_day = 512});
    LatencyCollector collector(files_, clock_, {.probe = &probe});
    const LatencyReadings failed = collector.MeasureProbe(stop_);
    EXPECT_THAT(failed.samples, IsEmpty());
    EXPECT_THAT(failed.problems.probe, HasSubstr("cannot open /data/probe"));
    syscalls.AllowToCreate("/data/probe", {});
    EXPECT_EQ(3U, collector.MeasureProbe(stop_).samples.size());
    while (!collector.MeasureProbe(stop_).samples.empty()) clock_.Advance(hours(1));
    EXPECT_THAT(collector.MeasureProbe(stop_).problems.probe, HasSubstr("used up"));
}

TEST_F(LatencyCollectorTest, AsksTheHalWhereTheKernelReportsNothing) {
    FakeHal hal;
    LatencyCollector collector(files_, clock_, {.hal = &hal});
    collector.Measure({kDisk}, {});
    clock_.Advance(hours(1));
    EXPECT_EQ("", collector.Measure({kDisk}, {}).problems.diskstats);
    tree_.Remove("/proc/diskstats");
    const std::string both = collector.Measure({kDisk}, {}).problems.diskstats;
    EXPECT_THAT(both, HasSubstr("/proc/diskstats"));
    EXPECT_THAT(both, HasSubstr("no HAL"));
    hal.disks = std::vector<HalDiskStats>{{.reads = 5, .read_ticks = 10}};
    collector.Measure({kDisk}, {});
    clock_.Advance(hours(1));
    // The HAL's writes may contain discards.
    hal.disks = std::vector<HalDiskStats>{{.reads = 9, .read_ticks = 18, .writes = 4}};
    const LatencyReadings readings = collector.Measure({kDisk}, {});
    ASSERT_EQ(1U, readings.samples.size());
    EXPECT_EQ(IoKind::kRead, readings.samples[0].kind);
    EXPECT_EQ(4U, readings.samples[0].count);
    EXPECT_EQ(std::chrono::milliseconds(8), readings.samples[0].total);
}

}  // namespace
}  // namespace storekeeper
