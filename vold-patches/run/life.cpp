// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project
//
// Runs vold's own getStorageLifeTime() and getStorageRemainingLifetime(), patched, on stubs. The
// functions are in life.inc, as typecheck.py cuts them out: LIFE_FUNCTIONS of them.

#include "life.inc"

#include <gtest/gtest.h>

#include "fake_properties.h"

#if LIFE_FUNCTIONS > 0

namespace {

int vold_used;
int vold_remaining;

}  // namespace

namespace android::vold {
int32_t GetStorageLifeTime() {
    return vold_used;
}
int32_t GetStorageRemainingLifetime() {
    return vold_remaining;
}
}  // namespace android::vold

namespace {

class PatchedLifeTest : public testing::Test {
  protected:
    // -1 is vold's own answer on an eMMC.
    PatchedLifeTest() { vold_used = vold_remaining = -1; }

    // Past what the kernel reports of the chip in the machine that tests, if any.
    void Enable() {
        properties_.Put("ro.storekeeper.enabled", "true");
        properties_.Put("storekeeper.status.life_used_pct", "70");
        properties_.Put("storekeeper.status.life_remaining_pct", "40");
        if (storekeeper_life_step("") != 0) GTEST_SKIP() << "this machine has an eMMC";
    }
    int Used() {
        int32_t used = 0;
        service_.getStorageLifeTime(&used);
        return used;
    }
    int Remaining() {
#if LIFE_FUNCTIONS > 1
        int32_t remaining = 0;
        service_.getStorageRemainingLifetime(&remaining);
        return remaining;
#else
        return vold_remaining != -1 ? vold_remaining : storekeeper_life_remaining();
#endif
    }

    FakeProperties properties_;
    android::vold::VoldNativeService service_;
};

TEST_F(PatchedLifeTest, IsUnknownAsEverWhereNothingIsSet) {
    EXPECT_EQ(-1, Used());
    EXPECT_EQ(-1, Remaining());
    EXPECT_TRUE(properties_.all().empty());
}

TEST_F(PatchedLifeTest, IsStorekeepersWhereVoldHasNoAnswer) {
    ASSERT_NO_FATAL_FAILURE(Enable());
    if (IsSkipped()) return;
    EXPECT_EQ(70, Used());
    EXPECT_EQ(40, Remaining());
    properties_.Put("storekeeper.status.life_used_pct", "");
    properties_.Put("storekeeper.status.life_remaining_pct", "");
    EXPECT_EQ(-1, Used());
    EXPECT_EQ(-1, Remaining());
}

TEST_F(PatchedLifeTest, IsVoldsWhereItHasOne) {
    ASSERT_NO_FATAL_FAILURE(Enable());
    if (IsSkipped()) return;
    for (const int answer : {0, 20, 100}) {
        vold_used = vold_remaining = answer;
        EXPECT_EQ(answer, Used());
        EXPECT_EQ(answer, Remaining());
    }
}

}  // namespace

#endif
