// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <cmath>
#include <cstdint>

#include "base/split_mix.h"

namespace storekeeper {

// Random numbers that are the same for the same seed with any standard library.
class Draws {
  public:
    explicit Draws(uint64_t seed) : state_(Mixed(seed)) {}

    // Uniform from 0 up to, but not including, 1.
    double Share() { return static_cast<double>(Mixed(state_ += kSplitMixStep) >> 11) * 0x1p-53; }
    double Between(double low, double high) { return low + (high - low) * Share(); }
    // Log-uniform: each doubling is equally likely.
    double LogBetween(double low, double high) { return low * std::pow(high / low, Share()); }
    // Normal, with mean 0 and standard deviation 1.
    double Normal() { return std::sqrt(-2 * std::log(1 - Share())) * std::cos(kTwoPi * Share()); }
    // Exponential, with mean 1.
    double Exponential() { return -std::log(1 - Share()); }

  private:
    // libc++ of Android 11 has no <numbers>.
    static constexpr double kTwoPi = 6.283185307179586;
    uint64_t state_;
};

}  // namespace storekeeper
