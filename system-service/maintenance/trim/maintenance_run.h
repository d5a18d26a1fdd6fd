// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/result.h>

#include <utility>
#include <vector>

#include "maintenance/actions/action.h"
#include "maintenance/trim/trimmer.h"

namespace storekeeper {

// What the policy's next run would do.
struct RunPlan {
    std::vector<Trimmer::Planned> mounts;
    std::vector<ActionPlan> actions;  // in their order
};

// All that one run does: the actions that prepare a trim, the trim, and what else helps the flash.
class MaintenanceRun {
  public:
    struct Actions {
        // Of runs that trim /data.
        std::vector<MaintenanceAction*> before;
        // Of runs that are not a trim by command.
        std::vector<MaintenanceAction*> after;
    };

    MaintenanceRun(Trimmer& trimmer, Actions actions)
          : trimmer_(trimmer), actions_(std::move(actions)) {}

    // The receipt of the trim, with those of the actions. As Trimmer::Run(), on the calling thread.
    TrimReceipt Run(const TrimRequest& request, const StopSignal& stop,
                    const Trimmer::Hooks& hooks);

    RunPlan Plan() const;

    // As Trimmer's.
    void GiveQueueBack(const StopSignal& next) { trimmer_.GiveQueueBack(next); }
    android::base::Result<void> RestoreQueue() { return trimmer_.RestoreQueue(); }

    // Ends what a daemon before this one has left under way. The last error, where there are more.
    android::base::Result<void> Restore();

  private:
    Trimmer& trimmer_;
    const Actions actions_;
};

}  // namespace storekeeper
