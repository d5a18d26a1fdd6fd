// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "health/write_rate.h"

#include <algorithm>

namespace storekeeper {
namespace {

constexpr double kWeek = 7 * 86400;

// Written bytes over observed seconds, without writes during gaps and clock jumps.
struct Curve {
    std::vector<double> seconds;
    std::vector<double> bytes;
};

Curve CurveOf(const Ledger& ledger) {
    Curve curve;
    const LedgerPoint* before = nullptr;
    for (const LedgerPoint& point : ledger.points) {
        double seconds = curve.seconds.empty() ? 0 : curve.seconds.back();
        double bytes = curve.bytes.empty() ? 0 : curve.bytes.back();
        if (point.counted) {
            seconds += static_cast<double>((point.watched - before->watched).count());
            if (point.follows) {
                bytes += static_cast<double>(*point.written_bytes - *before->written_bytes);
            }
        }
        before = &point;
        if (!point.written_bytes.has_value()) continue;
        curve.seconds.push_back(seconds);
        curve.bytes.push_back(bytes);
    }
    return curve;
}

// Interpolates the curve at a time within its range.
double BytesAt(const Curve& curve, double seconds) {
    auto after = std::lower_bound(curve.seconds.begin(), curve.seconds.end(), seconds);
    const size_t i = static_cast<size_t>(after - curve.seconds.begin());
    if (i == 0) return curve.bytes.front();
    const double span = curve.seconds[i] - curve.seconds[i - 1];
    const double share = (seconds - curve.seconds[i - 1]) / span;
    return curve.bytes[i - 1] + share * (curve.bytes[i] - curve.bytes[i - 1]);
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

}  // namespace storekeeper
