// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "health/write_rate.h"

#include <algorithm>

namespace storekeeper {
namespace {

using android::base::Error;
using android::base::Result;

constexpr double kDay = 86400;
constexpr double kWeek = 7 * kDay;
// A season: long enough for bursts to level out, short enough to be how the device is used now.
constexpr size_t kWeeks = 13;
constexpr size_t kMinWeeks = 6;
// Slopes over less show bursts, not the trend.
constexpr size_t kShortestLag = 4;
// Weeks differ by so much at least, whatever few of them show.
constexpr double kMinSpread = 0.1;
// Wider than this no trend is clear.
constexpr double kWidest = 9;
// 1 MiB a day wears nothing out.
constexpr double kNextToNothing = 1024.0 * 1024;

// Bytes against seconds watched, without what was written while time did not count.
struct Curve {
    std::vector<double> seconds;
    std::vector<double> bytes;
};

Curve CurveOf(const Ledger& ledger) {
    Curve curve;
    const LedgerPoint* before = nullptr;
    bool follows = true;
    for (const LedgerPoint& point : ledger.points) {
        follows = follows && point.follows;
        if (!point.written_bytes.has_value()) continue;
        double bytes = before == nullptr ? 0 : curve.bytes.back();
        if (before != nullptr && follows) {
            bytes += static_cast<double>(*point.written_bytes - *before->written_bytes);
        }
        curve.seconds.push_back(static_cast<double>(point.watched.count()));
        curve.bytes.push_back(bytes);
        before = &point;
        follows = true;
    }
    return curve;
}

// At a time from the curve's first to its last.
double BytesAt(const Curve& curve, double seconds) {
    auto after = std::lower_bound(curve.seconds.begin(), curve.seconds.end(), seconds);
    const size_t i = static_cast<size_t>(after - curve.seconds.begin());
    if (i == 0) return curve.bytes.front();
    const double span = curve.seconds[i] - curve.seconds[i - 1];
    const double share = (seconds - curve.seconds[i - 1]) / span;
    return curve.bytes[i - 1] + share * (curve.bytes[i] - curve.bytes[i - 1]);
}

// `share` of the sorted values lie below.
double Quantile(const std::vector<double>& sorted, double share) {
    const double place = share * static_cast<double>(sorted.size() - 1);
    const size_t below = static_cast<size_t>(place);
    const size_t above = std::min(below + 1, sorted.size() - 1);
    return sorted[below] + (place - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

}  // namespace

std::vector<double> WeeklyBytes(const Ledger& ledger, size_t most) {
    const Curve curve = CurveOf(ledger);
    std::vector<double> weeks;
    if (curve.seconds.empty()) return weeks;
    const double end = curve.seconds.back();
    while (weeks.size() < most) {
        const double from = end - kWeek * static_cast<double>(weeks.size() + 1);
        if (from < curve.seconds.front()) break;
        weeks.push_back(BytesAt(curve, from + kWeek) - BytesAt(curve, from));
    }
    return weeks;
}

Result<WriteRate> RecentWriteRate(const Ledger& ledger) {
    if (!ledger.written_bytes.has_value()) {
        return Error() << "the file system does not report bytes written";
    }
    const std::vector<double> weeks = WeeklyBytes(ledger, kWeeks);
    if (weeks.size() < kMinWeeks) {
        return Error() << "too little history: less than " << kMinWeeks << " weeks";
    }
    std::vector<double> slopes;
    for (size_t from = 0; from < weeks.size(); ++from) {
        double bytes = 0;
        for (size_t to = from; to < weeks.size(); ++to) {
            bytes += weeks[to];
            const size_t lag = to - from + 1;
            if (lag < kShortestLag) continue;
            slopes.push_back(bytes / (static_cast<double>(lag) * kWeek / kDay));
        }
    }
    std::sort(slopes.begin(), slopes.end());
    const double middle = Quantile(slopes, 0.5);
    if (middle < kNextToNothing) return Error() << "almost no writes";
    const WriteRate rate{.low = Quantile(slopes, 0.1) * (1 - kMinSpread),
                         .middle = middle,
                         .high = Quantile(slopes, 0.9) * (1 + kMinSpread)};
    if (rate.high > kWidest * rate.low) return Error() << "weekly writes vary too much";
    return rate;
}

}  // namespace storekeeper
