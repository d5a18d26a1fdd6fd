// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "report/mounts_report.h"

#include <android-base/stringprintf.h>

#include <algorithm>
#include <string_view>

#include "base/json_text.h"

namespace storekeeper {
namespace {

using android::base::StringPrintf;

// Those of the mount and those of the file system that do not repeat them.
std::string OptionsOf(const Mount& mount) {
    std::string options = mount.mount_options;
    std::string_view rest = mount.options;
    while (!rest.empty()) {
        const size_t end = std::min(rest.find(','), rest.size());
        const std::string_view option = rest.substr(0, end);
        if (!mount.HasMountOption(option)) options += "," + std::string(option);
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return options;
}

std::string MountText(const Json::Value& mount) {
    std::string text =
            StringPrintf("  %-20s %s", mount["mount"].asCString(), mount["type"].asCString());
    if (!mount["size_bytes"].isNull() && !mount["free_bytes"].isNull()) {
        constexpr double kMib = 1024.0 * 1024;
        constexpr double kGib = 1024 * kMib;
        const double size = mount["size_bytes"].asDouble();
        const bool small = size < kGib;
        text += StringPrintf(", %.1f of %.1f %s free",
                             mount["free_bytes"].asDouble() / (small ? kMib : kGib),
                             size / (small ? kMib : kGib), small ? "MiB" : "GiB");
    }
    const std::string layer = mount["layer"].asString();
    if (!layer.empty() && layer != "none") text += ", " + layer;
    return text + "\n    " + mount["source"].asString() + " " + mount["options"].asString() + "\n";
}

}  // namespace

Json::Value MountAuditToJson(const MountAuditInputs& inputs) {
    Json::Value json;
    json["findings"] = Json::Value(Json::arrayValue);
    for (const MountFinding& finding : AuditMounts(inputs)) {
        Json::Value row;
        row["code"] = finding.code;
        row["level"] = MountFindingLevelName(finding.level);
        row["mount"] = finding.mount;
        row["text"] = finding.text;
        row["cost"] = finding.cost;
        row["change"] = finding.change;
        json["findings"].append(row);
    }
    json["mounts"] = Json::Value(Json::arrayValue);
    for (const AuditedMount& audited : inputs.mounts) {
        Json::Value row;
        row["mount"] = audited.mount.mount_point;
        row["type"] = audited.mount.type;
        row["source"] = audited.mount.source;
        row["options"] = OptionsOf(audited.mount);
        row["size_bytes"] = OrNull(audited.size_bytes);
        row["free_bytes"] = OrNull(audited.free_bytes);
        row["layer"] = audited.layer;
        json["mounts"].append(row);
    }
    return json;
}

std::string MountsText(const Json::Value& audit) {
    std::string text;
    for (const Json::Value& finding : audit["findings"]) {
        text += finding["level"].asString() + ": " + finding["mount"].asString() + ": " +
                finding["text"].asString() + "\n    costs: " + finding["cost"].asString() +
                "\n    change: " + finding["change"].asString() + "\n";
    }
    if (text.empty()) text = "Nothing to change.\n";
    text += "Mounts:\n";
    for (const Json::Value& mount : audit["mounts"]) text += MountText(mount);
    return text;
}

}  // namespace storekeeper
