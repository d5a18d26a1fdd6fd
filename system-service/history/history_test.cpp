// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "history/history.h"

#include <gtest/gtest.h>

#include <optional>
#include <thread>

#include "history/tables.h"
#include "testing/fake_clock.h"
#include "testing/history_use.h"
#include "testing/tree.h"

namespace storekeeper {
namespace {

using android::base::Result;

constexpr char kName[] = "/history.db";
constexpr uint64_t kMaxBytes = 1 << 20;

WearSample Wear(const FakeClock& clock, uint8_t life) {
    return {.wall = clock.Wall(), .chip = "c", .source = "sysfs", .wear = {.life_time_a = life}};
}

class HistoryTest : public testing::Test {
  protected:
    Tree tree_;
    FakeClock clock_;
    History history_{RealCalls(), tree_.PathOf(kName), clock_};
};

TEST_F(HistoryTest, ShowsAtOnceWhatIsNotWrittenYet) {
    history_.Add(Wear(clock_, 1));
    history_.Add(LatencySample{.wall = clock_.Wall(), .count = 1});
    history_.Add(UidRow{.day = DayOf(clock_.Wall()), .uid = 5, .written_bytes = 6});
    const auto before = history_.Snapshot();
    ASSERT_EQ(1, before->wear.size());
    EXPECT_EQ(1, before->latency.size());
    EXPECT_EQ(1, before->newest.size());
    EXPECT_EQ((std::vector{UidRow{.day = DayOf(clock_.Wall()), .uid = 5, .written_bytes = 6}}),
              before->uids);
    EXPECT_EQ(1, before->uid_days);
    ASSERT_TRUE(history_.Flush().ok());
    const auto after = history_.Snapshot();
    EXPECT_EQ(1, after->wear.size());
    EXPECT_EQ(before->latency, after->latency);
    EXPECT_EQ(before->uids, after->uids);
    EXPECT_EQ(1, after->uid_days);
    EXPECT_TRUE(after->notes.empty());
    // A returned snapshot never changes.
    history_.Add(Wear(clock_, 2));
    EXPECT_EQ(1, after->wear.size());
    EXPECT_EQ(2, history_.Snapshot()->wear.size());
}

TEST_F(HistoryTest, TheLastThirtyDaysOfUidsStayApart) {
    const int64_t begin = DayOf(clock_.Wall());
    const auto days = [this] {
        std::vector<int64_t> found;
        const auto snapshot = history_.Snapshot();
        for (const UidRow& row : snapshot->uid_rows) found.push_back(row.day);
        return found;
    };
    // Days come from three places: read rows, rows written since, and waiting rows.
    for (int64_t day = begin; day < begin + 40; ++day) {
        history_.Add(UidRow{.day = day, .uid = 5, .device_bytes = 6, .span_s = 60});
        if (day % 10 == 0) ASSERT_TRUE(history_.Flush().ok());
    }
    ASSERT_EQ(30, days().size());
    EXPECT_EQ(begin + 10, days().front());
    // A clock that jumps ahead costs one day.
    history_.Add(UidRow{.day = begin + 4000, .uid = 5, .device_bytes = 6});
    EXPECT_EQ(begin + 11, days().front());
    history_.Add(UidRow{.day = begin + 39, .uid = 5, .device_bytes = 7, .span_s = 40});
    EXPECT_EQ(13, history_.Snapshot()->uid_rows[28].device_bytes);
    EXPECT_EQ(100, history_.Snapshot()->uid_rows[28].span_s);
}

TEST_F(HistoryTest, TheSameWearIsStoredOnceInHalfAnHour) {
    for (int minute = 0; minute < 90; ++minute) {
        history_.Add(Wear(clock_, 1));
        clock_.Advance(std::chrono::minutes(1));
    }
    EXPECT_EQ(3, history_.Snapshot()->wear.size());
    history_.Add(Wear(clock_, 2));
    history_.Add(Wear(clock_, 2));
    EXPECT_EQ(4, history_.Snapshot()->wear.size());
}

TEST_F(HistoryTest, TheSameWearIsNoNewsAfterARestart) {
    {
        History before(RealCalls(), tree_.PathOf("/other.db"), clock_);
        before.Add(Wear(clock_, 2));
        ASSERT_TRUE(before.Flush().ok());
    }
    History after(RealCalls(), tree_.PathOf("/other.db"), clock_);
    ASSERT_TRUE(after.Load().ok());
    after.Add(Wear(clock_, 2));
    EXPECT_EQ(1, after.Snapshot()->wear.size());
}

TEST_F(HistoryTest, IsFlushedWhenItHasWearOrAnEventOrMuch) {
    EXPECT_FALSE(history_.IsFlushDue());
    history_.Add(LatencySample{.wall = clock_.Wall(), .count = 1});
    EXPECT_FALSE(history_.IsFlushDue());
    history_.Add(Wear(clock_, 1));
    EXPECT_TRUE(history_.IsFlushDue());
    ASSERT_TRUE(history_.Flush().ok());
    EXPECT_FALSE(history_.IsFlushDue());
    for (uint32_t uid = 0; uid < HistoryBatch::kMaxUids * 3 / 4; ++uid) {
        EXPECT_FALSE(history_.IsFlushDue());
        history_.Add(UidRow{.day = 1, .uid = uid, .written_bytes = 1});
    }
    EXPECT_TRUE(history_.IsFlushDue());
    ASSERT_TRUE(history_.Flush().ok());
    history_.Add(HistoryEvent{.kind = "clock_jumped"});
    EXPECT_TRUE(history_.IsFlushDue());
    ASSERT_TRUE(history_.Flush().ok());
    history_.Add(Wear(clock_, 1));
    EXPECT_FALSE(history_.IsFlushDue());
    history_.Add(Wear(clock_, 2));
    EXPECT_TRUE(history_.IsFlushDue());
    ASSERT_TRUE(history_.Flush().ok());
    WearSample other = Wear(clock_, 2);
    other.chip = "d";
    history_.Add(other);
    EXPECT_TRUE(history_.IsFlushDue());
}

TEST_F(HistoryTest, WearIsWantedADayAfterTheLast) {
    EXPECT_EQ(BootTime::min(), history_.WearDue());
    clock_.Advance(std::chrono::hours(5));
    history_.Add(Wear(clock_, 1));
    const BootTime due = clock_.SinceBoot() + std::chrono::hours(24);
    EXPECT_EQ(due, history_.WearDue());
    clock_.Advance(std::chrono::minutes(20));
    history_.Add(Wear(clock_, 1));
    EXPECT_EQ(due, history_.WearDue());
    EXPECT_EQ(1, history_.Snapshot()->wear.size());
}

// The device is always switched off by pulling its power, so nothing is shut down.
TEST_F(HistoryTest, TheDayBetweenTwoSamplesGoesOnOverABoot) {
    {
        History first(RealCalls(), tree_.PathOf(kName), clock_);
        ASSERT_TRUE(first.Load().ok());
        first.Add(Wear(clock_, 1));
        ASSERT_TRUE(first.IsFlushDue());
        ASSERT_TRUE(first.Flush().ok());
    }
    struct Row {
        std::chrono::hours off;
        std::optional<std::chrono::hours> left;  // absent: due at once
    };
    using std::chrono::hours;
    for (const Row& row : {Row{hours(3), hours(21)}, Row{hours(24), hours(0)},
                           Row{hours(100), hours(0)}, Row{hours(-1), std::nullopt}}) {
        FakeClock later;
        later.SetWall(clock_.Wall() + row.off);
        History history(RealCalls(), tree_.PathOf(kName), later);
        ASSERT_TRUE(history.Load().ok());
        EXPECT_EQ(row.left.has_value() ? later.SinceBoot() + *row.left : BootTime::min(),
                  history.WearDue())
                << row.off.count();
    }
}

TEST_F(HistoryTest, WithoutAnythingToWriteNoFileIsTouched) {
    ASSERT_TRUE(history_.Flush().ok());
    EXPECT_FALSE(tree_.files().Exists(kName));
}

TEST_F(HistoryTest, RowsThatCannotBeWrittenWaitInMemoryWithANote) {
    History history(RealCalls(), tree_.PathOf("/nosuch/history.db"), clock_);
    // Load() succeeds, because the folder may exist by the time of the first write.
    EXPECT_TRUE(history.Load().ok());
    for (int64_t i = 0; i < 40; ++i) {
        history.Add(HistoryEvent{.kind = "first_seen", .text = std::to_string(i)});
    }
    EXPECT_FALSE(history.Flush().ok());
    auto snapshot = history.Snapshot();
    ASSERT_EQ(2, snapshot->notes.size());
    EXPECT_NE(std::string::npos, snapshot->notes[0].find("8 rows"));
    EXPECT_NE(std::string::npos, snapshot->notes[1].find("in memory only"));
    ASSERT_EQ(HistoryBatch::kMaxEvents, snapshot->events.size());
    EXPECT_EQ("39", snapshot->events.back().text);
    tree_.MakeDirectory("/nosuch");
    EXPECT_TRUE(history.Flush().ok());
    snapshot = history.Snapshot();
    for (const std::string& note : snapshot->notes) {
        EXPECT_EQ(std::string::npos, note.find("in memory only")) << note;
    }
    EXPECT_EQ("39", snapshot->events.back().text);
}

TEST_F(HistoryTest, ALostHistoryIsNotedAndTheServiceIsUp) {
    tree_.Write(kName, std::string(9000, 'x'));
    EXPECT_TRUE(history_.Load().ok());
    const auto snapshot = history_.Snapshot();
    ASSERT_EQ(1, snapshot->notes.size());
    EXPECT_NE(std::string::npos, snapshot->notes[0].find("history.db.aside"));
    ASSERT_EQ(1, snapshot->events.size());
    EXPECT_EQ("history_lost", snapshot->events[0].kind);
}

TEST_F(HistoryTest, LatencyOfADayIsAddedUp) {
    Histogram both;
    for (int i = 1; i <= 2; ++i) {
        History history(RealCalls(), tree_.PathOf(kName), clock_);
        LatencySample sample{.wall = clock_.Wall(),
                             .span = std::chrono::hours(6),
                             .source = LatencySource::kProbe,
                             .count = 1,
                             .total = std::chrono::milliseconds(i)};
        sample.histogram.Add(std::chrono::milliseconds(i));
        both.Merge(sample.histogram);
        history.Add(sample);
        ASSERT_TRUE(history.Flush().ok());
        clock_.Advance(std::chrono::hours(6));
    }
    ASSERT_TRUE(history_.Load().ok());
    const auto snapshot = history_.Snapshot();
    ASSERT_EQ(1, snapshot->latency.size());
    EXPECT_EQ(2, snapshot->latency[0].count);
    EXPECT_EQ(std::chrono::hours(12), snapshot->latency[0].span);
    EXPECT_EQ(std::chrono::microseconds(1500), snapshot->latency[0].mean);
    EXPECT_EQ(both.Percentile(90), snapshot->latency[0].p90);
}

TEST_F(HistoryTest, ThreadsMayAddAskAndFlushAtOnce) {
    std::thread adds([&] {
        for (int i = 0; i < 200; ++i) history_.Add(HistoryEvent{.kind = "first_seen"});
    });
    std::thread asks([&] {
        for (int i = 0; i < 50; ++i) EXPECT_LE(history_.Snapshot()->events.size(), 32);
    });
    std::thread flushes([&] {
        for (int i = 0; i < 5; ++i) EXPECT_TRUE(history_.Flush().ok());
    });
    adds.join();
    asks.join();
    flushes.join();
    EXPECT_TRUE(history_.Flush().ok());
    EXPECT_EQ(HistorySnapshot::kMaxEvents, history_.Snapshot()->events.size());
}

TEST_F(HistoryTest, FiveYearsFitIntoAMebibyte) {
    HistoryUse use(&history_, &clock_);
    uint64_t largest = 0;
    const WallTime begin = clock_.Wall();
    for (int day = 0; day < 5 * 365; ++day) {
        use.Day();
        if (day % 16 != 15) continue;
        largest = std::max<uint64_t>(largest, tree_.Read(kName).size() +
                                                      tree_.Read("/history.db-wal").size());
    }
    ASSERT_TRUE(use.flushed().ok()) << use.flushed().error();
    ASSERT_TRUE(history_.Flush().ok());
    EXPECT_LE(largest, kMaxBytes);
    EXPECT_GE(largest, kMaxBytes / 4);
    RecordProperty("largest_bytes", std::to_string(largest));

    const auto snapshot = history_.Snapshot();
    EXPECT_TRUE(snapshot->notes.empty());
    EXPECT_LE(snapshot->wear.size(), HistorySnapshot::kMaxWear);
    EXPECT_EQ(begin + std::chrono::days(1), snapshot->wear.front().wall);
    EXPECT_EQ(7, snapshot->wear.back().wear.life_time_a);
    EXPECT_GE(snapshot->uid_days, HistorySnapshot::kUidDays);
    EXPECT_LE(snapshot->uid_days, 2 * HistorySnapshot::kUidDays);
    // Five years lose resolution only, no counts.
    std::map<std::pair<LatencySource, IoKind>, std::pair<uint64_t, size_t>> series;
    for (const LatencyPoint& point : snapshot->latency) {
        auto& [count, points] = series[{point.source, point.kind}];
        count += point.count;
        ++points;
    }
    ASSERT_EQ(8, series.size());
    for (const auto& [key, sum] : series) {
        EXPECT_LE(sum.second, HistorySnapshot::kMaxPoints);
        EXPECT_GE(sum.second, HistorySnapshot::kMaxPoints / 2);
    }
    const uint64_t rounds = 4 * 5 * 365;
    EXPECT_EQ(2000 * rounds, (series[{LatencySource::kDiskstats, IoKind::kRead}].first));
    EXPECT_EQ(16 * rounds, (series[{LatencySource::kProbe, IoKind::kFlush}].first));
}

}  // namespace
}  // namespace storekeeper
