// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "base/kernel_version.h"

#include <gtest/gtest.h>

namespace storekeeper {
namespace {

TEST(KernelReleaseTest, TakesTheFirstTwoNumbers) {
    const struct {
        const char* release = "";
        KernelVersion version;
    } rows[] = {{"3.4.113-perf-g1a2b3c", {3, 4}},
                {"4.14.190", {4, 14}},
                {"5.10.0-android13+", {5, 10}},
                {"6.12-rc1", {6, 12}},
                {"10.1", {10, 1}}};
    for (const auto& row : rows) EXPECT_EQ(row.version, ParseKernelRelease(row.release));
    EXPECT_LT(*ParseKernelRelease("4.9.1"), *ParseKernelRelease("4.12.0"));
    for (const char* garbage : {"", ".", "5", "5.", "x.1", "-1.2", "5.x", "99999999999.1"}) {
        EXPECT_FALSE(ParseKernelRelease(garbage).has_value()) << garbage;
    }
}

TEST(KernelReleaseTest, ThisKernelHasOne) {
    EXPECT_TRUE(ParseKernelRelease(KernelRelease()).has_value());
}

}  // namespace
}  // namespace storekeeper
