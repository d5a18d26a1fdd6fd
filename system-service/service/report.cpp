// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "service/report.h"

#include <algorithm>
#include <chrono>

#include "health/ext_csd_report.h"

namespace storekeeper {
namespace {

using std::chrono::duration_cast;
using std::chrono::milliseconds;
using std::chrono::seconds;

template <typename T>
Json::Value OrNull(const std::optional<T>& value) {
    if (!value.has_value()) return {};
    if constexpr (std::is_same_v<T, uint64_t>) return Json::UInt64{*value};
    if constexpr (std::is_same_v<T, int64_t>) return Json::Int64{*value};
}

Json::Int64 Seconds(std::chrono::nanoseconds duration) {
    return duration_cast<seconds>(duration).count();
}

Json::Int64 Milliseconds(std::chrono::nanoseconds duration) {
    return duration_cast<milliseconds>(duration).count();
}

Json::Value Strings(const std::vector<std::string>& strings) {
    Json::Value json(Json::arrayValue);
    for (const std::string& text : strings) json.append(text);
    return json;
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
    json["gentle"] = mount.gentle;
    json["worst_foreground_us"] =
            mount.worst_foreground.has_value()
                    ? Json::Value(Json::Int64{
                              duration_cast<std::chrono::microseconds>(*mount.worst_foreground)
                                      .count()})
                    : Json::Value();
    json["note"] = mount.note;
    return json;
}

// Seconds from now, rounded up: then it has happened.
Json::Value In(const std::optional<BootTime>& time, BootTime now) {
    if (!time.has_value()) return {};
    return Json::Int64{std::chrono::ceil<seconds>(*time - now).count()};
}

Json::Value GateToJson(const Gate& gate, const KeeperStatus& status) {
    const BootTime now = status.now.since_boot;
    const std::optional<BootTime> since = status.gate_log.Since(gate.name);
    Json::Value json;
    json["name"] = gate.name;
    json["unit"] = gate.unit;
    json["value"] = OrNull(gate.value);
    json["limit"] = Json::Int64{gate.limit};
    json["at_most"] = gate.at_most;
    json["margin"] = OrNull(gate.margin());
    json["relaxed_by"] = Json::Int64{gate.relaxed_by()};
    json["overridden"] = gate.overridden;
    json["pass"] = gate.pass;
    json["since_s"] = since.has_value() ? Json::Value(Seconds(now - *since)) : Json::Value();
    json["opens_in_s"] = In(gate.opens_at, now);
    json["look_in_s"] = In(gate.look_at, now);
    json["note"] = gate.note;
    return json;
}

Json::Value RefusedToJson(const std::vector<RefusedRun>& refused) {
    Json::Value json(Json::arrayValue);
    for (const RefusedRun& run : refused) {
        Json::Value row;
        row["wall_s"] = Json::Int64{run.at.wall.count()};
        row["gates"] = run.gates;
        json.append(row);
    }
    return json;
}

Json::Value WakesToJson(const KeeperStatus& status) {
    Json::Value json;
    json["total"] = Json::UInt64{status.wakes.total()};
    json["last_hour"] = Json::UInt64{status.wakes.InLastHour(status.now.since_boot)};
    json["most_in_an_hour"] = Json::UInt64{status.wakes.most()};
    const BootTime wait = status.wakes.NextAllowed(status.decision) - status.now.since_boot;
    json["next_allowed_in_s"] = Json::Int64{
            std::max<int64_t>(0, std::chrono::ceil<std::chrono::seconds>(wait).count())};
    return json;
}

Json::Value ItemToJson(const HealthItem& item) {
    Json::Value json;
    json["name"] = item.name;
    json["state"] = item.value.has_value() ? "reported"
                    : item.problem.empty() ? "not_reported"
                                           : "error";
    json["value"] = item.value.has_value() ? Json::Value(*item.value) : Json::Value();
    json["explanation"] = item.explanation;
    json["problem"] = item.problem;
    json["source"] = item.source;
    return json;
}

Json::Value TextOrNull(const std::string& text) {
    return text.empty() ? Json::Value() : Json::Value(text);
}

Json::Value ByteOrNull(const std::optional<uint8_t>& byte) {
    return byte.has_value() ? Json::Value(*byte) : Json::Value();
}

Json::Value SourceToJson(const WearSource& source) {
    Json::Value json;
    json["name"] = source.name;
    json["age"] = source.age;
    json["problem"] = source.problem;
    json["life_time_a"] = ByteOrNull(source.wear.life_time_a);
    json["life_time_b"] = ByteOrNull(source.wear.life_time_b);
    json["pre_eol_info"] = ByteOrNull(source.wear.pre_eol_info);
    return json;
}

}  // namespace

Json::Value ReceiptToJson(const TrimReceipt& receipt) {
    Json::Value json;
    json["manual"] = receipt.manual;
    json["started_wall_s"] = Json::Int64{receipt.started_wall.count()};
    json["started_boot_s"] = Seconds(receipt.started);
    json["duration_ms"] = Milliseconds(receipt.duration);
    json["outcome"] = std::string(FactsOf(receipt.outcome).name);
    json["code"] = FactsOf(receipt.outcome).code;
    json["reason"] = receipt.reason;
    json["complete"] = receipt.complete;
    json["mounts"] = Json::Value(Json::arrayValue);
    for (const MountReceipt& mount : receipt.mounts) json["mounts"].append(MountToJson(mount));
    return json;
}

Json::Value StatusToJson(const KeeperStatus& status) {
    Json::Value json;
    json["state"] = status.progress.running ? "trimming" : "idle";
    json["trimming_mount"] = status.progress.mount;
    json["stopping"] = status.progress.running && status.progress.stopping;
    json["gates"] = Json::Value(Json::arrayValue);
    for (const Gate& gate : status.decision.gates) json["gates"].append(GateToJson(gate, status));
    json["due"] = status.decision.due;
    json["relaxed_pct"] = status.decision.relaxed_percent;
    json["interval_s"] = Json::Int64{status.decision.interval.count()};
    json["deadline_in_s"] = In(status.decision.deadline_at, status.now.since_boot);
    json["refused"] = RefusedToJson(status.state.refused);
    json["wakeups"] = WakesToJson(status);
    json["config_files"] = Strings(status.config_files);
    json["would_run"] = status.decision.run;
    json["next_check_in_s"] = Seconds(status.decision.next_check - status.now.since_boot);
    json["waits_for_power"] = status.decision.watch_power;
    json["mounts"] = Strings(status.mounts);
    json["notes"] = Strings(status.notes);
    json["state_problem"] = TextOrNull(status.state_problem);
    json["now_wall_s"] = Json::Int64{status.now.wall.count()};
    json["uptime_s"] = Seconds(status.now.since_boot);
    json["last_complete_wall_s"] =
            status.state.last_complete.has_value()
                    ? Json::Value(Json::Int64{status.state.last_complete->wall.count()})
                    : Json::Value();
    json["last_run"] =
            status.last_run.has_value() ? ReceiptToJson(*status.last_run) : Json::Value();
    return json;
}

Json::Value HealthToJson(const HealthReport& report) {
    Json::Value json;
    json["verdict"] = VerdictToJson(report.verdict);
    json["kind"] = KindName(report.storage.kind);
    json["chip"] = TextOrNull(report.storage.chip);
    json["device"] = report.storage.device;
    json["problem"] = report.storage.problem;
    json["wear_source"] = report.wear_source;
    json["sources"] = Json::Value(Json::arrayValue);
    for (const WearSource& source : report.sources) json["sources"].append(SourceToJson(source));
    json["items"] = Json::Value(Json::arrayValue);
    for (const HealthItem& item : report.storage.items) json["items"].append(ItemToJson(item));
    json["ext_csd"] = report.ext_csd.has_value() ? ExtCsdToJson(*report.ext_csd) : Json::Value();
    return json;
}

}  // namespace storekeeper
