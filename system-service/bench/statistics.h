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

// Units for texts and JSON.
inline double Milliseconds(std::chrono::nanoseconds time) {
    return std::chrono::duration<double, std::milli>(time).count();
}
inline double Seconds(std::chrono::nanoseconds time) {
    return std::chrono::duration<double>(time).count();
}
inline double Megabytes(uint64_t bytes) {
    return static_cast<double>(bytes) / 1e6;
}
// A percentile of a Histogram or of LatencyBins; absent if they are empty.
template <typename Counts>
std::optional<double> PercentileMs(const Counts& counts, double percent) {
    const auto time = counts.Percentile(percent);
    return time.has_value() ? std::optional(Milliseconds(*time)) : std::nullopt;
}
// 0 if no time passed.
inline double PerSecond(double amount, std::chrono::nanoseconds time) {
    return time.count() > 0 ? amount / Seconds(time) : 0;
}

// A figure from fewer repetitions has no interval and is not compared. The range of five values
// contains the median with a probability of 93.75 %, that of three with 75 %.
inline constexpr size_t kMinRepetitions = 5;

struct Interval {
    double lower = 0;
    double upper = 0;

    bool operator==(const Interval&) const = default;
};

// The 95 % interval of the median for any distribution: the two order statistics between which the
// median lies with at least that probability, by the binomial distribution. For fewer than six
// values it is their range. `values` must not be empty.
Interval MedianInterval(const std::vector<double>& values);

// Change between the medians of two samples, in percent of `before`. Its 95 % interval is the
// percentile bootstrap: 4000 pairs of samples drawn from the values. A fixed seed makes equal
// values give equal intervals.
struct Change {
    enum class Verdict { kFaster, kSlower, kNoDifference };

    double percent = 0;
    Interval interval;
    Verdict verdict = Verdict::kNoDifference;
};

// Absent if a sample has fewer than kMinRepetitions values, or if a value of `before` is not above
// 0. The verdict is a difference only if the interval does not contain 0 and the change is at least
// 1 %: less does not matter, however certain.
std::optional<Change> CompareMedians(const std::vector<double>& before,
                                     const std::vector<double>& after, bool more_is_faster);

// The verdict's name: "faster", "slower", "no difference".
std::string ChangeVerdictName(Change::Verdict verdict);

// Counts of latencies in fio's own bins, from which fio calculates its percentiles. storekeeperd's
// Histogram has other buckets.
class LatencyBins {
  public:
    void Add(std::chrono::nanoseconds time, uint64_t count = 1);
    void Merge(const LatencyBins& other);

    uint64_t count() const { return count_; }

    // The smallest bin such that at least `percent` (above 0, up to 100) of all counts are in it or
    // below, as in calc_clat_percentiles() of fio's stat.c. Absent if nothing was counted.
    std::optional<std::chrono::nanoseconds> Percentile(double percent) const;

    bool operator==(const LatencyBins&) const = default;

  private:
    std::map<std::chrono::nanoseconds, uint64_t> bins_;  // none empty
    uint64_t count_ = 0;
};

}  // namespace storekeeper
