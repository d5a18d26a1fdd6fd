// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "health/use_model.h"

#include <algorithm>
#include <cmath>

#include "health/write_rate.h"

namespace storekeeper {
namespace {

using android::base::Error;
using android::base::Result;

constexpr size_t kMinWeeks = 6;
// Five years; and four weeks in a row as one, which levels out what a person does from week to
// week, fewer where few were seen.
constexpr size_t kMaxWeeks = 260;
constexpr size_t kMaxWeeksPerBlock = 4;
constexpr size_t kMinBlocks = 6;
// 1 MiB a day wears nothing out.
constexpr double kNextToNothing = 1024.0 * 1024;

constexpr double kMemoriesWeeks[] = {3, 10, 30, 90};
constexpr double kSpells[] = {0.05, 0.3, 0.9};
// By how much blocks differ, as a part of the mean, before any was seen: as if these were so many.
// Spells are of larger differences.
constexpr double kPriorBlocks = 2;
constexpr double kPriorVariance = 0.0025;
constexpr double kPriorOfSpells = 12;
// What spells vary by is as unsure as few were seen: by how much their variance may be larger, for
// each part of the time watched that one lasts.
constexpr double kFewSpells = 1.7;
// So unsure is the mean at first.
constexpr double kVague = 1e4;

}  // namespace

void UseModel::Hypothesis::Learn(const std::vector<double>& seen) {
    blocks = static_cast<double>(seen.size());
    const double keeps = std::exp(-1 / memory);
    double squares = kPriorBlocks * kPriorVariance * (1 + kPriorOfSpells * spells * spells);
    double logarithms = 0;
    // The first only says about where the mean is.
    mean = seen.front();
    mean_variance = kVague;
    spell_variance = spells;
    for (double block : seen) {
        const double all = mean_variance + 2 * covariance + spell_variance + 1 - spells;
        const double error = block - mean - spell;
        const double mean_gain = (mean_variance + covariance) / all;
        const double spell_gain = (spell_variance + covariance) / all;
        squares += error * error / all;
        logarithms += std::log(all);
        mean += mean_gain * error;
        mean_variance -= mean_gain * mean_gain * all;
        // A block later.
        spell = keeps * (spell + spell_gain * error);
        covariance = keeps * (covariance - mean_gain * spell_gain * all);
        spell_variance = keeps * keeps * (spell_variance - spell_gain * spell_gain * all) +
                         (1 - keeps * keeps) * spells;
    }
    const double count = kPriorBlocks + blocks - 1;
    variance = squares / count;
    logarithm = -(logarithms + count * std::log(squares)) / 2;
}

Result<UseModel> UseModel::Of(const Ledger& ledger) {
    if (!ledger.written_bytes.has_value()) {
        return Error() << WhyNoBytes(ledger);
    }
    const std::vector<double> weeks = WeeklyBytes(ledger, kMaxWeeks);
    if (weeks.size() < kMinWeeks) {
        return Error() << "too little history: less than " << kMinWeeks << " weeks";
    }
    const size_t per_block = std::clamp<size_t>(weeks.size() / kMinBlocks, 1, kMaxWeeksPerBlock);
    // The oldest first, of weeks that begin with the newest.
    std::vector<double> blocks(weeks.size() / per_block);
    double sum = 0;
    for (size_t i = 0; i < blocks.size() * per_block; ++i) {
        blocks[blocks.size() - 1 - i / per_block] += weeks[i];
        sum += weeks[i];
    }
    UseModel model;
    model.days_per_block_ = 7.0 * static_cast<double>(per_block);
    const double mean = sum / static_cast<double>(blocks.size());
    model.unit_ = mean / model.days_per_block_;
    if (model.unit_ < kNextToNothing) return Error() << "almost no writes";
    for (double& block : blocks) block /= mean;
    for (double weeks_of_memory : kMemoriesWeeks) {
        for (double spells : kSpells) {
            Hypothesis hypothesis{.memory = weeks_of_memory / static_cast<double>(per_block),
                                  .spells = spells};
            hypothesis.Learn(blocks);
            model.weights_.push_back(hypothesis.logarithm);
            model.hypotheses_.push_back(hypothesis);
        }
    }
    Normalize(&model.weights_);
    return model;
}

Normal UseModel::Over(double days) const {
    const double blocks = std::max(days / days_per_block_, 1.0);
    Mixture rate;
    for (size_t i = 0; i < hypotheses_.size(); ++i) {
        const Hypothesis& h = hypotheses_[i];
        const double memory = h.memory / blocks;
        // How much of the present spell is in the mean, and the variance of the spells to come.
        const double part = memory * (1 - std::exp(-1 / memory));
        const double to_come = h.spells * (2 * memory * (1 - part) - part * part) +
                               (1 - h.spells) / blocks +
                               kFewSpells * h.spells * h.memory / h.blocks;
        rate.Add(weights_[i], h.mean + part * h.spell,
                 h.variance * (to_come + h.mean_variance + 2 * part * h.covariance +
                               part * part * h.spell_variance));
    }
    return rate.Total(unit_);
}

}  // namespace storekeeper
