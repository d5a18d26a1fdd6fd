// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/result.h>

#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/try.h"
#include "maintenance/actions/action.h"
#include "maintenance/trim/trim_pass.h"

namespace storekeeper {

// The part of a plan for one mount.
struct PlannedMount {
    Selection selection;
    std::optional<PassPlan> pass;  // pass over an eligible mount
    std::string problem;           // why an eligible mount has no pass
};

// The next run of the policy, as planned now.
struct RunPlan {
    std::vector<PlannedMount> mounts;
    uint64_t mounts_left_out = 0;     // see KeepListedMounts()
    std::vector<ActionPlan> actions;  // in order of execution
};

// One run: the actions before the trim, the trim of each mount, and the actions after it.
class MaintenanceRun {
  public:
    struct Actions {
        std::vector<MaintenanceAction*> before;  // in runs that trim /data
        std::vector<MaintenanceAction*> after;   // not in a trim by command
    };
    // Called before each action and each mount. The arguments: "trim" or MaintenanceAction::name(),
    // and the mount that is trimmed or "".
    using Progress = std::function<void(const std::string& action, const std::string& mount)>;

    MaintenanceRun(const TrimSeams& seams, TrimRules rules, Actions actions)
          : seams_(seams), rules_(std::move(rules)), actions_(std::move(actions)) {}

    // Works on the calling thread. A raised `stop` also ends a FITRIM that is under way.
    TrimReceipt Run(const TrimRequest& request, const StopSignal& stop, const Progress& progress);

    // The receipt of a run that must not begin. It has `why` and its errno for each eligible mount.
    TrimReceipt Refuse(const TrimRequest& request, const ResultFailure& why) const;

    // The plan of the next run. MaintenanceAction::Plan() may query the storage chip.
    RunPlan Plan() const;
    // The patterns of ro.storekeeper.trim.mounts.
    const std::vector<std::string>& configured() const { return rules_.configured; }
    // True if the product left out the rights of trims.
    bool report_only() const { return rules_.report_only; }
    // Gate `chip`: no configured mount is eligible, and at least one is on a chip that trims harm.
    // Gate `canary`: an eligible mount is on a chip whose canary must be read after a restart
    // first; without that mount the run would be incomplete, and be made again in an hour.
    std::vector<Refusal> Refusals() const;
    ChipGuard& chips() const { return seams_.chips; }

    // Ends work that an earlier daemon left under way, and restores what the last run could not.
    // Waits for init, at most a second for each setting. Nothing during a run. Returns the last
    // error.
    android::base::Result<void> Restore();

  private:
    // SelectMounts(), but mounts on a chip in quarantine are not eligible.
    std::vector<Selection> Select(const std::vector<std::string>& wanted,
                                  const MountTable& table) const;
    // The configured mounts; none if the table of mounts cannot be read.
    std::vector<Selection> SelectConfigured() const;
    // /data, where the canary stands. Not eligible if it must not be trimmed.
    Selection SelectData() const;
    void Act(const std::vector<MaintenanceAction*>& actions, const StopSignal& stop,
             const Progress& progress, TrimReceipt* receipt);
    // Adds a receipt for each wanted mount. `trim` makes the receipts of eligible ones.
    using Trim = std::function<MountReceipt(const Selection& selection)>;
    void TrimMounts(const TrimRequest& request, const StopSignal& stop, const Trim& trim,
                    TrimReceipt* receipt) const;
    // Trims an eligible mount unless its chip must wait or must not be trimmed.
    MountReceipt TrimMount(const Selection& selection, const Selection& data,
                           const TrimRequest& request, std::optional<CardModel>* model,
                           const StopSignal& stop) const;

    const TrimSeams seams_;
    const TrimRules rules_;
    const Actions actions_;
    // Held by Run() and by Restore(), which tries alone; Mutex has no try_lock().
    std::mutex busy_;
};

}  // namespace storekeeper
