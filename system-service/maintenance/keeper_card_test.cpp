// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include <errno.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdio.h>
#include <string.h>

#include <algorithm>

#include "maintenance/keeper.h"
#include "maintenance/trim/receipt.h"
#include "report/dump.h"
#include "testing/phone.h"

namespace storekeeper {
namespace {

using std::chrono::hours;
using std::chrono::minutes;
using testing::HasSubstr;

TEST(KeeperCardTest, WithoutAStateItServesAndTrimsNothingUntilThereIsOne) {
    Phone phone;
    ASSERT_TRUE(phone.keeper().Trim({})->complete);
    // The folder vanishes as if /data were gone.
    const std::string folder = phone.tree.PathOf("/data/misc/storekeeper");
    const std::string away = phone.tree.PathOf("/away");
    ASSERT_EQ(0, rename(folder.c_str(), away.c_str()));
    phone.Restart();
    phone.clock.Advance(hours(48));
    EXPECT_EQ(phone.clock.SinceBoot() + minutes(15), phone.keeper().Tick().deadline);
    const TrimReceipt refused = *phone.keeper().Trim({});
    EXPECT_THAT(refused.reason, HasSubstr("the state cannot be saved, so nothing is trimmed"));
    EXPECT_THAT(refused.reason, HasSubstr(strerror(ENOENT)));
    EXPECT_THAT(phone.keeper().Maintain().error().message(),
                HasSubstr("state (the state cannot be saved"));
    EXPECT_THAT(phone.keeper().Status().state_problem, HasSubstr("misc/storekeeper"));
    EXPECT_THAT(DumpText(phone.Sources(), {}),
                testing::StartsWith("Warning: the state cannot be saved"));
    EXPECT_EQ(2U, phone.syscalls.trimmed().size());

    ASSERT_EQ(0, rename(away.c_str(), folder.c_str()));
    phone.keeper().Tick();
    phone.WaitUntilIdle();
    EXPECT_EQ("", phone.keeper().Status().state_problem);
    EXPECT_EQ(4U, phone.syscalls.trimmed().size());
    phone.Restart();
    // The receipt of the refused run is among them.
    EXPECT_EQ(3U, phone.keeper().Receipts(9).size());
}

// State, receipt and cursor are stored by one write.
TEST(KeeperCardTest, TheEndOfARunIsOneWriting) {
    Phone phone;
    phone.keeper().WriteDown();
    const auto text = [&phone] { return phone.tree.Read("/data/misc/storekeeper/state.log"); };
    std::string before;
    phone.DuringFitrim([&] { before = text(); });
    ASSERT_TRUE(phone.keeper().Trim({})->complete);
    const size_t end = WithoutPadding(before).size();
    const std::string after = text();
    EXPECT_EQ(before.substr(0, end), after.substr(0, end));
    const std::string added(WithoutPadding(after).substr(end));
    EXPECT_THAT(added, testing::StartsWith("cursors "));
    EXPECT_THAT(added, HasSubstr("\nreceipt "));
    EXPECT_THAT(added, HasSubstr("\nstate "));
    EXPECT_EQ(3, std::count(added.begin(), added.end(), '\n'));
}

TEST(KeeperCardTest, OwnsTheTrimsOnlyWhileItCouldTrimItself) {
    const std::string owner = "storekeeper.trim.owner";
    Phone phone;
    MaintenanceReadings readings = FakeInputs::Untouched();
    readings.power = android::base::Error() << "the health HAL does not answer";
    phone.inputs.Set(readings);
    phone.keeper().Tick();
    EXPECT_EQ("", phone.Property(owner));
    phone.inputs.Set(FakeInputs::Untouched());
    phone.keeper().Tick();
    EXPECT_EQ("storekeeper", phone.Property(owner));
    // FITRIM is denied, as by a device's SELinux policy. The Keeper knows that from the first run
    // on, also after a restart.
    phone.FailTrim(EACCES);
    phone.clock.Advance(hours(2));
    phone.keeper().Tick();
    phone.WaitUntilIdle();
    phone.keeper().Tick();
    EXPECT_EQ("", phone.Property(owner));
    phone.Restart();
    phone.keeper().Tick();
    EXPECT_EQ("", phone.Property(owner));
    phone.FailTrim(0);
    phone.clock.Advance(hours(2));
    phone.keeper().Tick();
    phone.WaitUntilIdle();
    phone.keeper().Tick();
    EXPECT_EQ("storekeeper", phone.Property(owner));
}

TEST(KeeperCardTest, DoesNotOwnTheTrimsPastTheDeadline) {
    Phone phone;
    MaintenanceReadings readings = FakeInputs::Untouched();
    // A sensor that is stuck at 90 degrees.
    readings.battery_heat = 900;
    phone.inputs.Set(readings);
    phone.keeper().Tick();
    EXPECT_EQ("storekeeper", phone.Property("storekeeper.trim.owner"));
    phone.clock.Advance(hours(24 * 8));
    phone.keeper().Tick();
    EXPECT_EQ("", phone.Property("storekeeper.trim.owner"));
    phone.inputs.Set(FakeInputs::Untouched());
    phone.keeper().Tick();
    EXPECT_EQ("storekeeper", phone.Property("storekeeper.trim.owner"));
    phone.WaitUntilIdle();
}

TEST(KeeperCardTest, DoesNotOwnTheTrimsWithoutAState) {
    Phone phone;
    phone.tree.Remove("/data/misc/storekeeper");
    phone.Restart();
    phone.keeper().Tick();
    EXPECT_EQ("", phone.Property("storekeeper.trim.owner"));
    phone.tree.MakeDirectory("/data/misc/storekeeper");
    phone.keeper().Tick();
    EXPECT_EQ("storekeeper", phone.Property("storekeeper.trim.owner"));
}

}  // namespace
}  // namespace storekeeper
