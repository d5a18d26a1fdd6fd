// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "campaigns/sequences.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace storekeeper {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// A few of them; `lab soak sequences` tries all.
TEST(SequencesTest, NoSequenceOfEventsBreaksAnInvariant) {
    const CampaignResult result = SequenceCampaign({.stride = 61});
    EXPECT_THAT(result.failures, IsEmpty());
    EXPECT_LE(70U, result.total());
}

TEST(SequencesTest, ALoopThatSeesNoTouchIsFound) {
    EXPECT_THAT(SequenceCampaign({.only = "slice,touch", .flaw = Flaw::kBlindLoop}).failures,
                ElementsAre("slice,touch  after event 2: a FITRIM begins behind a closed gate"));
}

}  // namespace
}  // namespace storekeeper
