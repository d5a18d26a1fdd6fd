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

// A codec of a type in JSON. Write() formats it; Read() is false for another type or a value out of
// range.
struct Plain {
    static Json::Value Write(bool value) { return value; }
    static Json::Value Write(uint64_t value) { return Json::UInt64{value}; }
    static Json::Value Write(const std::string& value) { return value; }
    static bool Read(const Json::Value& json, bool* value) {
        if (json.isBool()) *value = json.asBool();
        return json.isBool();
    }
    static bool Read(const Json::Value& json, uint64_t* value) {
        if (json.isUInt64()) *value = json.asUInt64();
        return json.isUInt64();
    }
    static bool Read(const Json::Value& json, std::string* value) {
        if (json.isString()) *value = json.asString();
        return json.isString();
    }
};

// A time in whole units; never negative.
template <typename Unit>
struct In {
    static Json::Value Write(nanoseconds time) {
        return Json::Int64{duration_cast<Unit>(time).count()};
    }
    static bool Read(const Json::Value& json, nanoseconds* time) {
        if (!json.isInt64() || json.asInt64() < 0 ||
            json.asInt64() > duration_cast<Unit>(nanoseconds::max()).count()) {
            return false;
        }
        *time = Unit(json.asInt64());
        return true;
    }
};

// Seconds since the epoch; negative if the clock is before it.
struct Wall {
    static Json::Value Write(WallTime time) { return Json::Int64{time.count()}; }
    static bool Read(const Json::Value& json, WallTime* time) {
        if (json.isInt64()) *time = WallTime(json.asInt64());
        return json.isInt64();
    }
};

// An enumeration in JSON: its names.
struct Name {
    static Json::Value Write(TrimOutcome outcome) {
        return std::string(OutcomeFactsOf(outcome).name);
    }
    static Json::Value Write(ActionOutcome outcome) { return std::string(NameOf(outcome)); }
    static bool Read(const Json::Value& json, TrimOutcome* outcome) {
        const auto named = json.isString() ? OutcomeNamed(json.asString()) : std::nullopt;
        *outcome = named.value_or(*outcome);
        return named.has_value();
    }
    static bool Read(const Json::Value& json, ActionOutcome* outcome) {
        const auto named = json.isString() ? ActionOutcomeNamed(json.asString()) : std::nullopt;
        *outcome = named.value_or(*outcome);
        return named.has_value();
    }
};

// An optional value; null if it is absent.
template <typename Codec>
struct OrNothing {
    template <typename T>
    static Json::Value Write(const std::optional<T>& value) {
        return value.has_value() ? Codec::Write(*value) : Json::Value();
    }
    template <typename T>
    static bool Read(const Json::Value& json, std::optional<T>* value) {
        return json.isNull() || Codec::Read(json, &value->emplace());
    }
};

enum class Need {
    kAlways,   // the key is in every receipt
    kIfThere,  // earlier versions did not have it
};

// One field of a receipt: its key in JSON, with the functions that write and read it.
template <typename Object>
struct Field {
    const char* key = nullptr;
    Need need = Need::kAlways;
    Json::Value (*write)(const Object& object) = nullptr;
    bool (*read)(const Json::Value& json, Object* object) = nullptr;
};

template <typename Object, typename Codec, auto member>
constexpr Field<Object> Row(const char* key, Need need = Need::kAlways) {
    return {.key = key,
            .need = need,
            .write = [](const Object& object) { return Json::Value(Codec::Write(object.*member)); },
            .read = [](const Json::Value& json,
                       Object* object) { return Codec::Read(json, &(object->*member)); }};
}

template <typename Object, size_t N>
Json::Value Write(const Object& object, const Field<Object> (&fields)[N]) {
    Json::Value json(Json::objectValue);
    for (const Field<Object>& field : fields) json[field.key] = field.write(object);
    return json;
}

template <typename Object, size_t N>
Result<Object> Read(const Json::Value& json, const Field<Object> (&fields)[N]) {
    if (!json.isObject()) return Error() << "an entry of its lists is not an object";
    Object object;
    for (const Field<Object>& field : fields) {
        if (!json.isMember(field.key)) {
            if (field.need == Need::kIfThere) continue;
            return Error() << "its " << field.key << " is missing";
        }
        if (field.read(json[field.key], &object)) continue;
        return Error() << "its " << field.key << " has another type or is out of range";
    }
    return object;
}

using M = MountReceipt;
constexpr Field<M> kMountFields[] = {
        Row<M, Plain, &M::mount>("mount"),
        Row<M, Name, &M::outcome>("outcome"),
        Row<M, Plain, &M::reason>("reason"),
        Row<M, Plain, &M::range_start_bytes>("range_start_bytes", Need::kIfThere),
        Row<M, Plain, &M::range_length_bytes>("range_length_bytes", Need::kIfThere),
        Row<M, OrNothing<Plain>, &M::filesystem_bytes>("filesystem_bytes"),
        Row<M, OrNothing<Plain>, &M::block_layer_bytes>("block_layer_bytes"),
        Row<M, In<milliseconds>, &M::duration>("duration_ms"),
        Row<M, In<milliseconds>, &M::trimming>("trimming_ms", Need::kIfThere),
        Row<M, Plain, &M::fitrim_calls>("slices", Need::kIfThere),
        Row<M, Plain, &M::throttled>("throttled", Need::kIfThere),
        Row<M, OrNothing<Plain>, &M::discard_bytes>("discard_bytes", Need::kIfThere),
        Row<M, OrNothing<In<microseconds>>, &M::discard_time>("discard_us", Need::kIfThere),
        Row<M, Plain, &M::note>("note"),
        Row<M, Plain, &M::canary>("canary", Need::kIfThere),
        Row<M, Plain, &M::canary_note>("canary_note", Need::kIfThere),
        Row<M, Plain, &M::canary_written_bytes>("canary_written_bytes", Need::kIfThere),
};
// Key of `throttled` until November 2026.
constexpr Field<M> kOldThrottled = Row<M, Plain, &M::throttled>("gentle", Need::kIfThere);

using A = ActionReceipt;
constexpr Field<A> kActionFields[] = {
        Row<A, Plain, &A::action>("action"),
        Row<A, Name, &A::outcome>("outcome"),
        Row<A, Plain, &A::note>("note"),
        Row<A, In<milliseconds>, &A::duration>("duration_ms"),
        Row<A, Plain, &A::written_bytes>("written_bytes"),
};

using T = TrimReceipt;
constexpr Field<T> kRunFields[] = {
        Row<T, Plain, &T::manual>("manual"),
        Row<T, Wall, &T::started_wall>("started_wall_s"),
        Row<T, In<seconds>, &T::started>("started_boot_s", Need::kIfThere),
        Row<T, In<milliseconds>, &T::duration>("duration_ms"),
        Row<T, Name, &T::outcome>("outcome"),
        Row<T, Plain, &T::reason>("reason"),
        Row<T, Plain, &T::complete>("complete"),
        Row<T, Plain, &T::mounts_left_out>("mounts_left_out", Need::kIfThere),
};

Json::Value MountToJson(const MountReceipt& mount) {
    Json::Value json = Write(mount, kMountFields);
    json["code"] = OutcomeFactsOf(mount.outcome).code;
    return json;
}

Result<MountReceipt> MountOf(const Json::Value& json) {
    MountReceipt mount = TRY(Read(json, kMountFields));
    if (json.isMember(kOldThrottled.key)) {
        static_cast<void>(kOldThrottled.read(json[kOldThrottled.key], &mount));
    }
    return mount;
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
    Json::Value json = Write(receipt, kRunFields);
    json["code"] = OutcomeFactsOf(receipt.outcome).code;
    json["mounts"] = ArrayOf(receipt.mounts, MountToJson);
    json["actions"] = ArrayOf(receipt.actions, [](const ActionReceipt& action) {
        return Write(action, kActionFields);
    });
    return json;
}

std::string ReceiptLine(const TrimReceipt& receipt) {
    std::string line = WriteJsonLine(ReceiptToJson(receipt));
    line.pop_back();
    return line;
}

Result<TrimReceipt> ParseReceipt(const std::string& line) {
    const Json::Value json = TRY(ParseJsonObject(line, {}));
    TrimReceipt receipt = TRY(Read(json, kRunFields));
    if (!json.isMember("mounts")) return Error() << "its mounts is missing";
    if (!json["mounts"].isArray()) return Error() << "its mounts are no list";
    for (const Json::Value& mount : json["mounts"]) receipt.mounts.push_back(TRY(MountOf(mount)));
    // Receipts of versions before the actions have none.
    if (!json["actions"].isArray() && !json["actions"].isNull()) {
        return Error() << "its actions are no list";
    }
    for (const Json::Value& action : json["actions"]) {
        receipt.actions.push_back(TRY(Read(action, kActionFields)));
    }
    return receipt;
}

}  // namespace storekeeper
