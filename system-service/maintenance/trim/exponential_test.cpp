// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "maintenance/trim/exponential.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace storekeeper {
namespace {

TEST(ExponentialTest, IsNearThatOfLibm) {
    double before = 1;
    for (double x = 0; x < 70; x += 1.0 / 128) {
        const double value = ExponentialOfMinus(x);
        EXPECT_NEAR(std::exp(-x), value, 3e-7) << x;
        EXPECT_LE(value, before) << x;
        EXPECT_GE(value, 0) << x;
        before = value;
    }
}

// The model divides by 1 - exp(-x), of a small discard on a card of long free extents.
TEST(ExponentialTest, DiffersFromOneByTheRightShare) {
    for (double x = 1e-6; x < 1; x *= 1.5) {
        EXPECT_NEAR(-std::expm1(-x), 1 - ExponentialOfMinus(x), 1e-6 * x) << x;
    }
}

TEST(ExponentialTest, EndsInZero) {
    EXPECT_EQ(1, ExponentialOfMinus(0));
    for (const double x : {65.0, 65536.0, 1e300, std::numeric_limits<double>::infinity()}) {
        EXPECT_EQ(0, ExponentialOfMinus(x)) << x;
    }
}

}  // namespace
}  // namespace storekeeper
