// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "campaigns/forecast_score.h"

#include <vector>

#include "base/median.h"
#include "base/split_mix.h"
#include "health/forecast.h"
#include "health/ledger.h"
#include "history/retention.h"
#include "history/snapshot.h"

namespace storekeeper {
namespace {

// The samples that the history keeps.
std::vector<WearSample> KeptSamples(const Life& life) {
    const auto only = [](const std::vector<WearSample>& from, const std::vector<size_t>& places) {
        std::vector<WearSample> kept;
        for (size_t place : places) kept.push_back(from[place]);
        return kept;
    };
    const int64_t today = std::chrono::floor<std::chrono::days>(life.now).count();
    const std::vector<WearSample> stored =
            only(life.samples, WeeklyBefore(life.samples, FoldedBefore(today)));
    return only(stored, EvenlyThinned(stored, HistorySnapshot::kMaxWear));
}

}  // namespace

ForecastScore ScoreForecasts(const LifeGenerator& generator, LifeCase life_case, uint64_t seed,
                             int phones) {
    ForecastScore score{.phones = phones};
    std::vector<double> widths;
    for (int phone = 0; phone < 2 * phones; ++phone) {
        const bool early = phone >= phones;
        const Life life = generator.draw(life_case, early ? LifeStage::kEarly : LifeStage::kMiddle,
                                         Mixed(seed) + static_cast<uint64_t>(phone));
        const Forecast forecast = MakeForecast(BuildLedger(KeptSamples(life)), life.now);
        const WallTime end = life.now + life.left;
        if (forecast.state == Forecast::State::kUnknown) {
            score.not_before += forecast.earliest.has_value();
            score.broken += forecast.earliest.has_value() && *forecast.earliest > end;
        } else if (!early) {
            ++score.ranges;
            score.covered += *forecast.earliest <= end && end <= *forecast.latest;
            widths.push_back(static_cast<double>((*forecast.latest - *forecast.earliest).count()) /
                             static_cast<double>(life.left.count()));
        }
    }
    score.median_width = MedianInPlace(&widths).value_or(0);
    return score;
}

}  // namespace storekeeper
