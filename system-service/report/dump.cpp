// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "report/dump.h"

#include <android-base/strings.h>

#include <algorithm>
#include <array>
#include <memory>
#include <string_view>
#include <utility>

#include "base/json_text.h"
#include "health/health_report.h"
#include "report/crypto_report.h"
#include "report/latency_report.h"
#include "report/ledger_report.h"
#include "report/mounts_report.h"
#include "report/report.h"
#include "report/report_text.h"

namespace storekeeper {
namespace {

// The newest of which a dump has.
constexpr Json::ArrayIndex kReceiptsTold = 5;

std::string Receipts(const Json::Value& receipts) {
    Json::Value newest(Json::arrayValue);
    for (Json::ArrayIndex i = 0; i < std::min(receipts.size(), kReceiptsTold); ++i) {
        newest.append(receipts[i]);
    }
    return ReceiptsText(newest);
}

Json::Value HealthSection(const DumpSources& sources) {
    HealthReport health = sources.keeper.LastHealth();
    AddForecast(sources.collected->forecast, &health);
    return HealthToJson(health);
}

Json::Value LedgerSection(const DumpSources& sources) {
    const Collected& collected = *sources.collected;
    Json::Value json = LedgerToJson(collected.ledger, collected.forecast, collected.alerts);
    for (const HistoryEvent& event : collected.events) {
        Json::Value row;
        row["kind"] = event.kind;
        row["wall_s"] = Json::Int64{event.wall.count()};
        row["text"] = event.text;
        json["events"].append(std::move(row));
    }
    return json;
}

Json::Value LatencySection(const DumpSources& sources) {
    return LatencyToJson(sources.collected->latency);
}

Json::Value MountsSection(const DumpSources& sources) {
    return MountAuditToJson(sources.collected->mounts);
}

Json::Value CryptoSection(const DumpSources& sources) {
    return CryptoToJson(sources.crypto.Status());
}

Json::Value MaintenanceSection(const DumpSources& sources) {
    Json::Value json = StatusToJson(sources.keeper.Status());
    for (const std::string& note : sources.collected->notes) json["notes"].append(note);
    return json;
}

Json::Value ReceiptsSection(const DumpSources& sources) {
    return sources.keeper.Receipts(ReceiptStore::kKept);
}

struct Section {
    std::string_view name;
    const char* key;
    Json::Value (*json)(const DumpSources& sources);
    std::string (*text)(const Json::Value& section);
    bool on_one_screen;
};
constexpr char kLatency[] = "latency";
constexpr std::array<Section, 7> kSections = {
        {{"health", "health", HealthSection, HealthText, true},
         {"ledger", "ledger", LedgerSection, LedgerText, true},
         {"latency", kLatency, LatencySection, LatencyText, false},
         {"mounts", "mount_audit", MountsSection, MountsText, true},
         {"crypto", "crypto", CryptoSection, CryptoText, false},
         {"maintenance", "maintenance", MaintenanceSection, StatusText, true},
         {"receipts", "receipts", ReceiptsSection, Receipts, false}}};

// In our order.
std::vector<const Section*> Named(const std::vector<std::string>& names) {
    std::vector<const Section*> named;
    for (const Section& section : kSections) {
        if (std::find(names.begin(), names.end(), section.name) != names.end()) {
            named.push_back(&section);
        }
    }
    return named;
}

Json::Value JsonOf(const Section& section, const DumpSources& sources) {
    Json::Value json = section.json(sources);
    if (section.name == kLatency) json["series"] = SeriesToJson(sources.collected->latency.series);
    return json;
}

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
    return StateProblemText(dump["maintenance"]) + SummaryText(dump["health"]) + Hints(dump) +
           StatusText(dump["maintenance"]);
}

}  // namespace

DumpRequest ParseDumpRequest(const std::vector<std::string>& arguments) {
    DumpRequest request;
    bool of_an_option = false;
    for (const std::string& argument : arguments) {
        if (std::exchange(of_an_option, argument == "--dump-priority")) {
            of_an_option = false;
        } else if (argument == "--json") {
            request.json = true;
        } else if (argument == "-h" || argument == "--help" || argument == "help") {
            request.help = true;
        } else if (argument == "-a") {
            request.sections = DumpSections();
        } else if (!Named({argument}).empty()) {
            request.sections.push_back(argument);
        } else if (!argument.starts_with('-') && request.unknown.empty()) {
            request.unknown = argument;
        }
    }
    return request;
}

std::string DumpHelp() {
    return "usage: dumpsys storekeeper [SECTION...] [-a] [--json]\n"
           "  without SECTION: one screen, or with --json all sections\n"
           "  SECTION: " +
           android::base::Join(DumpSections(), ", ") +
           "\n"
           "  -a       all sections\n"
           "  --json   as docs/dump.schema.json has it; with SECTION, those sections alone\n";
}

Json::Value DumpToJson(const DumpSources& sources, const std::vector<std::string>& sections) {
    Json::Value json;
    json["schema"] = "storekeeper.dump";
    json["version"] = 1;
    json["device"]["model"] = TextOrNull(sources.device.model);
    json["device"]["build"] = TextOrNull(sources.device.build);
    for (const Section* section : Named(sections.empty() ? DumpSections() : sections)) {
        json[section->key] = JsonOf(*section, sources);
    }
    json["made_wall_s"] = json.isMember("maintenance")
                                  ? json["maintenance"]["now_wall_s"]
                                  : Json::Int64{sources.keeper.Status().now.wall.count()};
    return json;
}

Json::Value SectionToJson(const DumpSources& sources, const std::string& key) {
    for (const Section& section : kSections) {
        if (key == section.key) return JsonOf(section, sources);
    }
    return {};
}

Json::Value DumpForText(const DumpSources& sources, const std::vector<std::string>& sections) {
    const std::vector<const Section*> named = Named(sections);
    Json::Value json;
    for (const Section* section : named) json[section->key] = section->json(sources);
    for (const Section& section : kSections) {
        if (named.empty() && section.on_one_screen) json[section.key] = section.json(sources);
    }
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

std::string DumpText(const Json::Value& dump, const std::vector<std::string>& sections) {
    std::string text;
    for (const Section* section : Named(sections)) text += section->text(dump[section->key]);
    return text.empty() ? OneScreen(dump) : text;
}

}  // namespace storekeeper
