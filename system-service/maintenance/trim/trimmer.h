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

    // `stop` ends the run at once, in the middle of a FITRIM where need be. Wherever it ends, the
    // queue of the disk is as it was.
    TrimReceipt Run(const TrimRequest& request, const StopSignal& stop, const Hooks& hooks);

    const std::vector<std::string>& given() const { return rules_.given; }

    // Why nothing here may ever be trimmed: each given mount that is there is on a chip that trims
    // are known to harm. Absent otherwise.
    std::optional<std::string> Refusal() const;

  private:
    // None where the mounts cannot be read.
    std::vector<Selection> SelectGiven() const;

    const TrimSeams seams_;
    const TrimRules rules_;
};

}  // namespace storekeeper
