// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/result.h>

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/file_reader.h"
#include "base/mutex.h"
#include "base/record_file.h"
#include "base/stop_signal.h"
#include "base/thread.h"
#include "health/alerts.h"
#include "health/card_health.h"
#include "health/forecast.h"
#include "health/ledger.h"
#include "health/verdict.h"
#include "history/history.h"
#include "latency/latency_collector.h"
#include "maintenance/actions/defrag_policy.h"
#include "maintenance/canary/canary.h"
#include "mounts/mount_audit.h"
#include "report/collected.h"
#include "writers/name_book.h"
#include "writers/writers_config.h"

namespace storekeeper {

// Collects and stores the load on the flash: wear, latency, writes by uid. It has a thread of its
// own, which may wait for the storage. Every method may be called from any thread. Only Gather(),
// Finish(), Stop() and the destructor wait.
class Collector {
  public:
    struct Seams {
        const FileReader& files;
        const Clock& clock;
        History& history;
        RecordFile& records;
        LatencyCollector& latency;
        NameBook& names;
    };
    struct Hooks {
        // Reads the chip's health.
        std::function<HealthReport()> health;
        // The product's prior for such a chip: bytes per 10 % of life.
        std::function<std::optional<Normal>(const HealthReport&)> prior;
        // Audits the mounts; ReadMountFacts().
        std::function<android::base::Result<MountAuditInputs>(const HealthReport&)> mounts;
        // The canary records of chips, after rereading canaries that are due.
        std::function<std::vector<ChipTrust>()> chips;
        // True if the device is not in use, so that the probe and a user do not disturb each other.
        std::function<bool()> at_rest;
        // Receives the probe's measured reads of /data.
        std::function<void(const ReadFigure& figure)> reads;
        // Publishes a property of storekeeper.status.
        std::function<void(const std::string& name, const std::string& value)> publish;
        // Minimum time between two runs of the probe, which a gathering at rest starts.
        std::chrono::seconds probe_period = std::chrono::hours(24);
    };

    Collector(const Seams& seams, Hooks hooks, const WritersConfig& writers);
    ~Collector() { Stop(); }

    // Starts a gathering at the first call and whenever the history needs a wear sample. Returns
    // the time of the next call.
    BootTime Tick() EXCLUDES(lock_);
    // Requests a gathering soon after an event of the storage, such as the end of a run.
    void OnEvent() EXCLUDES(lock_);

    // The results of the last gathering, without figures that the kernel does not count now.
    std::shared_ptr<const Collected> Last() const EXCLUDES(lock_);

    // Gathers in the caller's thread. Concurrent calls run one after another.
    void Gather() EXCLUDES(lock_, gather_lock_);
    // Stores the waiting rows before the process ends.
    void Finish() EXCLUDES(lock_, gather_lock_);
    // Ends the thread; no gathering starts by itself afterwards.
    void Stop() EXCLUDES(lock_);

  private:
    struct Data;

    void Work() EXCLUDES(lock_);
    // Requests a gathering by the thread, and starts it if needed. False if that fails.
    bool RequestGathering() REQUIRES(lock_);
    void LoadOnce() REQUIRES(gather_lock_);
    android::base::Result<void> ReadAlertsOnce() REQUIRES(gather_lock_);
    bool IsProbeDue() const REQUIRES(gather_lock_);
    void MeasureProbe() REQUIRES(gather_lock_);
    Data FindData() const;
    LatencyProblems GatherLatency(const Data& data) REQUIRES(gather_lock_);
    // Adds a sample to the history, and passes reads on to Hooks::reads.
    void Record(const LatencySample& sample);
    void WriteDown(Collected* to) REQUIRES(gather_lock_);
    // Finds the largest writers and the offenders against budgets, with names.
    void FindWriters(const HistorySnapshot& history, const Forecast& forecast, LatencyReport* to)
            REQUIRES(gather_lock_);
    void Judge(HealthReport health, Collected* to) REQUIRES(gather_lock_);

    const Seams seams_;
    const Hooks hooks_;
    const WritersConfig writers_;
    const std::string boot_id_;
    // Raised by Finish() and Stop(); ends a probe under way.
    StopSignal stop_;
    // Serializes gatherings. Taken before lock_.
    Mutex gather_lock_;
    bool loaded_ GUARDED_BY(gather_lock_) = false;
    bool history_read_ GUARDED_BY(gather_lock_) = false;
    WritePath write_path_ GUARDED_BY(gather_lock_);
    AlertState alerts_ GUARDED_BY(gather_lock_);
    bool alerts_read_ GUARDED_BY(gather_lock_) = false;
    std::optional<BootTime> probed_ GUARDED_BY(gather_lock_);
    std::string probe_problem_ GUARDED_BY(gather_lock_) = "waiting for the device to be idle";
    mutable Mutex lock_;
    ConditionVariable changed_;
    bool wanted_ GUARDED_BY(lock_) = false;
    bool ending_ GUARDED_BY(lock_) = false;
    // Time of the next gathering; the end of a run may cause an earlier one.
    BootTime due_ GUARDED_BY(lock_) = BootTime::min();
    std::shared_ptr<const Collected> collected_ GUARDED_BY(lock_);
    // Declared last, because it uses all other members.
    std::optional<Thread> worker_ GUARDED_BY(lock_);
};

// Name and value of each property for other parts of the ROM (docs/properties.md):
// storekeeper.status.{level,life_used_pct,life_remaining_pct,pre_eol,forecast_end,forecast_latest,
// written_bytes,alerts,over_budget}. An unknown value is "", like a property that was never set, so
// that no outdated value remains. Each value has at most 91 bytes. `over_budget` is
// OverBudgetProperty().
std::vector<std::pair<std::string, std::string>> StatusProperties(const Verdict& verdict,
                                                                  const WearReading& wear,
                                                                  const Collected& collected,
                                                                  const std::string& over_budget);

}  // namespace storekeeper
