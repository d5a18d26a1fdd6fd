// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "base/instance_lock.h"

#include <errno.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "testing/tree.h"

namespace storekeeper {
namespace {

using android::base::Result;
using testing::HasSubstr;

TEST(InstanceLockTest, RefusesASecondHolder) {
    Tree tree;
    tree.Write("/program", "x");
    const std::string path = tree.PathOf("/program");
    Result<InstanceLock> first = InstanceLock::Acquire(path);
    ASSERT_TRUE(first.ok()) << first.error();
    // Locks belong to open files, so one process can play both.
    Result<InstanceLock> second = InstanceLock::Acquire(path);
    ASSERT_FALSE(second.ok());
    EXPECT_EQ(EWOULDBLOCK, second.error().code());
    EXPECT_THAT(second.error().message(), HasSubstr("another process holds the lock on " + path));
}

TEST(InstanceLockTest, IsFreeAfterTheHolderHasGone) {
    Tree tree;
    tree.Write("/program", "x");
    { ASSERT_TRUE(InstanceLock::Acquire(tree.PathOf("/program")).ok()); }
    EXPECT_TRUE(InstanceLock::Acquire(tree.PathOf("/program")).ok());
}

TEST(InstanceLockTest, WritesNothing) {
    Tree tree;
    tree.Write("/program", "x");
    ASSERT_EQ(0, chmod(tree.PathOf("/program").c_str(), 0444));
    EXPECT_TRUE(InstanceLock::Acquire(tree.PathOf("/program")).ok());
    EXPECT_EQ("x", tree.Read("/program"));
    EXPECT_EQ(ENOENT, InstanceLock::Acquire(tree.PathOf("/none")).error().code());
    EXPECT_FALSE(tree.files().Exists("/none"));
}

}  // namespace
}  // namespace storekeeper
