// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/result.h>
#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "base/file_reader.h"
#include "base/stop_signal.h"
#include "maintenance/actions/init_requests.h"
#include "maintenance/trim/card_model.h"

namespace storekeeper {

// The request queue of the disk that holds /data. Only init may write it: QueueControl sets
// properties, storekeeperd_trim.rc turns them into writes, and sysfs shows whether they were done.
//   storekeeper.queue.{discard_max_bytes,nr_requests,async_depth,wbt_lat_usec}  values to write
//   storekeeper.queue.saved.*  values from before the run, as long as they are changed
// When the daemon dies, init puts the saved values back.
class QueueControl {
  public:
    // Attributes of a disk's queue (Documentation/ABI/stable/sysfs-block).
    struct Limits {
        uint64_t discard_max_bytes = 0;  // a multiple of the granularity, below 4 GiB
        uint64_t nr_requests = 0;
        // Requests that may be writes and discards; mq-deadline alone has it, from Linux 5.16 on.
        std::optional<uint64_t> async_depth;
        // Target latency of reads, in microseconds; with CONFIG_BLK_WBT alone. 0 is off.
        std::optional<uint64_t> wbt_lat_usec;

        bool operator==(const Limits&) const = default;
    };

    QueueControl(const FileReader& files, Pauser& pauser, InitProperties properties)
          : files_(files), pauser_(pauser), properties_(std::move(properties)) {}

    // The sizes that discards of this disk can have outside of a run.
    android::base::Result<DiscardLimits> Sizes(dev_t disk) const;

    // Cuts discards into pieces of `discard_bytes`, so that other requests get in between. With
    // writeback throttling, one piece at a time is under way once any process reads; without it,
    // the queue holds few requests. Returns whether the queue differs from before the run. After an
    // error it is as before the run; the error says so if it is not.
    android::base::Result<bool> Throttle(dev_t disk, uint64_t discard_bytes);

    // Restores the queue as it was before Throttle() of this daemon or of an earlier one. Waits
    // until sysfs shows it.
    android::base::Result<void> Restore();

  private:
    android::base::Result<Limits> Read() const;
    static Limits Throttled(const Limits& before, uint64_t discard_bytes);
    // Makes init write the limits and waits until sysfs shows them.
    android::base::Result<void> Request(const Limits& limits);
    // Sets the properties below `prefix`, except those whose value equals that of `known`. Pauses
    // after each change that stops the queue.
    android::base::Result<void> SetProperties(const std::string& prefix, const Limits& limits,
                                              const Limits& known);
    android::base::Result<void> ForgetSaved();
    std::optional<Limits> Saved() const;

    const FileReader& files_;
    Pauser& pauser_;
    const InitProperties properties_;
};

}  // namespace storekeeper
