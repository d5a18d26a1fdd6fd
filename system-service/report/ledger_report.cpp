// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "report/ledger_report.h"

#include <android-base/stringprintf.h>

#include <algorithm>

#include "base/json_text.h"
#include "report/why_text.h"

namespace storekeeper {
namespace {

using android::base::StringPrintf;

constexpr size_t kSeriesPoints = 256;

Json::Value WallOrNull(const std::optional<WallTime>& wall) {
    return wall.has_value() ? Json::Value(Json::Int64{wall->count()}) : Json::Value();
}

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
    json["earliest_wall_s"] = WallOrNull(forecast.earliest);
    json["latest_wall_s"] = WallOrNull(forecast.latest);
    json["confidence_pct"] = forecast.confidence_pct.has_value()
                                     ? Json::Value(*forecast.confidence_pct)
                                     : Json::Value();
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

std::string GibText(const Json::Value& bytes) {
    return StringPrintf("%.1f GiB", bytes.asDouble() / (1024.0 * 1024 * 1024));
}

std::string StepText(const Json::Value& step) {
    std::string text = "  " + WallTimeText(step["wall_s"].asInt64()) + "  " +
                       step["field"].asString() + " from " + step["from"].asString() + " to " +
                       step["to"].asString();
    if (!step["written_bytes"].isNull()) {
        text += ", " + GibText(step["written_bytes"]) + " after the step before";
    }
    return text + "\n";
}

}  // namespace

Json::Value LedgerToJson(const Ledger& ledger, const Forecast& forecast, const AlertState& alerts) {
    Json::Value json;
    json["chip"] = ledger.chip.empty() ? Json::Value() : Json::Value(ledger.chip);
    json["since_wall_s"] = WallOrNull(ledger.since);
    json["samples"] = Json::UInt64{ledger.points.size()};
    json["written_bytes"] = OrNull(ledger.written_bytes);
    json["steps"] = Json::Value(Json::arrayValue);
    for (const LedgerStep& step : ledger.steps) json["steps"].append(StepToJson(step));
    json["bytes_per_step"] = Json::Value();
    if (forecast.bytes_per_step.has_value()) {
        json["bytes_per_step"]["low"] = Json::UInt64{forecast.bytes_per_step->low};
        json["bytes_per_step"]["middle"] = Json::UInt64{forecast.bytes_per_step->middle};
        json["bytes_per_step"]["high"] = Json::UInt64{forecast.bytes_per_step->high};
    }
    json["forecast"] = ForecastToJson(forecast);
    json["alerts"] = Json::Value(Json::arrayValue);
    for (const AlertState::Entry& entry : alerts.entries) {
        Json::Value alert;
        alert["code"] = entry.alert.code;
        alert["level"] = LevelName(entry.alert.level);
        alert["since_wall_s"] = Json::Int64{entry.alert.since.count()};
        alert["text"] = entry.alert.text;
        json["alerts"].append(alert);
    }
    json["events"] = Json::Value(Json::arrayValue);
    for (const LedgerEvent& event : ledger.events) {
        Json::Value row;
        row["kind"] = std::string(LedgerEventName(event.kind));
        row["wall_s"] = Json::Int64{event.wall.count()};
        row["text"] = event.text;
        json["events"].append(row);
    }
    json["series"] = SeriesToJson(ledger.points);
    return json;
}

std::string LedgerText(const Json::Value& ledger) {
    const Json::Value& forecast = ledger["forecast"];
    std::string text = forecast["line"].asString() + "\n";
    for (const Json::Value& alert : ledger["alerts"]) {
        text += "Alert (" + alert["level"].asString() + ", since " +
                WallTimeText(alert["since_wall_s"].asInt64()) + "): " + alert["text"].asString() +
                "\n";
    }
    if (ledger["since_wall_s"].isNull()) return text + "No sample yet.\n";
    text += "Chip " + (ledger["chip"].isNull() ? "?" : ledger["chip"].asString()) + ": " +
            ledger["samples"].asString() + " samples since " +
            WallTimeText(ledger["since_wall_s"].asInt64());
    text += ledger["written_bytes"].isNull()
                    ? ", bytes written not reported\n"
                    : ", " + GibText(ledger["written_bytes"]) + " written by /data\n";
    if (!forecast["bytes_per_day"].isNull()) {
        text += "Written of late: " + GibText(forecast["bytes_per_day"]) + " a day\n";
    }
    const Json::Value& step = ledger["bytes_per_step"];
    if (!step.isNull()) {
        text += "Each 10 % of life takes " + GibText(step["middle"]) + " (" + GibText(step["low"]) +
                " to " + GibText(step["high"]) + ")\n";
    }
    if (!ledger["steps"].empty()) text += "Steps:\n";
    for (const Json::Value& row : ledger["steps"]) text += StepText(row);
    text += "Events:\n";
    for (const Json::Value& event : ledger["events"]) {
        text += "  " + WallTimeText(event["wall_s"].asInt64()) + "  " + event["kind"].asString() +
                ": " + event["text"].asString() + "\n";
    }
    return text;
}

}  // namespace storekeeper
