// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "maintenance/trim/receipt.h"

#include <errno.h>

#include <chrono>
#include <optional>

#include "base/json_text.h"
#include "base/try.h"

namespace storekeeper {
namespace {

using android::base::Error;
using android::base::Result;
using std::chrono::duration_cast;
using std::chrono::microseconds;
using std::chrono::milliseconds;
using std::chrono::nanoseconds;
using std::chrono::seconds;

struct Key {
    const char* name = nullptr;
    bool (Json::Value::*is)() const = nullptr;
    bool required = true;
    bool or_null = false;
};

// What docs/dump.schema.json requires, and what else has a type that matters.
constexpr Key kRunKeys[] = {
        {"manual", &Json::Value::isBool},
        {"started_wall_s", &Json::Value::isInt64},
        {"started_boot_s", &Json::Value::isInt64, false},
        {"duration_ms", &Json::Value::isInt64},
        {"outcome", &Json::Value::isString},
        {"code", &Json::Value::isInt, false},
        {"reason", &Json::Value::isString},
        {"complete", &Json::Value::isBool},
        {"mounts", &Json::Value::isArray},
        {"actions", &Json::Value::isArray, false},
};
constexpr Key kActionKeys[] = {
        {"action", &Json::Value::isString},        {"outcome", &Json::Value::isString},
        {"note", &Json::Value::isString},          {"duration_ms", &Json::Value::isInt64},
        {"written_bytes", &Json::Value::isUInt64},
};
constexpr Key kMountKeys[] = {
        {"mount", &Json::Value::isString},
        {"outcome", &Json::Value::isString},
        {"code", &Json::Value::isInt, false},
        {"reason", &Json::Value::isString},
        {"range_start_bytes", &Json::Value::isUInt64, false},
        {"range_length_bytes", &Json::Value::isUInt64, false},
        {"filesystem_bytes", &Json::Value::isUInt64, true, true},
        {"block_layer_bytes", &Json::Value::isUInt64, true, true},
        {"duration_ms", &Json::Value::isInt64},
        {"trimming_ms", &Json::Value::isInt64, false},
        {"slices", &Json::Value::isUInt, false},
        {"gentle", &Json::Value::isBool, false},
        {"discard_bytes", &Json::Value::isUInt64, false, true},
        {"discard_us", &Json::Value::isInt64, false, true},
        {"worst_foreground_us", &Json::Value::isInt64, true, true},
        {"note", &Json::Value::isString},
        {"canary", &Json::Value::isString, false},
        {"canary_note", &Json::Value::isString, false},
        {"canary_written_bytes", &Json::Value::isUInt64, false},
};

template <size_t N>
Result<void> Check(const Json::Value& object, const Key (&keys)[N]) {
    if (!object.isObject()) return Error() << "an entry of its lists is not an object";
    for (const Key& key : keys) {
        const Json::Value& value = object[key.name];
        const bool missing = !object.isMember(key.name);
        if (missing ? !key.required : (key.or_null && value.isNull()) || (value.*key.is)()) {
            continue;
        }
        return Error() << "its " << key.name << (missing ? " is missing" : " has another type");
    }
    return {};
}

// What is absent is 0: Check() has refused it where it must not be.
template <typename Unit>
Result<nanoseconds> DurationOf(const Json::Value& object, const char* key) {
    const int64_t count = object[key].asInt64();
    if (count < 0 || count > duration_cast<Unit>(nanoseconds::max()).count()) {
        return Error() << "its " << key << " is out of range";
    }
    return Unit(count);
}

std::optional<uint64_t> NumberOf(const Json::Value& value) {
    return value.isNull() ? std::nullopt : std::optional<uint64_t>(value.asUInt64());
}

Result<TrimOutcome> OutcomeIn(const Json::Value& object) {
    const std::optional<TrimOutcome> outcome = OutcomeNamed(object["outcome"].asString());
    if (!outcome.has_value()) return Error() << "its outcome is unknown";
    return *outcome;
}

Result<MountReceipt> MountOf(const Json::Value& json) {
    TRY(Check(json, kMountKeys));
    const TrimOutcome outcome = TRY(OutcomeIn(json));
    const nanoseconds duration = TRY(DurationOf<milliseconds>(json, "duration_ms"));
    const nanoseconds trimming = TRY(DurationOf<milliseconds>(json, "trimming_ms"));
    MountReceipt mount{.mount = json["mount"].asString(),
                       .outcome = outcome,
                       .reason = json["reason"].asString(),
                       .range_start_bytes = json["range_start_bytes"].asUInt64(),
                       .range_length_bytes = json["range_length_bytes"].asUInt64(),
                       .filesystem_bytes = NumberOf(json["filesystem_bytes"]),
                       .block_layer_bytes = NumberOf(json["block_layer_bytes"]),
                       .duration = duration,
                       .trimming = trimming,
                       .slices = json["slices"].asUInt(),
                       .throttled = json["gentle"].asBool(),
                       .discard_bytes = NumberOf(json["discard_bytes"]),
                       .note = json["note"].asString(),
                       .canary = json["canary"].asString(),
                       .canary_note = json["canary_note"].asString(),
                       .canary_written_bytes = json["canary_written_bytes"].asUInt64()};
    if (!json["discard_us"].isNull()) {
        mount.discard_time = TRY(DurationOf<microseconds>(json, "discard_us"));
    }
    if (!json["worst_foreground_us"].isNull()) {
        mount.worst_foreground = TRY(DurationOf<microseconds>(json, "worst_foreground_us"));
    }
    return mount;
}

Result<ActionReceipt> ActionOf(const Json::Value& json) {
    TRY(Check(json, kActionKeys));
    const std::optional<ActionOutcome> outcome = ActionOutcomeNamed(json["outcome"].asString());
    if (!outcome.has_value()) return Error() << "the outcome of an action is unknown";
    return ActionReceipt{.action = json["action"].asString(),
                         .outcome = *outcome,
                         .note = json["note"].asString(),
                         .duration = TRY(DurationOf<milliseconds>(json, "duration_ms")),
                         .written_bytes = json["written_bytes"].asUInt64()};
}

Json::Int64 Milliseconds(nanoseconds duration) {
    return duration_cast<milliseconds>(duration).count();
}

Json::Int64 Microseconds(nanoseconds duration) {
    return duration_cast<microseconds>(duration).count();
}

Json::Value MountToJson(const MountReceipt& mount) {
    Json::Value json;
    json["mount"] = mount.mount;
    json["outcome"] = std::string(FactsOf(mount.outcome).name);
    json["code"] = FactsOf(mount.outcome).code;
    json["reason"] = mount.reason;
    json["range_start_bytes"] = Json::UInt64{mount.range_start_bytes};
    json["range_length_bytes"] = Json::UInt64{mount.range_length_bytes};
    json["filesystem_bytes"] = OrNull(mount.filesystem_bytes);
    json["block_layer_bytes"] = OrNull(mount.block_layer_bytes);
    json["duration_ms"] = Milliseconds(mount.duration);
    json["trimming_ms"] = Milliseconds(mount.trimming);
    json["slices"] = Json::UInt64{mount.slices};
    json["gentle"] = mount.throttled;
    json["discard_bytes"] = OrNull(mount.discard_bytes);
    json["discard_us"] = OrNull(mount.discard_time, Microseconds);
    json["worst_foreground_us"] = OrNull(mount.worst_foreground, Microseconds);
    json["note"] = mount.note;
    json["canary"] = mount.canary;
    json["canary_note"] = mount.canary_note;
    json["canary_written_bytes"] = Json::UInt64{mount.canary_written_bytes};
    return json;
}

Json::Value ActionToJson(const ActionReceipt& action) {
    Json::Value json;
    json["action"] = action.action;
    json["outcome"] = std::string(NameOf(action.outcome));
    json["note"] = action.note;
    json["duration_ms"] = Milliseconds(action.duration);
    json["written_bytes"] = Json::UInt64{action.written_bytes};
    return json;
}

}  // namespace

std::optional<TrimOutcome> OutcomeNamed(std::string_view name) {
    for (const OutcomeFacts& facts : kOutcomes) {
        if (facts.name == name) return facts.outcome;
    }
    return std::nullopt;
}

TrimOutcome OutcomeOf(int error) {
    switch (error) {
        case EOPNOTSUPP:
        case ENOTTY:  // no FITRIM in this file system
        case ENOSYS:
            return TrimOutcome::kNoDiscard;
        case EROFS:
            return TrimOutcome::kReadOnly;
        case EPERM:   // no CAP_SYS_ADMIN
        case EACCES:  // SELinux, or the directory's mode
            return TrimOutcome::kNotPermitted;
        case EIO:
        case ENODEV:  // the device is gone
        case ENXIO:
        case EREMOTEIO:  // a discard the device could not carry out (BLK_STS_TARGET)
        case ETIMEDOUT:
            return TrimOutcome::kIoError;
        case ENOENT:
            return TrimOutcome::kNotMounted;
        case ESTALE:
            return TrimOutcome::kHidden;
        case EINTR:
            return TrimOutcome::kAborted;
        default:
            return TrimOutcome::kFailed;
    }
}

Json::Value ReceiptToJson(const TrimReceipt& receipt) {
    Json::Value json;
    json["manual"] = receipt.manual;
    json["started_wall_s"] = Json::Int64{receipt.started_wall.count()};
    json["started_boot_s"] = Json::Int64{duration_cast<seconds>(receipt.started).count()};
    json["duration_ms"] = Milliseconds(receipt.duration);
    json["outcome"] = std::string(FactsOf(receipt.outcome).name);
    json["code"] = FactsOf(receipt.outcome).code;
    json["reason"] = receipt.reason;
    json["complete"] = receipt.complete;
    json["mounts"] = ArrayOf(receipt.mounts, MountToJson);
    json["actions"] = ArrayOf(receipt.actions, ActionToJson);
    return json;
}

std::string ReceiptLine(const TrimReceipt& receipt) {
    std::string line = WriteJsonLine(ReceiptToJson(receipt));
    line.pop_back();
    return line;
}

Result<TrimReceipt> ParseReceipt(const std::string& line) {
    const Json::Value json = TRY(ParseJsonObject(line, {}));
    TRY(Check(json, kRunKeys));
    TrimReceipt receipt{.manual = json["manual"].asBool(),
                        .started = TRY(DurationOf<seconds>(json, "started_boot_s")),
                        .started_wall = WallTime(json["started_wall_s"].asInt64()),
                        .duration = TRY(DurationOf<milliseconds>(json, "duration_ms")),
                        .outcome = TRY(OutcomeIn(json)),
                        .reason = json["reason"].asString(),
                        .complete = json["complete"].asBool()};
    for (const Json::Value& mount : json["mounts"]) receipt.mounts.push_back(TRY(MountOf(mount)));
    for (const Json::Value& action : json["actions"]) {
        receipt.actions.push_back(TRY(ActionOf(action)));
    }
    return receipt;
}

}  // namespace storekeeper
