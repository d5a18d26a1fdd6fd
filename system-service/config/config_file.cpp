// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "config/config_file.h"

#include <android-base/strings.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <iterator>
#include <type_traits>
#include <vector>

#include "base/json_text.h"
#include "base/try.h"

namespace storekeeper {
namespace {

using android::base::Error;
using android::base::Result;

constexpr char kLicence[] = "SPDX-License-Identifier: Apache-2.0";
constexpr char kComment[] = "$comment";
constexpr char kMaintenance[] = "maintenance";
constexpr char kWriters[] = "writers";
constexpr char kChips[] = "chips";

Result<int64_t> NumberOf(const ConfigKey& key, const Json::Value& value) {
    if (key.is_switch) {
        if (!value.isBool()) return Error() << "must be true or false";
        return value.asBool() ? 1 : 0;
    }
    // jsoncpp reads an integer beyond 64 bits as a double.
    constexpr double kBeyondInt64 = 9223372036854775808.0;  // 2^63
    if (value.isNumeric() && std::abs(value.asDouble()) >= kBeyondInt64) {
        return Error() << "is out of range: " << key.min << " to " << key.max;
    }
    // isInt64() would accept 60.0 as well.
    if (!value.isInt64() || value.type() == Json::realValue) return Error() << "must be an integer";
    const int64_t number = value.asInt64();
    if (number < key.min || number > key.max) {
        return Error() << "is " << number << ", out of range: " << key.min << " to " << key.max;
    }
    return number;
}

Json::Value ValueToJson(const ConfigKey& key, const Config& config) {
    const int64_t value = key.get(config);
    return key.is_switch ? Json::Value(value != 0) : Json::Value(Json::Int64{value});
}

Json::Value KeySchema(const ConfigKey& key) {
    Json::Value schema;
    schema["description"] = std::string(key.description);
    schema["type"] = key.is_switch ? "boolean" : "integer";
    schema["default"] = ValueToJson(key, Config());
    if (key.is_switch) return schema;
    schema["minimum"] = Json::Int64{key.min};
    schema["maximum"] = Json::Int64{key.max};
    return schema;
}

constexpr int64_t kMinute = 60;
constexpr int64_t kHour = 60 * kMinute;
constexpr int64_t kDay = 24 * kHour;

// Makes a key from the part of the configuration and the member of that part that hold its value.
template <auto part, auto member>
constexpr ConfigKey Key(std::string_view section, std::string_view name, int64_t min, int64_t max,
                        std::string_view description) {
    using Type = std::remove_reference_t<decltype((Config().*part).*member)>;
    return {.section = section,
            .name = name,
            .is_switch = std::is_same_v<Type, bool>,
            .min = min,
            .max = max,
            .description = description,
            .get = [](const Config& config) -> int64_t {
                if constexpr (std::is_same_v<Type, std::chrono::seconds>) {
                    return ((config.*part).*member).count();
                } else {
                    return (config.*part).*member;
                }
            },
            .set = [](Config* config,
                      int64_t value) { (config->*part).*member = static_cast<Type>(value); }};
}

template <auto member>
constexpr ConfigKey Maintenance(std::string_view name, int64_t min, int64_t max,
                                std::string_view description) {
    return Key<&Config::maintenance, member>(kMaintenance, name, min, max, description);
}

template <auto member>
constexpr ConfigKey Writers(std::string_view name, int64_t min, int64_t max,
                            std::string_view description) {
    return Key<&Config::writers, member>(kWriters, name, min, max, description);
}

using P = PolicyConfig;
using W = WritersConfig;

// The bounds keep a typing error from disabling the policy or running it all day.
constexpr ConfigKey kKeys[] = {
        Maintenance<&P::min_untouched>("untouched_s", kMinute, kDay,
                                       "Screen off and no input for this long"),
        Maintenance<&P::interval>("interval_s", kHour, 30 * kDay,
                                  "Time from one complete run to the next, if 1 % of the file "
                                  "systems' size was written meanwhile"),
        Maintenance<&P::deadline>("deadline_s", 2 * kHour, 60 * kDay,
                                  "Powered-on time since the last complete run after which all "
                                  "gates except the safety gates are waived"),
        Maintenance<&P::canary_restart>("canary_restart_s", 0, 30 * kDay,
                                        "Wait for a restart after which the canary of a chip is "
                                        "read again, before the first run; 0: none"),
        Maintenance<&P::min_percent_on_battery>("battery_pct", kFloorPercentOnBattery, 100,
                                                "Battery level without a charger"),
        Maintenance<&P::min_percent_on_charger>("battery_charging_pct", kFloorPercentOnCharger, 100,
                                                "Battery level on a charger"),
        Maintenance<&P::max_battery_heat>("heat_dc", 0, kNeverBatteryHeat,
                                          "Battery temperature, tenths of a degree Celsius"),
        Maintenance<&P::max_zone_heat>("zones_dc", 0, kNeverZoneHeat,
                                       "Hottest thermal zone, tenths of a degree Celsius"),
        Maintenance<&P::yield_to_framework>("yield_to_framework", 0, 1,
                                            "No run while the framework's smart idle maintenance "
                                            "is enabled"),
        Maintenance<&P::discard_ms>("discard_ms", 1, 100,
                                    "Time that one discard takes at most, milliseconds, unless "
                                    "smaller ones would be mostly overhead"),
        Maintenance<&P::week_write_mib>("week_write_mib", 0, 65536,
                                        "Written by garbage collection and defragmentation "
                                        "together in a week at most, MiB; 0: neither is done"),
        Maintenance<&P::defrag_fragmented_mib>("defrag_fragmented_mib", 1, 1048576,
                                               "Fragmented at least, as the UFS reports it, MiB; "
                                               "below this it does not defragment"),
        Writers<&W::names_in_dumps>("names_in_dumps", 0, 1,
                                    "Every dump names the apps that write, also one of a bug "
                                    "report; otherwise only one with --apps does"),
        Writers<&W::app_budget_mib>("app_budget_mib", 0, 16777216,
                                    "Bytes on the flash a day of an app above which an alert names "
                                    "its uid, MiB; 0: none"),
        Writers<&W::system_budget_mib>("system_budget_mib", 0, 16777216,
                                       "The same of a uid of the system, below 10000"),
};

// Text members of an entry in "chips".
struct ChipText {
    std::string_view name;
    bool required = false;
    std::string_view description;
    std::string ChipPrior::*value;
};
constexpr ChipText kChipTexts[] = {
        {"model", true, "name of an eMMC or product_name of a UFS, as the health report has it",
         &ChipPrior::model},
        {"firmware", false, "fwrev or product_revision likewise; every one without it",
         &ChipPrior::firmware},
};
struct ChipNumber {
    std::string_view name;
    int64_t min = 0;
    int64_t max = 0;
    std::string_view description;
    int64_t ChipPrior::*value;
};
constexpr ChipNumber kChipNumbers[] = {
        {"gib_per_step", 1, 1048576,
         "Written by the file system for each 10 % of life, GiB: the mean of such chips",
         &ChipPrior::gib_per_step},
        {"spread_pct", 1, 100, "Standard deviation of that from phone to phone, percent of it",
         &ChipPrior::spread_pct},
};
constexpr Json::ArrayIndex kMaxChips = 64;
constexpr Json::ArrayIndex kMaxChipTextBytes = 64;

// Keys of earlier versions, and their replacements.
struct RemovedKey {
    std::string_view name;
    std::string_view instead;
};
constexpr char kNothingAdapts[] = "the interval is interval_s and does not adapt";
constexpr char kFixed[] = "the limit is fixed, `cmd storekeeper why` shows it";
constexpr char kFixedDefrag[] = "it is fixed; week_write_mib limits defragmentation";
constexpr RemovedKey kRemoved[] = {
        {"battery_charging_floor_pct", kFixed},
        {"battery_floor_pct", kFixed},
        {"defrag_run_mib", kFixedDefrag},
        {"defrag_slow_pct", kFixedDefrag},
        {"defrag_slow_us", kFixedDefrag},
        {"discard_hurry_ms", "discard_ms serves runs that hurry, too"},
        {"event_fallback_s", "it is fixed to an hour"},
        {"freed_little_permille", kNothingAdapts},
        {"freed_much_permille", kNothingAdapts},
        {"gain_much_pct", kNothingAdapts},
        {"heat_never_dc", kFixed},
        {"interval_max_s", kNothingAdapts},
        {"interval_min_s", kNothingAdapts},
        {"io_in_flight", kFixed},
        {"io_pct", kFixed},
        {"recheck_s", "it is fixed to 10 minutes"},
        {"relax_steps", "deadline_s says when gates are waived"},
        {"retry_s", kFixed},
        {"zones_never_dc", kFixed},
};

const ConfigKey* FindKey(std::string_view section, std::string_view name) {
    const auto* key = std::find_if(std::begin(kKeys), std::end(kKeys), [&](const ConfigKey& each) {
        return each.section == section && each.name == name;
    });
    return key == std::end(kKeys) ? nullptr : key;
}

bool IsSection(std::string_view name) {
    return std::any_of(std::begin(kKeys), std::end(kKeys),
                       [&](const ConfigKey& key) { return key.section == name; });
}

Result<void> ApplySection(const std::string& section, const Json::Value& values, Config* config) {
    if (!values.isObject()) return Error() << section << " must be an object";
    for (const std::string& name : values.getMemberNames()) {
        const std::string full = android::base::Join(std::vector<std::string>{section, name}, '.');
        const ConfigKey* key = FindKey(section, name);
        if (key == nullptr) {
            const auto* removed =
                    std::find_if(std::begin(kRemoved), std::end(kRemoved),
                                 [&](const RemovedKey& each) {
                                     return section == kMaintenance && each.name == name;
                                 });
            if (removed == std::end(kRemoved)) return Error() << "unknown key " << full;
            return Error() << full << " was removed: since 2026-11 " << removed->instead;
        }
        Result<int64_t> number = NumberOf(*key, values[name]);
        if (!number.ok()) return Error() << full << " " << number.error().message();
        key->set(config, *number);
    }
    return {};
}

Result<ChipPrior> ChipOf(const Json::Value& json) {
    if (!json.isObject()) return Error() << "must be an object";
    ChipPrior chip;
    Json::Value rest = json;
    for (const ChipText& key : kChipTexts) {
        const std::string name(key.name);
        if (!rest.isMember(name)) {
            if (key.required) return Error() << "has no " << name;
            continue;
        }
        const Json::Value value = json[name];
        rest.removeMember(name);
        if (!value.isString() || value.asString().empty() ||
            value.asString().size() > kMaxChipTextBytes) {
            return Error() << name << " must be a string of 1 to " << kMaxChipTextBytes << " bytes";
        }
        chip.*key.value = value.asString();
    }
    for (const ChipNumber& key : kChipNumbers) {
        const std::string name(key.name);
        if (!rest.isMember(name)) return Error() << "has no " << name;
        const Result<int64_t> number =
                NumberOf({.name = key.name, .min = key.min, .max = key.max}, rest[name]);
        if (!number.ok()) return Error() << name << " " << number.error().message();
        chip.*key.value = *number;
        rest.removeMember(name);
    }
    if (!rest.empty()) return Error() << "has an unknown key " << rest.getMemberNames().front();
    return chip;
}

Result<std::vector<ChipPrior>> ChipsOf(const Json::Value& json) {
    if (!json.isArray() || json.size() > kMaxChips) {
        return Error() << kChips << " must be an array of at most " << kMaxChips;
    }
    std::vector<ChipPrior> chips;
    for (const Json::Value& each : json) {
        Result<ChipPrior> chip = ChipOf(each);
        if (!chip.ok()) {
            return Error() << kChips << "[" << chips.size() << "] " << chip.error().message();
        }
        chips.push_back(std::move(*chip));
    }
    return chips;
}

Json::Value ChipsToJson(const std::vector<ChipPrior>& chips) {
    Json::Value json(Json::arrayValue);
    for (const ChipPrior& chip : chips) {
        Json::Value each;
        for (const ChipText& key : kChipTexts) {
            if (key.required || !(chip.*key.value).empty()) {
                each[std::string(key.name)] = chip.*key.value;
            }
        }
        for (const ChipNumber& key : kChipNumbers) {
            each[std::string(key.name)] = Json::Int64{chip.*key.value};
        }
        json.append(each);
    }
    return json;
}

Json::Value ChipsSchema() {
    Json::Value chip;
    chip["type"] = "object";
    chip["additionalProperties"] = false;
    chip["required"] = Json::Value(Json::arrayValue);
    for (const ChipText& key : kChipTexts) {
        Json::Value& schema = chip["properties"][std::string(key.name)];
        schema["description"] = std::string(key.description);
        schema["type"] = "string";
        schema["minLength"] = 1;
        schema["maxLength"] = kMaxChipTextBytes;
        if (key.required) chip["required"].append(std::string(key.name));
    }
    for (const ChipNumber& key : kChipNumbers) {
        Json::Value& schema = chip["properties"][std::string(key.name)];
        schema["description"] = std::string(key.description);
        schema["type"] = "integer";
        schema["minimum"] = Json::Int64{key.min};
        schema["maximum"] = Json::Int64{key.max};
        chip["required"].append(std::string(key.name));
    }
    Json::Value schema;
    schema["description"] = "What is known of kinds of chips; the first that fits counts";
    schema["type"] = "array";
    schema["maxItems"] = kMaxChips;
    schema["default"] = Json::Value(Json::arrayValue);
    schema["items"] = chip;
    return schema;
}

}  // namespace

Result<Config> OverlayConfig(const Config& base, const std::string& text) {
    const Json::Value file = TRY(ParseJsonObject(text, {}));
    Config config = base;
    for (const std::string& name : file.getMemberNames()) {
        if (name == kComment) {
            if (!file[name].isString()) return Error() << kComment << " must be a string";
            continue;
        }
        if (name == kChips) {
            config.chips = TRY(ChipsOf(file[name]));
            continue;
        }
        if (!IsSection(name)) return Error() << "unknown key " << name;
        TRY(ApplySection(name, file[name], &config));
    }
    const PolicyConfig& policy = config.maintenance;
    if (policy.interval < policy.deadline) return config;
    return Error() << "maintenance.interval_s (" << policy.interval.count()
                   << ") must be less than maintenance.deadline_s (" << policy.deadline.count()
                   << ")";
}

LoadedConfig LoadConfig(const FileReader& files, const std::vector<std::string>& paths) {
    LoadedConfig loaded;
    for (const std::string& path : paths) {
        if (!files.Exists(path)) continue;
        Result<std::string> text = files.ReadText(path);
        Result<Config> config =
                text.ok() ? OverlayConfig(loaded.config, *text) : Result<Config>(text.error());
        if (config.ok()) {
            loaded.config = *config;
            loaded.files.push_back(path);
        } else {
            loaded.problems.push_back("Configuration file " + path +
                                      " is ignored: " + config.error().message());
        }
    }
    return loaded;
}

Json::Value ConfigToJson(const Config& config) {
    Json::Value json;
    json[kComment] = kLicence;
    for (const ConfigKey& key : kKeys) {
        json[std::string(key.section)][std::string(key.name)] = ValueToJson(key, config);
    }
    json[kChips] = ChipsToJson(config.chips);
    return json;
}

Json::Value ConfigSchema() {
    Json::Value schema;
    schema[kComment] = kLicence;
    schema["$schema"] = "https://json-schema.org/draft/2020-12/schema";
    schema["title"] = std::string(kDefaultConfigPath) + " and " + kDeviceConfigPath;
    schema["type"] = "object";
    schema["additionalProperties"] = false;
    schema["properties"][kComment]["type"] = "string";
    for (const ConfigKey& key : kKeys) {
        Json::Value& section = schema["properties"][std::string(key.section)];
        section["type"] = "object";
        section["additionalProperties"] = false;
        section["properties"][std::string(key.name)] = KeySchema(key);
    }
    schema["properties"][kChips] = ChipsSchema();
    return schema;
}

std::span<const ConfigKey> ConfigKeys() {
    return kKeys;
}

}  // namespace storekeeper
