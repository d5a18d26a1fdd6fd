// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "maintenance/canary/chip_trust.h"

#include <algorithm>
#include <optional>

#include "base/json_text.h"
#include "base/quantity_text.h"
#include "base/try.h"

namespace storekeeper {
namespace {

using android::base::Error;
using android::base::Result;
using State = ChipTrust::State;

constexpr State kStates[] = {State::kUnknown, State::kPlanting, State::kTrying,
                             State::kPassed,  State::kWatched,  State::kQuarantined};

struct Key {
    const char* name = nullptr;
    bool (Json::Value::*is)() const = nullptr;
};

constexpr Key kTrustKeys[] = {
        {"chip", &Json::Value::isString},          {"firmware", &Json::Value::isString},
        {"state", &Json::Value::isString},         {"boot_id", &Json::Value::isString},
        {"boot_ns", &Json::Value::isInt64},        {"since_wall_s", &Json::Value::isInt64},
        {"written_bytes", &Json::Value::isUInt64}, {"unfinished", &Json::Value::isUInt},
        {"after_restart", &Json::Value::isBool},   {"why", &Json::Value::isString},
};
constexpr Key kCanaryKeys[] = {
        {"seed", &Json::Value::isUInt64},         {"inode", &Json::Value::isUInt64},
        {"size", &Json::Value::isUInt64},         {"modified_ns", &Json::Value::isInt64},
        {"gap_offset", &Json::Value::isUInt64},   {"gap_length", &Json::Value::isUInt64},
        {"gap_physical", &Json::Value::isUInt64},
};

template <size_t N>
Result<void> Check(const Json::Value& object, const Key (&keys)[N]) {
    if (!object.isObject()) return Error() << "an entry is not an object";
    for (const Key& key : keys) {
        if (!object.isMember(key.name) || !(object[key.name].*key.is)()) {
            return Error() << key.name << " is missing or has another type";
        }
    }
    return {};
}

Json::Value CanaryToJson(const Canary& canary) {
    Json::Value json;
    json["seed"] = Json::UInt64{canary.seed};
    json["inode"] = Json::UInt64{canary.inode};
    json["size"] = Json::UInt64{canary.size};
    json["modified_ns"] = Json::Int64{canary.modified_ns};
    json["gap_offset"] = Json::UInt64{canary.gap.offset};
    json["gap_length"] = Json::UInt64{canary.gap.length};
    json["gap_physical"] = Json::UInt64{canary.gap.physical};
    return json;
}

Result<Canary> CanaryOf(const Json::Value& json) {
    TRY(Check(json, kCanaryKeys));
    return Canary{.seed = json["seed"].asUInt64(),
                  .inode = json["inode"].asUInt64(),
                  .size = json["size"].asUInt64(),
                  .modified_ns = json["modified_ns"].asInt64(),
                  .gap = {.offset = json["gap_offset"].asUInt64(),
                          .length = json["gap_length"].asUInt64(),
                          .physical = json["gap_physical"].asUInt64()}};
}

Json::Value TrustToJson(const ChipTrust& trust) {
    Json::Value json = ChipTrustToJson(trust);
    json["boot_id"] = trust.since.boot_id;
    json["boot_ns"] = Json::Int64{trust.since.since_boot.count()};
    json["unfinished"] = trust.unfinished;
    json["canary"] = OrNull(trust.canary, CanaryToJson);
    return json;
}

Result<ChipTrust> TrustOf(const Json::Value& json) {
    TRY(Check(json, kTrustKeys));
    const std::string name = json["state"].asString();
    const auto* const state = std::find_if(std::begin(kStates), std::end(kStates),
                                           [&](State known) { return NameOf(known) == name; });
    if (state == std::end(kStates)) return Error() << "its state is unknown";
    ChipTrust trust{.chip = {.id = json["chip"].asString(),
                             .firmware = json["firmware"].asString()},
                    .state = *state,
                    .since = {.boot_id = json["boot_id"].asString(),
                              .since_boot = BootTime(json["boot_ns"].asInt64()),
                              .wall = WallTime(json["since_wall_s"].asInt64())},
                    .written_bytes = json["written_bytes"].asUInt64(),
                    .unfinished = json["unfinished"].asUInt(),
                    .after_restart = json["after_restart"].asBool(),
                    .why = json["why"].asString()};
    if (!json["canary"].isNull()) trust.canary = TRY(CanaryOf(json["canary"]));
    return trust;
}

}  // namespace

std::string FormatChipTrust(const std::vector<ChipTrust>& chips) {
    Json::Value json;
    json["chips"] = ArrayOf(chips, TrustToJson);
    std::string line = WriteJsonLine(json);
    line.pop_back();
    return line;
}

Result<std::vector<ChipTrust>> ParseChipTrust(const std::string& text) {
    std::vector<ChipTrust> chips;
    if (text.empty()) return chips;
    const Json::Value json = TRY(ParseJsonObject(text, {}));
    if (!json["chips"].isArray()) return Error() << "chips is missing or has another type";
    for (const Json::Value& entry : json["chips"]) chips.push_back(TRY(TrustOf(entry)));
    return chips;
}

Json::Value ChipTrustToJson(const ChipTrust& trust) {
    Json::Value json;
    json["chip"] = trust.chip.id;
    json["firmware"] = trust.chip.firmware;
    json["state"] = std::string(NameOf(trust.state));
    json["since_wall_s"] = Json::Int64{trust.since.wall.count()};
    json["after_restart"] = trust.after_restart;
    json["written_bytes"] = Json::UInt64{trust.written_bytes};
    json["why"] = trust.why;
    return json;
}

std::string QuarantineText(const ChipTrust& trust) {
    return "the chip is in quarantine since " + WallTimeText(trust.since.wall) +
           ", nothing on it is trimmed: " + trust.why +
           " (root lifts it by cmd storekeeper lift-quarantine)";
}

ChipTrust TrustOf(const std::vector<ChipTrust>& chips, const std::string& id) {
    for (const ChipTrust& trust : chips) {
        if (trust.chip.id == id) return trust;
    }
    return {};
}

void PutTrust(const ChipTrust& trust, std::vector<ChipTrust>* chips) {
    for (ChipTrust& known : *chips) {
        if (known.chip.id != trust.chip.id) continue;
        known = trust;
        return;
    }
    chips->push_back(trust);
}

}  // namespace storekeeper
