// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "maintenance/run_thread.h"

#include <errno.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/sysmacros.h>

#include <future>
#include <string>
#include <utility>
#include <vector>

#include "testing/no_threads.h"
#include "testing/trim_seams.h"

namespace storekeeper {
namespace {

using android::base::Result;
using testing::ElementsAre;
using testing::IsEmpty;

class Recorder : public RunObserver {
  public:
    Result<void> OnRunBegins(const TrimRequest&) override {
        events_.emplace_back("begins");
        return permitted_;
    }
    void OnRunEnds(const TrimReceipt&) override { events_.emplace_back("ends"); }
    void OnRunThreadIdle() override {
        if (std::exchange(idle_once_, true)) return;
        idle_.set_value();
    }

    Result<void> permitted_ = {};
    // Read by the tests once the thread is idle.
    std::vector<std::string> events_;
    std::promise<void> idle_;

  private:
    bool idle_once_ = false;
};

class RunThreadTest : public TrimSeamsTest {
  protected:
    RunThreadTest() {
        tree_.Write("/proc/self/mountinfo",
                    "40 21 179:2 / /data rw - ext4 /dev/block/mmcblk0p2 rw\n"
                    "41 21 179:1 / /cache rw - ext4 /dev/block/mmcblk0p1 rw\n");
        // One step: the promises of a second would be set twice.
        syscalls_.Add("/cache", FakeSyscalls::Mount{.device = makedev(179, 1),
                                                    .size_bytes = 64 << 20,
                                                    .answer_bytes = 4096,
                                                    .during = [this] {
                                                        under_way_.set_value();
                                                        released_.get_future().wait();
                                                    }});
        syscalls_.Add("/data",
                      FakeSyscalls::Mount{.device = makedev(179, 2), .answer_bytes = 4096});
    }

    // The FITRIM of /cache reports that it has begun, and ends when it is released.
    std::promise<void> under_way_;
    std::promise<void> released_;
    Recorder recorder_;
    MaintenanceRun run_{seams_, {.configured = {"/cache", "/data"}}, {}};
    RunThread worker_{run_, recorder_};
};

TEST_F(RunThreadTest, InformsTheObserverAndReturnsTheReceipt) {
    released_.set_value();
    const Result<TrimReceipt> receipt = worker_.Run({});
    ASSERT_TRUE(receipt.ok()) << receipt.error();
    EXPECT_TRUE(receipt->complete);
    recorder_.idle_.get_future().wait();
    EXPECT_THAT(recorder_.events_, ElementsAre("begins", "ends"));
    EXPECT_FALSE(worker_.progress().running);
}

TEST_F(RunThreadTest, OneRunAtATimeAndNobodyElseWaits) {
    ASSERT_TRUE(worker_.Start({}).ok());
    under_way_.get_future().wait();
    // These calls return while the FITRIM does not.
    EXPECT_TRUE(worker_.progress().running);
    EXPECT_EQ("trim", worker_.progress().action);
    EXPECT_EQ("/cache", worker_.progress().mount);
    EXPECT_EQ(EBUSY, worker_.Start({}).error().code());
    EXPECT_EQ(EBUSY, worker_.Run({}).error().code());
    EXPECT_TRUE(worker_.Abort());
    EXPECT_TRUE(worker_.progress().stopping);
    released_.set_value();
    recorder_.idle_.get_future().wait();
    EXPECT_THAT(syscalls_.trimmed(), ElementsAre("/cache"));
    EXPECT_FALSE(worker_.progress().running);
}

TEST_F(RunThreadTest, AbortReachesARunThatAnotherThreadWaitsFor) {
    std::future<Result<TrimReceipt>> run =
            std::async(std::launch::async, [this] { return worker_.Run({}); });
    under_way_.get_future().wait();
    EXPECT_TRUE(worker_.Abort());
    released_.set_value();
    EXPECT_EQ(TrimOutcome::kAborted, run.get()->outcome);
}

TEST_F(RunThreadTest, ARunWithoutAThreadIsAnErrorAndTheNextOneMayHaveOne) {
    released_.set_value();
    {
        const NoThreads none;
        if (!none) GTEST_SKIP() << "this libc cannot refuse threads";
        EXPECT_EQ(EAGAIN, worker_.Start({}).error().code());
        EXPECT_EQ(EAGAIN, worker_.Run({}).error().code());
    }
    EXPECT_THAT(recorder_.events_, IsEmpty());
    EXPECT_TRUE(worker_.Run({}).ok());
}

TEST_F(RunThreadTest, AnAbortDoesNotOutliveItsRun) {
    EXPECT_FALSE(worker_.Abort());
    released_.set_value();
    EXPECT_EQ(TrimOutcome::kTrimmed, worker_.Run({.mounts = {"/data"}})->outcome);
}

TEST_F(RunThreadTest, DestructionStopsTheRun) {
    Recorder recorder;
    {
        RunThread worker(run_, recorder);
        ASSERT_TRUE(worker.Start({}).ok());
        under_way_.get_future().wait();
        released_.set_value();
    }
    EXPECT_THAT(recorder.events_, ElementsAre("begins", "ends"));
}

TEST_F(RunThreadTest, ARunThatTheObserverRefusesDoesNothing) {
    recorder_.permitted_ = android::base::Error(EROFS) << "the state cannot be saved";
    const Result<TrimReceipt> receipt = worker_.Run({});
    EXPECT_THAT(receipt->reason, testing::HasSubstr("the state cannot be saved"));
    EXPECT_THAT(syscalls_.trimmed(), IsEmpty());
    EXPECT_THAT(recorder_.events_, ElementsAre("begins", "ends"));
}

}  // namespace
}  // namespace storekeeper
