// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/result.h>

#include <vector>

#include "health/ledger.h"
#include "health/normal.h"

namespace storekeeper {

// How much a phone writes, learnt from all weeks that it was watched: a mean of all its use, spells
// of more or less use, and what is of a few weeks alone. Each hypothesis, of how long spells last
// and how much of the variance they are, is a Kalman filter; they count as they agree with the
// weeks.
class UseModel {
  public:
    // An error says why there is none: fewer than six weeks, or next to nothing written.
    static android::base::Result<UseModel> Of(const Ledger& ledger);

    // Mean bytes a day of so many days to come.
    Normal Over(double days) const;

  private:
    // All in units of the mean block; variances and covariance over `variance`.
    struct Hypothesis {
        double memory = 0;    // blocks that a spell lasts
        double spells = 0;    // their part of the variance between blocks
        double variance = 0;  // between blocks
        double mean = 0;      // of all use
        double spell = 0;     // how much more the present one has
        double mean_variance = 0;
        double spell_variance = 0;
        double covariance = 0;
        double blocks = 0;     // seen
        double logarithm = 0;  // of the likelihood

        void Learn(const std::vector<double>& seen);
    };

    UseModel() = default;

    double unit_ = 0;  // bytes a day, about
    double days_per_block_ = 0;
    std::vector<Hypothesis> hypotheses_;
    std::vector<double> weights_;
};

}  // namespace storekeeper
