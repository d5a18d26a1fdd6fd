// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "maintenance/actions/action_memory.h"

#include <algorithm>
#include <chrono>

namespace storekeeper {

using android::base::Result;

namespace {

constexpr std::chrono::hours kWeek{7 * 24};

}  // namespace

static void Fields(JsonFields& json, WriteWeek& week) {
    Fields(json, week.began);
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

void Fields(JsonFields& json, ActionMemory& memory) {
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

ActionStore::ActionStore(const ActionSeams& seams, const PolicyConfig& config)
      : seams_(seams),
        week_bytes_(static_cast<uint64_t>(config.week_write_mib) << 20),
        boot_id_(seams.files.ReadAttribute(kBootIdPath).value_or("")) {}

ActionMemory ActionStore::Load() const {
    const std::string text = seams_.records.Last(RecordKind::kActions);
    Result<ActionMemory> memory = text.empty() ? ActionMemory() : ParseFields<ActionMemory>(text);
    if (!memory.ok()) {
        seams_.records.AddNote("The memory of garbage collection and defragmentation was lost: " +
                               memory.error().message());
        memory = ActionMemory();
        Put(*memory);
    }
    memory->week = BringUpToDate(memory->week, Now());
    return *memory;
}

void ActionStore::Put(const ActionMemory& memory) const {
    seams_.records.Put(RecordKind::kActions, WriteFields(memory));
}

uint64_t ActionStore::RemainingBytes(const ActionMemory& memory) const {
    return week_bytes_ - std::min(week_bytes_, memory.week.written_bytes);
}

Result<void> ActionStore::Charge(uint64_t bytes) const {
    ActionMemory memory = Load();
    memory.week.written_bytes += bytes;
    Put(memory);
    return seams_.records.Write();
}

void ActionStore::Correct(uint64_t charged, uint64_t written) const {
    ActionMemory memory = Load();
    // If a new week has begun meanwhile, nothing is left of the charge.
    memory.week.written_bytes -= std::min(memory.week.written_bytes, charged);
    memory.week.written_bytes += written;
    Put(memory);
}

}  // namespace storekeeper
