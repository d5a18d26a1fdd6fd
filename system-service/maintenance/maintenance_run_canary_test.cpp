// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

// Tests of a run and the canary of its chip, on a card that discards.

#include <errno.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/sysmacros.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/try.h"
#include "maintenance/maintenance_run.h"
#include "testing/canary_phone.h"
#include "testing/fake_fitrim.h"
#include "testing/fake_init.h"
#include "testing/fake_syscalls.h"

namespace storekeeper {
namespace {

using android::base::Error;
using android::base::Result;
using testing::HasSubstr;

constexpr uint64_t kGap = kCanaryWrittenBytes - 2 * kCanaryKeptBytes;
constexpr uint64_t kSize = 1 << 30;

// Discards on the card that has the canary.
class FlashFitrim : public FitrimRunner {
  public:
    explicit FlashFitrim(FakeFlash& flash) : flash_(flash) {}

    Result<std::unique_ptr<TrimSession>> Begin(android::base::unique_fd,
                                               const std::string&) override {
        return std::make_unique<Session>(*this);
    }

    std::vector<TrimRange> ranges;
    // Number of calls that report a suspend and do nothing.
    unsigned suspended = 0;
    std::function<void()> before_each = [] {};

  private:
    class Session : public TrimSession {
      public:
        explicit Session(FlashFitrim& fitrim) : fitrim_(fitrim) {}
        Result<TrimAnswer> Trim(const TrimRange& range, const StopSignal& stop) override {
            // The superblock is never free.
            if (range.start == 0 && range.length <= 4096) return TrimAnswer{};
            fitrim_.before_each();
            if (stop.raised()) return Error(EINTR) << "stopped";
            fitrim_.ranges.push_back(range);
            if (fitrim_.suspended > 0) {
                --fitrim_.suspended;
                return TrimAnswer{.bytes = 0, .suspended = true};
            }
            const uint64_t bytes = TRY(fitrim_.flash_.Discard(range.start, range.length));
            return TrimAnswer{.bytes = bytes};
        }

      private:
        FlashFitrim& fitrim_;
    };

    FakeFlash& flash_;
};

class CanaryRunTest : public testing::Test {
  protected:
    CanaryRunTest() {
        Mount("/data", 2);
        Mount("/cache", 1);
    }

    void Mount(const std::string& path, unsigned partition) {
        syscalls_.Add(path,
                      FakeSyscalls::Mount{.device = static_cast<dev_t>(makedev(179, partition)),
                                          .size_bytes = kSize});
    }

    TrimReceipt Run(bool manual, const std::vector<std::string>& mounts = {"/data"}) {
        const TrimSeams seams{.syscalls = syscalls_,
                              .files = phone_.files,
                              .clock = phone_.clock,
                              .fitrim = fitrim_,
                              .pauser = pauser_,
                              .queue = queue_,
                              .records = *phone_.records,
                              .chips = *phone_.guard};
        return MaintenanceRun(seams, {.configured = configured_}, {})
                .Run({.manual = manual, .mounts = mounts}, stop_,
                     [](const std::string&, const std::string&) {});
    }

    CanaryPhone phone_;
    FakeSyscalls syscalls_;
    FakeInit init_{phone_.tree};
    FlashFitrim fitrim_{phone_.flash};
    FakePauser pauser_{phone_.clock};
    QueueControl queue_{phone_.files, pauser_, init_.properties()};
    StopSignal stop_;
    std::vector<std::string> configured_ = {"/cache", "/data"};
};

TEST_F(CanaryRunTest, TrimsTheGapAloneBeforeAnythingElse) {
    const TrimReceipt receipt = Run(true);
    EXPECT_EQ(TrimOutcome::kTrimmed, receipt.outcome) << receipt.reason;
    EXPECT_EQ("verified", receipt.mounts.at(0).canary);
    EXPECT_EQ(kCanaryWrittenBytes, receipt.mounts.at(0).canary_written_bytes);
    ASSERT_LE(2U, fitrim_.ranges.size());
    EXPECT_EQ(kGap, fitrim_.ranges[0].length);
    EXPECT_EQ(0U, fitrim_.ranges[1].start);
}

TEST_F(CanaryRunTest, TrimsNothingButTheGapOfAHarmfulChip) {
    phone_.flash.faults.garbled = 16;
    const TrimReceipt receipt = Run(true);
    EXPECT_EQ(TrimOutcome::kChipQuirk, receipt.outcome);
    EXPECT_THAT(receipt.reason, HasSubstr("/data: not trimmed: a discard has damaged data"));
    EXPECT_EQ("quarantined", receipt.mounts.at(0).canary);
    EXPECT_EQ(kGap, phone_.flash.discarded_bytes());
    // From now on FITRIM is not called at all.
    const TrimReceipt again = Run(true, {"/cache"});
    EXPECT_EQ(TrimOutcome::kChipQuirk, again.outcome);
    EXPECT_EQ("quarantined", again.mounts.at(0).canary);
    EXPECT_EQ(1U, fitrim_.ranges.size());
}

TEST_F(CanaryRunTest, ARunOfThePolicyWaitsForTheRestart) {
    const TrimReceipt receipt = Run(false);
    EXPECT_EQ(TrimOutcome::kBusy, receipt.outcome);
    EXPECT_THAT(receipt.reason, HasSubstr("/data: not trimmed yet"));
    EXPECT_EQ(1U, fitrim_.ranges.size());
    phone_.Restart();
    EXPECT_EQ(TrimOutcome::kTrimmed, Run(false).outcome);
}

TEST_F(CanaryRunTest, ProvesTheChipOfAnotherMountBesideData) {
    const TrimReceipt receipt = Run(true, {"/cache"});
    EXPECT_EQ(TrimOutcome::kTrimmed, receipt.outcome) << receipt.reason;
    EXPECT_EQ("verified", receipt.mounts.at(0).canary);
    EXPECT_EQ(kGap, fitrim_.ranges.at(0).length);
}

TEST_F(CanaryRunTest, DiscardsNothingOfADataThatMustNotBeTrimmed) {
    configured_ = {"/cache"};
    const TrimReceipt receipt = Run(true, {"/cache"});
    EXPECT_EQ("unverified", receipt.mounts.at(0).canary);
    EXPECT_EQ(0U, receipt.mounts.at(0).canary_written_bytes);
}

TEST_F(CanaryRunTest, GoesOnWithTheGapAfterASuspend) {
    fitrim_.suspended = 2;
    EXPECT_EQ("verified", Run(true).mounts.at(0).canary);
    ASSERT_LE(3U, fitrim_.ranges.size());
    EXPECT_EQ(fitrim_.ranges[0].start, fitrim_.ranges[2].start);
}

TEST_F(CanaryRunTest, AStopBesideTheCanaryProvesNothing) {
    fitrim_.before_each = [this] { stop_.Raise("abort requested"); };
    const TrimReceipt receipt = Run(true);
    EXPECT_EQ("unverified", receipt.mounts.at(0).canary);
    EXPECT_EQ(0U, phone_.flash.discarded_bytes());
    EXPECT_NE(TrimOutcome::kTrimmed, receipt.outcome);
}

TEST_F(CanaryRunTest, DiscardsNothingOfAMountThatCoversData) {
    Mount("/data", 9);
    const TrimReceipt receipt = Run(true, {"/cache"});
    EXPECT_EQ("unverified", receipt.mounts.at(0).canary);
    EXPECT_THAT(receipt.mounts.at(0).canary_note, HasSubstr("another mount covers it"));
    for (const TrimRange& range : fitrim_.ranges) EXPECT_NE(kGap, range.length);
}

}  // namespace
}  // namespace storekeeper
