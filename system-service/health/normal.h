// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace storekeeper {

// A normal distribution.
struct Normal {
    double mean = 0;
    double deviation = 0;
};

// What several hypotheses estimate, each by its weight, as one distribution. The deviations are
// averaged, not the variances: the ranges of a mixture are those of most of it, not of its tails.
class Mixture {
  public:
    void Add(double weight, double mean, double variance) {
        mean_ += weight * mean;
        squares_ += weight * mean * mean;
        deviation_ += weight * std::sqrt(std::max(variance, 0.0));  // rounded
    }

    // In units of so much.
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

// Weights that sum up to 1, of the logarithms of such that do not.
inline void Normalize(std::vector<double>* logs) {
    const double best = *std::max_element(logs->begin(), logs->end());
    double sum = 0;
    for (double& weight : *logs) sum += weight = std::exp(weight - best);
    for (double& weight : *logs) weight /= sum;
}

}  // namespace storekeeper
