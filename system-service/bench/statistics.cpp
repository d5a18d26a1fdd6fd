// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "bench/statistics.h"

#include <algorithm>
#include <cmath>
#include <random>

#include "base/median.h"

namespace storekeeper {
namespace {

constexpr size_t kSamples = 4000;
// Any fixed seed will do.
constexpr uint32_t kSeed = 20130711;
constexpr double kConfidence = 0.95;
constexpr double kSmallestPercent = 1;

// The median of a sample of the same size, drawn with replacement. mt19937 gives the same numbers
// everywhere; the standard library's distributions do not.
double Resampled(const std::vector<double>& values, std::mt19937* random,
                 std::vector<double>* scratch) {
    scratch->clear();
    for (size_t i = 0; i < values.size(); ++i)
        scratch->push_back(values[(*random)() % values.size()]);
    return *MedianInPlace(scratch);
}

Interval MiddleInterval(std::vector<double>* medians) {
    std::sort(medians->begin(), medians->end());
    const double outside = (1 - kConfidence) / 2 * static_cast<double>(medians->size() - 1);
    const auto low = static_cast<size_t>(std::floor(outside));
    return {.lower = (*medians)[low], .upper = (*medians)[medians->size() - 1 - low]};
}

}  // namespace

Interval MedianInterval(const std::vector<double>& values) {
    std::vector<double> sorted = values;
    std::sort(sorted.begin(), sorted.end());
    const size_t n = sorted.size();
    // Probability that at most `outside` of n values are below the median, each with 1/2.
    double probability = std::pow(0.5, static_cast<double>(n));
    double below = probability;
    size_t outside = 0;
    for (; outside + 1 < n - outside - 1; ++outside) {
        probability *= static_cast<double>(n - outside) / static_cast<double>(outside + 1);
        if (2 * (below + probability) > 1 - kConfidence) break;
        below += probability;
    }
    return {.lower = sorted[outside], .upper = sorted[n - 1 - outside]};
}

std::optional<Change> CompareMedians(const std::vector<double>& before,
                                     const std::vector<double>& after, bool more_is_faster) {
    if (before.size() < kMinRepetitions || after.size() < kMinRepetitions) return std::nullopt;
    // A drawn sample may consist of the smallest value alone.
    if (*std::min_element(before.begin(), before.end()) <= 0) return std::nullopt;
    std::mt19937 random(kSeed);
    std::vector<double> changes;
    std::vector<double> scratch;
    for (size_t i = 0; i < kSamples; ++i) {
        const double was = Resampled(before, &random, &scratch);
        changes.push_back((Resampled(after, &random, &scratch) / was - 1) * 100);
    }
    Change change = {.percent = (*Median(after) / *Median(before) - 1) * 100,
                     .interval = MiddleInterval(&changes)};
    const bool sure = change.interval.lower > 0 || change.interval.upper < 0;
    if (sure && std::abs(change.percent) >= kSmallestPercent) {
        change.verdict = (change.percent > 0) == more_is_faster ? Change::Verdict::kFaster
                                                                : Change::Verdict::kSlower;
    }
    return change;
}

std::string ChangeVerdictName(Change::Verdict verdict) {
    constexpr const char* kNames[] = {"faster", "slower", "no difference"};
    return kNames[static_cast<size_t>(verdict)];
}

void LatencyBins::Add(std::chrono::nanoseconds time, uint64_t count) {
    if (count == 0) return;
    bins_[time] += count;
    count_ += count;
}

void LatencyBins::Merge(const LatencyBins& other) {
    for (const auto& [time, count] : other.bins_) Add(time, count);
}

std::optional<std::chrono::nanoseconds> LatencyBins::Percentile(double percent) const {
    const auto wanted = static_cast<long double>(percent) / 100 * static_cast<long double>(count_);
    uint64_t seen = 0;
    for (const auto& [time, count] : bins_) {
        seen += count;
        if (static_cast<long double>(seen) >= wanted) return time;
    }
    return std::nullopt;
}

}  // namespace storekeeper
