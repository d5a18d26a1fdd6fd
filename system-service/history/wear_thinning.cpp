// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "history/wear_thinning.h"

#include <algorithm>
#include <tuple>

#include "history/rows.h"

namespace storekeeper {
namespace {

constexpr int64_t kDaysPerWeek = 7;

auto Wear(const WearSample& sample) {
    return std::tie(sample.chip, sample.source, sample.wear.ext_csd_rev, sample.wear.life_time_a,
                    sample.wear.life_time_b, sample.wear.pre_eol_info);
}

// std::span's is signed up to Android 14.
size_t SizeOf(std::span<const WearSample> samples) {
    return static_cast<size_t>(samples.size());
}

bool IsBesideTurn(std::span<const WearSample> samples, size_t at) {
    return (at > 0 && IsTurn(samples[at - 1], samples[at])) ||
           (at + 1 < SizeOf(samples) && IsTurn(samples[at], samples[at + 1]));
}

bool IsEnd(std::span<const WearSample> samples, size_t at) {
    return at == 0 || at + 1 == SizeOf(samples);
}

int64_t WeekOf(const WearSample& sample) {
    return FirstDayOf(DayOf(sample.wall), kDaysPerWeek);
}

}  // namespace

bool IsTurn(const WearSample& before, const WearSample& after) {
    // Absent counts as less than anything.
    return Wear(before) != Wear(after) ||
           after.filesystem_written_bytes < before.filesystem_written_bytes;
}

bool IsNews(const WearSample& last, const WearSample& sample) {
    return IsTurn(last, sample) || DayOf(last.wall) != DayOf(sample.wall);
}

std::vector<size_t> WeeklyBefore(std::span<const WearSample> samples, int64_t day) {
    std::vector<size_t> left;
    for (size_t i = 0; i < SizeOf(samples); ++i) {
        if (DayOf(samples[i].wall) >= day || IsEnd(samples, i) || IsBesideTurn(samples, i) ||
            WeekOf(samples[i]) != WeekOf(samples[i + 1])) {
            left.push_back(i);
        }
    }
    return left;
}

std::vector<size_t> EvenlyThinned(std::span<const WearSample> samples, size_t most) {
    std::vector<size_t> kept;
    std::vector<size_t> others;
    for (size_t i = 0; i < SizeOf(samples); ++i) {
        (IsBesideTurn(samples, i) || IsEnd(samples, i) ? kept : others).push_back(i);
    }
    if (kept.size() >= most) {
        kept.erase(kept.begin(), kept.end() - static_cast<ptrdiff_t>(most));
        return kept;
    }
    const size_t room = std::min(most - kept.size(), others.size());
    for (size_t i = 0; i < room; ++i) kept.push_back(others[i * others.size() / room]);
    std::sort(kept.begin(), kept.end());
    return kept;
}

}  // namespace storekeeper
