// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <cstdint>

namespace storekeeper {

// SplitMix64, a generator whose output does not compress. Each number is Mixed() of a state that
// grows by this step.
inline constexpr uint64_t kSplitMixStep = 0x9e3779b97f4a7c15;

// Maps each state to a number of its own, and maps neighbours to unrelated values.
constexpr uint64_t Mixed(uint64_t x) {
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
    x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
    return x ^ (x >> 31);
}

}  // namespace storekeeper
