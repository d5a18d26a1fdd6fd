// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "report/plan_report.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "base/quantity_text.h"
#include "report/report_text.h"

namespace storekeeper {
namespace {

constexpr uint64_t kMib = 1 << 20;

// Milliseconds a byte took, pauses included, over the receipts that discarded enough to tell.
std::optional<double> PaceOf(const std::string& mount, const Json::Value& receipts) {
    double milliseconds = 0;
    double bytes = 0;
    for (const Json::Value& receipt : receipts) {
        for (const Json::Value& done : receipt["mounts"]) {
            if (done["mount"].asString() != mount || done["block_layer_bytes"].isNull() ||
                done["block_layer_bytes"].asUInt64() < kMib) {
                continue;
            }
            milliseconds += done["duration_ms"].asDouble();
            bytes += done["block_layer_bytes"].asDouble();
        }
    }
    if (bytes <= 0) return std::nullopt;
    return milliseconds / bytes;
}

uint64_t SliceCount(const PassPlan& pass) {
    if (pass.slices.slice_bytes == 0) return 1;
    const uint64_t rest = pass.device_bytes - std::min(pass.device_bytes, pass.cursor);
    return (rest + pass.slices.slice_bytes - 1) / pass.slices.slice_bytes;
}

// What is free counts evenly over the file system: what lies before the cursor is done.
uint64_t AtMost(const PassPlan& pass) {
    if (pass.size_bytes == 0 || pass.cursor >= pass.size_bytes) return pass.free_bytes;
    const double rest = 1 - static_cast<double>(pass.cursor) / static_cast<double>(pass.size_bytes);
    return static_cast<uint64_t>(std::llround(static_cast<double>(pass.free_bytes) * rest));
}

}  // namespace

Json::Value PlanToJson(const std::vector<Trimmer::Planned>& plan, const Json::Value& receipts) {
    Json::Value json(Json::arrayValue);
    for (const Trimmer::Planned& planned : plan) {
        const Selection& selection = planned.selection;
        Json::Value mount;
        mount["mount"] = selection.path;
        mount["would_trim"] = planned.pass.has_value();
        mount["outcome"] = std::string(FactsOf(selection.outcome).name);
        mount["reason"] = planned.problem.empty() ? selection.reason
                                                  : selection.path + ": " + planned.problem;
        if (planned.pass.has_value()) {
            const PassPlan& pass = *planned.pass;
            const uint64_t bytes = AtMost(pass);
            const std::optional<double> pace = PaceOf(selection.path, receipts);
            mount["type"] = selection.mount.type;
            mount["how"] = std::string(pass.slices.how);
            mount["slices"] = Json::UInt64{SliceCount(pass)};
            mount["slice_bytes"] = Json::UInt64{pass.slices.slice_bytes};
            mount["cursor_bytes"] = Json::UInt64{pass.cursor};
            mount["size_bytes"] = Json::UInt64{pass.size_bytes};
            mount["at_most_bytes"] = Json::UInt64{bytes};
            mount["at_most_ms"] = pace.has_value() ? Json::Value(Json::Int64{std::llround(
                                                             *pace * static_cast<double>(bytes))})
                                                   : Json::Value();
        }
        json.append(std::move(mount));
    }
    return json;
}

std::string PlanText(const Json::Value& plan) {
    std::string text;
    for (const Json::Value& mount : plan) {
        if (!mount["would_trim"].asBool()) {
            text += mount["reason"].asString() + "\n";
            continue;
        }
        text += mount["mount"].asString() + ": " + mount["type"].asString() + ", " +
                mount["how"].asString();
        if (mount["slice_bytes"].asUInt64() != 0) {
            text += ", " + Counted(mount["slices"].asUInt64(), "slice") + " of " +
                    std::to_string(mount["slice_bytes"].asUInt64() / kMib) + " MiB";
        }
        if (mount["cursor_bytes"].asUInt64() != 0) {
            text += ", goes on at " + mount["cursor_bytes"].asString() + " of " +
                    mount["size_bytes"].asString() + " bytes";
        }
        text += "; discards at most " + mount["at_most_bytes"].asString() + " bytes";
        text += mount["at_most_ms"].isNull()
                        ? ", how long is not known yet\n"
                        : " in about " + DurationText(mount["at_most_ms"].asInt64() / 1000) +
                                  ", as the last runs took\n";
    }
    return text.empty() ? "No mount is given.\n" : text;
}

}  // namespace storekeeper
