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

// Gathers what the flash goes through and writes it down: wear, latency, writes by uid. It has a
// thread of its own, which may wait for the storage. Every method may be called from any thread and
// waits for nothing, but for Gather(), Finish() and the destructor.
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
        // The chip's health, read now.
        std::function<HealthReport()> health;
        // What the product knows of such a chip: bytes for each 10 % of life.
        std::function<std::optional<Normal>(const HealthReport&)> prior;
        // The mounts and what is known of them; ReadMountFacts().
        std::function<android::base::Result<MountAuditInputs>(const HealthReport&)> mounts;
        // What is known of chips by their canaries, which are read again when that is due.
        std::function<std::vector<ChipTrust>()> chips;
        // Nobody uses the device now, so that the probe disturbs nobody and nobody the probe.
        std::function<bool()> at_rest;
        // The probe has measured reads of /data.
        std::function<void(const ReadFigure& figure)> reads;
        // Publishes a property of storekeeper.status.
        std::function<void(const std::string& name, const std::string& value)> publish;
        // Between two runs of the probe, which a gathering at rest begins.
        std::chrono::seconds probe_period = std::chrono::hours(24);
    };

    Collector(const Seams& seams, Hooks hooks, const WritersConfig& writers);
    ~Collector() { Stop(); }

    // Gathers at the start and whenever the history wants a sample of wear. Returns when to call it
    // again.
    BootTime Tick() EXCLUDES(lock_);
    // Something has happened to the storage, as a run that has ended: it is looked at soon.
    void OnEvent() EXCLUDES(lock_);

    // What was gathered last, without what the kernel does not count now.
    std::shared_ptr<const Collected> Last() const EXCLUDES(lock_);

    // Gathers now, in the caller's thread. One at a time.
    void Gather() EXCLUDES(lock_, gather_lock_);
    // Before the process ends: writes down what waits.
    void Finish() EXCLUDES(lock_, gather_lock_);
    // Ends the thread; nothing is gathered by itself any more.
    void Stop() EXCLUDES(lock_);

  private:
    struct Data;

    void Work() EXCLUDES(lock_);
    // Makes the thread gather; starts it first where there is none. False without a thread.
    bool Wake() REQUIRES(lock_);
    void LoadOnce() REQUIRES(gather_lock_);
    android::base::Result<void> ReadAlertsOnce() REQUIRES(gather_lock_);
    bool IsProbeDue() const REQUIRES(gather_lock_);
    void TakeProbe() REQUIRES(gather_lock_);
    Data FindData() const;
    LatencyProblems GatherLatency(const Data& data) REQUIRES(gather_lock_);
    // Into the history, and reads to who wants them.
    void Keep(const LatencySample& sample);
    void WriteDown(Collected* to) REQUIRES(gather_lock_);
    // Who writes, and who is over a budget, with names.
    void FindWriters(const HistorySnapshot& history, const Forecast& forecast, LatencyReport* to)
            REQUIRES(gather_lock_);
    void Judge(HealthReport health, Collected* to) REQUIRES(gather_lock_);

    const Seams seams_;
    const Hooks hooks_;
    const WritersConfig writers_;
    const std::string boot_id_;
    // Raised by Finish(), and where nobody called that: a probe under way stops.
    StopSignal stop_;
    // One gathering at a time; taken before lock_.
    Mutex gather_lock_;
    bool loaded_ GUARDED_BY(gather_lock_) = false;
    bool history_read_ GUARDED_BY(gather_lock_) = false;
    WritePath write_path_ GUARDED_BY(gather_lock_);
    AlertState alerts_ GUARDED_BY(gather_lock_);
    bool alerts_read_ GUARDED_BY(gather_lock_) = false;
    std::optional<BootTime> probed_ GUARDED_BY(gather_lock_);
    std::string probe_problem_ GUARDED_BY(gather_lock_) = "waiting for the device to be idle";
    mutable Mutex lock_;
    ConditionVariable told_;
    bool wanted_ GUARDED_BY(lock_) = false;
    bool ending_ GUARDED_BY(lock_) = false;
    // The next gathering, unless a run ends before.
    BootTime due_ GUARDED_BY(lock_) = BootTime::min();
    std::shared_ptr<const Collected> collected_ GUARDED_BY(lock_);
    // Last: it uses all the others.
    std::optional<Thread> worker_ GUARDED_BY(lock_);
};

// What of the wear others of the ROM may want, as docs/properties.md has it: name and value of each
// of storekeeper.status.{level,life_used_pct,life_remaining_pct,pre_eol,forecast_end,alerts,
// over_budget}. What is not known is "", as a property that was never set, so that none keeps what
// was known once; at most 91 bytes each. `over_budget`: OverBudgetProperty().
std::vector<std::pair<std::string, std::string>> StatusProperties(const Verdict& verdict,
                                                                  const WearReading& wear,
                                                                  const Forecast& forecast,
                                                                  const AlertState& alerts,
                                                                  const std::string& over_budget);

}  // namespace storekeeper
