// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/result.h>

#include <vector>

#include "health/ledger.h"
#include "health/normal.h"

namespace storekeeper {

// Model of a phone's writes, learnt from all observed weeks: a long-term mean, spells of more or
// less use, and noise of single blocks of weeks. Each hypothesis assumes a length of spells and
// their share of the variance, and is a Kalman filter. Hypotheses are weighted by their agreement
// with the observed weeks.
class UseModel {
  public:
    // Fails with fewer than six weeks, or with almost no writes.
    static android::base::Result<UseModel> FromLedger(const Ledger& ledger);

    // Mean bytes per day over the next `days`.
    Normal BytesPerDay(double days) const;

  private:
    // Units: the mean block; variances and covariance are relative to `variance`.
    struct Hypothesis {
        double memory = 0;    // length of a spell in blocks
        double spells = 0;    // share of spells in the variance between blocks
        double variance = 0;  // variance between blocks
        double mean = 0;      // long-term mean
        double spell = 0;     // excess of the present spell over the mean
        double mean_variance = 0;
        double spell_variance = 0;
        double covariance = 0;
        double blocks = 0;     // number of observed blocks
        double logarithm = 0;  // log likelihood

        void Learn(const std::vector<double>& seen);
    };

    UseModel() = default;

    double unit_ = 0;  // mean bytes per day
    double days_per_block_ = 0;
    std::vector<Hypothesis> hypotheses_;
    std::vector<double> weights_;
};

}  // namespace storekeeper
