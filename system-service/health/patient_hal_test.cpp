// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "health/patient_hal.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <limits>
#include <memory>
#include <thread>
#include <vector>

#include "base/mutex.h"

namespace storekeeper {
namespace {

using android::base::Error;
using android::base::Result;
using testing::HasSubstr;

constexpr std::chrono::hours kLong(1);
constexpr std::chrono::milliseconds kShort(1);

// A HAL that answers only after Let().
class SlowHal : public DeviceHal {
  public:
    Result<std::vector<HalStorageInfo>> Storage() override {
        MutexLock guard(lock_);
        ++asked_;
        changed_.NotifyAll();
        while (!let_) changed_.Wait(lock_);
        ++answered_;
        changed_.NotifyAll();
        return std::vector<HalStorageInfo>{{.eol = 1, .lifetime_a = asked_}};
    }
    Result<std::vector<HalDiskStats>> Disks() override { return Error() << "no disks"; }
    Result<HalBattery> Battery() override { return Error() << "no battery"; }

    void Let() {
        MutexLock guard(lock_);
        let_ = true;
        changed_.NotifyAll();
    }
    void WaitForAnswers(int count) {
        MutexLock guard(lock_);
        while (answered_ < count) changed_.Wait(lock_);
    }
    void WaitForQuestions(int count) {
        MutexLock guard(lock_);
        while (asked_ < count) changed_.Wait(lock_);
    }
    int asked() {
        MutexLock guard(lock_);
        return asked_;
    }

  private:
    Mutex lock_;
    ConditionVariable changed_;
    bool let_ GUARDED_BY(lock_) = false;
    int asked_ GUARDED_BY(lock_) = 0;
    int answered_ GUARDED_BY(lock_) = 0;
};

TEST(PatientHalTest, PassesAnswersOn) {
    auto slow = std::make_shared<SlowHal>();
    slow->Let();
    PatientHal hal(slow, kLong);
    for (int i = 1; i <= 3; ++i) {
        auto storage = hal.Storage();
        ASSERT_TRUE(storage.ok()) << storage.error();
        EXPECT_EQ(i, storage->front().lifetime_a);
    }
    EXPECT_EQ("no disks", hal.Disks().error().message());
    EXPECT_EQ("no battery", hal.Battery().error().message());
}

TEST(PatientHalTest, AHalThatNeverAnswersIsAskedOnce) {
    auto slow = std::make_shared<SlowHal>();
    {
        PatientHal hal(slow, kShort);
        EXPECT_THAT(hal.Storage().error().message(), HasSubstr("not answered within 1 ms"));
        for (int i = 0; i < 100; ++i) {
            EXPECT_THAT(hal.Storage().error().message(), HasSubstr("an earlier request"));
            EXPECT_THAT(hal.Disks().error().message(), HasSubstr("an earlier request"));
        }
        EXPECT_LE(slow->asked(), 1);
    }
    // The HAL's thread outlives the PatientHal.
    slow->Let();
    slow->WaitForAnswers(1);
}

TEST(PatientHalTest, WithoutAThreadTheHalIsNotAsked) {
    auto slow = std::make_shared<SlowHal>();
    slow->Let();
    PatientHal hal(slow, kLong, std::numeric_limits<size_t>::max() / 8 * 7);
    for (int i = 0; i < 2; ++i) {
        auto storage = hal.Storage();
        ASSERT_FALSE(storage.ok());
        EXPECT_THAT(storage.error().message(),
                    HasSubstr("the health HAL is not asked: cannot start a thread"));
    }
    EXPECT_EQ(0, slow->asked());
}

TEST(PatientHalTest, QuestionsAtOnceAreAllAnswered) {
    auto slow = std::make_shared<SlowHal>();
    PatientHal hal(slow, kLong);
    std::vector<std::string> problems(20);
    std::vector<std::thread> askers;
    askers.emplace_back([&] { problems[0] = hal.Storage().ok() ? "" : "not answered"; });
    slow->WaitForQuestions(1);
    // The other questions begin while the first one is pending.
    std::atomic<size_t> begun = 0;
    for (size_t i = 1; i < problems.size(); ++i) {
        askers.emplace_back([&, i] {
            ++begun;
            Result<std::vector<HalStorageInfo>> storage = hal.Storage();
            if (!storage.ok()) problems[i] = storage.error().message();
        });
    }
    while (begun + 1 < problems.size()) std::this_thread::yield();
    slow->Let();
    for (std::thread& asker : askers) asker.join();
    for (const std::string& problem : problems) EXPECT_EQ("", problem);
    EXPECT_EQ(20, slow->asked());
}

TEST(PatientHalTest, ALateAnswerIsDroppedAndTheNextIsFresh) {
    auto slow = std::make_shared<SlowHal>();
    PatientHal hal(slow, kShort);
    EXPECT_FALSE(hal.Storage().ok());
    slow->Let();
    slow->WaitForAnswers(1);
    Result<std::vector<HalStorageInfo>> storage = hal.Storage();
    // The first question's thread may not have finished yet, or the second question may be slow.
    while (!storage.ok()) storage = hal.Storage();
    EXPECT_GE(storage->front().lifetime_a, 2);
}

}  // namespace
}  // namespace storekeeper
