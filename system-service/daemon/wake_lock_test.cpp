// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "daemon/wake_lock.h"

#include <android-base/file.h>
#include <gtest/gtest.h>
#include <stdlib.h>

namespace storekeeper {
namespace {

TEST(WakeLockTest, IsHeldUntilReleased) {
    // The virtual phone's libpower (lab/power) uses this variable; a device's ignores it.
    TemporaryDir folder;
    setenv("STOREKEEPER_WAKE_LOCKS", folder.path, 1);
    EXPECT_FALSE(ReleaseWakeLock().ok());
    ASSERT_TRUE(AcquireWakeLock().ok());
    EXPECT_TRUE(AcquireWakeLock().ok());
    EXPECT_TRUE(ReleaseWakeLock().ok());
    EXPECT_FALSE(ReleaseWakeLock().ok());
}

}  // namespace
}  // namespace storekeeper
