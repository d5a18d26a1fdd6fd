// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include <errno.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>

#include "maintenance/canary/canary.h"
#include "maintenance/keeper.h"
#include "mounts/chip_id.h"
#include "report/dump.h"
#include "testing/phone.h"

namespace storekeeper {
namespace {

using State = ChipTrust::State;
using std::chrono::hours;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

constexpr char kCid[] = "150100544553544d3107deadbeef3b9f";
constexpr char kProperty[] = "storekeeper.status.trim_quarantine";

// A phone that already knows its chip.
class KnownChip {
  public:
    explicit KnownChip(State state, std::optional<Canary> canary = std::nullopt) {
        for (const char* device : {"179:0", "179:1", "179:2"}) {
            phone.tree.Write(std::string("/sys/dev/block/") + device + "/device/cid",
                             std::string(kCid) + "\n");
        }
        // Called between the end of the earlier daemon and the start of the next.
        phone.wrap = [&](const Daemon::Seams& seams) {
            Remember(state, canary);
            return seams;
        };
        phone.Restart();
        phone.wrap = [](const Daemon::Seams& seams) { return seams; };
    }
    const Gate* ClosedGate(const std::string& name) {
        status_ = phone.keeper().Status();
        const std::vector<Gate>& gates = status_.decision.gates;
        const auto gate = std::find_if(gates.begin(), gates.end(), [&](const Gate& each) {
            return each.name == name && !each.pass;
        });
        return gate == gates.end() ? nullptr : &*gate;
    }

    Phone phone;

  private:
    void Remember(State state, const std::optional<Canary>& canary) {
        RecordFile records(RealCalls(), phone.tree.PathOf("/data/misc/storekeeper/state.log"));
        records.Put(RecordKind::kChips,
                    FormatChipTrust({{.chip = {.id = ChipId(kCid), .firmware = ""},
                                      .state = state,
                                      .since = {.boot_id = "11111111-2222-3333-4444-555555555555",
                                                .since_boot = phone.clock.SinceBoot(),
                                                .wall = phone.clock.Wall()},
                                      .canary = canary,
                                      .why = "it garbles"}}));
        EXPECT_TRUE(records.Write().ok());
    }

    KeeperStatus status_;
};

TEST(KeeperChipTest, TrimsNothingOfAChipInQuarantine) {
    KnownChip chip(State::kQuarantined);
    Phone& phone = chip.phone;
    phone.clock.Advance(hours(24 * 30));
    phone.keeper().Tick();
    EXPECT_EQ("1767225600", phone.Property(kProperty));
    ASSERT_NE(nullptr, chip.ClosedGate("chip"));
    EXPECT_THAT(chip.ClosedGate("chip")->note, HasSubstr("it garbles"));
    for (const bool hurry : {false, true}) {
        const TrimReceipt receipt = *phone.keeper().Trim({}, hurry);
        EXPECT_EQ(TrimOutcome::kChipQuirk, receipt.outcome);
        EXPECT_THAT(receipt.reason, HasSubstr("in quarantine since 2026-01-01"));
    }
    EXPECT_EQ(TrimOutcome::kChipQuirk, phone.keeper().Trim({"/cache"})->outcome);
    EXPECT_EQ(EBUSY, phone.keeper().Maintain().error().code());
    EXPECT_THAT(phone.syscalls.fitrims(), IsEmpty());
    // vold must not trim it either.
    EXPECT_EQ("storekeeper", phone.Property("storekeeper.trim.owner"));
}

// A card that hangs must not block the daemon's loop.
TEST(KeeperChipTest, ReadsTheCanaryBesideTheLoop) {
    KnownChip chip(State::kPassed, Canary{.seed = 1, .inode = 1, .size = 1 << 20});
    Phone& phone = chip.phone;
    const auto state = [&] { return phone.keeper().Status().chips.at(0).state; };
    phone.keeper().Tick();
    EXPECT_EQ(State::kPassed, state());
    phone.collector().Gather();
    EXPECT_EQ(State::kUnknown, state()) << "the canary is not there any more";
    EXPECT_EQ(nullptr, chip.ClosedGate("canary"));
}

TEST(KeeperChipTest, ShowsAQuarantineInTheFirstLineAndAsAnAlert) {
    KnownChip chip(State::kQuarantined);
    Phone& phone = chip.phone;
    phone.collector().Gather();
    EXPECT_THAT(DumpText(phone.Sources(), {}), StartsWith("Warning: the chip is in quarantine"));
    EXPECT_EQ("quarantined", phone.Dump()["maintenance"]["chips"][0]["state"].asString());
    EXPECT_THAT(phone.Property("storekeeper.status.alerts"), HasSubstr("trim:urgent"));
    EXPECT_THAT(phone.Dump()["ledger"]["alerts"][0]["text"].asString(), HasSubstr("it garbles"));
}

TEST(KeeperChipTest, LiftsAQuarantine) {
    KnownChip chip(State::kQuarantined);
    Phone& phone = chip.phone;
    phone.keeper().Tick();
    EXPECT_EQ(1U, *phone.keeper().LiftQuarantine());
    EXPECT_EQ("", phone.Property(kProperty));
    EXPECT_EQ(nullptr, chip.ClosedGate("chip"));
    EXPECT_EQ(0U, *phone.keeper().LiftQuarantine());
}

TEST(KeeperChipTest, LiftsNoneWhileARunIsInProgress) {
    Phone phone;
    int error = 0;
    phone.DuringFitrim([&] {
        const auto lifted = phone.keeper().LiftQuarantine();
        if (!lifted.ok()) error = lifted.error().code();
    });
    phone.keeper().Trim({"/data"});
    EXPECT_EQ(EBUSY, error);
}

TEST(KeeperChipTest, WaitsForARestartWithoutLeavingTheTrimsToVold) {
    KnownChip chip(State::kPassed);
    Phone& phone = chip.phone;
    phone.clock.Advance(hours(48));
    phone.keeper().Tick();
    ASSERT_NE(nullptr, chip.ClosedGate("canary"));
    EXPECT_THAT(chip.ClosedGate("canary")->note, HasSubstr("read again after a restart"));
    EXPECT_EQ("storekeeper", phone.Property("storekeeper.trim.owner"));
    EXPECT_THAT(phone.syscalls.fitrims(), IsEmpty());
    phone.clock.Advance(hours(24));
    EXPECT_EQ(nullptr, chip.ClosedGate("canary"));
    // Another mount need not wait; without /data the run would be made again in an hour.
    phone.clock.Advance(-hours(24));
    phone.tree.Remove("/sys/dev/block/179:1/partition");
    phone.tree.Write("/sys/dev/block/179:1/device/cid", "150100544553544d3107deadbee00000\n");
    EXPECT_NE(nullptr, chip.ClosedGate("canary"));
    phone.config.config.maintenance.canary_restart = std::chrono::seconds(0);
    phone.clock.Reboot(std::chrono::seconds(100));
    phone.Restart();
    EXPECT_EQ(nullptr, chip.ClosedGate("canary"));
}

}  // namespace
}  // namespace storekeeper
