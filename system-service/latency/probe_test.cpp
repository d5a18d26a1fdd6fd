// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "latency/probe.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <initializer_list>
#include <string>

#include "testing/fake_clock.h"
#include "testing/fake_syscalls.h"
#include "testing/tree.h"

namespace storekeeper {
namespace {

using std::chrono::hours;
using std::chrono::microseconds;
using std::chrono::milliseconds;
using std::chrono::nanoseconds;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr char kPath[] = "/data/misc/storekeeper/probe";

class ProbeTest : public testing::Test {
  protected:
    ProbeTest() {
        SetBoot("one");
        syscalls_.AllowToCreate(kPath, Storage());
    }

    // Reads take 0.2 ms, writes 0.3 ms, flushes 2 ms.
    FakeSyscalls::File Storage() {
        return {.during = [this](std::string_view call) {
            calls_ += call.substr(0, 2);
            clock_.Advance(call == "pread"    ? microseconds(200)
                           : call == "pwrite" ? microseconds(300)
                                              : microseconds(2000));
            if (calls_.size() == stop_after_) stop_.Raise("touched");
        }};
    }

    void SetBoot(const std::string& id) {
        tree_.Write("/proc/sys/kernel/random/boot_id", id + "\n");
        files_.emplace(tree_.root());
    }

    Probe Make(uint32_t kib_per_day) {
        return Probe(syscalls_, *files_, clock_,
                     {.path = kPath, .kib_per_day = kib_per_day, .reads = 16, .writes = 16});
    }

    std::vector<LatencySample> Run(uint32_t kib_per_day = 256) {
        calls_.clear();
        auto samples = Make(kib_per_day).Run(stop_);
        EXPECT_TRUE(samples.ok()) << samples.error();
        return samples.ok() ? *samples : std::vector<LatencySample>();
    }

    std::string Problem(uint32_t kib_per_day = 256) {
        auto samples = Make(kib_per_day).Run(stop_);
        return samples.ok() ? "" : samples.error().message();
    }

    // Counts calls of the last run: "pr" for pread, "pw" for pwrite.
    size_t Count(const std::string& call) const {
        size_t count = 0;
        for (size_t at = 0; at < calls_.size(); at += 2) count += calls_.substr(at, 2) == call;
        return count;
    }

    Tree tree_;
    std::optional<FileReader> files_;
    FakeClock clock_;
    FakeSyscalls syscalls_;
    StopSignal stop_;
    std::string calls_;
    size_t stop_after_ = 0;
};

TEST_F(ProbeTest, MeasuresReadsWritesAndFlushes) {
    // The budget pays 132 KiB to fill the file, a note of 4 KiB and 128 KiB of I/Os.
    const std::vector<LatencySample> samples = Run(512);
    ASSERT_EQ(3U, samples.size());
    const nanoseconds expected[] = {microseconds(200), microseconds(2300), microseconds(2000)};
    for (size_t i = 0; i < samples.size(); ++i) {
        EXPECT_EQ(kIoKinds[i], samples[i].kind);
        EXPECT_EQ(LatencySource::kProbe, samples[i].source);
        EXPECT_EQ(16U, samples[i].count);
        EXPECT_EQ(16U, samples[i].histogram.count());
        EXPECT_EQ(16 * expected[i], samples[i].total);
        EXPECT_EQ(clock_.Wall(), samples[i].wall);
        EXPECT_LT(0, samples[i].span.count());
    }
    const FakeSyscalls::File file = syscalls_.FileAt(kPath);
    EXPECT_EQ(128U * 1024, file.content.size());
    EXPECT_EQ(0U, file.unsynced_bytes);
}

// Without inlinecrypt, ext4 and f2fs accept O_DIRECT for an encrypted file and read it through the
// page cache (Documentation/filesystems/fscrypt.rst, "Direct I/O support").
TEST_F(ProbeTest, ReadsTheStorageIfDirectReadsFallBackToTheCache) {
    FakeSyscalls::File file = Storage();
    file.during = [this](std::string_view call) {
        const bool copied = call == "pread" && syscalls_.FileAt(kPath).cached;
        clock_.Advance(copied ? microseconds(1) : microseconds(200));
    };
    syscalls_.AllowToCreate(kPath, file);
    const std::vector<LatencySample> samples = Run(512);
    ASSERT_EQ(3U, samples.size());
    EXPECT_EQ(IoKind::kRead, samples[0].kind);
    EXPECT_EQ(16 * microseconds(200), samples[0].total);
}

// f2fs of a kernel with pages of 16 KiB would serve a smaller request from the page cache.
TEST_F(ProbeTest, MovesWholeBlocksOfTheFileSystem) {
    FakeSyscalls::File file = Storage();
    file.block_bytes = 16384;
    syscalls_.AllowToCreate(kPath, file);
    size_t moved = 0;
    for (int hour = 0; hour < 24; ++hour) {
        Run(1024);
        moved += (Count("pr") - 1 + Count("pw")) * 16;
        clock_.Advance(hours(1) - milliseconds(500));
    }
    EXPECT_EQ(512U * 1024, syscalls_.FileAt(kPath).content.size());
    EXPECT_LE(moved, 1024U + 4 * 16);
    EXPECT_GE(moved, 900U);
}

TEST_F(ProbeTest, NoTwentyFourHoursHaveMoreThanTheBudget) {
    size_t moved = 0;
    for (int hour = 0; hour < 24; ++hour) {
        Run(256);
        // Reading the note is not charged, because it causes no wear.
        moved += (Count("pr") - 1 + Count("pw")) * 4;
        clock_.Advance(hours(1) - milliseconds(500));
    }
    EXPECT_LE(moved, 256U + 4 * 4);
    EXPECT_GE(moved, 200U);
}

TEST_F(ProbeTest, GoesOnADayAfterTheLastUse) {
    while (!Run(256).empty()) clock_.Advance(milliseconds(1));
    clock_.Advance(hours(23));
    EXPECT_THAT(Run(256), IsEmpty());
    clock_.Advance(hours(1));
    EXPECT_EQ(16U, Run(256).front().count);
}

TEST_F(ProbeTest, RebootsAndClocksGiveNothing) {
    while (!Run(256).empty()) clock_.Advance(milliseconds(1));
    clock_.SetWall(clock_.Wall() + hours(24 * 365));
    EXPECT_THAT(Run(256), IsEmpty());
    for (const char* boot : {"two", "three", "four"}) {
        SetBoot(boot);
        clock_.Reboot(hours(5));
        EXPECT_THAT(Run(256), IsEmpty()) << boot;
    }
    // 7 hours were noted; 17 of another boot follow.
    clock_.Reboot(hours(7));
    SetBoot("five");
    EXPECT_THAT(Run(256), IsEmpty());
    clock_.Reboot(hours(16));
    SetBoot("six");
    EXPECT_THAT(Run(256), IsEmpty());
    clock_.Reboot(hours(24));
    SetBoot("seven");
    EXPECT_EQ(16U, Run(256).front().count);
}

TEST_F(ProbeTest, ACrashGivesNothingBack) {
    Run(256);
    const FakeSyscalls::File before = syscalls_.FileAt(kPath);
    // A run that stops after the note has used its budget.
    stop_after_ = 2 * 3;
    Run(256);
    stop_after_ = 0;
    stop_.Reset();
    const auto noted = ProbeBudget::Decode(syscalls_.FileAt(kPath).content);
    ASSERT_TRUE(noted.ok());
    EXPECT_EQ(0U, noted->RemainingKib(256) / 12);
    EXPECT_EQ(before.content.size(), syscalls_.FileAt(kPath).content.size());
}

TEST_F(ProbeTest, StopsBetweenTwoIos) {
    Run(1024);
    stop_after_ = 2 * 8;
    const std::vector<LatencySample> samples = Run(1024);
    ASSERT_EQ(3U, samples.size());
    EXPECT_LT(samples[0].count + samples[1].count, 6U);
    EXPECT_THAT(Run(1024), IsEmpty());
    EXPECT_EQ("", calls_);
}

TEST_F(ProbeTest, FillsItsFileOverDaysWhereTheBudgetIsSmall) {
    int days = 0;
    while (Run(64).empty() && days < 10) {
        EXPECT_LE((Count("pr") - 1 + Count("pw")) * 4, 64U);
        clock_.Advance(hours(25));
        ++days;
    }
    EXPECT_EQ(2, days);
}

TEST_F(ProbeTest, AForeignFileCountsAsUsedUp) {
    FakeSyscalls::File file = Storage();
    file.content = std::string(128 * 1024, 'x');
    syscalls_.Add(kPath, file);
    EXPECT_THAT(Run(1024), IsEmpty());
    EXPECT_EQ(1U, Count("pw"));
    clock_.Advance(hours(24));
    EXPECT_EQ(3U, Run(1024).size());
}

TEST_F(ProbeTest, SaysWhyItCannot) {
    EXPECT_THAT(Problem(0), HasSubstr("it runs with 12 to 1024"));
    EXPECT_THAT(Problem(1025), HasSubstr("it runs with 12 to 1024"));
    FakeSyscalls::File file = Storage();
    file.direct_error = EINVAL;
    syscalls_.Add(kPath, file);
    EXPECT_THAT(Problem(), HasSubstr("knows no O_DIRECT"));
    file = Storage();
    file.write_error = ENOSPC;
    syscalls_.Add(kPath, file);
    EXPECT_THAT(Problem(), HasSubstr("No space left"));
    file = Storage();
    file.sync_error = EIO;
    syscalls_.Add(kPath, file);
    EXPECT_THAT(Problem(), HasSubstr("fdatasync"));
    FakeSyscalls nothing;
    Probe probe(nothing, *files_, clock_, {.path = kPath});
    EXPECT_EQ(ENOENT, probe.Run(stop_).error().code());
    tree_.Remove("/proc");
    EXPECT_THAT(Problem(), HasSubstr("boot_id"));
}

}  // namespace
}  // namespace storekeeper
