// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "testing/phone.h"

#include <sys/sysmacros.h>

#include <utility>

namespace storekeeper {

Phone::Phone() {
    tree.MakeDirectory(Daemon::kDirectory);
    system_properties = {{"ro.product.model", "Phone"}, {"ro.build.id", "TEST.1"}};
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
    syscalls.PassOn(tree.root());
    Restart();
}

void Phone::Mount(const std::string& path, unsigned partition, int error) {
    syscalls.Add(path, FakeSyscalls::Mount{.device = static_cast<dev_t>(makedev(179, partition)),
                                           .answer_bytes = answer_bytes_,
                                           .error = error,
                                           .during = [this] { during_(); }});
}

void Phone::Restart() {
    daemon_.reset();
    const auto get = [this](const std::string& name) {
        MutexLock guard(lock_);
        ++property_reads_[name];
        const auto property = system_properties.find(name);
        return property == system_properties.end() ? init.Get(name) : property->second;
    };
    const auto set = [this](const std::string& name, const std::string& value) {
        MutexLock guard(lock_);
        init.properties().set(name, value);
        changed_.NotifyAll();
        return true;
    };
    const auto wake = [this] {
        MutexLock guard(lock_);
        ++wakes_;
        changed_.NotifyAll();
    };
    const Daemon::Seams seams{.files = files_,
                              .syscalls = syscalls,
                              .clock = clock,
                              .ciphers = ciphers,
                              .inputs = inputs,
                              .fitrim = fitrim_,
                              .pauser = pauser,
                              .properties = {.get = get, .set = set},
                              .wake = wake,
                              .stay_awake =
                                      [this](bool a) {
                                          MutexLock guard(lock_);
                                          awake = a;
                                          changed_.NotifyAll();
                                      },
                              .hal = hal,
                              .packages = packages};
    daemon_.emplace(wrap(seams), Daemon::Terms{.config = config,
                                               .rules = rules,
                                               .gc = gc,
                                               .probe = probe_,
                                               .collect = collect});
}

int Phone::PropertyReads(const std::string& name) {
    MutexLock guard(lock_);
    return property_reads_[name];
}

void Phone::DuringFitrim(std::function<void()> during) {
    during_ = std::move(during);
}

void Phone::AnswerTrim(uint64_t bytes) {
    answer_bytes_ = bytes;
    // If discards are not counted, the file system's claim stands.
    tree.Write("/proc/diskstats", "garbage\n");
    Mount("/data", 2, 0);
    Mount("/cache", 1, 0);
}

void Phone::AllowProbe(FakeSyscalls::File file) {
    probe_ = {.kib_per_day = ProbeConfig::kMaxKibPerDay, .reads = 4, .writes = 4};
    syscalls.AllowToCreate(probe_.path, std::move(file));
}

void Phone::FailTrim(int error) {
    Mount("/data", 2, error);
}

void Phone::WaitForProperty(const std::string& name, const std::string& value) {
    MutexLock guard(lock_);
    while (init.Get(name) != value) changed_.Wait(lock_);
}

void Phone::WaitUntilIdle() {
    while (keeper().Status().progress.running) {
        MutexLock guard(lock_);
        while (wakes_ == wakes_seen_) changed_.Wait(lock_);
        wakes_seen_ = wakes_;
    }
}

void Phone::WaitUntilMaySuspend() {
    MutexLock guard(lock_);
    while (awake) changed_.Wait(lock_);
}

}  // namespace storekeeper
