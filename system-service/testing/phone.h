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

// A phone with /data and /cache on an eMMC, untouched and charged, and a Daemon on it.
class Phone {
  public:
    Phone();

    // Starts the Daemon anew, as after a crash.
    void Restart();
    Daemon& daemon() { return *daemon_; }
    Keeper& keeper() { return daemon_->keeper(); }
    // Gathers when it is asked to, unless `collect`, and without a probe.
    Collector& collector() { return daemon_->collector(); }
    // With AF_ALG as `ciphers` has it; a choice is kept in /cache/storekeeper once that is there.
    CryptoKeeper& crypto() { return daemon_->crypto(); }
    DumpSources Sources() { return daemon_->Sources(); }
    Json::Value Dump() { return DumpToJson(Sources()); }

    // Runs in the worker's thread while a FITRIM is under way.
    void DuringFitrim(std::function<void()> during);
    // FITRIM on /data fails with this errno from now on; 0 makes it work again.
    void FailTrim(int error);
    // FITRIM answers these many bytes from now on.
    void AnswerTrim(uint64_t bytes);

    // How often the Daemon has read it.
    int PropertyReads(const std::string& name);
    std::string Property(const std::string& name) { return init.Get(name); }
    // Waits until somebody has given the property this value.
    void WaitForProperty(const std::string& name, const std::string& value);
    // Waits until the worker has become idle once more.
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
    std::map<std::string, std::string> system_properties;  // before those that anybody has set
    std::atomic<bool> awake = false;                       // kept from suspending
    DeviceHal* hal = nullptr;                              // takes effect with Restart()
    std::shared_ptr<PackageService> packages;              // likewise
    bool collect = false;                                  // also by itself; likewise
    // What the Daemon gets in place of these seams; likewise.
    std::function<Daemon::Seams(const Daemon::Seams&)> wrap = [](const Daemon::Seams& seams) {
        return seams;
    };
    // The next Restart() has a probe on this file, which has what it can use in a day.
    void AllowProbe(FakeSyscalls::File file);
    GcLease::Terms gc;                              // likewise
    TrimRules rules{.given = {"/data", "/cache"}};  // likewise
    // With an interval that stays as it is. A change takes effect with Restart().
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
