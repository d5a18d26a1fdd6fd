// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "testing/phone.h"

#include <sys/sysmacros.h>

#include <utility>

#include "mounts/mount_facts.h"
#include "report/dump.h"

namespace storekeeper {

Phone::Phone()
      : files_(tree.files()),
        trimmer_({.syscalls = syscalls,
                  .files = files_,
                  .clock = clock,
                  .fitrim = fitrim_,
                  .pauser = pauser_,
                  .queue = queue_,
                  .cursors = cursors_,
                  .gc = gc_},
                 {.given = {"/data", "/cache"}}),
        store_(tree.PathOf("/data/misc/storekeeper/state")),
        receipts_(tree.PathOf("/data/misc/storekeeper/receipts")) {
    PolicyConfig& policy = config.config.maintenance;
    policy.min_interval = policy.max_interval = policy.interval;
    tree.MakeDirectory("/data/misc/storekeeper");
    tree.Write("/proc/sys/kernel/random/boot_id", "11111111-2222-3333-4444-555555555555\n");
    tree.Write("/proc/self/mountinfo",
               "40 21 179:2 / /data rw - ext4 /dev/block/mmcblk0p2 rw\n"
               "41 21 179:1 / /cache rw - ext4 /dev/block/mmcblk0p1 rw\n");
    tree.Write("/proc/diskstats",
               "179 1 mmcblk0p1 0 0 0 0 0 0 0 0 0 0 0 5 0 8 1 0 0\n"
               "179 2 mmcblk0p2 0 0 0 0 0 0 0 0 0 0 0 5 0 8 1 0 0\n");
    tree.Write("/sys/block/mmcblk0/size", "2097152\n");
    const std::string device = "/sys/block/mmcblk0/device/";
    tree.Write(device + "type", "MMC\n");
    tree.Write(device + "name", "TESTM1\n");
    tree.Write(device + "rev", "0x8\n");
    tree.Write(device + "life_time", "0x01 0x01\n");
    tree.Write(device + "pre_eol_info", "0x01\n");
    Mount("/data", 2, 0);
    Mount("/cache", 1, 0);
    Restart();
}

void Phone::Mount(const std::string& path, unsigned partition, int error) {
    syscalls.Add(path, FakeSyscalls::Mount{.device = static_cast<dev_t>(makedev(179, partition)),
                                           .answer_bytes = answer_bytes_,
                                           .error = error,
                                           .during = [this] { during_(); }});
}

void Phone::Restart() {
    collector_.reset();
    keeper_.reset();
    keeper_ = std::make_unique<Keeper>(Keeper::Seams{.files = files_,
                                                     .clock = clock,
                                                     .inputs = inputs,
                                                     .trimmer = trimmer_,
                                                     .store = store_,
                                                     .receipts = receipts_,
                                                     .hal = hal},
                                       config,
                                       Keeper::Hooks{.wake =
                                                             [this] {
                                                                 MutexLock guard(lock_);
                                                                 ++wakes_;
                                                                 changed_.NotifyAll();
                                                             },
                                                     .publish =
                                                             [this](const std::string& name,
                                                                    const std::string& value) {
                                                                 MutexLock guard(lock_);
                                                                 properties_[name] = value;
                                                             },
                                                     .stay_awake = [this](bool a) { awake = a; },
                                                     .p99_fall = [this] { return p99_fall; }});
    history_ = std::make_unique<History>(tree.PathOf("/data/misc/storekeeper/history.db"), clock);
    if (probe_config_.has_value()) {
        probe_ = std::make_unique<Probe>(syscalls, files_, clock, *probe_config_);
    }
    latency_ = std::make_unique<LatencyCollector>(files_, clock,
                                                  LatencyCollector::Sources{.probe = probe_.get()});
    collector_ = std::make_unique<
            Collector>(Collector::Seams{.files = files_,
                                        .clock = clock,
                                        .history = *history_,
                                        .latency = *latency_},
                       Collector::Hooks{.health = [this] { return keeper_->Health(); },
                                        .mounts =
                                                [this](const HealthReport& health) {
                                                    return ReadMountFacts(files_, syscalls,
                                                                          VolatileCacheOn(
                                                                                  health.ext_csd),
                                                                          {"/data", "/cache"},
                                                                          [](auto&) {
                                                                              return std::string();
                                                                          });
                                                },
                                        .at_rest = [this] { return keeper_->IsAtRest(); },
                                        .publish =
                                                [this](const std::string& name,
                                                       const std::string& value) {
                                                    MutexLock guard(lock_);
                                                    properties_[name] = value;
                                                    changed_.NotifyAll();
                                                }},
                       tree.PathOf("/data/misc/storekeeper/alerts"));
    using android::base::Result;
    Result<std::string> choice = FindChoiceFile(files_);
    crypto_ = std::make_unique<CryptoKeeper>(
            CryptoKeeper::Seams{.files = files_, .syscalls = syscalls, .calls = ciphers},
            CryptoKeeper::
                    Hooks{.property =
                                  [this](const std::string& name) {
                                      auto property = system_properties.find(name);
                                      return property == system_properties.end() ? ""
                                                                                 : property->second;
                                  },
                          .mounts =
                                  [this] {
                                      return ReadMountFacts(files_, syscalls, std::nullopt, {},
                                                            [this](const auto& name) {
                                                                return system_properties[name];
                                                            });
                                  }},
            CryptoKeeper::Paths{.choice = choice.ok() ? Result<std::string>(tree.PathOf(*choice))
                                                      : choice,
                                .speed = "/data/misc/storekeeper/speed"});
}

Json::Value Phone::Dump() {
    return DumpToJson(Sources());
}

DumpSources Phone::Sources() {
    return {*keeper_, collector_->Last(), *crypto_, {.model = "Phone", .build = "TEST.1"}};
}

void Phone::DuringFitrim(std::function<void()> during) {
    during_ = std::move(during);
}

void Phone::AnswerTrim(uint64_t bytes) {
    answer_bytes_ = bytes;
    // Without discards counted, the file system's claim stands.
    tree.Write("/proc/diskstats", "garbage\n");
    Mount("/data", 2, 0);
    Mount("/cache", 1, 0);
}

void Phone::AllowProbe(FakeSyscalls::File file) {
    probe_config_ = ProbeConfig{.path = "/data/misc/storekeeper/probe",
                                .kib_per_day = ProbeConfig::kMaxKibPerDay,
                                .reads = 4,
                                .writes = 4};
    syscalls.AllowToCreate(probe_config_->path, std::move(file));
}

void Phone::FailTrim(int error) {
    Mount("/data", 2, error);
}

void Phone::WaitForProperty(const std::string& name, const std::string& value) {
    MutexLock guard(lock_);
    while (properties_[name] != value) changed_.Wait(lock_);
}

std::string Phone::Property(const std::string& name) {
    MutexLock guard(lock_);
    return properties_[name];
}

void Phone::WaitUntilIdle() {
    while (keeper_->Status().progress.running) {
        MutexLock guard(lock_);
        while (wakes_ == wakes_seen_) changed_.Wait(lock_);
        wakes_seen_ = wakes_;
    }
}

}  // namespace storekeeper
