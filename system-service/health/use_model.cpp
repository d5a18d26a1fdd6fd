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
// At most five years of weeks are used. Four weeks form a block, which levels out differences from
// week to week; with little history a block has fewer weeks.
constexpr size_t kMaxWeeks = 260;
constexpr size_t kMaxWeeksPerBlock = 4;
constexpr size_t kMinBlocks = 6;
// 1 MiB a day does not wear flash out.
constexpr double kNextToNothing = 1024.0 * 1024;

constexpr double kMemoriesWeeks[] = {3, 10, 30, 90};
constexpr double kSpells[] = {0.05, 0.3, 0.9};
// Prior of the variance between blocks, relative to the mean: it weighs as much as this many blocks
// of this variance. With larger spells the prior variance is larger.
constexpr double kPriorBlocks = 2;
constexpr double kPriorVariance = 0.0025;
constexpr double kPriorOfSpells = 12;
// The variance of spells is uncertain if few were observed. This factor enlarges it for each part
// of the observed time that one spell lasts.
constexpr double kFewSpells = 1.7;
// Initial variance of the mean, practically unknown.
constexpr double kVague = 1e4;

}  // namespace

void UseModel::Hypothesis::Learn(const std::vector<double>& seen) {
    blocks = static_cast<double>(seen.size());
    const double keeps = std::exp(-1 / memory);
    double squares = kPriorBlocks * kPriorVariance * (1 + kPriorOfSpells * spells * spells);
    double logarithms = 0;
    // The first block only initialises the mean.
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
        // The spell's state advances by one block.
        spell = keeps * (spell + spell_gain * error);
        covariance = keeps * (covariance - mean_gain * spell_gain * all);
        spell_variance = keeps * keeps * (spell_variance - spell_gain * spell_gain * all) +
                         (1 - keeps * keeps) * spells;
    }
    const double count = kPriorBlocks + blocks - 1;
    variance = squares / count;
    logarithm = -(logarithms + count * std::log(squares)) / 2;
}

Result<UseModel> UseModel::FromLedger(const Ledger& ledger) {
    if (!ledger.written_bytes.has_value()) {
        return Error() << WhyNoBytes(ledger);
    }
    const std::vector<double> weeks = WeeklyBytes(ledger, kMaxWeeks);
    if (weeks.size() < kMinWeeks) {
        return Error() << "too little history: less than " << kMinWeeks << " weeks";
    }
    const size_t per_block = std::clamp<size_t>(weeks.size() / kMinBlocks, 1, kMaxWeeksPerBlock);
    // `blocks` starts with the oldest block, `weeks` with the newest week.
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

Normal UseModel::BytesPerDay(double days) const {
    const double blocks = std::max(days / days_per_block_, 1.0);
    Mixture rate;
    for (size_t i = 0; i < hypotheses_.size(); ++i) {
        const Hypothesis& h = hypotheses_[i];
        const double memory = h.memory / blocks;
        // Weight of the present spell in the mean, and the variance of future spells.
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
