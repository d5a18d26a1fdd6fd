// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "service/dump.h"

#include <android-base/strings.h>

#include <algorithm>
#include <array>
#include <memory>
#include <string_view>
#include <utility>

#include "health/health_report.h"
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

// All sections are of the same gathering.
struct Moment {
    const DumpSources& sources;
    std::shared_ptr<const Collected> collected;  // never null
};

Moment MomentOf(const DumpSources& sources) {
    return {sources, sources.collector.Last()};
}

Json::Value HealthSection(const Moment& moment) {
    HealthReport health = moment.sources.keeper.LastHealth();
    AddForecast(moment.collected->forecast, &health);
    return HealthToJson(health);
}

Json::Value LedgerSection(const Moment& moment) {
    const Collected& collected = *moment.collected;
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

Json::Value LatencySection(const Moment& moment) {
    return LatencyToJson(moment.collected->latency);
}

Json::Value MountsSection(const Moment& moment) {
    return MountAuditToJson(moment.collected->mounts);
}

Json::Value CryptoSection(const Moment& moment) {
    return CryptoToJson(moment.sources.crypto.Status());
}

Json::Value MaintenanceSection(const Moment& moment) {
    Json::Value json = StatusToJson(moment.sources.keeper.Status());
    for (const std::string& note : moment.collected->notes) json["notes"].append(note);
    return json;
}

Json::Value ReceiptsSection(const Moment& moment) {
    return moment.sources.keeper.Receipts(ReceiptStore::kKept);
}

struct Section {
    std::string_view name;
    const char* key;
    Json::Value (*json)(const Moment& moment);
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

Json::Value JsonOf(const Section& section, const Moment& moment) {
    Json::Value json = section.json(moment);
    if (section.name == kLatency) json["series"] = SeriesToJson(moment.collected->latency.series);
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
    const Moment moment = MomentOf(sources);
    Json::Value json;
    json["schema"] = "storekeeper.dump";
    json["version"] = 1;
    json["device"]["model"] = TextOrNull(sources.device.model);
    json["device"]["build"] = TextOrNull(sources.device.build);
    for (const Section* section : Named(sections.empty() ? DumpSections() : sections)) {
        json[section->key] = JsonOf(*section, moment);
    }
    json["made_wall_s"] = json.isMember("maintenance")
                                  ? json["maintenance"]["now_wall_s"]
                                  : Json::Int64{sources.keeper.Status().now.wall.count()};
    return json;
}

Json::Value SectionToJson(const DumpSources& sources, const std::string& key) {
    const Moment moment = MomentOf(sources);
    for (const Section& section : kSections) {
        if (key == section.key) return JsonOf(section, moment);
    }
    return {};
}

Json::Value DumpForText(const DumpSources& sources, const std::vector<std::string>& sections) {
    const Moment moment = MomentOf(sources);
    const std::vector<const Section*> named = Named(sections);
    Json::Value json;
    for (const Section* section : named) json[section->key] = section->json(moment);
    for (const Section& section : kSections) {
        if (named.empty() && section.on_one_screen) json[section.key] = section.json(moment);
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
