// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "maintenance/trim/card_model.h"

#include <algorithm>
#include <cmath>

#include "base/json_fields.h"

namespace storekeeper {
namespace {

using std::chrono::microseconds;
using std::chrono::nanoseconds;

constexpr double kMib = 1 << 20;
// The smallest unit that Linux derives for an eMMC (drivers/mmc/core/core.c, mmc_init_erase()).
constexpr uint64_t kFirstDiscardBytes = 512 << 10;
// A frame of a 60 Hz display: a longer wait can be seen.
constexpr microseconds kFrame(16700);

nanoseconds Scaled(nanoseconds time, double factor) {
    return nanoseconds(static_cast<int64_t>(static_cast<double>(time.count()) * factor));
}

}  // namespace

nanoseconds DiscardCost::TimeOf(uint64_t bytes) const {
    return fixed + Scaled(per_mib, static_cast<double>(bytes) / kMib);
}

void CardModel::Record(uint64_t cut_bytes, uint64_t discards, uint64_t bytes, nanoseconds took) {
    if (discards == 0 || bytes < discards || took <= nanoseconds(0)) return;
    const uint64_t mean = bytes / discards;
    // The ends of extents are smaller, and f2fs sends each discard in two parts where its partition
    // is not aligned to the granularity: the mean of whole ones may be below a half.
    if (mean >= cut_bytes / 4) largest_seen_ = std::max(largest_seen_, cut_bytes);
    const auto half_powers = static_cast<int>(std::lround(2 * std::log2(mean)));
    samples_[half_powers].push_back({took / static_cast<int64_t>(discards), mean});
}

std::vector<CardModel::Sample> CardModel::LowerQuartiles() const {
    std::vector<Sample> quartiles;
    for (const auto& [half_powers, all] : samples_) {
        std::vector<Sample> samples = all;
        const auto quartile = samples.begin() + static_cast<ptrdiff_t>(samples.size() / 4);
        std::nth_element(samples.begin(), quartile, samples.end(),
                         [](const Sample& one, const Sample& other) {
                             return one.time < other.time;
                         });
        quartiles.push_back(*quartile);
    }
    return quartiles;
}

std::optional<DiscardCost> CardModel::Estimate() const {
    const std::vector<Sample> quartiles = LowerQuartiles();
    if (quartiles.empty()) return remembered_;
    const auto [low_time, low] = quartiles.front();
    const auto [high_time, high] = quartiles.back();
    // Closer sizes differ by chance more than by their cost.
    if (2 * high < 3 * low) {
        if (!remembered_.has_value()) return std::nullopt;
        const double slower = static_cast<double>(high_time.count()) /
                              static_cast<double>(remembered_->TimeOf(high).count());
        return DiscardCost{Scaled(remembered_->fixed, slower),
                           Scaled(remembered_->per_mib, slower)};
    }
    const nanoseconds per_mib = Scaled(std::max(high_time - low_time, nanoseconds(0)),
                                       kMib / static_cast<double>(high - low));
    const nanoseconds fixed = low_time - Scaled(per_mib, static_cast<double>(low) / kMib);
    if (fixed >= nanoseconds(0)) return DiscardCost{fixed, per_mib};
    return DiscardCost{.per_mib = Scaled(high_time, kMib / static_cast<double>(high))};
}

std::optional<nanoseconds> CardModel::TimeOf(uint64_t bytes) const {
    if (const std::optional<DiscardCost> cost = Estimate(); cost.has_value()) {
        return cost->TimeOf(bytes);
    }
    const std::vector<Sample> quartiles = LowerQuartiles();
    if (quartiles.empty()) return std::nullopt;
    const Sample& seen = quartiles.back();
    return Scaled(seen.time, static_cast<double>(bytes) / static_cast<double>(seen.bytes));
}

uint64_t CardModel::LargestToTry(const DiscardLimits& limits, nanoseconds budget) const {
    const std::vector<Sample> quartiles = LowerQuartiles();
    uint64_t most = kFirstDiscardBytes;
    if (remembered_.has_value()) {
        if (quartiles.empty()) return limits.largest;
        most = CardModel(remembered_).ChooseDiscardSize(limits, budget);
    }
    if (quartiles.empty()) return most;
    while (most / 2 < largest_seen_ && most < limits.largest) most *= 2;
    return most;
}

uint64_t CardModel::ChooseDiscardSize(const DiscardLimits& limits, nanoseconds budget) const {
    const std::optional<DiscardCost> cost = Estimate();
    const nanoseconds allowed =
            cost.has_value() ? std::max(budget, 2 * cost->fixed) : nanoseconds(kFrame);
    const uint64_t most = LargestToTry(limits, budget);
    const auto fits = [&](uint64_t bytes) {
        if (bytes > most) return false;
        const std::optional<nanoseconds> time = TimeOf(bytes);
        return !time.has_value() || *time <= allowed;
    };
    if (fits(limits.largest)) return limits.largest;
    uint64_t size = limits.granularity;
    while (size * 2 < limits.largest && fits(size * 2)) size *= 2;
    return size;
}

// The record `discards`.
struct ChipCost {
    std::string chip;
    DiscardCost cost;
};

static void Fields(JsonFields& json, ChipCost& known) {
    json("chip", known.chip);
    json("fixed_ns", known.cost.fixed);
    json("per_mib_ns", known.cost.per_mib);
}

std::optional<DiscardCost> FindDiscardCost(const RecordFile& records, const std::string& chip) {
    const auto known = ParseFields<ChipCost>(records.Last(RecordKind::kDiscards));
    // No chip is quicker than that, so such a record is damaged.
    if (!known.ok() || known->chip != chip || known->cost.TimeOf(1 << 20) < microseconds(1)) {
        return std::nullopt;
    }
    return known->cost;
}

void PutDiscardCost(RecordFile* records, const std::string& chip, const DiscardCost& cost) {
    records->Put(RecordKind::kDiscards, WriteFields(ChipCost{chip, cost}));
}

}  // namespace storekeeper
