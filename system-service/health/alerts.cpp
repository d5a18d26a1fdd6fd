// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "health/alerts.h"

#include <android-base/stringprintf.h>

#include <algorithm>
#include <utility>

#include "base/json_fields.h"
#include "base/median.h"
#include "base/quantity_text.h"
#include "health/write_rate.h"

namespace storekeeper {
namespace {

using android::base::Result;
using android::base::StringPrintf;
using std::chrono::days;
using Level = Verdict::Level;

constexpr WallTime kQuiet = days{7};
// Above the times that raise the alert (365 and 90 days, verdict.cpp), so that it does not flicker.
constexpr WallTime kForecastHold = days{455};
constexpr WallTime kForecastUrgentHold = days{120};

constexpr double kWriteRateHold = 2;
constexpr size_t kWeeksBefore = 8;
constexpr size_t kMinWeeksBefore = 4;
// Below a GiB a day no increase wears the flash out soon.
constexpr double kGib = 1024.0 * 1024 * 1024;
constexpr double kFloorPerWeek = 7 * kGib;

// The current level of one cause.
struct Cause {
    std::string code;
    Level raise = Level::kUnknown;  // level to raise; kUnknown leaves an alert as it is
    Level hold = Level::kUnknown;   // level at which an alert persists; never below raise
    std::string text;
    bool at_once = false;  // lowers or ends the alert without waiting a week
};

// The level of one field's newest reading; `ledger` has points.
Cause FieldCause(const Ledger& ledger, WearField field, const std::string& device) {
    static constexpr const char* kCodes[] = {"life_a", "life_b", "pre_eol"};
    static constexpr const char* kNames[] = {"life time A", "life time B", "pre-EOL"};
    const size_t index = static_cast<size_t>(field);
    Cause cause{.code = kCodes[index]};
    const std::optional<uint8_t> value = WearValue(ledger.points.back().wear, field);
    if (!value.has_value()) return cause;
    WearReading alone;
    std::string (*text)(uint8_t) = LifeTimeText;
    const char* threshold = "80 % used, urgent past the rated life";
    if (field == WearField::kPreEol) {
        alone.pre_eol_info = value;
        text = PreEolText;
        threshold = "80 % of the reserve blocks used, urgent at 90 %";
    } else {
        alone.life_time_a = value;
    }
    cause.raise = cause.hold = JudgeWear(alone).level;
    std::string direction = "as when first seen";
    for (const LedgerStep& step : ledger.steps) {
        if (step.field != field || step.to != *value) continue;
        direction = "rising, before " + MonthText(step.wall) + " it was " + text(step.from);
    }
    cause.text = device + ": " + kNames[index] + " is " + text(*value) + ", " + direction +
                 " (warning at " + threshold + ")";
    return cause;
}

Cause WriteRateCause(const Ledger& ledger, const std::string& device) {
    Cause cause{.code = "write_rate"};
    std::vector<double> weeks = WeeklyBytes(ledger, 1 + kWeeksBefore);
    if (weeks.size() < 1 + kMinWeeksBefore) return cause;
    const double last = weeks.front();
    weeks.erase(weeks.begin());
    // The lower bound of 1 byte avoids an infinite ratio after weeks without writes.
    const double usual = std::max(Median(weeks).value_or(0), 1.0);
    const double ratio = last / usual;
    const bool counts = last > kFloorPerWeek;
    auto level = [&](double warning) {
        if (!counts || ratio <= warning) return Level::kGood;
        return ratio > kWriteRateUrgent ? Level::kUrgent : Level::kWarning;
    };
    cause.raise = level(kWriteRateWarning);
    cause.hold = level(kWriteRateHold);
    // An urgent alert persists down to the same fraction of its threshold as a warning.
    if (counts && ratio > kWriteRateUrgent * kWriteRateHold / kWriteRateWarning) {
        cause.hold = Level::kUrgent;
    }
    cause.text = StringPrintf(
            "%s: %s written in the last week, rising; usual: %s a week (warning at %.0f times "
            "that, urgent at %.0f times, above %s)",
            device.c_str(), SizeText(static_cast<uint64_t>(last)).c_str(),
            SizeText(static_cast<uint64_t>(usual)).c_str(), kWriteRateWarning, kWriteRateUrgent,
            SizeText(static_cast<uint64_t>(kFloorPerWeek)).c_str());
    return cause;
}

Cause ForecastCause(const Forecast& forecast, const std::string& device) {
    Cause cause{.code = "forecast", .raise = LevelOfForecast(forecast)};
    if (cause.raise == Level::kUnknown) return cause;
    const WallTime left = *forecast.latest - forecast.made;
    cause.hold = left < kForecastUrgentHold ? Level::kUrgent
                 : left < kForecastHold     ? Level::kWarning
                                            : Level::kGood;
    cause.text = device + ": used up between " + MonthText(*forecast.earliest) + " and " +
                 MonthText(*forecast.latest) +
                 " if it is used as before (warning a year before the later date, urgent 90 "
                 "days before)";
    return cause;
}

Cause CriticalHealthCause(std::optional<uint64_t> count, const std::string& device) {
    Cause cause{.code = "critical_health"};
    if (!count.has_value()) return cause;
    cause.raise = cause.hold = *count == 0 ? Level::kGood : Level::kUrgent;
    cause.text = device + ": the chip has reported critical health " + Counted(*count, "time") +
                 " since boot; back up the data and replace the device (critical_health of the UFS "
                 "host, urgent from 1 on)";
    return cause;
}

Cause WriteBudgetCause(const std::optional<std::string>& over_budget, const std::string& device) {
    Cause cause{.code = "write_budget", .raise = Level::kGood, .hold = Level::kGood};
    cause.at_once = !over_budget.has_value();
    if (over_budget.value_or("").empty()) return cause;
    cause.raise = cause.hold = Level::kWarning;
    cause.text = device + ": " + *over_budget;
    return cause;
}

// Updates one alert; nullopt if it is not raised or has ended.
std::optional<AlertState::Entry> UpdateAlert(const Cause& cause,
                                             std::optional<AlertState::Entry> entry, WallTime now,
                                             AlertChanges* changes) {
    if (cause.raise == Level::kUnknown) return entry;
    const Level before = entry.has_value() ? entry->alert.level : Level::kGood;
    if (cause.raise > before) {
        Alert alert{.code = cause.code, .level = cause.raise, .since = now, .text = cause.text};
        changes->raised.push_back(alert);
        return AlertState::Entry{.alert = std::move(alert), .quiet_since = {}};
    }
    if (!entry.has_value()) return std::nullopt;
    if (cause.hold < before) {
        // A clock that went back restarts the week.
        if (!entry->quiet_since.has_value() || *entry->quiet_since > now) entry->quiet_since = now;
        if (!cause.at_once && now - *entry->quiet_since < kQuiet) return entry;
        if (cause.hold <= Level::kGood) {
            changes->ended.push_back(entry->alert);
            return std::nullopt;
        }
        entry->alert.level = cause.hold;
    }
    entry->alert.text = cause.text;
    entry->quiet_since.reset();
    return entry;
}

}  // namespace

static void Fields(JsonFields& json, AlertState::Entry& entry) {
    json("code", entry.alert.code);
    json.Name("level", entry.alert.level, Level::kUrgent);
    json("since_wall_s", entry.alert.since);
    json("quiet_since_wall_s", entry.quiet_since);
    json("text", entry.alert.text);
}

static void Fields(JsonFields& json, AlertState& state) {
    json("chip", state.chip);
    json("alerts", state.entries);
}

AlertChanges UpdateAlerts(const Ledger& ledger, const Forecast& forecast, const AlertFacts& facts,
                          WallTime now, AlertState* state) {
    AlertChanges changes;
    if (ledger.points.empty()) return changes;
    AlertState next{.chip = ledger.chip, .entries = {}};
    if (state->chip != ledger.chip) {
        for (const AlertState::Entry& entry : state->entries) changes.ended.push_back(entry.alert);
        state->entries.clear();
    }
    std::vector<Cause> causes;
    for (WearField field : {WearField::kPreEol, WearField::kLifeTimeA, WearField::kLifeTimeB}) {
        causes.push_back(FieldCause(ledger, field, facts.device));
    }
    causes.push_back(WriteRateCause(ledger, facts.device));
    causes.push_back(ForecastCause(forecast, facts.device));
    causes.push_back(CriticalHealthCause(facts.critical_health, facts.device));
    causes.push_back(WriteBudgetCause(facts.over_budget, facts.device));
    for (const Cause& cause : causes) {
        std::optional<AlertState::Entry> entry;
        for (const AlertState::Entry& standing : state->entries) {
            if (standing.alert.code == cause.code) entry = standing;
        }
        entry = UpdateAlert(cause, std::move(entry), now, &changes);
        if (entry.has_value()) next.entries.push_back(*std::move(entry));
    }
    *state = std::move(next);
    return changes;
}

std::string FormatAlertState(const AlertState& state) {
    return state.chip.empty() && state.entries.empty() ? "" : WriteFields(state);
}

Result<AlertState> ParseAlertState(const std::string& text) {
    if (text.empty()) return AlertState();
    return ParseFields<AlertState>(text);
}

}  // namespace storekeeper
