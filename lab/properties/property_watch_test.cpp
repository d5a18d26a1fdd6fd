// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "property_watch.h"

#include <android-base/file.h>
#include <android-base/parseint.h>
#include <android-base/strings.h>
#include <gtest/gtest.h>
#include <stdio.h>

#include <string>
#include <thread>
#include <vector>

#include "property_store.h"

namespace storekeeper::lab {
namespace {

using std::chrono::milliseconds;
using Names = std::vector<std::string>;

class PropertyWatchTest : public testing::Test {
  protected:
    PropertyStore store() const {
        return PropertyStore(directory_.path, std::string(directory_.path) + "/no_data");
    }

    TemporaryDir directory_;
};

TEST_F(PropertyWatchTest, NamesEachChangedPropertyOnceInOrderOfLastChange) {
    auto watch = store().Watch();
    ASSERT_TRUE(watch.ok()) << watch.error();
    ASSERT_TRUE(store().Set("first", "1").ok());
    ASSERT_TRUE(store().Set("ro.second", "1").ok());
    ASSERT_TRUE(store().Set("third", "1").ok());
    ASSERT_TRUE(store().Set("first", "2").ok());
    ASSERT_TRUE(store().Set("third", "1").ok());
    const auto ready = watch->Wait(milliseconds::max());
    ASSERT_TRUE(ready.ok() && *ready);
    const auto changes = watch->Read();
    ASSERT_TRUE(changes.ok()) << changes.error();
    EXPECT_EQ((Names{"ro.second", "first", "third"}), changes->names);
    EXPECT_FALSE(changes->overflowed);
}

TEST_F(PropertyWatchTest, ReadsNothingWithoutBlocking) {
    ASSERT_TRUE(store().Set("before", "1").ok());
    auto watch = store().Watch();
    ASSERT_TRUE(watch.ok()) << watch.error();
    const auto changes = watch->Read();
    ASSERT_TRUE(changes.ok()) << changes.error();
    EXPECT_EQ(Names{}, changes->names);
    EXPECT_FALSE(*watch->Wait(milliseconds::zero()));
}

TEST_F(PropertyWatchTest, IgnoresWhatIsNoProperty) {
    auto watch = store().Watch();
    ASSERT_TRUE(watch.ok()) << watch.error();
    ASSERT_TRUE(android::base::WriteStringToFile("x",
                                                 std::string(directory_.path) + "/not a property"));
    ASSERT_FALSE(store().Set("bad name", "1").ok());
    EXPECT_EQ(Names{}, watch->Read()->names);
}

TEST_F(PropertyWatchTest, SaysSoWhenTheKernelDroppedEvents) {
    std::string limit;
    ASSERT_TRUE(android::base::ReadFileToString("/proc/sys/fs/inotify/max_queued_events", &limit));
    int queued = 0;
    ASSERT_TRUE(android::base::ParseInt(android::base::Trim(limit), &queued)) << limit;
    if (queued > 100'000) GTEST_SKIP() << "the event queue of this machine is too long to fill";
    auto watch = store().Watch();
    ASSERT_TRUE(watch.ok()) << watch.error();
    // Alternating names, because the kernel merges an event with an equal one before it. By rename
    // alone: written files would wait for the disk 16,384 times.
    ASSERT_TRUE(store().Set("a", "1").ok());
    const std::string a = std::string(directory_.path) + "/a";
    const std::string b = std::string(directory_.path) + "/b";
    for (int i = 0; i <= queued; ++i) {
        ASSERT_EQ(0, i % 2 ? rename(b.c_str(), a.c_str()) : rename(a.c_str(), b.c_str()));
    }
    const auto changes = watch->Read();
    ASSERT_TRUE(changes.ok()) << changes.error();
    EXPECT_TRUE(changes->overflowed);
    ASSERT_TRUE(store().Set("after", "1").ok());
    EXPECT_EQ(Names{"after"}, watch->Read()->names);
}

TEST_F(PropertyWatchTest, WaitForReturnsAtOnceWhatIsThere) {
    ASSERT_TRUE(store().Set("a", "1").ok());
    EXPECT_TRUE(*store().WaitFor("a", "1", milliseconds::zero()));
    EXPECT_TRUE(*store().WaitFor("a", std::nullopt, milliseconds::zero()));
    EXPECT_FALSE(*store().WaitFor("a", "2", milliseconds::zero()));
    EXPECT_FALSE(*store().WaitFor("b", std::nullopt, milliseconds::zero()));
    EXPECT_FALSE(store().WaitFor("no name", std::nullopt, milliseconds::zero()).ok());
}

TEST_F(PropertyWatchTest, WaitForSleepsUntilTheValueArrives) {
    // The value arrives once the waiter has its watch or before it looked; both must end the wait.
    for (int round = 0; round < 50; ++round) {
        const std::string name = "wait." + std::to_string(round);
        std::thread setter([&] {
            EXPECT_TRUE(store().Set(name, "no").ok());
            EXPECT_TRUE(store().Set("other", "yes").ok());
            EXPECT_TRUE(store().Set(name, "yes").ok());
        });
        const auto found = store().WaitFor(name, "yes", milliseconds::max());
        setter.join();
        ASSERT_TRUE(found.ok()) << found.error();
        EXPECT_TRUE(*found);
    }
}

TEST_F(PropertyWatchTest, WaitForEndsByItsTimeout) {
    using Clock = std::chrono::steady_clock;
    const Clock::time_point start = Clock::now();
    EXPECT_FALSE(*store().WaitFor("never", "1", milliseconds(20)));
    EXPECT_GE(Clock::now() - start, milliseconds(20));
}

}  // namespace
}  // namespace storekeeper::lab
