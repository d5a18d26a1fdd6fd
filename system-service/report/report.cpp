// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "report/report.h"

#include <chrono>

#include "base/json_text.h"
#include "health/ext_csd.h"
#include "maintenance/canary/canary.h"
#include "maintenance/trim/receipt.h"

namespace storekeeper {
namespace {

using std::chrono::duration_cast;
using std::chrono::seconds;

Json::Int64 Seconds(std::chrono::nanoseconds duration) {
    return duration_cast<seconds>(duration).count();
}

// Seconds until `time`, rounded up, so that the event has happened by then.
Json::Value SecondsUntil(const std::optional<BootTime>& time, BootTime now) {
    return OrNull(time, [now](BootTime at) {
        return Json::Int64{std::chrono::ceil<seconds>(at - now).count()};
    });
}

Json::Value GateToJson(const Gate& gate, const KeeperStatus& status) {
    const BootTime now = status.now.since_boot;
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
    json["since_s"] = OrNull(status.gate_log.Since(gate.name),
                             [now](BootTime since) { return Seconds(now - since); });
    json["opens_in_s"] = SecondsUntil(gate.opens_at, now);
    json["look_in_s"] = SecondsUntil(gate.look_at, now);
    json["note"] = gate.note;
    return json;
}

Json::Value RefusedToJson(const RefusedRun& run) {
    Json::Value json;
    json["wall_s"] = Json::Int64{run.at.wall.count()};
    json["gates"] = run.gates;
    return json;
}

Json::Value WakesToJson(const KeeperStatus& status) {
    Json::Value json;
    json["total"] = Json::UInt64{status.wakes.total()};
    json["last_hour"] = Json::UInt64{status.wakes.InLastHour(status.now.since_boot)};
    json["most_in_an_hour"] = Json::UInt64{status.wakes.most()};
    json["next_allowed_in_s"] = Json::Int64{HeldBackFor(status).count()};
    return json;
}

Json::Value ItemToJson(const HealthItem& item) {
    Json::Value json;
    json["name"] = item.name;
    json["state"] = item.value.has_value() ? "reported"
                    : item.problem.empty() ? "not_reported"
                                           : "error";
    json["value"] = OrNull(item.value);
    json["explanation"] = item.explanation;
    json["problem"] = item.problem;
    json["source"] = item.source;
    return json;
}

Json::Value SourceToJson(const WearSource& source) {
    Json::Value json;
    json["name"] = source.name;
    json["age"] = source.age;
    json["problem"] = source.problem;
    json["life_time_a"] = OrNull(source.wear.life_time_a);
    json["life_time_b"] = OrNull(source.wear.life_time_b);
    json["pre_eol_info"] = OrNull(source.wear.pre_eol_info);
    return json;
}

}  // namespace

Json::Value StatusToJson(const KeeperStatus& status) {
    Json::Value json;
    json["state"] = status.progress.running ? "trimming"
                    : status.report_only    ? "report_only"
                                            : "idle";
    json["action"] = status.progress.action;
    json["trimming_mount"] = status.progress.mount;
    json["stopping"] = status.progress.running && status.progress.stopping;
    json["gates"] = ArrayOf(status.decision.gates,
                            [&](const Gate& gate) { return GateToJson(gate, status); });
    json["due"] = status.decision.due;
    json["relaxed_pct"] = status.decision.relaxed_percent;
    json["deadline_in_s"] = SecondsUntil(status.decision.deadline_at, status.now.since_boot);
    json["refused"] = ArrayOf(status.state.refused, RefusedToJson);
    json["wakeups"] = WakesToJson(status);
    json["config_files"] = StringsToJson(status.config_files);
    json["would_run"] = status.decision.run;
    json["next_check_in_s"] = Seconds(status.decision.next_check - status.now.since_boot);
    json["waits_for_power"] = status.decision.watch_power;
    json["mounts"] = StringsToJson(status.mounts);
    json["notes"] = StringsToJson(status.notes);
    json["state_problem"] = TextOrNull(status.state_problem);
    json["chips"] = ArrayOf(status.chips, ChipTrustToJson);
    json["now_wall_s"] = Json::Int64{status.now.wall.count()};
    json["uptime_s"] = Seconds(status.now.since_boot);
    json["last_complete_wall_s"] = OrNull(status.state.last_complete, [](const auto& run) {
        return Json::Int64{run.wall.count()};
    });
    json["last_run"] = OrNull(status.last_run, FieldsToJson<TrimReceipt>);
    return json;
}

Json::Value HealthToJson(const HealthReport& report) {
    Json::Value json;
    json["verdict"] = VerdictToJson(report.verdict);
    json["kind"] = KindName(report.storage.kind);
    json["chip"] = TextOrNull(report.storage.chip);
    const ChipFacts facts = ChipFactsOf(report.storage);
    json["chip_maker"] = OrNull(facts.maker);
    json["chip_model"] = OrNull(facts.model);
    json["chip_firmware"] = OrNull(facts.firmware);
    json["capacity_bytes"] = OrNull(facts.capacity_bytes);
    json["device"] = report.storage.device;
    json["problem"] = report.storage.problem;
    json["wear_source"] = report.wear_source;
    json["critical_health"] = OrNull(report.storage.critical_health);
    json["sources"] = ArrayOf(report.sources, SourceToJson);
    json["items"] = ArrayOf(report.storage.items, ItemToJson);
    json["ext_csd"] = OrNull(report.ext_csd, ExtCsdToJson);
    return json;
}

Json::Value ReceiptsToJson(const std::vector<TrimReceipt>& receipts) {
    return ArrayOf(receipts, FieldsToJson<TrimReceipt>);
}

}  // namespace storekeeper
