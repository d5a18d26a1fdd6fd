// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "daemon/wake_lock.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <thread>

namespace storekeeper {
namespace {

using std::chrono::milliseconds;
using testing::HasSubstr;

// android.system.suspend as libpower shows it: acquire() waits until the service is up.
struct Suspend {
    std::atomic<bool> up = true;
    std::atomic<bool> works = true;
    std::atomic<int> held = 0;
    std::atomic<int> asked = 0;
    std::atomic<int> calls = 0;

    WakeLock::Calls Calls(const std::shared_ptr<Suspend>& self) const {
        const auto call = [self](int locks) {
            ++self->asked;
            while (!self->up) std::this_thread::sleep_for(milliseconds(1));
            if (!self->works) return -1;
            self->held = locks;
            ++self->calls;
            return 0;
        };
        return {.acquire = [call] { return call(1); }, .release = [call] { return call(0); }};
    }

    static void Await(const std::atomic<int>& count, int expected) {
        for (int looks = 0; looks < 5000 && count < expected; ++looks) {
            std::this_thread::sleep_for(milliseconds(1));
        }
        EXPECT_EQ(expected, count);
    }
};

class WakeLockTest : public testing::Test {
  protected:
    const std::shared_ptr<Suspend> suspend_ = std::make_shared<Suspend>();
    WakeLock patient_{std::chrono::seconds(10), suspend_->Calls(suspend_)};
    WakeLock hasty_{milliseconds(1), suspend_->Calls(suspend_)};
};

TEST_F(WakeLockTest, IsHeldUntilReleased) {
    EXPECT_TRUE(patient_.Set(false).ok());
    EXPECT_EQ(0, suspend_->calls);
    ASSERT_TRUE(patient_.Set(true).ok());
    ASSERT_TRUE(patient_.Set(true).ok());
    EXPECT_EQ(1, suspend_->held);
    ASSERT_TRUE(patient_.Set(false).ok());
    EXPECT_EQ(0, suspend_->held);
    EXPECT_EQ(2, suspend_->calls);
}

TEST_F(WakeLockTest, AskedAgainAfterAFailure) {
    suspend_->works = false;
    const auto refused = patient_.Set(true);
    ASSERT_FALSE(refused.ok());
    EXPECT_THAT(refused.error().message(), HasSubstr("gives no wake lock 'storekeeper'"));
    suspend_->works = true;
    EXPECT_TRUE(patient_.Set(true).ok());
}

// Declared in the manifest and not running.
TEST_F(WakeLockTest, ARunDoesNotWaitForAServiceThatIsNotUp) {
    suspend_->up = false;
    const auto late = hasty_.Set(true);
    ASSERT_FALSE(late.ok());
    EXPECT_THAT(late.error().message(), HasSubstr("has not answered within 1 ms"));
    suspend_->up = true;
    Suspend::Await(suspend_->calls, 1);
    EXPECT_EQ(1, suspend_->held);
}

TEST_F(WakeLockTest, ALockThatComesAfterTheRunIsGivenBack) {
    suspend_->up = false;
    EXPECT_FALSE(hasty_.Set(true).ok());
    Suspend::Await(suspend_->asked, 1);
    EXPECT_FALSE(hasty_.Set(false).ok());
    suspend_->up = true;
    Suspend::Await(suspend_->calls, 2);
    EXPECT_EQ(0, suspend_->held);
}

}  // namespace
}  // namespace storekeeper
