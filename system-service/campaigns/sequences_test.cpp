// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "campaigns/sequences.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "campaigns/machine.h"

namespace storekeeper {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// A few of the sequences; `lab soak sequences` tries all.
TEST(SequencesTest, NoSequenceOfEventsBreaksAnInvariant) {
    const CampaignResult result = SequenceCampaign({.stride = 61});
    EXPECT_THAT(result.failures, IsEmpty());
    EXPECT_LE(70U, result.total());
}

// The events have the effects that their names say.
TEST(SequencesTest, AChoiceIsMadeTriedAndConfirmed) {
    Machine machine(/*blind=*/false);
    EXPECT_EQ("", machine.RunEvent("choose"));
    EXPECT_EQ(CryptoChoice::Stage::kTrial, machine.ReadChoice()->stage);
    EXPECT_EQ("", machine.RunEvent("reboot"));
    EXPECT_EQ(1U, machine.ReadChoice()->boots);
    EXPECT_EQ("", machine.RunEvent("confirm"));
    EXPECT_EQ(CryptoChoice::Stage::kConfirmed, machine.ReadChoice()->stage);
    EXPECT_EQ("", machine.RunEvent("rollback"));
    EXPECT_EQ(CryptoMode::kAuto, machine.ReadChoice()->mode);
    EXPECT_THAT(machine.errors(), IsEmpty());
    EXPECT_EQ("", machine.Recover());
}

// A few of the faults; `lab soak calls` tries all.
TEST(SequencesTest, NoFailingCallOfASeamBreaksAnInvariant) {
    const CampaignResult result = SeamCampaign({.stride = 61});
    EXPECT_THAT(result.failures, IsEmpty());
    EXPECT_EQ(3U, result.tried.size());
}

TEST(SequencesTest, ALoopThatSeesNoTouchIsFound) {
    EXPECT_THAT(SequenceCampaign({.only = "step,touch", .flaw = Flaw::kBlindLoop}).failures,
                ElementsAre("step,touch  after event 2: a FITRIM begins behind a closed gate"));
}

}  // namespace
}  // namespace storekeeper
