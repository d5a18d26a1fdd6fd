// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

// A phone that is never switched off in order: each of its boots ends by a power cut.

#include <gtest/gtest.h>

#include <algorithm>

#include "campaigns/crash_states.h"
#include "campaigns/draws.h"
#include "campaigns/sqlite_on.h"
#include "history/history.h"
#include "testing/fake_clock.h"

namespace storekeeper {
namespace {

using std::chrono::duration_cast;
using std::chrono::hours;
using std::chrono::minutes;
using std::chrono::seconds;

constexpr char kName[] = "history.db";
constexpr int kCuts = 100;
constexpr WallTime kBegin{1'700'000'000};
// The counter grows with powered time, so a history's rows show how much of that it has.
constexpr uint64_t kBytesPerSecond = 1000;

seconds DrawHours(Draws* draws, double low, double high) {
    return seconds(static_cast<int64_t>(draws->LogBetween(low, high) * 3600));
}

class Phone {
  public:
    explicit Phone(uint64_t seed) : draws_(seed) {}

    // Runs for a while as the collector does: a sample at once, and then whenever one is due.
    void BootUntilThePowerIsCut() {
        CrashDisk disk(image_);
        {
            const SqliteOn sqlite(disk);
            FakeClock clock;
            clock.SetWall(kBegin + off_ + on_);
            History history(disk, disk.Path(kName), clock);
            ASSERT_TRUE(history.Load().ok());
            for (seconds left = DrawHours(&draws_, 0.1, 60); left > seconds(0);) {
                history.Add(Sample(clock));
                if (history.IsFlushDue()) {
                    ASSERT_TRUE(history.Flush().ok());
                }
                const auto until_due =
                        duration_cast<seconds>(history.WearDue() - clock.SinceBoot());
                const seconds step = std::clamp(until_due, seconds(1), left);
                clock.Advance(step);
                on_ += step;
                left -= step;
            }
        }
        image_ = AfterPowerCut(image_, disk.log(), draws_.Share() < 0.5);
        off_ += DrawHours(&draws_, 0.02, 40);
    }

    std::shared_ptr<const HistorySnapshot> Read() {
        CrashDisk disk(image_);
        const SqliteOn sqlite(disk);
        FakeClock clock;
        clock.SetWall(kBegin + off_ + on_);
        History history(disk, disk.Path(kName), clock);
        EXPECT_TRUE(history.Load().ok());
        return history.Snapshot();
    }

    seconds on() const { return on_; }

  private:
    WearSample Sample(const Clock& clock) const {
        return {.wall = clock.Wall(),
                .boot_id = std::to_string(off_.count()),
                .chip = "0123456789abcdef",
                .source = "sysfs",
                .wear = {.ext_csd_rev = 8, .life_time_a = 1, .life_time_b = 1, .pre_eol_info = 1},
                .filesystem_written_bytes = static_cast<uint64_t>(on_.count()) * kBytesPerSecond};
    }

    Draws draws_;
    DiskImage image_;
    seconds on_{0};
    seconds off_{0};
};

TEST(CampaignTest, APowerCutCostsTheHistoryADayOfOnTimeAtMost) {
    for (const uint64_t seed : {1, 2, 3}) {
        Phone phone(seed);
        for (int cut = 0; cut < kCuts; ++cut) {
            SCOPED_TRACE(std::to_string(seed) + ", cut " + std::to_string(cut));
            ASSERT_NO_FATAL_FAILURE(phone.BootUntilThePowerIsCut());
            const auto history = phone.Read();
            ASSERT_FALSE(history->wear.empty());
            EXPECT_TRUE(history->notes.empty());
            EXPECT_EQ(kBegin, history->wear.front().wall);
            const uint64_t kept = history->wear.back().filesystem_written_bytes.value_or(0);
            EXPECT_LE(phone.on() - seconds(kept / kBytesPerSecond), hours(24));
        }
        EXPECT_GT(phone.on(), hours(24 * 21));
    }
}

}  // namespace
}  // namespace storekeeper
