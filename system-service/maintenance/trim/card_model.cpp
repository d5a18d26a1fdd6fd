// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "maintenance/trim/card_model.h"

#include <android-base/parseint.h>
#include <android-base/strings.h>

#include <algorithm>
#include <bit>
#include <utility>

#include "base/tokens.h"

namespace storekeeper {
namespace {

using std::chrono::microseconds;
using std::chrono::nanoseconds;

constexpr double kMib = 1 << 20;
// The smallest unit that Linux derives for an eMMC (drivers/mmc/core/core.c, mmc_init_erase()).
constexpr uint64_t kFirstDiscardBytes = 512 << 10;
// A frame of a 60 Hz display: a longer wait can be seen.
constexpr microseconds kFrame(16700);
// /data, adopted storage, and a card or two that come and go.
constexpr size_t kMaxChips = 4;

nanoseconds Times(nanoseconds time, double factor) {
    return nanoseconds(static_cast<int64_t>(static_cast<double>(time.count()) * factor));
}

// Entries "chip fixed_ns per_mib_ns", a tab between them, the newest first.
std::vector<std::pair<std::string, DiscardCost>> Remembered(const RecordFile& records) {
    std::vector<std::pair<std::string, DiscardCost>> chips;
    for (const std::string& entry :
         android::base::Split(records.Last(RecordKind::kDiscards), "\t")) {
        const std::vector<std::string> words = Tokenize(entry, " ");
        int64_t fixed = 0;
        int64_t per_mib = 0;
        if (words.size() == 3 && android::base::ParseInt(words[1], &fixed, int64_t{0}) &&
            android::base::ParseInt(words[2], &per_mib, int64_t{0})) {
            chips.emplace_back(words[0], DiscardCost{nanoseconds(fixed), nanoseconds(per_mib)});
        }
    }
    return chips;
}

}  // namespace

nanoseconds DiscardCost::TimeOf(uint64_t bytes) const {
    return fixed + Times(per_mib, static_cast<double>(bytes) / kMib);
}

void CardModel::Record(uint64_t discards, uint64_t bytes, nanoseconds took) {
    if (discards == 0 || bytes < discards || took <= nanoseconds(0)) return;
    const uint64_t mean = bytes / discards;
    samples_[std::bit_width(mean)].push_back({took / static_cast<int64_t>(discards), mean});
}

std::vector<CardModel::Sample> CardModel::Typical() const {
    std::vector<Sample> typical;
    for (const auto& [bits, all] : samples_) {
        std::vector<Sample> samples = all;
        const auto quartile = samples.begin() + static_cast<ptrdiff_t>(samples.size() / 4);
        std::nth_element(samples.begin(), quartile, samples.end(),
                         [](const Sample& one, const Sample& other) {
                             return one.time < other.time;
                         });
        typical.push_back(*quartile);
    }
    return typical;
}

std::optional<DiscardCost> CardModel::Estimate() const {
    const std::vector<Sample> typical = Typical();
    if (typical.empty()) return remembered_;
    const auto [low_time, low] = typical.front();
    const auto [high_time, high] = typical.back();
    if (high < 2 * low) {
        if (!remembered_.has_value()) return std::nullopt;
        const double slower = static_cast<double>(high_time.count()) /
                              static_cast<double>(remembered_->TimeOf(high).count());
        return DiscardCost{Times(remembered_->fixed, slower), Times(remembered_->per_mib, slower)};
    }
    const nanoseconds per_mib = Times(std::max(high_time - low_time, nanoseconds(0)),
                                      kMib / static_cast<double>(high - low));
    const nanoseconds fixed = low_time - Times(per_mib, static_cast<double>(low) / kMib);
    if (fixed >= nanoseconds(0)) return DiscardCost{fixed, per_mib};
    return DiscardCost{.per_mib = Times(high_time, kMib / static_cast<double>(high))};
}

uint64_t CardModel::ChooseDiscardSize(const DiscardLimits& limits, nanoseconds budget) const {
    const std::optional<DiscardCost> cost = Estimate();
    const std::vector<Sample> typical = Typical();
    const auto fits = [&](uint64_t bytes) {
        if (cost.has_value()) return cost->TimeOf(bytes) <= std::max(budget, 2 * cost->fixed);
        if (typical.empty()) return bytes <= kFirstDiscardBytes;
        const Sample& seen = typical.back();
        return Times(seen.time, static_cast<double>(bytes) / static_cast<double>(seen.bytes)) <=
               kFrame;
    };
    if (fits(limits.largest)) return limits.largest;
    uint64_t size = limits.granularity;
    while (size * 2 < limits.largest && fits(size * 2)) size *= 2;
    return size;
}

std::optional<DiscardCost> FindDiscardCost(const RecordFile& records, const std::string& chip) {
    for (const auto& [name, cost] : Remembered(records)) {
        if (name == chip && cost.TimeOf(1 << 20) > nanoseconds(0)) return cost;
    }
    return std::nullopt;
}

void PutDiscardCost(RecordFile* records, const std::string& chip, const DiscardCost& cost) {
    std::vector<std::pair<std::string, DiscardCost>> chips = Remembered(*records);
    std::erase_if(chips, [&](const auto& known) { return known.first == chip; });
    chips.insert(chips.begin(), {chip, cost});
    chips.resize(std::min(chips.size(), kMaxChips));
    std::vector<std::string> entries;
    for (const auto& [name, known] : chips) {
        entries.push_back(name + " " + std::to_string(known.fixed.count()) + " " +
                          std::to_string(known.per_mib.count()));
    }
    records->Put(RecordKind::kDiscards, android::base::Join(entries, '\t'));
}

}  // namespace storekeeper
