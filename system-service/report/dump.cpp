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
#include "base/quantity_text.h"
#include "health/card_health.h"
#include "report/collected.h"
#include "report/report.h"

namespace storekeeper {
namespace {

// Number of newest receipts in a text.
constexpr size_t kReceiptsShown = 5;

HealthReport HealthOf(const DumpSources& sources) {
    HealthReport health = sources.card.Last();
    AddForecast(sources.collected->forecast, &health);
    return health;
}

KeeperStatus StatusOf(const DumpSources& sources) {
    KeeperStatus status = sources.keeper.Status();
    const std::vector<std::string>& notes = sources.collected->notes;
    status.notes.insert(status.notes.end(), notes.begin(), notes.end());
    return status;
}

using S = DumpSources;
struct Section {
    std::string_view name;
    const char* key;
    Json::Value (*json)(const DumpSources& sources);
    std::string (*text)(const DumpSources& sources);
};
constexpr std::array<Section, 7> kSections = {
        {{"health", "health", [](const S& s) { return HealthToJson(HealthOf(s)); },
          [](const S& s) { return HealthText(HealthOf(s)); }},
         {"ledger", "ledger", [](const S& s) { return LedgerToJson(*s.collected); },
          [](const S& s) { return LedgerText(*s.collected); }},
         {"latency", "latency",
          [](const S& s) { return LatencyToJson(s.collected->latency, s.names); },
          [](const S& s) { return LatencyText(s.collected->latency, s.names); }},
         {"mounts", "mount_audit", [](const S& s) { return MountAuditToJson(s.collected->mounts); },
          [](const S& s) { return MountsText(s.collected->mounts); }},
         {"crypto", "crypto", [](const S& s) { return CryptoToJson(s.crypto.Status()); },
          [](const S& s) { return CryptoText(s.crypto.Status()); }},
         {"maintenance", "maintenance", [](const S& s) { return StatusToJson(StatusOf(s)); },
          [](const S& s) { return StatusText(StatusOf(s)); }},
         {"receipts", "receipts",
          [](const S& s) { return ReceiptsToJson(s.keeper.Receipts(RecordFile::kMaxReceipts)); },
          [](const S& s) { return ReceiptsText(s.keeper.Receipts(kReceiptsShown)); }}}};

// The named sections in the order of kSections.
std::vector<const Section*> FindSections(const std::vector<std::string>& names) {
    std::vector<const Section*> named;
    for (const Section& section : kSections) {
        if (std::find(names.begin(), names.end(), section.name) != names.end()) {
            named.push_back(&section);
        }
    }
    return named;
}

// Alerts and the number of mount findings, with the sections that explain them.
std::string Hints(const Collected& collected) {
    std::string text;
    for (const AlertState::Entry& entry : collected.alerts.entries) {
        text += "Alert: " + entry.alert.text + "\n";
    }
    const std::vector<MountFinding> all = AuditMounts(collected.mounts);
    const auto findings = std::count_if(all.begin(), all.end(), [](const MountFinding& finding) {
        return finding.level != MountFinding::Level::kInfo;
    });
    if (findings == 0) return text;
    return text + "Mounts: " + Counted(static_cast<uint64_t>(findings), "finding") +
           ", see dumpsys storekeeper mounts\n";
}

std::string OneScreen(const DumpSources& sources) {
    const KeeperStatus status = StatusOf(sources);
    const std::string lost_choice = sources.crypto.ChoiceNote();
    return WrapText(WarningsText(status) +
                    (lost_choice.empty() ? "" : "Encryption: " + lost_choice + "\n") +
                    HealthBrief(HealthOf(sources)) + WrittenText(*sources.collected) +
                    Hints(*sources.collected) + StatusBrief(status));
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
        } else if (argument == "--apps") {
            request.apps = true;
        } else if (argument == "-h" || argument == "--help" || argument == "help") {
            request.help = true;
        } else if (argument == "-a") {
            request.sections = DumpSections();
        } else if (!FindSections({argument}).empty()) {
            request.sections.push_back(argument);
        } else if (!argument.starts_with('-') && request.unknown.empty()) {
            request.unknown = argument;
        }
    }
    return request;
}

std::string DumpHelp() {
    return "usage: dumpsys storekeeper [SECTION...] [-a] [--apps] [--json]\n"
           "  SECTION: " +
           android::base::Join(DumpSections(), ", ") +
           "\n"
           "           default: one screen; with --json all sections\n"
           "  -a       all sections\n"
           "  --apps   adds the names of apps to the largest writers\n"
           "  --json   JSON, described in docs/dump.schema.json\n";
}

Json::Value DumpToJson(const DumpSources& sources, const std::vector<std::string>& sections) {
    Json::Value json;
    json["schema"] = "storekeeper.dump";
    json["version"] = 1;
    json["device"]["model"] = TextOrNull(sources.device.model);
    json["device"]["build"] = TextOrNull(sources.device.build);
    for (const Section* section : FindSections(sections.empty() ? DumpSections() : sections)) {
        json[section->key] = section->json(sources);
    }
    json["made_wall_s"] = Json::Int64{sources.keeper.Now().wall.count()};
    return json;
}

Json::Value SectionToJson(const DumpSources& sources, const std::string& name) {
    return FindSections({name}).at(0)->json(sources);
}

std::vector<std::string> DumpSections() {
    std::vector<std::string> names;
    names.reserve(kSections.size());
    for (const Section& section : kSections) names.emplace_back(section.name);
    return names;
}

std::string DumpText(const DumpSources& sources, const std::vector<std::string>& sections) {
    const std::vector<const Section*> named = FindSections(sections);
    if (named.empty()) return OneScreen(sources);
    std::string text;
    for (const Section* section : named) text += section->text(sources);
    return text;
}

}  // namespace storekeeper
