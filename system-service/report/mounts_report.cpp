// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include <android-base/stringprintf.h>

#include "base/json_text.h"
#include "base/quantity_text.h"
#include "base/tokens.h"
#include "report/report.h"

namespace storekeeper {
namespace {

using android::base::StringPrintf;

// Options of the mount, followed by those of its file system that are not among them.
std::string OptionsOf(const Mount& mount) {
    std::string options = mount.mount_options;
    for (const std::string& option : Tokenize(mount.options, ",")) {
        if (!mount.HasMountOption(option)) options += "," + option;
    }
    return options;
}

Json::Value FindingToJson(const MountFinding& finding) {
    Json::Value json;
    json["code"] = finding.code;
    json["level"] = MountFindingLevelName(finding.level);
    json["mount"] = finding.mount;
    json["text"] = finding.text;
    json["cost"] = finding.cost;
    json["change"] = finding.change;
    return json;
}

Json::Value MountToJson(const AuditedMount& audited) {
    Json::Value json;
    json["mount"] = audited.mount.mount_point;
    json["type"] = audited.mount.type;
    json["source"] = audited.mount.source;
    json["options"] = OptionsOf(audited.mount);
    json["size_bytes"] = OrNull(audited.size_bytes);
    json["free_bytes"] = OrNull(audited.free_bytes);
    json["layer"] = audited.layer;
    return json;
}

std::string MountText(const AuditedMount& audited) {
    const Mount& mount = audited.mount;
    std::string text = StringPrintf("  %-20s %s", mount.mount_point.c_str(), mount.type.c_str());
    if (audited.size_bytes.has_value() && audited.free_bytes.has_value()) {
        text += ", " + SizeText(*audited.free_bytes) + " of " + SizeText(*audited.size_bytes) +
                " free";
    }
    if (!audited.layer.empty() && audited.layer != "none") text += ", " + audited.layer;
    return text + "\n    " + mount.source + " " + OptionsOf(mount) + "\n";
}

}  // namespace

std::string MountsLeftOutText(uint64_t count) {
    if (count == 0) return "";
    return "  " + Counted(count, "more mount") + (count == 1 ? " is" : " are") + " left out\n";
}

Json::Value MountAuditToJson(const MountAuditInputs& inputs) {
    Json::Value json;
    json["findings"] = ArrayOf(AuditMounts(inputs), FindingToJson);
    json["mounts"] = ArrayOf(inputs.mounts, MountToJson);
    json["mounts_left_out"] = Json::UInt64{inputs.mounts_left_out};
    return json;
}

std::string MountsText(const MountAuditInputs& inputs) {
    std::string text;
    for (const MountFinding& finding : AuditMounts(inputs)) {
        text += MountFindingLevelName(finding.level) + ": " + finding.mount + ": " + finding.text +
                "\n    costs: " + finding.cost + "\n    change: " + finding.change + "\n";
    }
    if (text.empty()) text = "Nothing to change.\n";
    text += "Mounts:\n";
    for (const AuditedMount& mount : inputs.mounts) text += MountText(mount);
    return text + MountsLeftOutText(inputs.mounts_left_out);
}

}  // namespace storekeeper
