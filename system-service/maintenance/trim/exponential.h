// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

namespace storekeeper {

// exp(-x) of x >= 0, at most 3e-7 from it. exp() itself would keep 200 KiB of libm in the daemon's
// memory from its first use on.
//
// It is (exp(-x / n))^n, n = 1024, with the first three terms of exp's series: their error, x^3 /
// (6 n^2) of the result, is largest at x = 3.
constexpr double ExponentialOfMinus(double x) {
    constexpr int kSquarings = 10;
    // exp(-kMax) is 2e-28; beyond it the series diverges before long.
    constexpr double kMax = 64;
    if (x > kMax) return 0;
    const double part = x / (1 << kSquarings);
    double power = 1 - part + part * part / 2;
    for (int i = 0; i < kSquarings; ++i) power *= power;
    return power;
}

}  // namespace storekeeper
