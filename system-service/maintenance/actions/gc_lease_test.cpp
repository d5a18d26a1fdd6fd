// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "maintenance/actions/gc_lease.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/sysmacros.h>

#include "testing/dirty_f2fs.h"

namespace storekeeper {
namespace {

using std::chrono::minutes;
using testing::HasSubstr;

class GcLeaseTest : public DirtyF2fsTest {
  protected:
    android::base::Result<std::optional<GcLease::Result>> Run() {
        return GcLease(files_, clock_, pauser_, Properties(), terms_)
                .Run({makedev(179, 2)}, most_bytes_, stop_);
    }

    uint64_t most_bytes_ = UINT64_MAX;
};

TEST_F(GcLeaseTest, EndsWhenLittleIsDirty) {
    auto result = Run();
    ASSERT_TRUE(result.ok() && result->has_value());
    EXPECT_EQ("few dirty segments left", (*result)->ended);
    EXPECT_EQ(400U, (*result)->dirty_before);
    EXPECT_EQ(80U, (*result)->dirty_after);
    EXPECT_EQ(160U << 20, (*result)->written_bytes);
    EXPECT_EQ("0\n", Urgent());
}

TEST_F(GcLeaseTest, KernelsShowUrgencyInDifferentWays) {
    for (const char* urgent : {"1\n", "3\n", "4\n", "4 (urgent)\n"}) {
        urgent_ = urgent;
        dirty_ = 400;
        Show();
        EXPECT_EQ("few dirty segments left", (**Run()).ended) << urgent;
        EXPECT_EQ("0\n", Urgent());
    }
}

TEST_F(GcLeaseTest, ExpiresByTimeAndByBytes) {
    dirty_ = 100000;
    Show();
    EXPECT_EQ("write limit reached", (**Run()).ended);
    terms_.most_written_bytes = UINT64_MAX;
    auto result = Run();
    EXPECT_EQ("time limit reached", (**result).ended);
    EXPECT_EQ(minutes(7), (**result).duration);
    EXPECT_EQ("0\n", Urgent());
}

TEST_F(GcLeaseTest, AStopAndTheFrameworkEndIt) {
    during_ = [this] { stop_.Raise("somebody touched the screen"); };
    EXPECT_EQ("somebody touched the screen", (**Run()).ended);
    EXPECT_EQ("0\n", Urgent());
    stop_.Reset();
    during_ = [this] {
        properties_["persist.device_config.storage_native_boot.smart_idle_maint_enabled"] = "true";
    };
    EXPECT_THAT((**Run()).ended, HasSubstr("smart idle maintenance is enabled"));
    EXPECT_EQ("0\n", Urgent());
    // From then on there is no lease.
    EXPECT_EQ(std::nullopt, *Run());
}

TEST_F(GcLeaseTest, IsOffByDefaultAndWhereSomebodyElseHasIt) {
    terms_ = {};
    EXPECT_EQ(std::nullopt, *Run());
    terms_.longest = minutes(7);
    tree_.Write(std::string(kFolder) + "gc_urgent", "3\n");
    EXPECT_THAT(Run().error().message(), HasSubstr("another process has set gc_urgent to 3"));
    EXPECT_EQ("3\n", Urgent());
}

TEST_F(GcLeaseTest, WithoutInitNothingIsLeft) {
    init_works_ = false;
    auto result = Run();
    ASSERT_TRUE(result.ok());
    EXPECT_THAT((*result)->ended, HasSubstr("init did not set gc_urgent"));
    EXPECT_EQ("0", properties_["storekeeper.gc.urgent"]);
}

TEST_F(GcLeaseTest, LeavesItToTheFrameworkByEachWordForTrue) {
    for (const char* value : {"1", "true"}) {
        properties_["persist.device_config.storage_native_boot.smart_idle_maint_enabled"] = value;
        EXPECT_FALSE((*Run()).has_value()) << value;
    }
}

TEST_F(GcLeaseTest, TheNextDaemonEndsWhatTheLastLeft) {
    Set("storekeeper.gc.urgent", "1");
    GcLease next(files_, clock_, pauser_, Properties(), terms_);
    ASSERT_TRUE(next.Restore().ok());
    EXPECT_EQ("0\n", Urgent());
}

}  // namespace
}  // namespace storekeeper
