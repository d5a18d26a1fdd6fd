// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "platform/wake_lock.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "testing/tree.h"

namespace storekeeper {
namespace {

using android::base::Result;
using testing::HasSubstr;

TEST(WakeLockTest, WritesNameAndTimeAsTheKernelWantsThem) {
    Tree tree;
    tree.Write("/sys/power/wake_lock", "");
    tree.Write("/sys/power/wake_unlock", "");
    KernelWakeLock lock(tree.PathOf("/sys/power"));
    ASSERT_TRUE(lock.Acquire(std::chrono::seconds(2)).ok());
    EXPECT_EQ("storekeeper 2000000000", tree.Read("/sys/power/wake_lock"));
    ASSERT_TRUE(lock.Release().ok());
    EXPECT_EQ("storekeeper", tree.Read("/sys/power/wake_unlock"));
}

TEST(WakeLockTest, WithoutTheFileItIsAnErrorAndNoFileAppears) {
    Tree tree;
    tree.MakeDirectory("/sys/power");
    KernelWakeLock lock(tree.PathOf("/sys/power"));
    Result<void> held = lock.Acquire(std::chrono::seconds(2));
    ASSERT_FALSE(held.ok());
    EXPECT_THAT(held.error().message(), HasSubstr("/sys/power/wake_lock"));
    EXPECT_FALSE(tree.files().Exists("/sys/power/wake_lock"));
}

}  // namespace
}  // namespace storekeeper
