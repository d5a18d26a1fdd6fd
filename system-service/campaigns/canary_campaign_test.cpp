// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "campaigns/canary_campaign.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace storekeeper {
namespace {

using testing::IsEmpty;

// Some of the lives; `lab soak canary` tries all.
TEST(CanaryCampaignTest, QuarantinesEachCardThatHarmsAndNoOther) {
    const CampaignResult result = CanaryCampaign({.stride = 25});
    EXPECT_EQ(40U, result.total());
    EXPECT_THAT(result.failures, IsEmpty());
}

}  // namespace
}  // namespace storekeeper
