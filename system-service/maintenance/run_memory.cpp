// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "maintenance/run_memory.h"

#include <android-base/logging.h>

#include <algorithm>
#include <utility>

#include "base/try.h"
#include "maintenance/decision_text.h"

namespace storekeeper {

using android::base::Result;

// Largest age of the written memory after a run was refused for another reason than the last one.
static constexpr std::chrono::seconds kRefusalWritePeriod = std::chrono::hours(4);

static void Fields(JsonFields& json, RefusedRun& refused) {
    json("at", refused.at);
    json("gates", refused.gates);
}

void Fields(JsonFields& json, PolicyState& state) {
    json("last_complete", state.last_complete);
    json("last_attempt", state.last_attempt);
    json("written_bytes", state.written_bytes);
    json("age", state.age);
    json("refused", state.refused);
    json("overrides", state.overrides);
    json("overrides_boot_id", state.overrides_boot_id);
}

RunMemory::RunMemory(RecordFile& records, const Clock& clock, std::string boot_id)
      : records_(records), clock_(clock), boot_id_(std::move(boot_id)) {
    MutexLock saving(save_lock_);
    Result<void> kept = LoadOnce();
    if (kept.ok()) kept = records_.CheckWritable();
    Note(kept);
    MutexLock guard(lock_);
    if (!state_.age.has_value()) state_.age = RunAge{.at = Now()};
    state_.overrides_boot_id = boot_id_;
}

Result<void> RunMemory::LoadOnce() {
    if (loaded_) return {};
    TRY(records_.Load());
    loaded_ = true;
    const std::string text = records_.Last(RecordKind::kState);
    Result<PolicyState> stored = text.empty() ? PolicyState() : ParseFields<PolicyState>(text);
    if (!stored.ok()) {
        records_.AddNote("The memory of earlier runs was lost: " + stored.error().message());
    }
    MutexLock guard(lock_);
    // Events from before the file could be read.
    PolicyState since = std::exchange(state_, stored.ok() ? std::move(*stored) : PolicyState());
    if (!state_.age.has_value()) {
        // This is the first start on this device.
        state_.age = RunAge{.at = Now()};
        write_within_ = std::chrono::seconds(0);
    }
    // An override ends with its boot. If the boot's id is unknown, it has ended.
    if (boot_id_.empty() || state_.overrides_boot_id != boot_id_) state_.overrides.clear();
    state_.overrides_boot_id = boot_id_;
    for (const auto& [gate, limit] : since.overrides) state_.overrides[gate] = limit;
    state_.refused.insert(state_.refused.end(), since.refused.begin(), since.refused.end());
    while (state_.refused.size() > kMaxRefusedRuns) state_.refused.erase(state_.refused.begin());
    return {};
}

Result<void> RunMemory::Recheck() {
    Result<void> writable = records_.CheckWritable();
    if (!writable.ok()) {
        Note(writable);
    } else if (!Problem().ok()) {
        Remember([](PolicyState*) {});
    }
    return Problem();
}

void RunMemory::Note(const Result<void>& kept) {
    MutexLock guard(lock_);
    if (kept.ok() && !problem_.ok()) LOG(INFO) << "The state can be saved again";
    if (!kept.ok() && (problem_.ok() || problem_.error().code() != kept.error().code())) {
        LOG(ERROR) << "The state cannot be saved: " << kept.error().message();
    }
    problem_ = kept;
}

void RunMemory::NoteRefusal(const Decision& decision) {
    if (!decision.due || decision.run) return;
    const std::string closed = ClosedGates(decision);
    MutexLock guard(lock_);
    std::vector<RefusedRun>& refused = state_.refused;
    if (!refused.empty() && refused.back().gates == closed) return;
    refused.push_back({.at = Now(), .gates = closed});
    if (refused.size() > kMaxRefusedRuns) refused.erase(refused.begin());
    write_within_ = std::min(write_within_.value_or(kRefusalWritePeriod), kRefusalWritePeriod);
}

void RunMemory::WriteWhenWorthIt() {
    {
        MutexLock guard(lock_);
        if (!IsWorthWriting(*state_.age, Now(), write_within_.value_or(kWritePeriod))) return;
    }
    Remember([](PolicyState*) {});
}

void RunMemory::Remember(const std::function<void(PolicyState*)>& change) {
    MutexLock saving(save_lock_);
    Result<void> kept = LoadOnce();
    PolicyState state;
    {
        MutexLock guard(lock_);
        state_.age = BringUpToDate(*state_.age, Now());
        change(&state_);
        write_within_.reset();
        state = state_;
    }
    if (kept.ok()) {
        records_.Put(RecordKind::kState, WriteFields(state));
        kept = records_.Write();
    }
    Note(kept);
}

}  // namespace storekeeper
