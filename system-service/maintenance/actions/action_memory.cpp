// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "maintenance/actions/action_memory.h"

#include <chrono>
#include <optional>

#include "base/json_text.h"
#include "base/try.h"

namespace storekeeper {
namespace {

using android::base::Error;
using android::base::Result;
using std::chrono::duration_cast;
using std::chrono::nanoseconds;
using std::chrono::seconds;

Result<uint64_t> NumberOf(const Json::Value& object, const char* key) {
    if (!object[key].isUInt64() || object[key].type() == Json::realValue) {
        return Error() << key << " is missing or no number";
    }
    return object[key].asUInt64();
}

template <typename Unit>
Result<Unit> TimeOf(const Json::Value& object, const char* key) {
    const uint64_t count = TRY(NumberOf(object, key));
    // Half of the range, so that two of them can be added.
    if (count > static_cast<uint64_t>(duration_cast<Unit>(nanoseconds::max()).count() / 2)) {
        return Error() << key << " is out of range";
    }
    return Unit(static_cast<int64_t>(count));
}

Result<std::string> TextOf(const Json::Value& object, const char* key) {
    if (!object[key].isString()) return Error() << key << " is missing or no text";
    return object[key].asString();
}

Result<Json::Value> ObjectOf(const Json::Value& object, const char* key) {
    if (!object[key].isObject()) return Error() << key << " is missing or no object";
    return object[key];
}

Json::Value StampToJson(const RunStamp& stamp) {
    Json::Value json;
    json["boot_id"] = stamp.boot_id;
    json["boot_ns"] = Json::Int64{stamp.since_boot.count()};
    json["wall_s"] = Json::Int64{stamp.wall.count()};
    return json;
}

Result<RunStamp> StampOf(const Json::Value& json) {
    RunStamp stamp;
    stamp.boot_id = TRY(TextOf(json, "boot_id"));
    stamp.since_boot = TRY(TimeOf<BootTime>(json, "boot_ns"));
    stamp.wall = TRY(TimeOf<WallTime>(json, "wall_s"));
    return stamp;
}

Json::Value WeekToJson(const WriteWeek& week) {
    Json::Value json;
    json["at"] = StampToJson(week.began.at);
    json["elapsed_s"] = Json::Int64{week.began.elapsed.count()};
    json["powered_s"] = Json::Int64{week.began.powered.count()};
    json["written_bytes"] = Json::UInt64{week.written_bytes};
    return json;
}

Result<WriteWeek> WeekOf(const Json::Value& json) {
    WriteWeek week;
    week.began.at = TRY(StampOf(TRY(ObjectOf(json, "at"))));
    week.began.elapsed = TRY(TimeOf<seconds>(json, "elapsed_s"));
    week.began.powered = TRY(TimeOf<seconds>(json, "powered_s"));
    week.written_bytes = TRY(NumberOf(json, "written_bytes"));
    return week;
}

Json::Value RoundToJson(const DefragMemory::Round& round) {
    Json::Value json;
    json["p99_before_ns"] = Json::Int64{round.p99_before.count()};
    json["moved_bytes"] = Json::UInt64{round.moved_bytes};
    json["fragmented_bytes"] = Json::UInt64{round.fragmented_bytes};
    json["ended"] = OrNull(round.ended, StampToJson);
    return json;
}

Result<DefragMemory::Round> RoundOf(const Json::Value& json) {
    DefragMemory::Round round;
    round.p99_before = TRY(TimeOf<nanoseconds>(json, "p99_before_ns"));
    round.moved_bytes = TRY(NumberOf(json, "moved_bytes"));
    round.fragmented_bytes = TRY(NumberOf(json, "fragmented_bytes"));
    if (!json["ended"].isNull()) round.ended = TRY(StampOf(TRY(ObjectOf(json, "ended"))));
    return round;
}

Json::Value DefragToJson(const DefragMemory& defrag) {
    Json::Value json;
    json["chip"] = defrag.chip;
    json["best_p99_ns"] = OrNull(defrag.best_p99);
    json["round"] = OrNull(defrag.round, RoundToJson);
    json["failed_rounds"] = defrag.failed_rounds;
    json["last"] = defrag.last;
    return json;
}

Result<DefragMemory> DefragOf(const Json::Value& json) {
    DefragMemory defrag;
    defrag.chip = TRY(TextOf(json, "chip"));
    if (!json["best_p99_ns"].isNull())
        defrag.best_p99 = TRY(TimeOf<nanoseconds>(json, "best_p99_ns"));
    if (!json["round"].isNull()) defrag.round = TRY(RoundOf(TRY(ObjectOf(json, "round"))));
    // Two failed rounds end defragmentation; larger numbers mean the same.
    defrag.failed_rounds = static_cast<uint32_t>(TRY(NumberOf(json, "failed_rounds")));
    defrag.last = TRY(TextOf(json, "last"));
    return defrag;
}

constexpr std::chrono::hours kWeek{7 * 24};

}  // namespace

WriteWeek BringUpToDate(const WriteWeek& week, const RunStamp& now) {
    // The first week begins at the first look. If the kernel hides the boot's id, a week without
    // writes begins anew at each look, and the whole uptime counts for one with writes.
    if (week.began.at.boot_id.empty() && week.written_bytes == 0) return {.began = {.at = now}};
    const RunAge age = BringUpToDate(week.began, now);
    if (age.powered >= kWeek) return {.began = {.at = now}};
    return {.began = age, .written_bytes = week.written_bytes};
}

std::string FormatActionMemory(const ActionMemory& memory) {
    Json::Value json;
    json["week"] = WeekToJson(memory.week);
    json["defrag"] = DefragToJson(memory.defrag);
    std::string line = WriteJsonLine(json);
    line.pop_back();
    return line;
}

Result<ActionMemory> ParseActionMemory(const std::string& text) {
    if (text.empty()) return ActionMemory();
    const Json::Value json = TRY(ParseJsonObject(text, {}));
    ActionMemory memory;
    memory.week = TRY(WeekOf(TRY(ObjectOf(json, "week"))));
    memory.defrag = TRY(DefragOf(TRY(ObjectOf(json, "defrag"))));
    return memory;
}

}  // namespace storekeeper
