// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/result.h>
#include <json/value.h>

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/device_hal.h"
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
    std::vector<std::string> mounts;        // that may be trimmed
    std::vector<std::string> notes;         // what an owner should know: lost memory and such
    std::string state_problem;              // why no state is kept; "" when it is
    std::vector<std::string> config_files;  // in force, in order
    GateLog gate_log;
    WakeBudget wakes;
    std::vector<ChipTrust> chips;  // what is known of them by their canaries
};

// Runs by the policy and by command: owns the worker and the memory of runs. Every method may be
// called from any thread. Trim() and Maintain() wait for a run; Tick(), SetOverride() and
// WriteDown() may write down the memory of runs; RecheckChips() and LiftQuarantine() work on the
// canary; the others never wait for the storage.
class Keeper : private RunObserver {
  public:
    struct Seams {
        const FileReader& files;
        const Clock& clock;
        MaintenanceInputs& inputs;
        MaintenanceRun& run;
        RecordFile& records;
        // May be null: then no health HAL is asked.
        DeviceHal* hal = nullptr;
    };
    struct Hooks {
        // Makes the daemon's loop call Tick() again.
        std::function<void()> wake;
        // Publishes a property of storekeeper.status.
        std::function<void(const std::string& name, const std::string& value)> publish;
        // Keeps the device from suspending while a run is under way, for half an hour at most; may
        // be empty.
        std::function<void(bool awake)> stay_awake = {};
        // A run has ended; may be empty. Must not wait.
        std::function<void()> run_ended = {};
    };
    // How long the loop may sleep: to the deadline, or for ever without one.
    struct Nap {
        std::optional<BootTime> deadline;
        bool watch_power = false;
        // Until somebody uses the device: the run under way ends for that.
        bool watch_input = false;
    };

    // The configuration; reports show which files are in force and what was refused of others.
    struct Settings {
        PolicyConfig policy;
        std::vector<std::string> files;  // in force, in order
        std::vector<std::string> problems;
    };

    Keeper(const Seams& seams, Settings settings, Hooks hooks);

    // Asks the policy, begins a run if it says so, and logs the decision when it has changed. While
    // a run is under way: ends it when a gate has closed.
    Nap Tick() EXCLUDES(lock_);

    // Before the process ends: what would otherwise be lost until the next writing.
    void WriteDown() {
        memory_.Remember([](PolicyState*) {});
    }

    RunStamp Now() const { return memory_.Now(); }
    KeeperStatus Status() EXCLUDES(lock_);
    bool IsRunUnderWay() const { return worker_.progress().running; }

    // Runs a trim now, past the gates, and waits for its end. Without mounts: all configured ones.
    // EBUSY: a run is under way, or a checkpoint of vold is pending, which a trim would defeat.
    // EAGAIN: the system has no thread left for it.
    android::base::Result<TrimReceipt> Trim(const std::vector<std::string>& mounts,
                                            bool hurry = false);

    // Runs a complete run now and waits for its end. Like Trim(); EBUSY also when a gate that keeps
    // the device safe is closed.
    android::base::Result<TrimReceipt> Maintain();

    // Sets a gate's limit until the next boot, or takes that back. The error names the gates and
    // their ranges.
    android::base::Result<void> SetOverride(const std::string& gate, std::optional<int64_t> limit);

    // Nobody used the device or its storage at the last decision, and no run is under way.
    bool IsAtRest() const EXCLUDES(lock_);

    // Ends the run under way; false when there is none.
    bool Abort() { return worker_.Abort(); }

    // Lets chips in quarantine be examined anew; returns how many these were. EBUSY: a run is under
    // way.
    android::base::Result<size_t> LiftQuarantine() EXCLUDES(lock_);

    // Reads the canary the first time, and once a week; else does nothing. Waits for the storage,
    // which may hang: not for the daemon's loop.
    void RecheckChips() EXCLUDES(lock_);

    RunPlan Plan() const { return seams_.run.Plan(); }
    // The last runs, newest first, also those before this start.
    std::vector<TrimReceipt> Receipts(size_t count) const;

  private:
    // An error where the end of the run could not be remembered: a run that takes the system down
    // would be repeated at each start.
    android::base::Result<void> OnRunBegins(const TrimRequest& request) override EXCLUDES(lock_);
    void OnRunEnds(const TrimReceipt& receipt) override EXCLUDES(lock_);
    void OnRunThreadIdle() override { hooks_.wake(); }
    // Why the run under way must end: the first gate that has closed; "" if it may go on.
    std::string WhyStop(const TrimRequest& request, BootTime started) EXCLUDES(lock_);
    // Leaves vold's trims to Storekeeper, or gives them back where it could not trim itself.
    void OwnTrims(const Decision& decision) EXCLUDES(lock_);
    Nap WatchRun() EXCLUDES(lock_);
    void PublishQuarantine() EXCLUDES(lock_);
    void KeepAwake(bool awake) EXCLUDES(lock_);

    // `wait`: for the health HAL's word, where it alone knows the battery.
    PolicyInputs Inputs(const PolicyState& state, bool wait, bool requested = false);
    // Logs it when it has changed.
    void NoteDecision(const Decision& decision) EXCLUDES(lock_);
    Nap NapFor(const Decision& decision) EXCLUDES(lock_);

    const Seams seams_;
    const Settings settings_;
    const PolicyConfig& config_ = settings_.policy;
    const Hooks hooks_;
    RunMemory memory_;
    mutable Mutex lock_;
    // The run under way, and when it began.
    std::optional<std::pair<TrimRequest, BootTime>> run_ GUARDED_BY(lock_);
    bool awake_ GUARDED_BY(lock_) = false;
    std::optional<BootTime> beat_ GUARDED_BY(lock_);
    std::optional<BootTime> rechecked_ GUARDED_BY(lock_);
    std::string quarantine_ GUARDED_BY(lock_);          // as last published
    std::optional<bool> owns_trims_ GUARDED_BY(lock_);  // as last published
    std::string last_failure_ GUARDED_BY(lock_);        // FailureOf()
    bool at_rest_ GUARDED_BY(lock_) = false;
    std::optional<TrimReceipt> last_run_ GUARDED_BY(lock_);
    std::string logged_decision_ GUARDED_BY(lock_);
    GateLog gate_log_ GUARDED_BY(lock_);
    WakeBudget wakes_ GUARDED_BY(lock_);
    // Last: its thread uses all the others.
    RunThread worker_;
};

}  // namespace storekeeper
