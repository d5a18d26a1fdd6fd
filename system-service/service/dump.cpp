// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "service/dump.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "service/crypto_report.h"
#include "service/latency_report.h"
#include "service/ledger_report.h"
#include "service/mounts_report.h"
#include "service/report.h"
#include "service/report_text.h"

namespace storekeeper {
namespace {

// The newest of which a dump has.
constexpr Json::ArrayIndex kReceiptsTold = 5;

Json::Value TextOrNull(const std::string& text) {
    return text.empty() ? Json::Value() : Json::Value(text);
}

std::string Receipts(const Json::Value& receipts) {
    Json::Value newest(Json::arrayValue);
    for (Json::ArrayIndex i = 0; i < std::min(receipts.size(), kReceiptsTold); ++i) {
        newest.append(receipts[i]);
    }
    return ReceiptsText(newest);
}

struct Section {
    std::string_view name;
    std::string_view key;
    std::string (*text)(const Json::Value& section);
};
constexpr std::array<Section, 7> kSections = {{{"health", "health", HealthText},
                                               {"ledger", "ledger", LedgerText},
                                               {"latency", "latency", LatencyText},
                                               {"mounts", "mount_audit", MountsText},
                                               {"crypto", "crypto", CryptoText},
                                               {"maintenance", "maintenance", StatusText},
                                               {"receipts", "receipts", Receipts}}};

// Alerts, and how many things the mounts could do better: what leads on to a section.
std::string Hints(const Json::Value& dump) {
    std::string text;
    for (const Json::Value& alert : dump["ledger"]["alerts"]) {
        text += "Alert: " + alert["text"].asString() + "\n";
    }
    int findings = 0;
    for (const Json::Value& finding : dump["mount_audit"]["findings"]) {
        if (finding["level"].asString() == "info") continue;
        ++findings;
    }
    if (findings != 0) {
        text += "Mounts: " + std::to_string(findings) + (findings == 1 ? " thing" : " things") +
                " to change, see dumpsys storekeeper mounts\n";
    }
    return text;
}

std::string OneScreen(const Json::Value& dump) {
    return SummaryText(dump["health"]) + Hints(dump) + StatusText(dump["maintenance"]);
}

}  // namespace

DumpInputs InputsOfDump(Keeper& keeper, const Collector& collector, CryptoKeeper& crypto,
                        const DeviceName& device) {
    DumpInputs inputs{.device = device,
                      .health = keeper.LastHealth(),
                      .status = keeper.Status(),
                      .collected = collector.Last(),
                      .crypto = crypto.Status(),
                      .receipts = keeper.Receipts(ReceiptStore::kKept)};
    AddForecast(inputs.collected->forecast, &inputs.health);
    return inputs;
}

Json::Value DumpWithoutSeries(const DumpInputs& inputs) {
    Json::Value json;
    json["schema"] = "storekeeper.dump";
    json["version"] = 1;
    json["made_wall_s"] = Json::Int64{inputs.status.now.wall.count()};
    json["device"]["model"] = TextOrNull(inputs.device.model);
    json["device"]["build"] = TextOrNull(inputs.device.build);
    const Collected& collected = *inputs.collected;
    json["health"] = HealthToJson(inputs.health);
    json["ledger"] = LedgerToJson(collected.ledger, collected.forecast, collected.alerts);
    for (const HistoryEvent& event : collected.events) {
        Json::Value row;
        row["kind"] = event.kind;
        row["wall_s"] = Json::Int64{event.wall.count()};
        row["text"] = event.text;
        json["ledger"]["events"].append(std::move(row));
    }
    json["latency"] = LatencyToJson(collected.latency);
    json["mount_audit"] = MountAuditToJson(collected.mounts);
    json["crypto"] = CryptoToJson(inputs.crypto);
    json["maintenance"] = StatusToJson(inputs.status);
    for (const std::string& note : collected.notes) json["maintenance"]["notes"].append(note);
    json["receipts"] = inputs.receipts;
    return json;
}

Json::Value DumpToJson(const DumpInputs& inputs) {
    Json::Value json = DumpWithoutSeries(inputs);
    json["latency"]["series"] = SeriesToJson(inputs.collected->latency.series);
    return json;
}

const std::vector<std::string>& DumpSections() {
    static const std::vector<std::string> kNames = [] {
        std::vector<std::string> names;
        names.reserve(kSections.size());
        for (const Section& section : kSections) names.emplace_back(section.name);
        return names;
    }();
    return kNames;
}

std::string DumpText(const Json::Value& dump, const std::vector<std::string>& arguments) {
    const auto given = [&](std::string_view name) {
        return std::find(arguments.begin(), arguments.end(), name) != arguments.end();
    };
    const bool all = given("-a");
    std::string text;
    for (const Section& section : kSections) {
        if (!all && !given(section.name)) continue;
        text += section.text(dump[std::string(section.key)]);
    }
    return text.empty() ? OneScreen(dump) : text;
}

}  // namespace storekeeper
