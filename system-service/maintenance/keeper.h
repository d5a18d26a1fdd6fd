// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/result.h>

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/file_reader.h"
#include "base/mutex.h"
#include "base/record_file.h"
#include "maintenance/canary/canary.h"
#include "maintenance/decision_text.h"
#include "maintenance/inputs/system_inputs.h"
#include "maintenance/policy/policy.h"
#include "maintenance/run_memory.h"
#include "maintenance/run_thread.h"

namespace storekeeper {

struct KeeperStatus {
    RunStamp now;
    RunProgress progress;
    Decision decision;
    PolicyState state;
    std::optional<TrimReceipt> last_run;    // since the daemon started
    std::vector<std::string> mounts;        // mounts that may be trimmed
    std::vector<std::string> notes;         // for the owner: lost memory, refused configuration
    std::string state_problem;              // why no state is kept; "" if it is kept
    bool report_only = false;               // the product left out the rights of trims: no gates
    std::vector<std::string> config_files;  // files in force, in order
    GateLog gate_log;
    WakeBudget wakes;
    std::vector<ChipTrust> chips;  // knowledge from the chips' canaries
};

// Makes runs, by the policy and by command. Owns the worker and the memory of runs. Any thread may
// call any method. Trim() and Maintain() wait for a run. Tick(), SetOverride() and WriteDown() may
// write the memory of runs. RecheckChips() and LiftQuarantine() access the canary. Plan() may query
// the storage chip. The others never wait for the storage.
class Keeper : private RunObserver {
  public:
    struct Seams {
        const FileReader& files;
        const Clock& clock;
        MaintenanceInputs& inputs;
        MaintenanceRun& run;
        RecordFile& records;
    };
    struct Hooks {
        // Makes the daemon's loop call Tick() again.
        std::function<void()> wake;
        // Publishes a property of storekeeper.status.
        std::function<void(const std::string& name, const std::string& value)> publish;
        // Keeps the device from suspending during a run, for half an hour at most. Ignores repeats.
        std::function<void(bool awake)> stay_awake;
        // Called when a run has ended; must not wait. May be empty.
        std::function<void()> run_ended = {};
    };
    // Time that the loop may sleep: to the deadline, or without limit if there is none.
    struct Nap {
        std::optional<BootTime> deadline;
        bool watch_power = false;
        // Wakes the loop when somebody uses the device, which would end the run under way.
        bool watch_input = false;
    };

    // The configuration. Reports show the files in force and the reasons why others were refused.
    struct Settings {
        PolicyConfig policy;
        std::vector<std::string> files;  // in force, in order
        std::vector<std::string> problems;
    };

    Keeper(const Seams& seams, Settings settings, Hooks hooks);

    // Evaluates the policy, begins a run if one is due and possible, and logs the decision if it
    // has changed. Before that, restores what a run or an earlier daemon has left. During a run:
    // ends it if a gate has closed.
    Nap Tick() EXCLUDES(lock_);

    // Saves the memory of runs. Call it before the process ends: the last changes would be lost.
    void WriteDown() {
        memory_.Remember([](PolicyState*) {});
    }

    RunStamp Now() const { return memory_.Now(); }
    KeeperStatus Status() EXCLUDES(lock_);
    bool IsRunUnderWay() const { return worker_.progress().running; }

    // Runs a trim now and waits for its end; of the gates it asks `checkpoint`, `chip` and `state`.
    // Without mounts it trims all configured ones. EBUSY: a run is under way, or vold has a
    // checkpoint open, whose data a trim would discard; another error if the checkpoint cannot be
    // read. EAGAIN: the system has no thread left. EPERM: the product is report-only.
    android::base::Result<TrimReceipt> Trim(const std::vector<std::string>& mounts,
                                            bool hurry = false);

    // Makes a complete run now and waits for its end. Errors are those of Trim(); EBUSY also if a
    // gate that keeps the device safe is closed.
    android::base::Result<TrimReceipt> Maintain();

    // Sets a gate's limit until the next boot; without `limit`, resets it. The error names the
    // gates and their ranges.
    android::base::Result<void> SetOverride(const std::string& gate, std::optional<int64_t> limit);

    // True if nobody used the device or its storage at the last decision, and no run is under way.
    // A report-only product has no decisions: its screen is off and its storage quiet now.
    bool IsAtRest() const EXCLUDES(lock_);

    // Ends the run under way; false if there is none.
    bool Abort() { return worker_.Abort(); }

    // Lifts the quarantine of all chips, which the next run examines anew. Returns their number.
    // EBUSY: a run is under way.
    android::base::Result<size_t> LiftQuarantine() EXCLUDES(lock_);

    // Reads the canary. It waits for the storage, which may hang: do not call it on the daemon's
    // loop.
    void RecheckChips();

    RunPlan Plan() const { return seams_.run.Plan(); }
    // The last runs, newest first, including those of earlier processes.
    std::vector<TrimReceipt> Receipts(size_t count) const;

  private:
    // Returns an error, which refuses the run, if the attempt cannot be saved: a run that crashes
    // the system would be repeated at each start.
    android::base::Result<void> OnRunBegins(const TrimRequest& request) override EXCLUDES(lock_);
    void OnRunEnds(const TrimReceipt& receipt) override EXCLUDES(lock_);
    void OnRunThreadIdle() override { hooks_.wake(); }
    // Claims vold's trims for Storekeeper, or returns them to vold if Storekeeper cannot trim.
    void PublishTrimOwner(const Decision& decision) EXCLUDES(lock_);
    Nap WatchRun() EXCLUDES(lock_);
    void PublishQuarantine() EXCLUDES(lock_);
    // Publishes the closed gates while a run is due.
    void PublishWaiting(const Decision& decision) EXCLUDES(lock_);
    // Publishes a property of storekeeper.status unless it has this value already.
    void PublishChange(const std::string& name, const std::string& value) EXCLUDES(lock_);

    // `wait`: waits for the health HAL if only it knows the battery.
    PolicyInputs Inputs(const PolicyState& state, bool wait, bool requested = false);
    // Logs the decision if it has changed.
    void NoteDecision(const Decision& decision) EXCLUDES(lock_);
    Nap NapFor(const Decision& decision) EXCLUDES(lock_);

    const Seams seams_;
    const Settings settings_;
    const PolicyConfig& config_ = settings_.policy;
    const Hooks hooks_;
    RunMemory memory_;
    mutable Mutex lock_;
    // The run under way, and its beginning.
    std::optional<std::pair<TrimRequest, BootTime>> run_ GUARDED_BY(lock_);
    std::optional<BootTime> beat_ GUARDED_BY(lock_);
    std::map<std::string, std::string> published_ GUARDED_BY(lock_);  // by PublishChange()
    std::optional<bool> owns_trims_ GUARDED_BY(lock_);                // last published value
    std::string last_failure_ GUARDED_BY(lock_);                      // FailureOf()
    bool at_rest_ GUARDED_BY(lock_) = false;
    std::optional<TrimReceipt> last_run_ GUARDED_BY(lock_);
    std::string logged_decision_ GUARDED_BY(lock_);
    GateLog gate_log_ GUARDED_BY(lock_);
    WakeBudget wakes_ GUARDED_BY(lock_);
    // Last member: its thread uses all the others.
    RunThread worker_;
};

}  // namespace storekeeper
