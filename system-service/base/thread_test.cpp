// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "base/thread.h"

#include <errno.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <future>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

namespace storekeeper {
namespace {

using testing::StartsWith;

TEST(ThreadTest, IsJoinedWhenItGoes) {
    int value = 0;
    {
        auto thread = Thread::Start([&value] { value = 1; });
        ASSERT_TRUE(thread.ok()) << thread.error();
        std::vector<Thread> threads;
        threads.push_back(std::move(*thread));
    }
    EXPECT_EQ(1, value);
}

TEST(ThreadTest, GoesOnWhenItIsDetached) {
    auto release = std::make_shared<std::promise<void>>();
    auto ended = std::make_shared<std::promise<void>>();
    {
        auto thread = Thread::Start([release, ended] {
            release->get_future().wait();
            ended->set_value();
        });
        ASSERT_TRUE(thread.ok()) << thread.error();
        thread->Detach();
    }
    release->set_value();
    ended->get_future().wait();
}

// A stack larger than the address space stands for any exhausted limit.
TEST(ThreadTest, ALimitIsAnError) {
    auto thread = Thread::Start([] {}, std::numeric_limits<size_t>::max() / 8 * 7);
    ASSERT_FALSE(thread.ok());
    EXPECT_EQ(EAGAIN, thread.error().code());
    EXPECT_THAT(thread.error().message(), StartsWith("cannot start a thread"));
}

}  // namespace
}  // namespace storekeeper
