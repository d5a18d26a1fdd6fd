// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "supervisor.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace storekeeper::lab {
namespace {

using namespace std::chrono_literals;
using android::base::Error;
using android::base::Result;

/** Processes that exist in a set: Kill() only asks, the test lets them end. */
class FakeHost : public ServiceHost {
  public:
    Result<pid_t> Launch(const ServiceConfig& service) override {
        if (missing.contains(service.name)) return Error() << service.argv[0] << ": no such file";
        launched.push_back(service.name);
        running.insert(next_pid);
        return next_pid++;
    }
    void Kill(pid_t pid) override { killed.push_back(pid); }
    void StateChanged(const std::string& name, const std::string& state) override {
        states.push_back(name + "=" + state);
    }
    void Log(const std::string& line) override { log.push_back(line); }

    pid_t next_pid = 100;
    std::set<pid_t> running;
    std::set<std::string> missing;
    std::vector<std::string> launched;
    std::vector<pid_t> killed;
    std::vector<std::string> states;
    std::vector<std::string> log;
};

class SupervisorTest : public testing::Test {
  protected:
    static ServiceConfig Service(const std::string& name, bool oneshot = false,
                                 bool disabled = false) {
        ServiceConfig service;
        service.name = name;
        service.argv = {"/bin/" + name};
        service.classes = {"main"};
        service.oneshot = oneshot;
        service.disabled = disabled;
        return service;
    }

    using Names = std::vector<std::string>;

    std::vector<ServiceConfig> services_ = {Service("keeper"), Service("once", true),
                                            Service("off", false, true)};
    FakeHost host_;
    Supervisor supervisor_{services_, host_};
};

TEST_F(SupervisorTest, AClassStartsWhatIsNotDisabled) {
    supervisor_.StartClass("main", 1s);
    EXPECT_EQ(host_.launched, (Names{"keeper", "once"}));
    EXPECT_EQ(host_.states, (Names{"keeper=running", "once=running"}));
    supervisor_.StartClass("other", 1s);
    EXPECT_EQ(host_.launched.size(), 2U);
}

TEST_F(SupervisorTest, EnableStartsWhatItsClassLeftOut) {
    ASSERT_TRUE(supervisor_.Enable("off", 1s).ok());
    EXPECT_EQ(host_.launched, Names{});
    Supervisor other(services_, host_);
    other.StartClass("main", 1s);
    ASSERT_TRUE(other.Enable("off", 2s).ok());
    EXPECT_EQ(host_.launched, (Names{"keeper", "once", "off"}));
}

TEST_F(SupervisorTest, ADeadServiceComesBackFiveSecondsAfterItsStart) {
    ASSERT_TRUE(supervisor_.Start("keeper", 10s).ok());
    EXPECT_EQ(supervisor_.NextStart(), std::nullopt);
    ASSERT_TRUE(supervisor_.Exited(100, "exited", 12s));
    ASSERT_EQ(supervisor_.NextStart(), std::optional<BootTime>(15s));
    supervisor_.StartDue(14s);
    EXPECT_EQ(host_.launched.size(), 1U);
    supervisor_.StartDue(15s);
    EXPECT_EQ(host_.launched, (Names{"keeper", "keeper"}));
    EXPECT_EQ(host_.states, (Names{"keeper=running", "keeper=restarting", "keeper=running"}));
    EXPECT_EQ(supervisor_.NextStart(), std::nullopt);
}

TEST_F(SupervisorTest, OneThatLivedLongComesBackAtOnce) {
    ASSERT_TRUE(supervisor_.Start("keeper", 10s).ok());
    ASSERT_TRUE(supervisor_.Exited(100, "exited", 100s));
    supervisor_.StartDue(100s);
    EXPECT_EQ(host_.launched.size(), 2U);
}

TEST_F(SupervisorTest, AOneshotStaysDownUntilItIsStartedAgain) {
    ASSERT_TRUE(supervisor_.Start("once", 1s).ok());
    ASSERT_TRUE(supervisor_.Exited(100, "exited", 2s));
    EXPECT_EQ(supervisor_.NextStart(), std::nullopt);
    EXPECT_EQ(host_.states.back(), "once=stopped");
    supervisor_.StartClass("main", 3s);
    EXPECT_EQ(host_.launched, (Names{"once", "keeper"}));
    ASSERT_TRUE(supervisor_.Start("once", 4s).ok());
    EXPECT_EQ(host_.launched.back(), "once");
}

TEST_F(SupervisorTest, AStoppedServiceStaysDown) {
    ASSERT_TRUE(supervisor_.Start("keeper", 1s).ok());
    ASSERT_TRUE(supervisor_.Stop("keeper").ok());
    EXPECT_EQ(host_.killed, std::vector<pid_t>{100});
    EXPECT_EQ(host_.states.back(), "keeper=stopping");
    ASSERT_TRUE(supervisor_.Exited(100, "was killed", 2s));
    EXPECT_EQ(host_.states.back(), "keeper=stopped");
    EXPECT_EQ(supervisor_.NextStart(), std::nullopt);
}

TEST_F(SupervisorTest, StopTakesBackAPendingRestart) {
    ASSERT_TRUE(supervisor_.Start("keeper", 1s).ok());
    ASSERT_TRUE(supervisor_.Exited(100, "exited", 2s));
    ASSERT_TRUE(supervisor_.Stop("keeper").ok());
    EXPECT_EQ(supervisor_.NextStart(), std::nullopt);
    EXPECT_EQ(host_.states.back(), "keeper=stopped");
}

TEST_F(SupervisorTest, RestartWaitsForTheOldProcess) {
    ASSERT_TRUE(supervisor_.Start("keeper", 1s).ok());
    ASSERT_TRUE(supervisor_.Restart("keeper", 2s).ok());
    EXPECT_EQ(host_.launched.size(), 1U);
    ASSERT_TRUE(supervisor_.Exited(100, "was killed", 2s));
    EXPECT_EQ(host_.launched.size(), 2U);
    EXPECT_EQ(host_.states.back(), "keeper=running");
    ASSERT_TRUE(supervisor_.Exited(101, "exited", 3s));
    EXPECT_TRUE(supervisor_.NextStart().has_value());
}

TEST_F(SupervisorTest, StartingWhatRunsDoesNothing) {
    ASSERT_TRUE(supervisor_.Start("keeper", 1s).ok());
    ASSERT_TRUE(supervisor_.Start("keeper", 2s).ok());
    EXPECT_EQ(host_.launched.size(), 1U);
}

TEST_F(SupervisorTest, AMissingProgramIsAnErrorAndLeavesTheServiceStopped) {
    host_.missing = {"keeper"};
    auto started = supervisor_.Start("keeper", 1s);
    ASSERT_FALSE(started.ok());
    EXPECT_EQ(started.error().message(), "service 'keeper': /bin/keeper: no such file");
    EXPECT_EQ(host_.states, Names{"keeper=stopped"});
    EXPECT_EQ(supervisor_.NextStart(), std::nullopt);
}

TEST_F(SupervisorTest, ReportsACrashLoop) {
    ASSERT_TRUE(supervisor_.Start("keeper", 0s).ok());
    const auto looping = [this] {
        return std::ranges::count_if(host_.log, [](const std::string& line) {
            return line.find("crash loop") != std::string::npos;
        });
    };
    BootTime now = 1s;
    for (int i = 0; i < 5; ++i) {
        EXPECT_EQ(looping(), 0) << i;
        ASSERT_TRUE(supervisor_.Exited(100 + i, "exited", now));
        now += 6s;
        supervisor_.StartDue(now);
    }
    EXPECT_EQ(looping(), 1);
}

TEST_F(SupervisorTest, RareDeathsAreNoCrashLoop) {
    ASSERT_TRUE(supervisor_.Start("keeper", 0s).ok());
    BootTime now = 1s;
    for (int i = 0; i < 10; ++i) {
        ASSERT_TRUE(supervisor_.Exited(100 + i, "exited", now));
        now += 70s;
        supervisor_.StartDue(now);
    }
    for (const std::string& line : host_.log) {
        EXPECT_EQ(line.find("crash loop"), std::string::npos);
    }
}

TEST_F(SupervisorTest, StrangersAreReported) {
    EXPECT_FALSE(supervisor_.Exited(4711, "exited", 1s));
    EXPECT_FALSE(supervisor_.Start("nobody", 1s).ok());
    EXPECT_FALSE(supervisor_.Stop("nobody").ok());
    EXPECT_FALSE(supervisor_.Restart("nobody", 1s).ok());
    EXPECT_FALSE(supervisor_.Enable("nobody", 1s).ok());
}

}  // namespace
}  // namespace storekeeper::lab
