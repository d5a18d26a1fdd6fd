// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "health/forecast.h"

#include <android-base/stringprintf.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "health/use_model.h"
#include "health/wear_model.h"

namespace storekeeper {
namespace {

using std::chrono::days;
using std::chrono::years;

constexpr double kDay = 86400;
constexpr double kYear = 365;  // days
constexpr double kStepPct = 10;

constexpr int kConfidencePct = 80;
// Of a normal distribution 80 % lie within so many standard deviations.
constexpr double kSigmas = 1.28;
// The reserve does not go evenly.
constexpr double kPreEolFactor = 2;
// Dates before which the end does not come allow for so much shorter steps than the least that one
// had, so many standard deviations where they are known, and so much more use: people change.
constexpr double kShorterStep = 0.68;
constexpr double kCautiousSigmas = 2.5;
constexpr double kMoreUse = 2;
// A range of rates that spans more than this factor is of no use.
constexpr double kWidest = 9;

// A clock that was set has to hold for so long before dates are computed from it.
constexpr WallTime kSteadyClock = days{7};
// Nearer than this "not before" is of no use.
constexpr WallTime kNearest = days{90};
// Farther off no date is worth telling: the retention of flash ends first.
constexpr WallTime kFarthest = years{30};

// What one field says of the bytes that are left.
struct FieldOutlook {
    uint8_t value = 0;
    std::string reason;   // why there is no estimate
    double left_low = 0;  // so much is left at least
    Normal left;          // where there is one
    std::optional<BytesPerStep> bytes_per_step;
};

// The used part that an edge into this value stands at.
double PctOf(WearField field, uint8_t value) {
    // PRE_EOL_INFO: 2 is 80 % of the reserve blocks, 3 is 90 %.
    if (field == WearField::kPreEol) return value == 2 ? 80 : 90;
    return (value - 1) * kStepPct;
}

// `value` is the newest.
WearSeen SeenOf(const Ledger& ledger, WearField field, uint8_t value) {
    WearSeen seen{.begun_pct = PctOf(field, value)};
    for (const LedgerStep& step : ledger.steps) {
        if (step.field != field || !step.moved_before_bytes.has_value()) continue;
        if (seen.edges.empty()) seen.begun_pct = PctOf(field, step.from);
        seen.edges.push_back({.pct = PctOf(field, step.to),
                              .low = static_cast<double>(*step.moved_after_bytes),
                              .high = static_cast<double>(*step.moved_before_bytes)});
    }
    return seen;
}

// Counters can be garbage; a cast that does not fit is undefined.
uint64_t ToBytes(double bytes) {
    constexpr double kMost = 1e19;
    return static_cast<uint64_t>(std::clamp(bytes, 0.0, kMost));
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
                        const WearSeen& seen) {
    outlook.reason = ledger.written_bytes.has_value() ? "no complete 10 % step observed yet"
                                                      : WhyNoBytes(ledger);
    if (field == WearField::kPreEol) {
        outlook.reason = "the reserve blocks are nearly used up, at an unknown rate";
        return outlook;
    }
    const double now = static_cast<double>(ledger.written_bytes.value_or(0));
    double step = seen.certain;
    double steps_left = kPastRatedLife - 1 - outlook.value;  // whole ones, after the one it is in
    double since = now - seen.certain;
    if (!seen.edges.empty()) {
        step = std::max(seen.edges.front().low, seen.certain - seen.edges.back().high);
        steps_left = (100 - seen.edges.back().pct) / kStepPct;
        since = now - seen.edges.back().low;
    }
    outlook.left_low = std::max(0.0, steps_left * step * kShorterStep - since);
    return outlook;
}

FieldOutlook OutlookOf(const Ledger& ledger, WearField field, const LedgerPoint& last_read,
                       std::optional<Normal> prior) {
    FieldOutlook outlook{.value = *WearValue(last_read.wear, field)};
    WearSeen seen = SeenOf(ledger, field, outlook.value);
    // Written before the field was read for the last time.
    seen.certain = static_cast<double>(last_read.wear_written_bytes.value_or(0));
    // Of steps of the reserve nobody knows beforehand.
    if (field == WearField::kPreEol) prior.reset();
    const bool known = prior.has_value() && ledger.written_bytes.has_value();
    if (!known && (seen.edges.empty() || seen.edges.front().pct == seen.edges.back().pct)) {
        return BoundBelow(ledger, field, outlook, seen);
    }
    const WearOutlook wear = LearnWear(seen, prior);
    outlook.left = {.mean = wear.end.mean - static_cast<double>(*ledger.written_bytes),
                    .deviation = wear.end.deviation};
    if (field == WearField::kPreEol) outlook.left.deviation *= kPreEolFactor;
    outlook.left_low = std::max(0.0, outlook.left.mean - kCautiousSigmas * outlook.left.deviation);
    const double off = kSigmas * wear.step.deviation;
    outlook.bytes_per_step = BytesPerStep{.low = ToBytes(wear.step.mean - off),
                                          .middle = ToBytes(wear.step.mean),
                                          .high = ToBytes(wear.step.mean + off)};
    return outlook;
}

// The whole chip's: its end is that of the field which ends first.
FieldOutlook OutlookOf(const Ledger& ledger, const std::optional<Normal>& prior) {
    std::optional<FieldOutlook> best;
    std::optional<FieldOutlook> unsure;
    for (WearField field : kWearFields) {
        const LedgerPoint* last_read = LastWith(ledger, field);
        if (last_read == nullptr) continue;
        const uint8_t value = *WearValue(last_read->wear, field);
        const bool pre_eol = field == WearField::kPreEol;
        if (!pre_eol && value == kPastRatedLife) return {.reason = "it is past its rated life"};
        FieldOutlook outlook = OutlookOf(ledger, field, *last_read, prior);
        if (!outlook.reason.empty()) {
            // A reserve that says nothing yet is how most chips are until their end.
            if (pre_eol && value < kPreEolUrgent) continue;
            if (pre_eol) outlook.value = kPastRatedLife;
            if (!unsure.has_value() || outlook.left_low < unsure->left_low) unsure = outlook;
        } else if (!best.has_value()) {
            best = outlook;
        } else {
            outlook.value = std::max(outlook.value, best->value);
            best->value = outlook.value;
            if (outlook.left.mean < best->left.mean) best = outlook;
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

// The range of days until the bytes that are left are written, of the quotient of two normal
// distributions (Fieller's theorem). `rate` certainly is above 0.
struct DaysRange {
    double low = 0;
    double high = 0;
};
DaysRange DaysUntil(const Normal& left, const Normal& rate) {
    const auto least = [](const Normal& of) {
        return of.mean * of.mean - kSigmas * kSigmas * of.deviation * of.deviation;
    };
    const double middle = left.mean * rate.mean;
    const double root = std::sqrt(std::max(0.0, middle * middle - least(left) * least(rate)));
    return {.low = std::max(0.0, (middle - root) / least(rate)),
            .high = std::max(0.0, (middle + root) / least(rate))};
}

WallTime After(WallTime now, double days) {
    const double seconds = days * kDay;
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
        forecast.line += "; not used up before " + MonthText(*forecast.earliest) +
                         " even if it is used twice as much";
    }
    return forecast;
}

}  // namespace

Forecast MakeForecast(const Ledger& ledger, WallTime now, const std::optional<Normal>& prior) {
    Forecast forecast{.made = now};
    if (ledger.points.empty()) return Unknown(forecast, "no samples yet");
    const android::base::Result<UseModel> use = UseModel::Of(ledger);
    FieldOutlook outlook = OutlookOf(ledger, prior);
    forecast.bytes_per_step = outlook.bytes_per_step;
    Normal rate;
    if (use.ok()) {
        const double a_year_on = use->Over(kYear).mean;
        rate = use->Over(outlook.left.mean / a_year_on);
        forecast.bytes_per_day = ToBytes(rate.mean);
    }
    // What the card says of itself comes before what was not watched for long enough.
    if (!outlook.reason.empty() && outlook.left_low <= 0) return Unknown(forecast, outlook.reason);
    if (!use.ok()) return Unknown(forecast, use.error().message());
    const std::string clock = ClockProblem(ledger, now);
    if (!clock.empty()) return Unknown(forecast, clock);
    const double off = kSigmas * rate.deviation;
    if (outlook.reason.empty() && rate.mean + off > kWidest * (rate.mean - off)) {
        outlook.reason = "weekly writes vary too much";
    }
    const DaysRange range =
            outlook.reason.empty()
                    ? DaysUntil(outlook.left, rate)
                    : DaysRange{.low = outlook.left_low / (kMoreUse * std::max(rate.mean, 1.0))};
    const WallTime earliest = After(now, range.low);
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
    forecast.latest = After(now, range.high);
    forecast.confidence_pct = kConfidencePct;
    forecast.line = "Used up between " + MonthText(*forecast.earliest) + " and " +
                    MonthText(*forecast.latest) + " if it is used as before (" +
                    std::to_string(kConfidencePct) + " % confidence)";
    return forecast;
}

std::string MonthText(WallTime wall) {
    const std::chrono::year_month_day date{std::chrono::sys_days{std::chrono::floor<days>(wall)}};
    return android::base::StringPrintf("%04d-%02u", static_cast<int>(date.year()),
                                       static_cast<unsigned>(date.month()));
}

}  // namespace storekeeper
