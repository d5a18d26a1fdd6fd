// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <cstdint>

namespace storekeeper {

// SplitMix64, whose output does not compress: a state goes on by the step, and Mixed() of it is the
// number.
inline constexpr uint64_t kSplitMixStep = 0x9e3779b97f4a7c15;

// Neighbours have nothing in common.
constexpr uint64_t Mixed(uint64_t x) {
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
    x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
    return x ^ (x >> 31);
}

}  // namespace storekeeper
