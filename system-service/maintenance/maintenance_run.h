// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/result.h>

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/try.h"
#include "maintenance/actions/action.h"
#include "maintenance/trim/trim_pass.h"

namespace storekeeper {

// What a run would do on one mount.
struct PlannedMount {
    Selection selection;
    std::optional<PassPlan> pass;  // of an eligible mount
    std::string problem;           // why an eligible mount has no pass
};

// What the policy's next run would do.
struct RunPlan {
    std::vector<PlannedMount> mounts;
    uint64_t mounts_left_out = 0;     // KeepListedMounts()
    std::vector<ActionPlan> actions;  // in their order
};

// One run: the actions that prepare a trim, the trim of each mount, and the actions after it.
class MaintenanceRun {
  public:
    struct Actions {
        std::vector<MaintenanceAction*> before;  // in runs that trim /data
        std::vector<MaintenanceAction*> after;   // not in a trim by command
    };
    // Called before each action and each mount: "trim" or MaintenanceAction::name(), and the mount
    // that is trimmed or "".
    using Progress = std::function<void(const std::string& action, const std::string& mount)>;

    MaintenanceRun(const TrimSeams& seams, TrimRules rules, Actions actions)
          : seams_(seams), rules_(std::move(rules)), actions_(std::move(actions)) {}

    // Works on the calling thread. A raised `stop` ends it in the middle of a FITRIM.
    TrimReceipt Run(const TrimRequest& request, const StopSignal& stop, const Progress& progress);

    // The receipt of a run that must not begin, with `why` and its errno for each eligible mount.
    TrimReceipt Refuse(const TrimRequest& request, const ResultFailure& why) const;

    // Does not wait for the storage.
    RunPlan Plan() const;
    // The patterns of ro.storekeeper.trim.mounts.
    const std::vector<std::string>& given() const { return rules_.given; }
    // Why nothing may ever be trimmed: each given mount that is there is on a chip that trims are
    // known to harm, or have harmed. Absent if a mount may be trimmed.
    std::optional<std::string> Refusal() const;
    // Why the policy must not begin a run yet: each mount that may be trimmed is on a chip whose
    // canary is to be read after a restart. Absent if one need not wait.
    std::optional<std::string> Waiting() const;
    ChipGuard& chips() const { return seams_.chips; }

    // Ends work that an earlier daemon has left under way. Returns the last error.
    android::base::Result<void> Restore();

  private:
    // SelectMounts(), without mounts on a chip in quarantine.
    std::vector<Selection> Select(const std::vector<std::string>& wanted,
                                  const MountTable& table) const;
    // The given mounts; none if the table of mounts cannot be read.
    std::vector<Selection> SelectGiven() const;
    // /data, where the canary stands; not eligible if it must not be trimmed.
    Selection SelectData() const;
    void Act(const std::vector<MaintenanceAction*>& actions, const StopSignal& stop,
             const Progress& progress, TrimReceipt* receipt);
    // Adds a receipt for each wanted mount; `trim` makes those of eligible ones.
    using Trim = std::function<MountReceipt(const Selection& selection)>;
    void TrimMounts(const TrimRequest& request, const StopSignal& stop, const Trim& trim,
                    TrimReceipt* receipt) const;
    // Trims an eligible mount unless its chip forbids it.
    MountReceipt TrimMount(const Selection& selection, const Selection& data,
                           const TrimRequest& request, CardModels* models,
                           const StopSignal& stop) const;

    const TrimSeams seams_;
    const TrimRules rules_;
    const Actions actions_;
};

}  // namespace storekeeper
