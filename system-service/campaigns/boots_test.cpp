// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "campaigns/crash_disk.h"
#include "campaigns/crash_states.h"
#include "campaigns/sqlite_on.h"
#include "history/history.h"
#include "testing/fake_clock.h"

namespace storekeeper {
namespace {

using android::base::Result;
using std::chrono::hours;
using std::chrono::minutes;

constexpr char kName[] = "history.db";
constexpr int kCuts = 100;
constexpr minutes kDay = hours(24);

// A device that is never switched off in order, such as one in a car. Its file system's counter is
// the minutes of its life that it was on.
class CutOffDevice {
  public:
    // Powered time that the last power cut has lost.
    minutes Missing(History* history, CrashDisk* disk) {
        disk->Mark({.begun = on_time_.count()});
        const Result<void> loaded = history->Load();
        EXPECT_TRUE(loaded.ok()) << loaded.error();
        const auto snapshot = history->Snapshot();
        EXPECT_TRUE(snapshot->notes.empty()) << snapshot->notes[0];
        if (snapshot->wear.empty()) return on_time_;
        return on_time_ - minutes(*snapshot->wear.back().filesystem_written_bytes);
    }

    // Collects as the daemon does, and after runs now and then.
    void BeOn(History* history, minutes time, CrashDisk* disk) {
        const BootTime end = clock_.SinceBoot() + time;
        for (int boot = boots_++; clock_.SinceBoot() < end;) {
            disk->Mark({.begun = on_time_.count()});
            history->Add(WearSample{.wall = clock_.Wall(),
                                    .boot_id = std::to_string(boot),
                                    .chip = "c",
                                    .source = "sysfs",
                                    .wear = {.life_time_a = 1},
                                    .filesystem_written_bytes =
                                            static_cast<uint64_t>(on_time_.count())});
            history->Add(LatencySample{.wall = clock_.Wall(), .count = 1});
            if (history->IsFlushDue()) EXPECT_TRUE(history->Flush().ok());
            const BootTime run = clock_.SinceBoot() + Draw(1, 30 * 60);
            const auto next = std::chrono::ceil<minutes>(std::min({end, run, history->WearDue()}) -
                                                         clock_.SinceBoot());
            clock_.Advance(next);
            on_time_ += next;
        }
        disk->Mark({.begun = on_time_.count()});
    }

    // Cuts the power at the end of the boot or at any operation before. Unsynced data is lost or
    // not.
    DiskImage Cut(const DiskImage& begin, const CrashDisk& disk) {
        std::vector<DiskOperation> log = disk.log();
        if (Draw(0, 1).count() == 1) {
            log.resize(static_cast<size_t>(Draw(1, static_cast<int>(log.size())).count()));
        }
        for (const DiskOperation& operation : log) {
            if (operation.kind == DiskOperation::Kind::kMark) {
                on_time_ = minutes(operation.marks.begun);
            }
        }
        return AfterPowerCut(begin, log, Draw(0, 1).count() == 1);
    }

    void BeOff() {
        clock_.Advance(Draw(1, 3 * 24 * 60));
        clock_.Reboot(minutes(1));
    }

    minutes Draw(int least, int most) {
        return minutes(std::uniform_int_distribution(least, most)(random_));
    }

    FakeClock clock_;

  private:
    std::mt19937 random_{47};
    minutes on_time_{0};
    int boots_ = 0;
};

TEST(BootsTest, AHundredPowerCutsTakeAtMostOneDayOfOnTimeEach) {
    CutOffDevice device;
    DiskImage image;
    minutes worst{0};
    for (int cut = 0; cut < kCuts; ++cut) {
        CrashDisk disk(image);
        const SqliteOn sqlite(disk);
        History history(disk, disk.Path(kName), device.clock_);
        const minutes missing = device.Missing(&history, &disk);
        EXPECT_LE(missing, kDay) << "cut " << cut;
        worst = std::max(worst, missing);
        // Boots take minutes to days, and most are short.
        const minutes longest = cut % 10 == 0 ? minutes(4 * kDay) : minutes(hours(8));
        device.BeOn(&history, device.Draw(5, static_cast<int>(longest.count())), &disk);
        image = device.Cut(image, disk);
        device.BeOff();
    }
    RecordProperty("worst_minutes", std::to_string(worst.count()));
    // Some cut came close to the bound.
    EXPECT_GE(worst, kDay / 2);
}

}  // namespace
}  // namespace storekeeper
