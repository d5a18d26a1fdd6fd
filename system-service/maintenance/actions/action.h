// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/result.h>

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/stop_signal.h"

namespace storekeeper {

// A run, requested by command or decided by the policy.
struct TrimRequest {
    bool manual = false;
    // Empty: all configured mounts.
    std::vector<std::string> mounts;
    // No pauses between steps: the run ends sooner, and other processes wait longer.
    bool hurry = false;
    // A trim by command. No gate ends it, only an abort does, and the UFS is not defragmented.
    bool past_gates = false;
};

enum class ActionOutcome {
    kDone,
    kNothing,  // nothing had to be done; the note says why
    kStopped,
    kFailed,
};

// The name in reports: "done", "nothing", "stopped" or "failed".
inline std::string_view NameOf(ActionOutcome outcome) {
    constexpr std::string_view kNames[] = {"done", "nothing", "stopped", "failed"};
    return kNames[static_cast<size_t>(outcome)];
}

// The next work of an action.
struct ActionPlan {
    std::string action;
    bool would_act = false;
    // The planned work, or the reason for doing nothing: a sentence without a full stop.
    std::string what;
    // Bytes written to the flash, at most. 0: next to nothing.
    uint64_t written_bytes = 0;
};

// The work of an action in a run.
struct ActionReceipt {
    std::string action;
    ActionOutcome outcome = ActionOutcome::kNothing;
    // The work done, or the reason why it was not done or ended early: a sentence without a full
    // stop.
    std::string note;
    std::chrono::nanoseconds duration{};
    // Bytes written to the flash, as far as the action knows.
    uint64_t written_bytes = 0;

    bool operator==(const ActionReceipt&) const = default;
};

// A maintenance task of a run beside the trim. One run at a time uses it; any thread may call
// Plan() meanwhile.
class MaintenanceAction {
  public:
    virtual ~MaintenanceAction() = default;
    // Key in reports: "collect_garbage".
    virtual std::string_view name() const = 0;
    // May query the storage chip: the defragmentation reads the UFS's attributes.
    virtual ActionPlan Plan() const = 0;
    // Ends soon after `stop` is raised, and leaves nothing under way.
    virtual ActionReceipt Run(const StopSignal& stop) = 0;
    // Ends work that is under way or that an earlier daemon left so.
    virtual android::base::Result<void> Restore() = 0;
};

}  // namespace storekeeper
