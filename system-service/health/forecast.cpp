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
// 80 % of a normal distribution lie within this many standard deviations.
constexpr double kSigmas = 1.28;
// Widens the deviation, because reserve blocks are not used up evenly.
constexpr double kPreEolFactor = 2;
// Margins of a "not before" date. If the deviation of steps is unknown, later steps may be as short
// as kShorterStep of the shortest observed one. If it is known, the bytes left are reduced by
// kCautiousSigmas deviations. People change, so use may grow by the factor kMoreUse.
constexpr double kShorterStep = 0.68;
constexpr double kCautiousSigmas = 2.5;
constexpr double kMoreUse = 2;
// A range of write rates with a larger ratio of its ends is useless.
constexpr double kWidest = 9;

// After a jump the clock must run this long before dates are computed from it.
constexpr WallTime kSteadyClock = days{7};
// A "not before" date nearer than this is useless.
constexpr WallTime kNearest = days{90};
// Dates farther off are not reported, because the retention of flash ends first.
constexpr WallTime kFarthest = years{30};

// One field's estimate of the bytes left until the end of life.
struct FieldOutlook {
    uint8_t value = 0;
    std::string reason;   // reason for a missing estimate
    double left_low = 0;  // lower bound of the bytes left
    Normal left;          // valid if `reason` is empty
    std::optional<BytesPerStep> bytes_per_step;
};

// The used percentage at which a field steps to `value`.
double PctOf(WearField field, uint8_t value) {
    // PRE_EOL_INFO 2 means 80 % of the reserve blocks are used, 3 means 90 %.
    if (field == WearField::kPreEol) return value == 2 ? 80 : 90;
    return (value - 1) * kStepPct;
}

// Collects a field's observed edges; `value` is its newest value.
WearSeen CollectEdges(const Ledger& ledger, WearField field, uint8_t value) {
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

// The counters may be garbage, and a cast of an oversized double is undefined.
uint64_t ToBytes(double bytes) {
    constexpr double kMost = 1e19;
    return static_cast<uint64_t>(std::clamp(bytes, 0.0, kMost));
}

// The last point with a value of the field; null if there is none.
const LedgerPoint* LastWith(const Ledger& ledger, WearField field) {
    const auto last = std::find_if(ledger.points.rbegin(), ledger.points.rend(),
                                   [field](const LedgerPoint& point) {
                                       return WearValue(point.wear, field).has_value();
                                   });
    return last == ledger.points.rend() ? nullptr : &*last;
}

// Estimates without a complete step: the bytes written without a step bound its length from below.
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
    double steps_left = kPastRatedLife - 1 - outlook.value;  // complete steps after the current one
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
    WearSeen seen = CollectEdges(ledger, field, outlook.value);
    // Bytes written before the last reading of the field, which showed no further step.
    seen.certain = static_cast<double>(last_read.wear_written_bytes.value_or(0));
    // Priors say nothing about steps of the reserve.
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

// The whole chip's estimate, that of the field which ends first.
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
            // Most chips report an unused reserve until their end, so it is ignored.
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
    // A field with a higher value and no observed step may end first.
    if (!best.has_value() || (unsure.has_value() && unsure->value > best->value)) {
        if (best.has_value()) unsure->left_low = std::min(unsure->left_low, best->left_low);
        return *unsure;
    }
    return *best;
}

// Days until the remaining bytes are written: the range of the quotient of two normal distributions
// (Fieller's theorem). `rate` must be above 0 even at its lower end.
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

WallTime WallTimeAfter(WallTime now, double days) {
    const double seconds = days * kDay;
    constexpr double kEnd = 10.0 * WallTime{kFarthest}.count();
    return now + WallTime{static_cast<int64_t>(std::min(seconds, kEnd))};
}

// The reason why the clock's dates cannot be used; "" if they can. `ledger` has a rate.
std::string ClockProblem(const Ledger& ledger, WallTime now) {
    const LedgerPoint& newest = ledger.points.back();
    if (now < newest.wall - days{1}) return "the clock jumped back behind the newest sample";
    if (now > newest.wall + kLongestGap) return "the newest sample is old, or the clock jumped";
    // The loop ends: a rate needs weeks, so some point lies farther back.
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
    const android::base::Result<UseModel> use = UseModel::FromLedger(ledger);
    FieldOutlook outlook = OutlookOf(ledger, prior);
    forecast.bytes_per_step = outlook.bytes_per_step;
    Normal rate;
    if (use.ok()) {
        const double a_year_on = use->BytesPerDay(kYear).mean;
        rate = use->BytesPerDay(outlook.left.mean / a_year_on);
        forecast.bytes_per_day = ToBytes(rate.mean);
    }
    // A reason that the card gives takes precedence over a short observation.
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
    const WallTime earliest = WallTimeAfter(now, range.low);
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
    forecast.latest = WallTimeAfter(now, range.high);
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
