// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "report/report_text.h"

#include <android-base/stringprintf.h>

#include <string_view>

#include "base/quantity_text.h"
#include "report/why_text.h"

namespace storekeeper {
namespace {

using android::base::StringPrintf;

std::string BytesText(const Json::Value& bytes) {
    return bytes.isNull() ? "an unknown number of" : std::to_string(bytes.asUInt64());
}

// What others had to wait while it ran; "" when nobody did anything.
std::string ForegroundText(const Json::Value& worst_us) {
    if (worst_us.isNull()) return "";
    return StringPrintf("; others' I/O took %.1f ms at worst", worst_us.asDouble() / 1000);
}

std::string MountText(const Json::Value& mount) {
    if (mount["outcome"].asString() != "trimmed") return mount["reason"].asString() + "\n";
    std::string text = "Trimmed " + BytesText(mount["filesystem_bytes"]) + " bytes on " +
                       mount["mount"].asString() + " (" + BytesText(mount["block_layer_bytes"]) +
                       " bytes discarded on the device, " + mount["duration_ms"].asString() +
                       " ms, of these " + mount["trimming_ms"].asString() + " in " +
                       Counted(mount["slices"].asUInt64(), "slice") +
                       ForegroundText(mount["worst_foreground_us"]) + ")\n";
    if (!mount["note"].asString().empty()) text += "  " + mount["note"].asString() + "\n";
    return text;
}

std::string RunText(const Json::Value& run) {
    std::string text = WallTimeText(run["started_wall_s"].asInt64()) +
                       (run["manual"].asBool() ? ", by command" : ", by the policy") + ", " +
                       run["outcome"].asString() + ", " + run["duration_ms"].asString() + " ms\n";
    for (const Json::Value& mount : run["mounts"]) text += "  " + MountText(mount);
    if (run["mounts"].empty()) text += "  " + run["reason"].asString() + "\n";
    return text;
}

Json::Value ItemOf(const Json::Value& health, std::string_view name) {
    for (const Json::Value& item : health["items"]) {
        if (item["name"].asString() == name) return item;
    }
    return {};
}

// "VEMMC1", or "?" when it is not reported.
std::string ValueOf(const Json::Value& health, std::string_view name) {
    const Json::Value item = ItemOf(health, name);
    return item.isNull() || item["value"].isNull() ? "?" : item["value"].asString();
}

std::string UfsText(const Json::Value& health) {
    const std::string version = ItemOf(health, "specification_version")["explanation"].asString();
    return "Chip: " + health["device"].asString() + ", " + ValueOf(health, "product_name") +
           " by " + ValueOf(health, "manufacturer_name") + ", firmware " +
           ValueOf(health, "product_revision") + (version.empty() ? "" : ", " + version) + "\n";
}

std::string ChipText(const Json::Value& health) {
    if (health["device"].asString().empty()) return "";
    if (health["kind"].asString() == "ufs") return UfsText(health);
    std::string rev = ItemOf(health, "rev")["explanation"].asString();
    std::string maker = ItemOf(health, "manfid")["explanation"].asString();
    return "Chip: " + health["device"].asString() + ", " + ValueOf(health, "name") +
           (maker.empty() ? "" : " by " + maker) + ", firmware " + ValueOf(health, "fwrev") +
           (rev.empty() ? "" : ", " + rev) + ", made " + ValueOf(health, "date") + "\n";
}

}  // namespace

std::string ReceiptText(const Json::Value& receipt) {
    std::string text;
    for (const Json::Value& mount : receipt["mounts"]) {
        if (mount["outcome"].asString() == "trimmed") text += MountText(mount);
    }
    return text;
}

std::string ReceiptsText(const Json::Value& receipts) {
    if (receipts.empty()) return "No run yet.\n";
    std::string text;
    for (const Json::Value& receipt : receipts) text += RunText(receipt);
    return text;
}

std::string StateProblemText(const Json::Value& status) {
    if (status["state_problem"].isNull()) return "";
    return "Warning: " + status["state_problem"].asString() + "\n";
}

std::string StatusText(const Json::Value& status) {
    std::string text = WhyText(status) + "Mounts:";
    for (const Json::Value& mount : status["mounts"]) text += " " + mount.asString();
    text += "\nLast complete run: ";
    text += status["last_complete_wall_s"].isNull()
                    ? "never"
                    : WallTimeText(status["last_complete_wall_s"].asInt64());
    text += "\n";
    if (!status["last_run"].isNull()) text += "Last run: " + RunText(status["last_run"]);
    for (const Json::Value& note : status["notes"]) text += "Note: " + note.asString() + "\n";
    return text;
}

// Who told the wear, how old that is, and who could not.
std::string SourcesText(const Json::Value& health) {
    std::string text;
    for (const Json::Value& source : health["sources"]) {
        const std::string name = source["name"].asString();
        if (name == health["wear_source"].asString()) {
            text += "Wear by " + name + ": " + source["age"].asString() + "\n";
        } else if (!source["problem"].asString().empty()) {
            text += "No wear by " + name + ": " + source["problem"].asString() + "\n";
        }
    }
    return text;
}

std::string HealthText(const Json::Value& health) {
    std::string text = health["verdict"]["line"].asString() + "\n" + ChipText(health);
    for (const Json::Value& item : health["items"]) {
        std::string name = item["name"].asString();
        if (item["state"].asString() == "error") {
            text += StringPrintf("  %-20s could not be read: %s\n", name.c_str(),
                                 item["problem"].asCString());
            continue;
        }
        std::string value = item["value"].isNull() ? "not reported" : item["value"].asString();
        std::string explanation = item["explanation"].asString();
        text += StringPrintf("  %-20s %s%s\n", name.c_str(), value.c_str(),
                             explanation.empty() ? "" : ("  (" + explanation + ")").c_str());
    }
    text += SourcesText(health);
    if (!health["ext_csd"].isNull()) {
        text += "  EXT_CSD              handed in; the wear above is its own, see --json\n";
    }
    return text;
}

std::string SummaryText(const Json::Value& health) {
    std::string text = health["verdict"]["line"].asString() + "\n" + ChipText(health);
    for (const Json::Value& item : health["items"]) {
        if (item["state"].asString() == "error") {
            text += "  could not be read: " + item["problem"].asString() + "\n";
        }
    }
    return text;
}

}  // namespace storekeeper
