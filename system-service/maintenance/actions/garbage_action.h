// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/result.h>
#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "maintenance/actions/action.h"
#include "maintenance/actions/action_memory.h"
#include "maintenance/actions/init_requests.h"

namespace storekeeper {

// Makes f2fs on /data collect its garbage faster for a while before a trim, which can then discard
// the collected blocks (gc_urgent 1 of Documentation/ABI/testing/sysfs-fs-f2fs). Only init may
// write that attribute: the property storekeeper.gc.urgent requests it, and init writes 0 when the
// daemon dies.
class GarbageAction : public MaintenanceAction {
  public:
    static constexpr std::string_view kName = "collect_garbage";
    static constexpr char kSecondsProperty[] = "ro.storekeeper.gc.seconds";

    struct Terms {
        std::chrono::seconds longest{0};  // 0: never
        uint64_t most_written_bytes = 0;  // by any process, since collecting is writing
    };

    GarbageAction(const ActionSeams& seams, Pauser& pauser, InitProperties properties,
                  const Terms& terms, const PolicyConfig& config);

    std::string_view name() const override { return kName; }
    ActionPlan Plan() const override;
    ActionReceipt Run(const StopSignal& stop) override;
    android::base::Result<void> Restore() override;

  private:
    // Limits of collecting now. An error of Examine() says why it must not begin.
    struct Offer {
        std::vector<dev_t> devices;
        uint64_t most_bytes = 0;
    };
    android::base::Result<Offer> Examine() const;
    // Holds gc_urgent until WhyEnd(), then sets 0. An error if it could not begin or gc_urgent
    // could not be reset. If init does not set gc_urgent, the receipt says so.
    android::base::Result<void> Collect(const Offer& offer, const StopSignal& stop,
                                        ActionReceipt* receipt);
    // Few dirty segments are left, the time or the bytes are used up, `stop` is raised, or the
    // framework takes over. Absent while collecting may go on.
    std::optional<std::string> WhyEnd(BootTime begun, uint64_t written, uint64_t most_bytes,
                                      const StopSignal& stop) const;
    bool FrameworkOwnsIt() const;
    android::base::Result<void> SetUrgent(bool urgent);

    const ActionSeams seams_;
    const ActionStore memory_;
    Pauser& pauser_;
    const InitProperties properties_;
    const Terms terms_;
};

}  // namespace storekeeper
