// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "maintenance/actions/action_memory.h"

#include <chrono>

#include "base/json_fields.h"

namespace storekeeper {
namespace {

constexpr std::chrono::hours kWeek{7 * 24};

}  // namespace

static void Fields(JsonFields& json, RunStamp& stamp) {
    json("boot_id", stamp.boot_id);
    json("boot_ns", stamp.since_boot);
    json("wall_s", stamp.wall);
}

static void Fields(JsonFields& json, WriteWeek& week) {
    json("at", week.began.at);
    json("elapsed_s", week.began.elapsed);
    json("powered_s", week.began.powered);
    json("written_bytes", week.written_bytes);
}

static void Fields(JsonFields& json, DefragMemory::Round& round) {
    json("p99_before_ns", round.p99_before);
    json("moved_bytes", round.moved_bytes);
    json("fragmented_bytes", round.fragmented_bytes);
    json("ended", round.ended);
}

static void Fields(JsonFields& json, DefragMemory& defrag) {
    json("chip", defrag.chip);
    json("best_p99_ns", defrag.best_p99);
    json("round", defrag.round);
    json("failed_rounds", defrag.failed_rounds);
    json("last", defrag.last);
}

static void Fields(JsonFields& json, ActionMemory& memory) {
    json("week", memory.week);
    json("defrag", memory.defrag);
}

WriteWeek BringUpToDate(const WriteWeek& week, const RunStamp& now) {
    // The first week begins at the first look. If the kernel hides the boot's id, a week without
    // writes begins anew at each look, and the whole uptime counts for one with writes.
    if (week.began.at.boot_id.empty() && week.written_bytes == 0) return {.began = {.at = now}};
    const RunAge age = BringUpToDate(week.began, now);
    if (age.powered >= kWeek) return {.began = {.at = now}};
    return {.began = age, .written_bytes = week.written_bytes};
}

std::string FormatActionMemory(const ActionMemory& memory) {
    return WriteFields(memory);
}

android::base::Result<ActionMemory> ParseActionMemory(const std::string& text) {
    return text.empty() ? ActionMemory() : ParseFields<ActionMemory>(text);
}

}  // namespace storekeeper
