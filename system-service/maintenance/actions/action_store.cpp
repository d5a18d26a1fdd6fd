// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "maintenance/actions/action_store.h"

#include <algorithm>

namespace storekeeper {

using android::base::Result;

ActionStore::ActionStore(const ActionSeams& seams, const PolicyConfig& config)
      : seams_(seams),
        week_bytes_(static_cast<uint64_t>(config.week_write_mib) << 20),
        boot_id_(seams.files.ReadAttribute(kBootIdPath).value_or("")) {}

RunStamp ActionStore::Now() const {
    return {.boot_id = boot_id_,
            .since_boot = seams_.clock.SinceBoot(),
            .wall = seams_.clock.Wall()};
}

ActionMemory ActionStore::Load() const {
    Result<ActionMemory> memory = ParseActionMemory(seams_.records.Last(RecordKind::kActions));
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
    seams_.records.Put(RecordKind::kActions, FormatActionMemory(memory));
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
