// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include <algorithm>

#include "base/json_text.h"
#include "base/quantity_text.h"
#include "report/collected.h"

namespace storekeeper {
namespace {

constexpr size_t kSeriesPoints = 256;

Json::Value StepToJson(const LedgerStep& step) {
    Json::Value json;
    json["field"] = std::string(WearFieldName(step.field));
    json["from"] = step.from;
    json["to"] = step.to;
    json["wall_s"] = Json::Int64{step.wall.count()};
    json["written_bytes"] = OrNull(step.written_bytes);
    return json;
}

Json::Value ForecastToJson(const Forecast& forecast) {
    Json::Value json;
    json["state"] = forecast.state == Forecast::State::kRange ? "range" : "unknown";
    json["reason"] = forecast.reason;
    json["earliest_wall_s"] = OrNull(forecast.earliest);
    json["latest_wall_s"] = OrNull(forecast.latest);
    json["confidence_pct"] = OrNull(forecast.confidence_pct);
    json["bytes_per_day"] = OrNull(forecast.bytes_per_day);
    json["line"] = forecast.line;
    return json;
}

Json::Value PointToJson(const LedgerPoint& point) {
    Json::Value json;
    json["wall_s"] = Json::Int64{point.wall.count()};
    for (WearField field : kWearFields) {
        json[std::string(WearFieldName(field))] = OrNull(WearValue(point.wear, field));
    }
    json["written_bytes"] = OrNull(point.written_bytes);
    return json;
}

bool SameWear(const LedgerPoint& a, const LedgerPoint& b) {
    return std::all_of(std::begin(kWearFields), std::end(kWearFields), [&](WearField field) {
        return WearValue(a.wear, field) == WearValue(b.wear, field);
    });
}

Json::Value SeriesToJson(const std::vector<LedgerPoint>& points) {
    Json::Value json(Json::arrayValue);
    const size_t every = points.size() / kSeriesPoints + 1;
    for (size_t i = 0; i < points.size(); ++i) {
        const bool last = i + 1 == points.size();
        if (i % every == 0 || last || !SameWear(points[i], points[i - 1])) {
            json.append(PointToJson(points[i]));
        }
    }
    return json;
}

Json::Value AlertToJson(const AlertState::Entry& entry) {
    Json::Value json;
    json["code"] = entry.alert.code;
    json["level"] = NameOf(entry.alert.level);
    json["since_wall_s"] = Json::Int64{entry.alert.since.count()};
    json["text"] = entry.alert.text;
    return json;
}

Json::Value EventToJson(const HistoryEvent& event) {
    Json::Value json;
    json["kind"] = event.kind;
    json["wall_s"] = Json::Int64{event.wall.count()};
    json["text"] = event.text;
    return json;
}

// Events of the chip, followed by those of the history.
std::vector<HistoryEvent> EventsOf(const Collected& collected) {
    std::vector<HistoryEvent> events;
    for (const LedgerEvent& event : collected.ledger.events) {
        events.push_back({std::string(LedgerEventName(event.kind)), event.wall, event.text});
    }
    events.insert(events.end(), collected.events.begin(), collected.events.end());
    return events;
}

std::string StepText(const LedgerStep& step) {
    std::string text = "  " + WallTimeText(step.wall) + "  " +
                       std::string(WearFieldName(step.field)) + " from " +
                       std::to_string(step.from) + " to " + std::to_string(step.to);
    if (step.written_bytes.has_value()) {
        text += ", " + SizeText(*step.written_bytes) + " since the previous step";
    }
    return text + "\n";
}

}  // namespace

Json::Value LedgerToJson(const Collected& collected) {
    const Ledger& ledger = collected.ledger;
    const Forecast& forecast = collected.forecast;
    Json::Value json;
    json["chip"] = TextOrNull(ledger.chip);
    json["since_wall_s"] = OrNull(ledger.since);
    json["samples"] = Json::UInt64{ledger.points.size()};
    json["written_bytes"] = OrNull(ledger.written_bytes);
    json["written_why"] = ledger.written_bytes.has_value() ? "" : WhyNoBytes(ledger);
    json["lifetime_bytes"] = OrNull(collected.lifetime_bytes);
    json["steps"] = ArrayOf(ledger.steps, StepToJson);
    json["bytes_per_step"] = Json::Value();
    if (forecast.bytes_per_step.has_value()) {
        json["bytes_per_step"]["low"] = Json::UInt64{forecast.bytes_per_step->low};
        json["bytes_per_step"]["middle"] = Json::UInt64{forecast.bytes_per_step->middle};
        json["bytes_per_step"]["high"] = Json::UInt64{forecast.bytes_per_step->high};
    }
    json["forecast"] = ForecastToJson(forecast);
    json["alerts"] = ArrayOf(collected.alerts.entries, AlertToJson);
    json["events"] = ArrayOf(EventsOf(collected), EventToJson);
    json["series"] = SeriesToJson(ledger.points);
    return json;
}

std::string WrittenText(const Collected& collected) {
    if (collected.ledger.points.empty()) return "";
    if (!collected.lifetime_bytes.has_value()) {
        return "Written: not known, " + WhyNoBytes(collected.ledger) + "\n";
    }
    const std::optional<uint64_t>& a_day = collected.forecast.bytes_per_day;
    return "Written: " + SizeText(*collected.lifetime_bytes) + " since /data was made, " +
           (a_day.has_value() ? SizeText(*a_day) + " a day\n"
                              : std::string("bytes a day not known yet\n"));
}

std::string LedgerText(const Collected& collected) {
    const Ledger& ledger = collected.ledger;
    const Forecast& forecast = collected.forecast;
    std::string text = forecast.line + "\n";
    for (const AlertState::Entry& entry : collected.alerts.entries) {
        text += "Alert (" + NameOf(entry.alert.level) + ", since " +
                WallTimeText(entry.alert.since) + "): " + entry.alert.text + "\n";
    }
    if (!ledger.since.has_value()) return text + "No samples yet.\n";
    text += "Chip " + (ledger.chip.empty() ? "?" : ledger.chip) + ": " +
            Counted(ledger.points.size(), "sample") + " since " + WallTimeText(*ledger.since);
    text += ledger.written_bytes.has_value()
                    ? ", " + SizeText(*ledger.written_bytes) + " written by /data\n"
                    : "; " + WhyNoBytes(ledger) + "\n";
    if (forecast.bytes_per_day.has_value()) {
        text += "Expected writes: " + SizeText(*forecast.bytes_per_day) + " a day\n";
    }
    if (const std::optional<BytesPerStep>& step = forecast.bytes_per_step; step.has_value()) {
        text += "Each 10 % of life takes " + SizeText(step->middle) + " (" + SizeText(step->low) +
                " to " + SizeText(step->high) + ")\n";
    }
    if (!ledger.steps.empty()) text += "Steps:\n";
    for (const LedgerStep& step : ledger.steps) text += StepText(step);
    text += "Events:\n";
    for (const HistoryEvent& event : EventsOf(collected)) {
        text += "  " + WallTimeText(event.wall) + "  " + event.kind + ": " + event.text + "\n";
    }
    return text;
}

}  // namespace storekeeper
