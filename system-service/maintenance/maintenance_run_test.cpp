// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "maintenance/maintenance_run.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/sysmacros.h>

#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "testing/trim_seams.h"

namespace storekeeper {
namespace {

using android::base::Error;
using android::base::Result;
using testing::ElementsAre;

class FakeAction : public MaintenanceAction {
  public:
    FakeAction(std::string_view name, std::vector<std::string>* log) : name_(name), log_(log) {}

    std::string_view name() const override { return name_; }
    ActionPlan Plan() const override {
        return {.action = std::string(name_), .would_act = true, .what = "a plan"};
    }
    ActionReceipt Run(const StopSignal& stop) override {
        log_->push_back(std::string(name_));
        if (during) during();
        stopped = stop.reason();
        return {.action = std::string(name_), .outcome = outcome, .note = "note"};
    }
    Result<void> Restore() override {
        log_->push_back("restore " + std::string(name_));
        return restored;
    }

    ActionOutcome outcome = ActionOutcome::kDone;
    std::function<void()> during;
    std::optional<std::string> stopped;
    Result<void> restored = {};

  private:
    const std::string_view name_;
    std::vector<std::string>* const log_;
};

class MaintenanceRunTest : public TrimSeamsTest {
  protected:
    MaintenanceRunTest() {
        tree_.Write("/proc/self/mountinfo", "40 21 179:2 / /data rw - ext4 /dev/x rw\n");
        tree_.Write("/proc/diskstats", "179 2 mmcblk0p2 0 0 0 0 0 0 0 0 0 0 0 5 0 8 1 0 0\n");
        syscalls_.Add("/data", FakeSyscalls::Mount{.device = static_cast<dev_t>(makedev(179, 2)),
                                                   .answer_bytes = 4096});
        syscalls_.PassOn(tree_.root());
    }

    TrimReceipt Run(const TrimRequest& request) {
        return run_.Run(request, stop_,
                        [this](const std::string& action, const std::string& mount) {
                            if (mount.empty()) acts_.push_back(action);
                        });
    }
    static std::vector<std::string> Named(const TrimReceipt& receipt) {
        std::vector<std::string> names;
        for (const ActionReceipt& action : receipt.actions) names.push_back(action.action);
        return names;
    }

    std::vector<std::string> log_;
    std::vector<std::string> acts_;
    FakeAction before_{"before", &log_};
    FakeAction after_{"after", &log_};
    TrimRules rules_ = [] {
        TrimRules rules;
        rules.configured = {"/data", "/cache"};
        return rules;
    }();
    MaintenanceRun run_{seams_, rules_, {.before = {&before_}, .after = {&after_}}};
    StopSignal stop_;
};

TEST_F(MaintenanceRunTest, DoesEverythingInItsOrder) {
    const TrimReceipt receipt = Run({});
    EXPECT_THAT(acts_, ElementsAre("before", "trim", "after"));
    EXPECT_THAT(Named(receipt), ElementsAre("before", "after"));
    EXPECT_EQ(TrimOutcome::kTrimmed, receipt.outcome) << receipt.reason;
}

TEST_F(MaintenanceRunTest, ATrimByCommandTrimsAndCollectsWhatItTrims) {
    EXPECT_THAT(Named(Run({.manual = true, .mounts = {"/data"}, .past_gates = true})),
                ElementsAre("before"));
    EXPECT_THAT(Named(Run({.manual = true, .mounts = {"/cache"}, .past_gates = true})),
                ElementsAre());
}

TEST_F(MaintenanceRunTest, AnActionThatDidNothingIsNotInTheReceipt) {
    before_.outcome = ActionOutcome::kNothing;
    after_.outcome = ActionOutcome::kFailed;
    EXPECT_THAT(Named(Run({})), ElementsAre("after"));
}

TEST_F(MaintenanceRunTest, AStopDuringAnActionEndsAllOfTheRun) {
    before_.during = [this] { stop_.Raise("somebody touched the screen"); };
    const TrimReceipt receipt = Run({});
    EXPECT_EQ("somebody touched the screen", before_.stopped);
    EXPECT_THAT(log_, ElementsAre("before"));
    EXPECT_EQ(TrimOutcome::kAborted, receipt.outcome);
    EXPECT_THAT(receipt.reason, testing::HasSubstr("somebody touched the screen"));
}

TEST_F(MaintenanceRunTest, AStopEndsIt) {
    stop_.Raise("abort requested");
    EXPECT_EQ(TrimOutcome::kAborted, Run({}).outcome);
    EXPECT_THAT(log_, ElementsAre());
}

TEST_F(MaintenanceRunTest, TheQueueIsPutBackBeforeTheActionsAfterIt) {
    std::string saved;
    after_.during = [&] { saved = init_.Get("storekeeper.queue.saved.nr_requests"); };
    EXPECT_TRUE(Run({}).mounts.at(0).throttled);
    EXPECT_EQ("", saved);
}

TEST_F(MaintenanceRunTest, AQueueThatCannotBePutBackIsANote) {
    syscalls_.Add("/data", FakeSyscalls::Mount{.device = static_cast<dev_t>(makedev(179, 2)),
                                               .answer_bytes = 4096,
                                               .during = [this] { init_.Stop(); }});
    const TrimReceipt receipt = Run({});
    EXPECT_THAT(Named(receipt), ElementsAre("before", "after"));
    EXPECT_THAT(receipt.mounts.at(0).note, testing::HasSubstr("the queue is not restored"));
    EXPECT_FALSE(run_.Restore().ok());
}

TEST_F(MaintenanceRunTest, ARunUnderWayKeepsItsQueue) {
    std::string saved;
    syscalls_.Add("/data",
                  FakeSyscalls::Mount{.device = static_cast<dev_t>(makedev(179, 2)),
                                      .answer_bytes = 4096,
                                      .during = [&] {
                                          std::thread([this] {
                                              EXPECT_TRUE(run_.Restore().ok());
                                          }).join();
                                          saved = init_.Get("storekeeper.queue.saved.nr_requests");
                                      }});
    Run({});
    EXPECT_EQ("64", saved);
    EXPECT_EQ("", init_.Get("storekeeper.queue.saved.nr_requests"));
}

TEST_F(MaintenanceRunTest, ARefusedRunHasItsReasonAlone) {
    const ResultFailure why("the state cannot be saved", EROFS);
    const TrimReceipt receipt = run_.Refuse({.manual = true}, why);
    EXPECT_THAT(receipt.reason,
                testing::HasSubstr("/data: not trimmed: the state cannot be saved"));
    EXPECT_EQ(TrimOutcome::kReadOnly, receipt.outcome);
    EXPECT_TRUE(syscalls_.trimmed().empty());
    EXPECT_TRUE(receipt.manual);
}

TEST_F(MaintenanceRunTest, EndsWhatEachActionHasLeft) {
    before_.restored = Error() << "before stays";
    EXPECT_EQ("before stays", run_.Restore().error().message());
    EXPECT_THAT(log_, ElementsAre("restore before", "restore after"));
}

TEST_F(MaintenanceRunTest, PlansMountsAndActions) {
    const RunPlan plan = run_.Plan();
    ASSERT_EQ(2U, plan.mounts.size());
    ASSERT_EQ(2U, plan.actions.size());
    EXPECT_EQ("before", plan.actions[0].action);
    EXPECT_EQ("after", plan.actions[1].action);
}

}  // namespace
}  // namespace storekeeper
