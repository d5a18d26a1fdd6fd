// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "base/device_hal.h"
#include "base/file_reader.h"
#include "base/mutex.h"
#include "crypto/crypto_keeper.h"
#include "daemon/collector.h"
#include "history/history.h"
#include "latency/latency_collector.h"
#include "maintenance/keeper.h"
#include "report/dump.h"
#include "testing/fake_cipher_calls.h"
#include "testing/fake_clock.h"
#include "testing/fake_fitrim.h"
#include "testing/fake_init.h"
#include "testing/fake_inputs.h"
#include "testing/fake_syscalls.h"
#include "testing/tree.h"

namespace storekeeper {

// A phone with /data and /cache on an eMMC, untouched and charged, and a Keeper on it.
class Phone {
  public:
    Phone();

    // Starts the Keeper anew, as after a crash of the daemon.
    void Restart();
    Keeper& keeper() { return *keeper_; }
    // Gathers when it is asked to, without a probe.
    Collector& collector() { return *collector_; }
    // With AF_ALG as `ciphers` has it; a choice is kept in /cache/storekeeper once that is there.
    CryptoKeeper& crypto() { return *crypto_; }
    DumpSources Sources();
    Json::Value Dump();

    // Runs in the worker's thread while a FITRIM is under way.
    void DuringFitrim(std::function<void()> during);
    // FITRIM on /data fails with this errno from now on; 0 makes it work again.
    void FailTrim(int error);
    // FITRIM answers these many bytes from now on.
    void AnswerTrim(uint64_t bytes);

    std::string Property(const std::string& name);
    // Waits until somebody has given the property this value.
    void WaitForProperty(const std::string& name, const std::string& value);
    // Waits until the worker has become idle once more.
    void WaitUntilIdle();

    Tree tree;
    FakeInit init{tree};
    FakeClock clock;
    FakeInputs inputs;
    FakeSyscalls syscalls;
    FakeCipherCalls ciphers;
    std::map<std::string, std::string> system_properties;  // that the CryptoKeeper asks for
    std::atomic<bool> awake = false;                       // kept from suspending
    DeviceHal* hal = nullptr;                              // takes effect with Restart()
    std::optional<int> p99_fall;  // by a run, percent; of the Keeper's hook
    // The next Restart() has a probe on this file, which has what it can use in a day.
    void AllowProbe(FakeSyscalls::File file);
    // With an interval that stays as it is. A change takes effect with Restart().
    LoadedConfig config;

  private:
    void Mount(const std::string& path, unsigned partition, int error);

    uint64_t answer_bytes_ = 4096000;

    FileReader files_;
    std::function<void()> during_ = [] {};
    FakeFitrim fitrim_{syscalls, clock};
    FakePauser pauser_{clock};
    QueueControl queue_{files_, pauser_, init.properties()};
    CursorStore cursors_{tree.PathOf("/data/misc/storekeeper/cursors")};
    GcLease gc_{files_, clock, pauser_, init.properties(), {}};
    Trimmer trimmer_;
    StateStore store_;
    ReceiptStore receipts_;
    Mutex lock_;
    ConditionVariable changed_;
    std::map<std::string, std::string> properties_ GUARDED_BY(lock_);
    int wakes_ GUARDED_BY(lock_) = 0;
    int wakes_seen_ GUARDED_BY(lock_) = 0;
    std::unique_ptr<Keeper> keeper_;
    std::unique_ptr<History> history_;
    std::optional<ProbeConfig> probe_config_;
    std::unique_ptr<Probe> probe_;
    std::unique_ptr<LatencyCollector> latency_;
    std::unique_ptr<Collector> collector_;
    std::unique_ptr<CryptoKeeper> crypto_;
};

}  // namespace storekeeper
