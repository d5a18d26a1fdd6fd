// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "base/instance_lock.h"

#include <errno.h>
#include <gmock/gmock.h>
#include <grp.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "testing/tree.h"

namespace storekeeper {
namespace {

using android::base::Result;
using testing::HasSubstr;

TEST(InstanceLockTest, RefusesASecondHolder) {
    Tree tree;
    tree.MakeDirectory("/state");
    const std::string path = tree.PathOf("/state");
    Result<InstanceLock> first = InstanceLock::Acquire(path);
    ASSERT_TRUE(first.ok()) << first.error();
    // Locks belong to open files, so one process can act as both.
    Result<InstanceLock> second = InstanceLock::Acquire(path);
    ASSERT_FALSE(second.ok());
    EXPECT_EQ(EWOULDBLOCK, second.error().code());
    EXPECT_THAT(second.error().message(), HasSubstr("another process holds the lock on " + path));
}

TEST(InstanceLockTest, IsFreeAfterTheHolderHasGone) {
    Tree tree;
    tree.MakeDirectory("/state");
    { ASSERT_TRUE(InstanceLock::Acquire(tree.PathOf("/state")).ok()); }
    EXPECT_TRUE(InstanceLock::Acquire(tree.PathOf("/state")).ok());
}

// Runs as uid shell, which may execute programs but may not open the state folder.
TEST(InstanceLockTest, AUidThatMayNotOpenTheFolderCannotLockIt) {
    if (geteuid() != 0) GTEST_SKIP() << "only root can become somebody else";
    constexpr uid_t kShell = 2000;
    Tree tree;
    tree.MakeDirectory("/state");
    ASSERT_EQ(0, chmod(tree.root().c_str(), 0755));
    ASSERT_EQ(0, chmod(tree.PathOf("/state").c_str(), 0700));
    const pid_t other = fork();
    if (other == 0) {
        const bool is_shell = setgroups(0, nullptr) == 0 && setresuid(kShell, kShell, kShell) == 0;
        const Result<InstanceLock> lock = InstanceLock::Acquire(tree.PathOf("/state"));
        _exit(is_shell && !lock.ok() && lock.error().code() == EACCES ? 0 : 1);
    }
    int status = -1;
    ASSERT_EQ(other, waitpid(other, &status, 0));
    EXPECT_EQ(0, status);
}

TEST(InstanceLockTest, WritesNothing) {
    Tree tree;
    tree.MakeDirectory("/state");
    ASSERT_EQ(0, chmod(tree.PathOf("/state").c_str(), 0500));
    EXPECT_TRUE(InstanceLock::Acquire(tree.PathOf("/state")).ok());
    EXPECT_EQ(ENOENT, InstanceLock::Acquire(tree.PathOf("/none")).error().code());
    EXPECT_FALSE(tree.files().Exists("/none"));
    tree.Write("/file", "x");
    EXPECT_TRUE(InstanceLock::Acquire(tree.PathOf("/file")).ok());
    EXPECT_EQ("x", tree.Read("/file"));
}

}  // namespace
}  // namespace storekeeper
