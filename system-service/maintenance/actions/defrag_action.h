// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/result.h>
#include <sys/types.h>

#include <vector>

#include "base/mutex.h"
#include "base/stop_signal.h"
#include "maintenance/actions/action.h"
#include "maintenance/actions/action_memory.h"
#include "maintenance/actions/hid_control.h"

namespace storekeeper {

// Makes a UFS defragment itself as DecideDefrag() says.
class DefragAction : public MaintenanceAction {
  public:
    DefragAction(const ActionSeams& seams, HidControl& hid, Pauser& pauser,
                 const PolicyConfig& config)
          : seams_(seams), memory_(seams, config), hid_(hid), pauser_(pauser), config_(config) {}

    static constexpr std::string_view kName = "defragment";
    std::string_view name() const override { return kName; }
    ActionPlan Plan() const override EXCLUDES(lock_);
    ActionReceipt Run(const StopSignal& stop) override EXCLUDES(lock_);
    android::base::Result<void> Restore() override { return hid_.Restore(); }

    // Adds measured reads. Any thread may call it. The fewest newest figures that have kMinReads
    // together are kept.
    void NoteReads(ReadFigure figure) EXCLUDES(lock_);

  private:
    std::vector<ReadFigure> Reads() const EXCLUDES(lock_);
    // The memory of this chip; empty if the stored one is of another chip or firmware.
    ActionMemory Memory(dev_t disk) const;
    // EINTR: stopped. ENODEV: see HidControl::Read().
    android::base::Result<void> Loop(dev_t disk, const StopSignal& stop, ActionReceipt* receipt);
    DefragDecision Decide(const HidReading& hid, bool analyzed, uint64_t moved,
                          ActionMemory* memory) const;
    // Each returns the chip's state at its end.
    android::base::Result<HidReading> Analyze(dev_t disk, const StopSignal& stop);
    android::base::Result<HidReading> Defragment(dev_t disk, uint64_t bytes, const StopSignal& stop,
                                                 ActionReceipt* receipt);
    android::base::Result<HidReading> Wait(dev_t disk, HidReading now, const StopSignal& stop,
                                           uint64_t* progress);

    const ActionSeams seams_;
    const ActionStore memory_;
    HidControl& hid_;
    Pauser& pauser_;
    const PolicyConfig config_;
    mutable Mutex lock_;
    std::vector<ReadFigure> reads_ GUARDED_BY(lock_);
};

}  // namespace storekeeper
