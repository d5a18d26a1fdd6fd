// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "platform/instance_lock.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <optional>

#include "testing/tree.h"

namespace storekeeper {
namespace {

using android::base::Result;
using testing::HasSubstr;

TEST(InstanceLockTest, RefusesASecondHolderAndNamesTheFirst) {
    Tree tree;
    std::string path = tree.PathOf("/lock");
    Result<InstanceLock> first = InstanceLock::Acquire(path);
    ASSERT_TRUE(first.ok()) << first.error();
    // Locks belong to open files, so one process can play both.
    Result<InstanceLock> second = InstanceLock::Acquire(path);
    ASSERT_FALSE(second.ok());
    EXPECT_EQ(EWOULDBLOCK, second.error().code());
    EXPECT_THAT(second.error().message(),
                HasSubstr("another storekeeperd (pid " + std::to_string(getpid()) + ")"));
}

TEST(InstanceLockTest, IsFreeAfterTheHolderHasGone) {
    Tree tree;
    tree.Write("/lock", "99999\n");  // left behind by one that died
    { ASSERT_TRUE(InstanceLock::Acquire(tree.PathOf("/lock")).ok()); }
    EXPECT_TRUE(InstanceLock::Acquire(tree.PathOf("/lock")).ok());
}

TEST(InstanceLockTest, NamesAMissingDirectory) {
    Tree tree;
    EXPECT_THAT(InstanceLock::Acquire(tree.PathOf("/none/lock")).error().message(),
                HasSubstr("cannot open the lock file"));
}

}  // namespace
}  // namespace storekeeper
