// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

// The service of a report-only product: it measures and reports, and uses no right of
// sepolicy/trim.

#include <android-base/file.h>
#include <errno.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sysexits.h>

#include <string>
#include <vector>

#include "daemon/shell_command.h"
#include "report/dump.h"
#include "testing/phone.h"

namespace storekeeper {
namespace {

using std::chrono::hours;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

constexpr char kReason[] = "report only: ro.storekeeper.report_only is true";

class ReportOnlyTest : public testing::Test {
  protected:
    ReportOnlyTest() {
        phone.rules.report_only = true;
        phone.gc.longest = std::chrono::minutes(1);
        phone.Restart();
    }

    // Runs `cmd storekeeper` as root and returns the exit code.
    int Command(const std::vector<std::string>& arguments) {
        TemporaryFile out_file;
        TemporaryFile err_file;
        AnswerWriter writer;
        const int code =
                ShellCommand(phone.daemon(), writer, 0, out_file.fd, err_file.fd).Run(arguments);
        EXPECT_TRUE(android::base::ReadFileToString(out_file.path, &out));
        EXPECT_TRUE(android::base::ReadFileToString(err_file.path, &err));
        return code;
    }

    Phone phone;
    std::string out;
    std::string err;
};

TEST_F(ReportOnlyTest, NeverRunsHoweverOverdueItIs) {
    for (int day = 0; day < 30; ++day) {
        phone.clock.Advance(hours(24));
        const Keeper::Nap nap = phone.keeper().Tick();
        EXPECT_EQ(phone.clock.SinceBoot() + hours(6), nap.deadline);
        EXPECT_FALSE(nap.watch_power);
        EXPECT_FALSE(nap.watch_input);
        EXPECT_FALSE(phone.inputs.watched());
        EXPECT_FALSE(phone.keeper().IsRunUnderWay());
    }
    EXPECT_THAT(phone.syscalls.fitrims(), IsEmpty());
    EXPECT_FALSE(phone.awake);
    EXPECT_THAT(phone.keeper().Receipts(1), IsEmpty());
    EXPECT_THAT(phone.keeper().Status().state.refused, IsEmpty());
}

TEST_F(ReportOnlyTest, LeavesTrimsToVoldAndAsksInitForNothing) {
    const std::vector<std::string> requests = {"storekeeper.queue.saved.nr_requests",
                                               "storekeeper.gc.urgent", "storekeeper.hid.defrag"};
    std::vector<int> reads;
    for (const std::string& name : requests) reads.push_back(phone.PropertyReads(name));
    phone.Restart();
    phone.clock.Advance(hours(24));
    phone.keeper().Tick();
    EXPECT_EQ("report_only", phone.Property("storekeeper.status.state"));
    EXPECT_EQ("", phone.Property("storekeeper.trim.owner"));
    EXPECT_EQ("", phone.Property("storekeeper.status.waiting_for"));
    for (size_t i = 0; i < requests.size(); ++i) {
        EXPECT_EQ(reads[i], phone.PropertyReads(requests[i])) << requests[i];
        EXPECT_EQ("", phone.Property(requests[i])) << requests[i];
    }
}

TEST_F(ReportOnlyTest, RefusesEachWayToBeginARun) {
    for (const std::vector<std::string>& words :
         {std::vector<std::string>{"trim"}, {"trim", "/data"}, {"maintain", "--now"}}) {
        EXPECT_EQ(EX_OSERR, Command(words)) << words.front();
        EXPECT_EQ(std::string("storekeeper: ") + kReason + "\n", err);
        EXPECT_THAT(out, IsEmpty());
    }
    EXPECT_EQ(EPERM, phone.keeper().Trim({}).error().code());
    for (const std::vector<std::string>& words :
         {std::vector<std::string>{"set-gate-override", "battery", "50"}, {"lift-quarantine"}}) {
        EXPECT_EQ(EX_OSERR, Command(words)) << words.front();
        EXPECT_THAT(err, HasSubstr(kReason));
    }
    phone.tree.MakeDirectory("/cache/storekeeper");
    phone.Restart();
    EXPECT_NE(EX_OK, Command({"crypto", "choose", "auto"}));
    EXPECT_THAT(err, HasSubstr(kReason));
    EXPECT_EQ(EX_OK, Command({"abort"}));
    EXPECT_EQ("No run is in progress.\n", out);
    EXPECT_THAT(phone.syscalls.fitrims(), IsEmpty());
    EXPECT_EQ("", phone.Property("storekeeper.status.last_outcome"));
}

TEST_F(ReportOnlyTest, ReportsSaySo) {
    EXPECT_EQ(EX_OK, Command({"why"}));
    EXPECT_THAT(out, StartsWith(std::string("Maintenance: ") + kReason +
                                "; Android's own trims go on\n"));
    EXPECT_THAT(out, Not(HasSubstr("Next run")));
    EXPECT_EQ(EX_OK, Command({"plan"}));
    EXPECT_EQ(std::string("/data: ") + kReason + "\n/cache: " + kReason + "\n", out);
    const std::string screen = DumpText(phone.Sources(), {});
    EXPECT_THAT(screen, HasSubstr(kReason));
    EXPECT_THAT(screen, Not(HasSubstr("Mounts: ")));

    const Json::Value maintenance = phone.Dump()["maintenance"];
    EXPECT_EQ("report_only", maintenance["state"].asString());
    EXPECT_FALSE(maintenance["due"].asBool());
    EXPECT_FALSE(maintenance["would_run"].asBool());
    EXPECT_EQ(0U, maintenance["gates"].size());
    EXPECT_EQ(0U, maintenance["mounts"].size());
}

TEST_F(ReportOnlyTest, IsAtRestWhileTheScreenIsOffAndTheStorageQuiet) {
    struct Row {
        std::optional<bool> screen_on;
        int busy_percent;
        bool at_rest;
    };
    for (const Row& row : {Row{false, 0, true}, Row{false, 50, false}, Row{true, 0, false},
                           Row{std::nullopt, 0, false}}) {
        MaintenanceReadings readings = FakeInputs::Untouched();
        readings.interaction = InteractionReading{.screen_on = row.screen_on};
        readings.storage = StorageReading{.busy_percent = row.busy_percent};
        phone.inputs.Set(readings);
        EXPECT_EQ(row.at_rest, phone.keeper().IsAtRest()) << row.busy_percent;
    }
}

TEST_F(ReportOnlyTest, HealthAndHistoryAreKept) {
    phone.collector().Gather();
    EXPECT_EQ(EX_OK, Command({"health"}));
    EXPECT_THAT(out, StartsWith("Storage life: "));
    EXPECT_THAT(phone.Property("storekeeper.status.level"), Not(IsEmpty()));
    EXPECT_EQ(1U, phone.collector().Last()->ledger.points.size());
}

}  // namespace
}  // namespace storekeeper
