// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <functional>
#include <memory>
#include <string>

#include "base/clock.h"
#include "base/device_hal.h"
#include "base/file_reader.h"
#include "base/record_file.h"
#include "base/syscalls.h"
#include "config/config_file.h"
#include "crypto/crypto_keeper.h"
#include "daemon/collector.h"
#include "daemon/heap.h"
#include "health/card_health.h"
#include "history/history.h"
#include "latency/latency_collector.h"
#include "latency/probe.h"
#include "maintenance/actions/defrag_action.h"
#include "maintenance/actions/garbage_action.h"
#include "maintenance/canary/chip_guard.h"
#include "maintenance/inputs/system_inputs.h"
#include "maintenance/keeper.h"
#include "maintenance/maintenance_run.h"
#include "maintenance/run_memory.h"
#include "report/dump.h"
#include "writers/name_book.h"

namespace storekeeper {

// The whole service except for its connections to the system and binder. It stores its state in
// /data/misc/storekeeper below the root of `files`.
class Daemon {
  public:
    static constexpr char kDirectory[] = "/data/misc/storekeeper";

    struct Seams {
        const FileReader& files;
        Syscalls& syscalls;
        const Clock& clock;
        CipherCalls& ciphers;
        MaintenanceInputs& inputs;
        FitrimRunner& fitrim;
        Pauser& pauser;
        InitProperties properties;
        // Makes the loop call Turn() again; safe from any thread.
        std::function<void()> wake;
        std::function<void(bool awake)> stay_awake;  // Keeper::Hooks
        DeviceHal* hal = nullptr;                    // may be null
        // May be null. An unanswered call may outlive the Daemon.
        std::shared_ptr<PackageService> packages = nullptr;
    };
    // Settings of the product.
    struct Terms {
        LoadedConfig config;
        TrimRules rules;
        GarbageAction::Terms gc = {};
        ProbeConfig probe;
        // If false, the collector gathers on request only.
        bool collect = true;
    };

    Daemon(Seams seams, const Terms& terms);
    ~Daemon();

    Keeper& keeper() { return keeper_; }
    Collector& collector() { return collector_; }
    CryptoKeeper& crypto() { return crypto_; }
    CardHealth& card() { return card_; }
    // Reads the card, or returns the last report while a trim runs, because some kernels query the
    // busy card. Waits for the health HAL at most for its patience.
    HealthReport Health() { return keeper_.IsRunUnderWay() ? card_.Last() : card_.Read(); }
    // `apps` adds names of apps, regardless of the configuration.
    DumpSources Sources(bool apps = false);

    // Does all due work and returns how long the loop may sleep.
    Keeper::Nap Turn();
    // The UFS has reported a critical health condition: requests a gathering, which raises an
    // alert.
    void OnCriticalHealth();
    // Stores everything that is only in memory, before the process ends.
    void Finish();
    // Requests a purge after a call with large input or output; safe from any thread.
    void PurgeHeap() { heap_.Request(); }

  private:
    std::string PathOf(const std::string& name) const;
    void Publish(const std::string& name, const std::string& value);
    Collector::Hooks CollectorHooks(const Terms& terms);
    Keeper::Hooks KeeperHooks(bool collect);

    const Seams seams_;
    const bool collect_;
    const bool names_in_dumps_;
    QueueControl queue_;
    HidControl hid_;
    RecordFile records_;
    ChipGuard chips_;
    GarbageAction garbage_;
    DefragAction defrag_;
    MaintenanceRun run_;
    History history_;
    Probe probe_;
    LatencyCollector latency_;
    NameBook names_;
    CardHealth card_;
    // collector_ and keeper_ use each other. Each has a thread, started by Turn() or a caller.
    Collector collector_;
    Keeper keeper_;
    CryptoKeeper crypto_;
    HeapPurge heap_;
};

}  // namespace storekeeper
