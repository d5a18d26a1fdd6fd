// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace storekeeper {

// For texts and JSON.
inline double Milliseconds(std::chrono::nanoseconds time) {
    return std::chrono::duration<double, std::milli>(time).count();
}
inline double Seconds(std::chrono::nanoseconds time) {
    return std::chrono::duration<double>(time).count();
}
inline double Megabytes(uint64_t bytes) {
    return static_cast<double>(bytes) / 1e6;
}
// Of a Histogram or of LatencyBins; absent when nothing was counted.
template <typename Counts>
std::optional<double> PercentileMs(const Counts& counts, double percent) {
    const auto time = counts.Percentile(percent);
    return time.has_value() ? std::optional(Milliseconds(*time)) : std::nullopt;
}
// 0 when no time passed.
inline double PerSecond(double amount, std::chrono::nanoseconds time) {
    return time.count() > 0 ? amount / Seconds(time) : 0;
}

// A figure from fewer repetitions has no interval and is compared with nothing: the range of five
// values holds the median 93.75 times of a hundred, that of three 75 times.
inline constexpr size_t kMinRepetitions = 5;

struct Interval {
    double lower = 0;
    double upper = 0;

    bool operator==(const Interval&) const = default;
};

// The 95 % interval of the median, whatever the distribution: the two order statistics between
// which the median lies with at least that probability, by the binomial distribution. Of fewer than
// six values, their range. Of at least one value.
Interval MedianInterval(const std::vector<double>& values);

// How the medians of two samples relate: change in per cent of `before`, with its 95 % interval by
// the percentile bootstrap: 4000 pairs of samples drawn from the values with a fixed seed, so that
// equal values give equal intervals.
struct Change {
    enum class Verdict { kFaster, kSlower, kNoDifference };

    double percent = 0;
    Interval interval;
    Verdict verdict = Verdict::kNoDifference;
};

// Absent where one has fewer than kMinRepetitions values or a median that is not above 0. A
// difference is one whose interval does not have 0 in it and that is 1 % at least: less is not
// worth a word, however sure.
std::optional<Change> CompareMedians(const std::vector<double>& before,
                                     const std::vector<double>& after, bool more_is_faster);

// "faster", "slower", "no difference".
std::string ChangeVerdictName(Change::Verdict verdict);

// How often which time was met, by fio's own bins: what fio says of percentiles is reckoned from
// these, and so is what we say. storekeeperd's Histogram has other buckets.
class LatencyBins {
  public:
    void Add(std::chrono::nanoseconds time, uint64_t count = 1);
    void Merge(const LatencyBins& other);

    uint64_t count() const { return count_; }

    // The smallest bin that at least `percent` (above 0, up to 100) of all stay below or at, as
    // calc_clat_percentiles() of fio's stat.c has it. Absent when nothing was counted.
    std::optional<std::chrono::nanoseconds> Percentile(double percent) const;

    bool operator==(const LatencyBins&) const = default;

  private:
    std::map<std::chrono::nanoseconds, uint64_t> bins_;  // none empty
    uint64_t count_ = 0;
};

}  // namespace storekeeper
