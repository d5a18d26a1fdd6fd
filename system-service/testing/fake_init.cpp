// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "testing/fake_init.h"

namespace storekeeper {

FakeInit::FakeInit(Tree& tree) : tree_(tree) {
    tree_.Write("/dev/sys/block/by-name/rootdisk/dev", "179:0\n");
    tree_.Write(std::string(kQueue) + "discard_max_bytes", "104333312\n");
    tree_.Write(std::string(kQueue) + "discard_granularity", "524288\n");
    tree_.Write(std::string(kQueue) + "nr_requests", "64\n");
    // In life these are links into the disk's directory: "179:2/.." is the disk.
    tree_.Write("/sys/dev/block/179:1/partition", "1\n");
    tree_.Write("/sys/dev/block/179:2/partition", "2\n");
    tree_.Write("/sys/dev/block/dev", "179:0\n");
}

QueueControl::Properties FakeInit::properties() {
    return {.get = [this](const std::string& name) { return Get(name); },
            .set = [this](const std::string& name,
                          const std::string& value) { return Set(name, value); }};
}

std::string FakeInit::Get(const std::string& name) {
    MutexLock guard(lock_);
    return properties_[name];
}

void FakeInit::Stop() {
    MutexLock guard(lock_);
    stopped_ = true;
}

void FakeInit::DaemonDied() {
    for (const std::string name : {"discard_max_bytes", "nr_requests"}) {
        const std::string saved = Get("storekeeper.queue.saved." + name);
        if (!saved.empty()) Set("storekeeper.queue." + name, saved);
    }
}

bool FakeInit::Set(const std::string& name, const std::string& value) {
    MutexLock guard(lock_);
    properties_[name] = value;
    for (const std::string file : {"discard_max_bytes", "nr_requests"}) {
        if (!stopped_ && name == "storekeeper.queue." + file) {
            tree_.Write(kQueue + file, value + "\n");
        }
    }
    return true;
}

}  // namespace storekeeper
