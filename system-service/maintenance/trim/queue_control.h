// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/result.h>
#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>

#include "base/file_reader.h"
#include "base/stop_signal.h"
#include "maintenance/actions/init_requests.h"
#include "maintenance/trim/discard_plan.h"

namespace storekeeper {

// The request queue of the disk that holds /data, which only init may write: this asks it by
// properties, which storekeeperd.rc turns into writes, and believes what sysfs then says.
//   storekeeper.queue.{discard_max_bytes,nr_requests,async_depth,wbt_lat_usec}  what init writes
//   storekeeper.queue.saved.*  the same as they were before, while changed
// The saved values let init put the queue back when the daemon dies.
class QueueControl {
  public:
    using Lull = std::function<void()>;

    // Documentation/ABI/stable/sysfs-block: a disk's queue, in bytes and requests.
    struct Limits {
        uint64_t discard_max_bytes = 0;  // a multiple of the granularity, below 4 GiB
        uint64_t nr_requests = 0;
        // Of mq-deadline from Linux 5.16 on: how many of these may be writes and discards. Others
        // have none.
        std::optional<uint64_t> async_depth;
        // Of kernels with CONFIG_BLK_WBT: the time reads may take before background writes and
        // discards get less of the queue; 0 is off. Others have none.
        std::optional<uint64_t> wbt_lat_usec;

        bool operator==(const Limits&) const = default;
    };

    QueueControl(const FileReader& files, Pauser& pauser, InitProperties properties)
          : files_(files), pauser_(pauser), properties_(std::move(properties)) {}

    // Which sizes of discards this disk has, whatever Throttle() has set.
    android::base::Result<DiscardLimits> Sizes(dev_t disk) const;

    // Splits discards so that others' requests get in between: pieces of this size, which Sizes()
    // allows, and one at a time by the kernel's writeback throttling. Without that, few requests in
    // the queue at once, and room for reads among them. Nothing to do when it is so. An error says
    // why the queue is as it was before any run. The kernel stops the queue for up to two changes:
    // `lull` is called before each, to return when others need it least.
    android::base::Result<void> Throttle(dev_t disk, uint64_t discard_bytes, const Lull& lull);

    // The disk whose queue Throttle() has changed, until Restore() has put it back.
    std::optional<dev_t> throttled() const { return throttled_; }

    // Puts back what Throttle() has changed, or a daemon before this one. Waits for it.
    android::base::Result<void> Restore();

  private:
    android::base::Result<Limits> Read() const;
    static Limits Throttled(const Limits& before, uint64_t discard_bytes);
    // Has init write these and waits until sysfs shows them.
    android::base::Result<void> Ask(const Limits& limits, const Lull& lull);
    android::base::Result<void> AskAtOnce(const Limits& limits);
    android::base::Result<void> Save(const Limits& limits);
    // What was saved is no longer needed.
    android::base::Result<void> Forget();
    // The properties as Save() left them; absent when there are none.
    std::optional<Limits> Saved() const;

    const FileReader& files_;
    Pauser& pauser_;
    const InitProperties properties_;
    std::optional<dev_t> throttled_;
};

}  // namespace storekeeper
