// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "daemon/aidl_reports.h"

#include <aidl/org/storekeeper/IStorekeeper.h>

#include <limits>

#include "maintenance/trim/receipt.h"

namespace storekeeper {
namespace {

namespace wire = aidl::org::storekeeper;

// AIDL has no absent long and no unsigned one.
int64_t OrMinusOne(const std::optional<uint64_t>& value) {
    if (!value.has_value() || *value > std::numeric_limits<int64_t>::max()) return -1;
    return static_cast<int64_t>(*value);
}

wire::MountReceipt ToAidl(const MountReceipt& mount) {
    wire::MountReceipt out;
    out.mount = mount.mount;
    out.code = FactsOf(mount.outcome).code;
    out.reason = mount.reason;
    out.rangeStartBytes = static_cast<int64_t>(mount.range_start_bytes);
    out.rangeLengthBytes = static_cast<int64_t>(mount.range_length_bytes);
    out.filesystemBytes = OrMinusOne(mount.filesystem_bytes);
    out.blockLayerBytes = OrMinusOne(mount.block_layer_bytes);
    out.durationNanos = mount.duration.count();
    out.trimmingNanos = mount.trimming.count();
    out.slices = static_cast<int64_t>(mount.slices);
    out.throttled = mount.throttled;
    if (mount.worst_foreground.has_value()) {
        out.worstForegroundNanos = mount.worst_foreground->count();
    }
    out.note = mount.note;
    return out;
}

int32_t ToAidl(Verdict::Level level) {
    switch (level) {
        case Verdict::Level::kGood:
            return wire::IStorekeeper::LEVEL_GOOD;
        case Verdict::Level::kWarning:
            return wire::IStorekeeper::LEVEL_WARNING;
        case Verdict::Level::kUrgent:
            return wire::IStorekeeper::LEVEL_URGENT;
        case Verdict::Level::kUnknown:
            break;
    }
    return wire::IStorekeeper::LEVEL_UNKNOWN;
}

wire::Gate ToAidl(const Gate& gate) {
    wire::Gate out;
    out.name = gate.name;
    out.unit = gate.unit;
    out.value = gate.value.value_or(-1);
    out.limit = gate.limit;
    out.atMost = gate.at_most;
    out.overridden = gate.overridden;
    out.relaxedBy = gate.relaxed_by();
    out.pass = gate.pass;
    out.note = gate.note;
    return out;
}

wire::HealthItem ToAidl(const HealthItem& item) {
    wire::HealthItem out;
    out.name = item.name;
    out.value = item.value;
    out.explanation = item.explanation;
    out.problem = item.problem;
    return out;
}

}  // namespace

wire::TrimReceipt ToAidl(const TrimReceipt& receipt) {
    wire::TrimReceipt out;
    out.manual = receipt.manual;
    out.startedWallSeconds = receipt.started_wall.count();
    out.durationNanos = receipt.duration.count();
    out.code = FactsOf(receipt.outcome).code;
    out.reason = receipt.reason;
    out.complete = receipt.complete;
    for (const MountReceipt& mount : receipt.mounts) out.mounts.push_back(ToAidl(mount));
    return out;
}

wire::Status ToAidl(const KeeperStatus& status) {
    wire::Status out;
    out.trimming = status.progress.running;
    out.trimmingMount = status.progress.mount;
    out.stopping = status.progress.running && status.progress.stopping;
    out.wouldRun = status.decision.run;
    for (const Gate& gate : status.decision.gates) out.gates.push_back(ToAidl(gate));
    out.nextCheckInSeconds = std::chrono::duration_cast<std::chrono::seconds>(
                                     status.decision.next_check - status.now.since_boot)
                                     .count();
    out.mounts = status.mounts;
    if (status.state.last_complete.has_value()) {
        out.lastCompleteWallSeconds = status.state.last_complete->wall.count();
    }
    if (status.last_run.has_value()) out.lastRun = ToAidl(*status.last_run);
    out.notes = status.notes;
    return out;
}

wire::HealthReport ToAidl(const HealthReport& report) {
    wire::HealthReport out;
    out.verdict = report.verdict.line;
    out.level = ToAidl(report.verdict.level);
    out.usedFromPercent = report.verdict.used_from_pct.value_or(-1);
    out.usedToPercent = report.verdict.used_to_pct.value_or(-1);
    out.wearSource = report.wear_source;
    out.device = report.storage.device;
    out.problem = report.storage.problem;
    for (const HealthItem& item : report.storage.items) out.items.push_back(ToAidl(item));
    return out;
}

}  // namespace storekeeper
