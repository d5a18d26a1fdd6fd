// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "maintenance/trim/maintenance_run.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/sysmacros.h>

#include <optional>
#include <string>
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
        return {.action = std::string(name_), .would_act = would_act, .what = "a plan"};
    }
    ActionReceipt Run(const TrimRequest&, const StopSignal&, const StopAsker& ask) override {
        log_->push_back(std::string(name_));
        if (during) during();
        asked = ask();
        return {.action = std::string(name_), .outcome = outcome, .note = "note"};
    }
    Result<void> Restore() override {
        log_->push_back("restore " + std::string(name_));
        return restored;
    }

    ActionOutcome outcome = ActionOutcome::kDone;
    bool would_act = true;
    std::function<void()> during;
    std::optional<std::string> asked;
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
        hooks_.progress = [](const std::string&) {};
        hooks_.acts = [this](const std::string& action) { acts_.push_back(action); };
        hooks_.why_stop = [this](const TrimRequest&) { return gate_; };
        hooks_.may_trim = [this] { return permitted_; };
    }

    TrimReceipt Run(const TrimRequest& request) { return run_.Run(request, stop_, hooks_); }
    static std::vector<std::string> Named(const TrimReceipt& receipt) {
        std::vector<std::string> names;
        for (const ActionReceipt& action : receipt.actions) names.push_back(action.action);
        return names;
    }

    std::vector<std::string> log_;
    std::vector<std::string> acts_;
    std::optional<std::string> gate_;
    Result<void> permitted_ = {};
    FakeAction before_{"before", &log_};
    FakeAction after_{"after", &log_};
    TrimRules rules_ = [] {
        TrimRules rules;
        rules.given = {"/data", "/cache"};
        return rules;
    }();
    Trimmer trimmer_{seams_, rules_};
    MaintenanceRun run_{trimmer_, {.before = {&before_}, .after = {&after_}}};
    Trimmer::Hooks hooks_;
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

TEST_F(MaintenanceRunTest, WhatDidNothingIsNotInTheReceipt) {
    before_.outcome = ActionOutcome::kNothing;
    after_.outcome = ActionOutcome::kFailed;
    EXPECT_THAT(Named(Run({})), ElementsAre("after"));
}

TEST_F(MaintenanceRunTest, AGateThatClosesEndsAllOfTheRun) {
    before_.during = [this] { gate_ = "somebody touched the screen"; };
    const TrimReceipt receipt = Run({});
    EXPECT_EQ("somebody touched the screen", before_.asked);
    EXPECT_THAT(log_, ElementsAre("before"));
    EXPECT_EQ(TrimOutcome::kAborted, receipt.outcome);
}

// A gate that opens meanwhile does not continue half a run.
TEST_F(MaintenanceRunTest, AGateThatHasClosedStaysClosed) {
    before_.during = [this] { gate_ = "warm"; };
    after_.during = [] {};
    hooks_.acts = [this](const std::string& action) {
        acts_.push_back(action);
        if (action == "trim") gate_.reset();
    };
    EXPECT_EQ(TrimOutcome::kAborted, Run({}).outcome);
    EXPECT_THAT(log_, ElementsAre("before"));
}

TEST_F(MaintenanceRunTest, AStopEndsIt) {
    stop_.Raise("abort requested");
    EXPECT_EQ(TrimOutcome::kAborted, Run({}).outcome);
    EXPECT_THAT(log_, ElementsAre());
}

TEST_F(MaintenanceRunTest, NothingIsDoneThatCannotBeRemembered) {
    permitted_ = Error() << "the state cannot be saved";
    EXPECT_THAT(Run({}).reason, testing::HasSubstr("the state cannot be saved"));
    EXPECT_THAT(log_, ElementsAre());
}

TEST_F(MaintenanceRunTest, TheQueueIsGivenBackBeforeWhatTakesMinutes) {
    std::vector<std::string> saved;
    const auto look = [&] { saved.push_back(init_.Get("storekeeper.queue.saved.nr_requests")); };
    after_.during = look;
    Run({});
    look();
    after_.would_act = false;
    Run({});
    look();
    EXPECT_THAT(saved, ElementsAre("", "", "64", "64"));
    EXPECT_TRUE(run_.RestoreQueue().ok());
}

TEST_F(MaintenanceRunTest, WhatCannotBeGivenBackDoesNotEndTheRun) {
    syscalls_.Add("/data", FakeSyscalls::Mount{.device = static_cast<dev_t>(makedev(179, 2)),
                                               .answer_bytes = 4096,
                                               .during = [this] { init_.Stop(); }});
    EXPECT_THAT(Named(Run({})), ElementsAre("before", "after"));
    EXPECT_FALSE(run_.RestoreQueue().ok());
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
