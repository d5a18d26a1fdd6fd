// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace storekeeper {

struct Normal {
    double mean = 0;
    double deviation = 0;
};

// Combines the weighted estimates of several hypotheses into one distribution. Deviations are
// averaged, not variances: the result covers the bulk of the mixture, not its tails.
class Mixture {
  public:
    void Add(double weight, double mean, double variance) {
        mean_ += weight * mean;
        squares_ += weight * mean * mean;
        // rounding may make the variance negative
        deviation_ += weight * std::sqrt(std::max(variance, 0.0));
    }

    // The combined distribution, scaled by `unit`.
    Normal Total(double unit) const {
        const double between = std::max(squares_ - mean_ * mean_, 0.0);
        return {.mean = unit * mean_,
                .deviation = unit * std::sqrt(deviation_ * deviation_ + between)};
    }

  private:
    double mean_ = 0;
    double squares_ = 0;
    double deviation_ = 0;
};

// Converts logarithms of weights to weights with the sum 1.
inline void Normalize(std::vector<double>* logs) {
    const double best = *std::max_element(logs->begin(), logs->end());
    double sum = 0;
    for (double& weight : *logs) sum += weight = std::exp(weight - best);
    for (double& weight : *logs) weight /= sum;
}

}  // namespace storekeeper
