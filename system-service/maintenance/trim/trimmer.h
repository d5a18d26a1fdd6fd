// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "maintenance/trim/mount_pass.h"

namespace storekeeper {

// Trims mounts one after the other, on the calling thread.
class Trimmer {
  public:
    struct Hooks {
        // Called with each mount before its first FITRIM.
        std::function<void(const std::string& mount)> progress;
        // Asked between slices; a reason ends the run there.
        std::function<std::optional<std::string>(const TrimRequest& request)> why_stop;
        // Asked once, before the first mount: an error refuses all of them. May be empty.
        std::function<android::base::Result<void>()> may_trim = {};
        // Called with the name of each action of a run before it begins, "trim" among them. May be
        // empty.
        std::function<void(const std::string& action)> acts = {};
    };

    Trimmer(const TrimSeams& seams, TrimRules rules);

    // One mount of a dry run: what would be done there.
    struct Planned {
        Selection selection;
        std::optional<PassPlan> pass;  // when eligible
        std::string problem;           // why there is none nevertheless
    };
    // What a run of all mounts would do. Does not wait for the storage.
    std::vector<Planned> Plan() const;

    // `stop` ends the run at once, in the middle of a FITRIM where need be, and the queue of the
    // disk is then as it was. After a run that was not stopped GiveQueueBack() is to be called.
    TrimReceipt Run(const TrimRequest& request, const StopSignal& stop, const Hooks& hooks);

    // Puts the queue of the disk back once nobody has read or written for 1 s, and after 10 s at
    // the latest: each change stops it for some 10 ms (Linux 6.11). At once where the kernel does
    // not report that. Does nothing once `next`, the beginning of the next run, is raised.
    void GiveQueueBack(const StopSignal& next);
    // At once. Logs the error that it returns.
    android::base::Result<void> RestoreQueue();

    BootTime Now() const { return seams_.clock.SinceBoot(); }

    const std::vector<std::string>& given() const { return rules_.given; }

    // Why nothing here may ever be trimmed: each given mount that is there is on a chip that trims
    // are known to harm, or have harmed. Absent otherwise.
    std::optional<std::string> Refusal() const;
    // Why the policy must not begin a run yet: each mount that may be trimmed is on a chip whose
    // canary is to be read after a restart. Absent otherwise.
    std::optional<std::string> Waiting() const;

    ChipGuard& chips() const { return seams_.chips; }

  private:
    // None where the mounts cannot be read.
    std::vector<Selection> SelectGiven() const;
    // The same as SelectMounts(), without what is in quarantine.
    std::vector<Selection> Select(const std::vector<std::string>& wanted,
                                  const MountTable& table) const;
    // Trims an eligible mount if its chip may be trimmed. `data`: where the canary stands; not
    // eligible where that must not be trimmed.
    MountReceipt TrimMount(const Selection& selection, const Selection& data,
                           const TrimRequest& request, const StopSignal& stop,
                           const StopAsker& ask) const;
    android::base::Result<DiscardSample> DiscardRange(const Selection& selection, TrimRange range,
                                                      const StopSignal& stop) const;

    const TrimSeams seams_;
    const TrimRules rules_;
};

}  // namespace storekeeper
