// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "service/run_memory.h"

#include <android-base/logging.h>

#include <algorithm>
#include <utility>

#include "service/decision_text.h"

namespace storekeeper {
namespace {

using android::base::Result;

// When a run was refused for another reason than last.
constexpr std::chrono::seconds kRefusalWritePeriod = std::chrono::hours(4);

}  // namespace

RunMemory::RunMemory(const StateStore& store, const Clock& clock, std::string boot_id)
      : store_(store), clock_(clock), boot_id_(std::move(boot_id)) {
    StateStore::Loaded loaded = store_.Load();
    MutexLock guard(lock_);
    state_ = std::move(loaded.state);
    load_note_ = std::move(loaded.note);
    if (!load_note_.empty()) LOG(WARNING) << load_note_;
    if (!state_.age.has_value()) {
        // The first start on this device, or after an earlier version.
        state_.age = state_.last_complete.has_value() ? RunAge{.at = *state_.last_complete}
                                                      : RunAge{.at = Now()};
        write_within_ = std::chrono::seconds(0);
    }
    if (state_.overrides_boot_id != boot_id_) state_.overrides.clear();
    state_.overrides_boot_id = boot_id_;
}

RunStamp RunMemory::Now() const {
    return {.boot_id = boot_id_, .since_boot = clock_.SinceBoot(), .wall = clock_.Wall()};
}

PolicyState RunMemory::State() const {
    MutexLock guard(lock_);
    return state_;
}

std::vector<std::string> RunMemory::Notes() const {
    MutexLock guard(lock_);
    std::vector<std::string> notes;
    for (const std::string* note : {&load_note_, &save_note_}) {
        if (!note->empty()) notes.push_back(*note);
    }
    return notes;
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
    PolicyState state;
    {
        MutexLock guard(lock_);
        state_.age = BringUpToDate(*state_.age, Now());
        change(&state_);
        write_within_.reset();
        state = state_;
    }
    const Result<void> saved = store_.Save(state);
    std::string note;
    if (!saved.ok()) {
        note = "The memory of runs is not kept: " + saved.error().message();
        LOG(ERROR) << note;
    }
    MutexLock guard(lock_);
    save_note_ = std::move(note);
}

}  // namespace storekeeper
