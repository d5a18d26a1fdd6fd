// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/result.h>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/stop_signal.h"

namespace storekeeper {

// A run: what somebody asked for, or the policy decided.
struct TrimRequest {
    bool manual = false;
    // Empty: every given mount.
    std::vector<std::string> mounts;
    // No pauses: done sooner, and everybody else waits longer.
    bool hurry = false;
    // A trim by command: no gate ends it, only an abort does, and the UFS is not defragmented.
    bool past_gates = false;
};

enum class ActionOutcome {
    kDone,
    kNothing,  // nothing had to be done; the note says why
    kStopped,
    kFailed,
};

// "done", "nothing", "stopped", "failed".
std::string_view NameOf(ActionOutcome outcome);
std::optional<ActionOutcome> ActionOutcomeNamed(std::string_view name);

// What an action would do now.
struct ActionPlan {
    std::string action;
    bool would_act = false;
    // What it would do, or why it would do nothing: a sentence without a full stop.
    std::string what;
    // At most, on the flash. 0: nothing that counts.
    uint64_t written_bytes = 0;
};

// What an action has done in a run.
struct ActionReceipt {
    std::string action;
    ActionOutcome outcome = ActionOutcome::kNothing;
    // What it did, or why it did not or no more: a sentence without a full stop.
    std::string note;
    std::chrono::nanoseconds duration{};
    // On the flash, as far as the action knows.
    uint64_t written_bytes = 0;

    bool operator==(const ActionReceipt&) const = default;
};

// Something that a run does for the storage beside the trim. One run at a time uses it; Plan() may
// be called from any thread meanwhile.
class MaintenanceAction {
  public:
    virtual ~MaintenanceAction() = default;
    // "collect_garbage".
    virtual std::string_view name() const = 0;
    // Does not wait for the storage.
    virtual ActionPlan Plan() const = 0;
    // Ends soon after `stop` is raised, and leaves nothing under way.
    virtual ActionReceipt Run(const StopSignal& stop) = 0;
    // Ends what a daemon before this one has left under way.
    virtual android::base::Result<void> Restore() = 0;
};

}  // namespace storekeeper
