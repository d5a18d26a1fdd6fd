// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/result.h>
#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

#include "maintenance/actions/action.h"
#include "maintenance/actions/action_store.h"
#include "maintenance/actions/gc_lease.h"

namespace storekeeper {

// Makes f2fs on /data collect garbage before a trim, which can then discard the collected blocks.
class GarbageAction : public MaintenanceAction {
  public:
    GarbageAction(const ActionSeams& seams, GcLease& lease, const PolicyConfig& config)
          : seams_(seams), memory_(seams, config), lease_(lease) {}

    static constexpr std::string_view kName = "collect_garbage";
    std::string_view name() const override { return kName; }
    ActionPlan Plan() const override;
    ActionReceipt Run(const StopSignal& stop) override;
    android::base::Result<void> Restore() override { return lease_.Restore(); }

  private:
    // The possible lease now. An error of Examine() says why there is none.
    struct Offer {
        std::vector<dev_t> devices;
        uint64_t most_bytes = 0;
    };
    android::base::Result<Offer> Examine() const;
    android::base::Result<std::optional<GcLease::Result>> Collect(const Offer& offer,
                                                                  const StopSignal& stop);

    const ActionSeams seams_;
    const ActionStore memory_;
    GcLease& lease_;
};

}  // namespace storekeeper
