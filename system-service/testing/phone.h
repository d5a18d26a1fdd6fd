// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <optional>
#include <string>

#include "base/device_hal.h"
#include "base/file_reader.h"
#include "base/mutex.h"
#include "daemon/daemon.h"
#include "testing/fake_cipher_calls.h"
#include "testing/fake_clock.h"
#include "testing/fake_fitrim.h"
#include "testing/fake_init.h"
#include "testing/fake_inputs.h"
#include "testing/fake_syscalls.h"
#include "testing/tree.h"

namespace storekeeper {

// A phone with /data and /cache on an eMMC, untouched and charged, with a Daemon.
class Phone {
  public:
    Phone();

    // Starts the Daemon anew, as after a crash.
    void Restart();
    Daemon& daemon() { return *daemon_; }
    Keeper& keeper() { return daemon_->keeper(); }
    // Collects on request only, unless `collect` is set, and without a probe.
    Collector& collector() { return daemon_->collector(); }
    // AF_ALG is `ciphers`. A choice is kept in /cache/storekeeper if that folder exists.
    CryptoKeeper& crypto() { return daemon_->crypto(); }
    DumpSources Sources() { return daemon_->Sources(); }
    Json::Value Dump() { return DumpToJson(Sources()); }

    // Runs in the worker's thread during each FITRIM.
    void DuringFitrim(std::function<void()> during);
    // From now on FITRIM on /data fails with this errno; 0 makes it work again.
    void FailTrim(int error);
    // From now on FITRIM answers this many bytes.
    void AnswerTrim(uint64_t bytes);

    // Number of times that the Daemon has read it.
    int PropertyReads(const std::string& name);
    std::string Property(const std::string& name) { return init.Get(name); }
    // Waits until the property has this value.
    void WaitForProperty(const std::string& name, const std::string& value);
    // Waits until the worker is idle again.
    void WaitUntilIdle();
    // Waits until nothing keeps the device from suspending.
    void WaitUntilMaySuspend();

    Tree tree;
    FakeInit init{tree};
    FakeClock clock;
    FakeInputs inputs;
    FakeSyscalls syscalls;
    FakeCipherCalls ciphers;
    FakePauser pauser{clock};
    std::map<std::string, std::string> system_properties;  // take precedence over init's
    std::atomic<bool> awake = false;                       // kept from suspending
    DeviceHal* hal = nullptr;                              // takes effect with Restart()
    std::shared_ptr<PackageService> packages;              // takes effect with Restart()
    bool collect = false;                                  // also by itself; needs Restart()
    // Replaces seams of the Daemon; takes effect with Restart().
    std::function<Daemon::Seams(const Daemon::Seams&)> wrap = [](const Daemon::Seams& seams) {
        return seams;
    };
    // After the next Restart(), a probe uses this file, with the largest budget of a day.
    void AllowProbe(FakeSyscalls::File file);
    GarbageAction::Terms gc;                             // takes effect with Restart()
    TrimRules rules{.configured = {"/data", "/cache"}};  // takes effect with Restart()
    // The configuration; takes effect with Restart().
    LoadedConfig config;

  private:
    void Mount(const std::string& path, unsigned partition, int error);

    uint64_t answer_bytes_ = 4096000;

    FileReader files_ = tree.files();
    std::function<void()> during_ = [] {};
    FakeFitrim fitrim_{syscalls, clock};
    Mutex lock_;
    ConditionVariable changed_;
    std::map<std::string, int> property_reads_ GUARDED_BY(lock_);
    int wakes_ GUARDED_BY(lock_) = 0;
    int wakes_seen_ GUARDED_BY(lock_) = 0;
    ProbeConfig probe_{.kib_per_day = 0};
    std::optional<Daemon> daemon_;
};

}  // namespace storekeeper
