// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include <algorithm>
#include <chrono>
#include <cmath>
#include <optional>
#include <string_view>

#include "base/json_text.h"
#include "base/quantity_text.h"
#include "maintenance/actions/defrag_action.h"
#include "maintenance/actions/garbage_action.h"
#include "report/report.h"

namespace storekeeper {
namespace {

using std::chrono::milliseconds;

constexpr uint64_t kMib = 1 << 20;

uint64_t StepCount(const PassPlan& pass) {
    if (pass.steps.step_bytes == 0) return 1;
    const uint64_t rest = pass.device_bytes - std::min(pass.device_bytes, pass.cursor);
    return (rest + pass.steps.step_bytes - 1) / pass.steps.step_bytes;
}

// Upper bound of the bytes to trim. Free space counts as evenly spread, and the part before the
// cursor is done.
uint64_t MaxTrimBytes(const PassPlan& pass) {
    if (pass.size_bytes == 0 || pass.cursor >= pass.size_bytes) return pass.free_bytes;
    const double rest = 1 - static_cast<double>(pass.cursor) / static_cast<double>(pass.size_bytes);
    return static_cast<uint64_t>(std::llround(static_cast<double>(pass.free_bytes) * rest));
}

// Estimated time for `bytes`, pauses included, at the rate of this mount's receipts that discarded
// at least 1 MiB. Absent without such receipts.
std::optional<milliseconds> EstimateTime(uint64_t bytes, const std::string& mount,
                                         const std::vector<TrimReceipt>& receipts) {
    milliseconds time{};
    double discarded = 0;
    for (const TrimReceipt& receipt : receipts) {
        for (const MountReceipt& done : receipt.mounts) {
            if (done.mount != mount || done.block_layer_bytes.value_or(0) < kMib) continue;
            time += std::chrono::duration_cast<milliseconds>(done.duration);
            discarded += static_cast<double>(*done.block_layer_bytes);
        }
    }
    if (discarded <= 0) return std::nullopt;
    return milliseconds(std::llround(static_cast<double>(time.count()) / discarded *
                                     static_cast<double>(bytes)));
}

std::string ReasonOf(const PlannedMount& planned) {
    const Selection& selection = planned.selection;
    return planned.problem.empty() ? selection.reason : selection.path + ": " + planned.problem;
}

std::string PassText(const PlannedMount& planned, const std::vector<TrimReceipt>& receipts) {
    const PassPlan& pass = *planned.pass;
    const std::string& path = planned.selection.path;
    std::string text =
            path + ": " + planned.selection.mount.type + ", " + std::string(pass.steps.how);
    if (pass.steps.step_bytes != 0) {
        text += ", " + Counted(StepCount(pass), "step") + " of " + SizeText(pass.steps.step_bytes);
    }
    if (pass.cursor != 0) {
        text += ", continues at " + SizeText(pass.cursor) + " of " + SizeText(pass.size_bytes);
    }
    const uint64_t bytes = MaxTrimBytes(pass);
    text += "; discards at most " + SizeText(bytes);
    const std::optional<milliseconds> time = EstimateTime(bytes, path, receipts);
    if (!time.has_value()) return text + ", duration not known yet\n";
    return text + " in about " + DurationText(time->count() / 1000) +
           " at the rate of the last runs\n";
}

struct ActionWords {
    std::string_view action;
    const char* title;
    const char* verb;
};

constexpr ActionWords kActionWords[] = {
        {GarbageAction::kName, "Garbage collection", "collecting garbage"},
        {DefragAction::kName, "Defragmentation", "defragmenting"},
};

const ActionWords* WordsOf(const std::string& action) {
    for (const ActionWords& words : kActionWords) {
        if (words.action == action) return &words;
    }
    return nullptr;
}

Json::Value MountsToJson(const std::vector<PlannedMount>& plan,
                         const std::vector<TrimReceipt>& receipts) {
    return ArrayOf(plan, [&](const PlannedMount& planned) {
        const Selection& selection = planned.selection;
        Json::Value mount;
        mount["mount"] = selection.path;
        mount["would_trim"] = planned.pass.has_value();
        mount["outcome"] = std::string(OutcomeFactsOf(selection.outcome).name);
        mount["reason"] = ReasonOf(planned);
        if (!planned.pass.has_value()) return mount;
        const PassPlan& pass = *planned.pass;
        const uint64_t bytes = MaxTrimBytes(pass);
        mount["type"] = selection.mount.type;
        mount["how"] = std::string(pass.steps.how);
        mount["slices"] = Json::UInt64{StepCount(pass)};
        mount["slice_bytes"] = Json::UInt64{pass.steps.step_bytes};
        mount["cursor_bytes"] = Json::UInt64{pass.cursor};
        mount["size_bytes"] = Json::UInt64{pass.size_bytes};
        mount["at_most_bytes"] = Json::UInt64{bytes};
        mount["at_most_ms"] = OrNull(EstimateTime(bytes, selection.path, receipts));
        return mount;
    });
}

Json::Value ActionToJson(const ActionPlan& plan) {
    Json::Value action;
    action["action"] = plan.action;
    action["would_act"] = plan.would_act;
    action["what"] = plan.what;
    action["at_most_written_bytes"] = Json::UInt64{plan.written_bytes};
    return action;
}

}  // namespace

std::string ActionTitle(const std::string& action) {
    const ActionWords* const words = WordsOf(action);
    return words == nullptr ? action : words->title;
}

std::string ActionVerb(const std::string& action) {
    const ActionWords* const words = WordsOf(action);
    return words == nullptr ? "trimming" : words->verb;
}

Json::Value PlanToJson(const RunPlan& plan, const std::vector<TrimReceipt>& receipts) {
    Json::Value json;
    json["mounts"] = MountsToJson(plan.mounts, receipts);
    json["mounts_left_out"] = Json::UInt64{plan.mounts_left_out};
    json["actions"] = ArrayOf(plan.actions, ActionToJson);
    return json;
}

std::string PlanText(const RunPlan& plan, const std::vector<TrimReceipt>& receipts) {
    std::string text;
    for (const PlannedMount& planned : plan.mounts) {
        text += planned.pass.has_value() ? PassText(planned, receipts) : ReasonOf(planned) + "\n";
    }
    if (text.empty()) text = "No mounts to trim: ro.storekeeper.trim.mounts is empty.\n";
    text += MountsLeftOutText(plan.mounts_left_out);
    for (const ActionPlan& action : plan.actions) {
        text += ActionTitle(action.action) + ": " + (action.would_act ? "" : "nothing, ") +
                action.what;
        if (action.written_bytes != 0) {
            text += "; writes at most " + SizeText(action.written_bytes);
        }
        text += "\n";
    }
    return text;
}

}  // namespace storekeeper
