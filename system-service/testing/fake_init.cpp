// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "testing/fake_init.h"

#include <android-base/parseint.h>
#include <android-base/strings.h>

#include <algorithm>

namespace storekeeper {

FakeInit::FakeInit(Tree& tree) : tree_(tree) {
    tree_.Write("/dev/sys/block/by-name/rootdisk/dev", "179:0\n");
    tree_.Write(std::string(kQueue) + "discard_max_bytes", "104333312\n");
    tree_.Write(std::string(kQueue) + "discard_max_hw_bytes", "104333312\n");
    tree_.Write(std::string(kQueue) + "discard_granularity", "524288\n");
    tree_.Write(std::string(kQueue) + "nr_requests", "64\n");
    tree_.Write(kAsyncDepth, "48\n");
    tree_.Write(kWbtLatency, "2000\n");
    tree_.MakeDirectory("/sys/dev/block/179:0");
    // On a device these are links into the disk's directory: "179:2/.." is the disk.
    tree_.Write("/sys/dev/block/179:1/partition", "1\n");
    tree_.Write("/sys/dev/block/179:2/partition", "2\n");
    tree_.Write("/sys/dev/block/dev", "179:0\n");
}

InitProperties FakeInit::properties() {
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

void FakeInit::Continue() {
    MutexLock guard(lock_);
    stopped_ = false;
}

void FakeInit::DaemonDied() {
    Set("storekeeper.status.state", "");
    for (const std::string name :
         {"discard_max_bytes", "nr_requests", "async_depth", "wbt_lat_usec"}) {
        const std::string saved = Get("storekeeper.queue.saved." + name);
        if (!saved.empty()) Set("storekeeper.queue." + name, saved);
    }
    if (Get("storekeeper.gc.urgent") == "1") Set("storekeeper.gc.urgent", "0");
}

// The value after a write: block/blk-sysfs.c accepts an unsigned int that is a multiple of the
// granularity, and limits it to the hardware's maximum.
std::string FakeInit::AsTheKernelTakes(const std::string& size) {
    const auto number = [this](const std::string& file) {
        uint64_t value = 0;
        android::base::ParseUint(android::base::Trim(tree_.Read(kQueue + file)), &value);
        return value;
    };
    uint32_t wanted = 0;
    const uint64_t granularity = number("discard_granularity");
    const bool taken = android::base::ParseUint(size, &wanted) && granularity != 0 &&
                       wanted % granularity == 0;
    return std::to_string(taken ? std::min<uint64_t>(wanted, number("discard_max_hw_bytes"))
                                : number("discard_max_bytes"));
}

bool FakeInit::Set(const std::string& name, const std::string& value) {
    MutexLock guard(lock_);
    properties_[name] = value;
    if (stopped_) return true;
    for (const std::string file : {"discard_max_bytes", "nr_requests", "wbt_lat_usec"}) {
        if (name != "storekeeper.queue." + file) continue;
        const bool is_size = file == "discard_max_bytes";
        tree_.Write(kQueue + file, (is_size ? AsTheKernelTakes(value) : value) + "\n");
    }
    if (name == "storekeeper.gc.urgent" && tree_.files().Exists(kGcUrgent)) {
        // The kernel shows the mode that 1 led to.
        tree_.Write(kGcUrgent, value == "1" ? "4\n" : "0\n");
    }
    // mq-deadline resets async_depth to all requests when their number is set.
    const bool has_depth = tree_.files().Exists(kAsyncDepth);
    if (has_depth &&
        (name == "storekeeper.queue.nr_requests" || name == "storekeeper.queue.async_depth")) {
        tree_.Write(kAsyncDepth, value + "\n");
    }
    return true;
}

}  // namespace storekeeper
