// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <map>
#include <string>

#include "base/mutex.h"
#include "maintenance/trim/queue_control.h"
#include "testing/tree.h"

namespace storekeeper {

// Properties, with an init that executes the rules of storekeeperd_trim.rc for them, on a tree with
// an eMMC 179:0 and its partitions 179:1 and 179:2.
class FakeInit {
  public:
    static constexpr char kQueue[] = "/dev/sys/block/by-name/rootdisk/queue/";
    static constexpr char kAsyncDepth[] =
            "/dev/sys/block/by-name/rootdisk/queue/iosched/async_depth";

    static constexpr char kWbtLatency[] = "/dev/sys/block/by-name/rootdisk/queue/wbt_lat_usec";

    static constexpr char kGcUrgent[] = "/dev/sys/fs/by-name/userdata/gc_urgent";

    explicit FakeInit(Tree& tree);

    InitProperties properties();
    std::string Get(const std::string& name) EXCLUDES(lock_);
    // From now on init does nothing, as in a build without the script.
    void Stop() EXCLUDES(lock_);
    void Continue() EXCLUDES(lock_);
    // Executes init's rules for the death of the daemon.
    void DaemonDied();

  private:
    std::string AsTheKernelTakes(const std::string& size) REQUIRES(lock_);
    bool Set(const std::string& name, const std::string& value) EXCLUDES(lock_);

    Tree& tree_;
    Mutex lock_;
    std::map<std::string, std::string> properties_ GUARDED_BY(lock_);
    bool stopped_ GUARDED_BY(lock_) = false;
};

}  // namespace storekeeper
