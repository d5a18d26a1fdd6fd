// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "health/forecast.h"

#include <android-base/stringprintf.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "health/write_rate.h"

namespace storekeeper {
namespace {

using std::chrono::days;
using std::chrono::years;

constexpr double kDay = 86400;
constexpr double kStepPct = 10;

constexpr int kConfidencePct = 80;
// Of a normal distribution 80 % lie within so many standard deviations.
constexpr double kSigmas = 1.28;
// How much steps of one chip differ as use and free space change, where too few were seen;
// never taken for less than the second.
constexpr double kSpreadOfFew = 0.25;
constexpr double kMinSpread = 0.15;
constexpr size_t kStepsThatTell = 3;
// The reserve does not go evenly.
constexpr double kPreEolFactor = 2;

// A clock that was set has to hold for so long before dates are computed from it.
constexpr WallTime kSteadyClock = days{7};
// Nearer than this "not before" is of no use.
constexpr WallTime kNearest = days{90};
// Farther off no date is worth telling: the retention of flash ends first.
constexpr WallTime kFarthest = years{30};

// Where a field crossed a multiple of 10 %, in bytes written while watched.
struct Edge {
    double pct = 0;
    double low = 0;
    double high = 0;
    double middle() const { return (low + high) / 2; }
};

// What one field says of the bytes that are left.
struct FieldOutlook {
    uint8_t value = 0;
    std::string reason;  // why there is no range
    double left_low = 0;
    double left_high = 0;  // with a range only
    std::optional<BytesPerStep> bytes_per_step;
};

// The used part that an edge into this value stands at.
double PctOf(WearField field, uint8_t value) {
    // PRE_EOL_INFO: 2 is 80 % of the reserve blocks, 3 is 90 %.
    if (field == WearField::kPreEol) return value == 2 ? 80 : 90;
    return (value - 1) * kStepPct;
}

std::vector<Edge> EdgesOf(const Ledger& ledger, WearField field) {
    std::vector<Edge> edges;
    for (const LedgerStep& step : ledger.steps) {
        if (step.field != field || !step.moved_before_bytes.has_value()) continue;
        edges.push_back({.pct = PctOf(field, step.to),
                         .low = static_cast<double>(*step.moved_after_bytes),
                         .high = static_cast<double>(*step.moved_before_bytes)});
    }
    return edges;
}

// Counters can be garbage; a cast that does not fit is undefined.
uint64_t ToBytes(double bytes) {
    constexpr double kMost = 1e19;
    return static_cast<uint64_t>(std::clamp(bytes, 0.0, kMost));
}

// How much the steps of this chip differ, as a part of their mean.
double SpreadOf(const std::vector<Edge>& edges) {
    std::vector<double> steps;
    double sum = 0;
    for (size_t i = 1; i < edges.size(); ++i) {
        // Above 0: the steps of a ledger rise.
        const double pct = edges[i].pct - edges[i - 1].pct;
        steps.push_back((edges[i].middle() - edges[i - 1].middle()) * kStepPct / pct);
        sum += steps.back();
    }
    if (steps.size() < kStepsThatTell || sum <= 0) return kSpreadOfFew;
    const double mean = sum / static_cast<double>(steps.size());
    double squares = 0;
    for (double step : steps) squares += (step - mean) * (step - mean);
    const double spread = std::sqrt(squares / static_cast<double>(steps.size() - 1)) / mean;
    return std::max(spread, kMinSpread);
}

// Null when the field was never read.
const LedgerPoint* LastWith(const Ledger& ledger, WearField field) {
    const auto last = std::find_if(ledger.points.rbegin(), ledger.points.rend(),
                                   [field](const LedgerPoint& point) {
                                       return WearValue(point.wear, field).has_value();
                                   });
    return last == ledger.points.rend() ? nullptr : &*last;
}

// Without a whole step: what was written without one bounds a step from below.
FieldOutlook BoundBelow(const Ledger& ledger, WearField field, FieldOutlook outlook,
                        const std::vector<Edge>& edges, double certain) {
    outlook.reason = ledger.written_bytes.has_value()
                             ? "no complete 10 % step observed yet"
                             : "the file system does not report bytes written";
    if (field == WearField::kPreEol) {
        outlook.reason = "the reserve blocks are nearly used up, at an unknown rate";
        return outlook;
    }
    const double now = static_cast<double>(ledger.written_bytes.value_or(0));
    double step = certain;
    double steps_left = kPastRatedLife - 1 - outlook.value;  // whole ones, after the one it is in
    double since = now - certain;
    if (!edges.empty()) {
        step = std::max(edges.front().low, certain - edges.back().high);
        steps_left = (100 - edges.back().pct) / kStepPct;
        since = now - edges.back().low;
    }
    outlook.left_low = std::max(0.0, steps_left * step * (1 - kSigmas * kSpreadOfFew) - since);
    return outlook;
}

FieldOutlook OutlookOf(const Ledger& ledger, WearField field, const LedgerPoint& last_read) {
    FieldOutlook outlook{.value = *WearValue(last_read.wear, field)};
    // Written before the field was read for the last time.
    const double certain = static_cast<double>(last_read.wear_written_bytes.value_or(0));
    const std::vector<Edge> edges = EdgesOf(ledger, field);
    const double pct = edges.empty() ? 0 : edges.back().pct - edges.front().pct;
    if (pct <= 0) return BoundBelow(ledger, field, outlook, edges, certain);
    const Edge& first = edges.front();
    const Edge& last = edges.back();
    const double steps = pct / kStepPct;
    const double steps_left = (100 - last.pct) / kStepPct;
    double error = kSigmas * SpreadOf(edges) * std::sqrt(1 / steps + 1 / steps_left);
    if (field == WearField::kPreEol) error *= kPreEolFactor;
    error = std::min(error, 0.9);
    const double now = static_cast<double>(*ledger.written_bytes);
    // No step ends before what was written within the present one.
    const double since = std::max(0.0, certain - last.high);
    const double middle = std::max((last.middle() - first.middle()) / steps, since);
    const double low = std::max((last.low - first.high) / steps * (1 - error), since / steps_left);
    const double high =
            std::max((last.high - first.low) / steps * (1 + error), middle * (1 + error));
    outlook.left_low = std::max(0.0, steps_left * low - (now - last.low));
    outlook.left_high = std::max(outlook.left_low, steps_left * high - (now - last.high));
    outlook.bytes_per_step =
            BytesPerStep{.low = ToBytes(low), .middle = ToBytes(middle), .high = ToBytes(high)};
    return outlook;
}

// The whole chip's: its end is that of the field which ends first.
FieldOutlook OutlookOf(const Ledger& ledger) {
    std::optional<FieldOutlook> best;
    std::optional<FieldOutlook> unsure;
    for (WearField field : kWearFields) {
        const LedgerPoint* last_read = LastWith(ledger, field);
        if (last_read == nullptr) continue;
        const uint8_t value = *WearValue(last_read->wear, field);
        const bool pre_eol = field == WearField::kPreEol;
        if (!pre_eol && value == kPastRatedLife) return {.reason = "it is past its rated life"};
        FieldOutlook outlook = OutlookOf(ledger, field, *last_read);
        if (!outlook.reason.empty()) {
            // A reserve that says nothing yet is how most chips are until their end.
            if (pre_eol && value < kPreEolUrgent) continue;
            if (pre_eol) outlook.value = kPastRatedLife;
            if (!unsure.has_value() || outlook.left_low < unsure->left_low) unsure = outlook;
        } else if (!best.has_value()) {
            best = outlook;
        } else {
            if (outlook.left_low < best->left_low) best->bytes_per_step = outlook.bytes_per_step;
            best->left_low = std::min(best->left_low, outlook.left_low);
            best->left_high = std::min(best->left_high, outlook.left_high);
            best->value = std::max(best->value, outlook.value);
        }
    }
    if (!best.has_value() && !unsure.has_value())
        return {.reason = "the card reports no life time estimate"};
    // One that stands higher and was not seen to move may well end first.
    if (!best.has_value() || (unsure.has_value() && unsure->value > best->value)) {
        if (best.has_value()) unsure->left_low = std::min(unsure->left_low, best->left_low);
        return *unsure;
    }
    return *best;
}

WallTime After(WallTime now, double bytes, double bytes_per_day) {
    const double seconds = bytes / bytes_per_day * kDay;
    constexpr double kEnd = 10.0 * WallTime{kFarthest}.count();
    return now + WallTime{static_cast<int64_t>(std::min(seconds, kEnd))};
}

// Why the dates of this clock cannot be used; "" when they can. Of a ledger that has a rate.
std::string ClockProblem(const Ledger& ledger, WallTime now) {
    const LedgerPoint& newest = ledger.points.back();
    if (now < newest.wall - days{1}) return "the clock jumped back behind the newest sample";
    if (now > newest.wall + kLongestGap) return "the newest sample is old, or the clock jumped";
    // A rate is of weeks: some point lies farther back.
    for (auto point = ledger.points.rbegin(); newest.watched - point->watched <= kSteadyClock;
         ++point) {
        if (!point->follows) return "the clock jumped less than a week ago";
    }
    return "";
}

Forecast Unknown(Forecast forecast, std::string reason) {
    forecast.state = Forecast::State::kUnknown;
    forecast.reason = std::move(reason);
    forecast.line = "Remaining life unknown: " + forecast.reason;
    if (forecast.earliest.has_value()) {
        forecast.line += "; not used up before " + MonthText(*forecast.earliest) + " at this rate";
    }
    return forecast;
}

}  // namespace

Forecast MakeForecast(const Ledger& ledger, WallTime now) {
    Forecast forecast{.made = now};
    if (ledger.points.empty()) return Unknown(forecast, "no samples yet");
    const android::base::Result<WriteRate> rate = RecentWriteRate(ledger);
    if (rate.ok()) forecast.bytes_per_day = ToBytes(rate->middle);
    FieldOutlook outlook = OutlookOf(ledger);
    forecast.bytes_per_step = outlook.bytes_per_step;
    // What the card says of itself comes before what was not watched for long enough.
    if (!outlook.reason.empty() && outlook.left_low <= 0) return Unknown(forecast, outlook.reason);
    if (!rate.ok()) return Unknown(forecast, rate.error().message());
    const std::string clock = ClockProblem(ledger, now);
    if (!clock.empty()) return Unknown(forecast, clock);
    const WallTime earliest = After(now, outlook.left_low, rate->high);
    if (earliest > now + kFarthest) {
        forecast.earliest = now + kFarthest;
        return Unknown(forecast, "the wear rate is too low for a forecast");
    }
    if (!outlook.reason.empty()) {
        if (earliest > now + kNearest) forecast.earliest = earliest;
        return Unknown(forecast, outlook.reason);
    }
    forecast.state = Forecast::State::kRange;
    forecast.earliest = earliest;
    forecast.latest = After(now, outlook.left_high, rate->low);
    forecast.confidence_pct = kConfidencePct;
    forecast.line = "Used up between " + MonthText(*forecast.earliest) + " and " +
                    MonthText(*forecast.latest) + " at the rate of the last weeks (" +
                    std::to_string(kConfidencePct) + " % confidence)";
    return forecast;
}

std::string MonthText(WallTime wall) {
    const std::chrono::year_month_day date{std::chrono::sys_days{std::chrono::floor<days>(wall)}};
    return android::base::StringPrintf("%04d-%02u", static_cast<int>(date.year()),
                                       static_cast<unsigned>(date.month()));
}

}  // namespace storekeeper
