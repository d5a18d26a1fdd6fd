// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/result.h>
#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "base/file_reader.h"
#include "base/stop_signal.h"

namespace storekeeper {

// The request queue of the disk that holds /data, which only init may write: this asks it by
// properties, which storekeeperd.rc turns into writes, and believes what sysfs then says.
//   storekeeper.queue.{discard_max_bytes,nr_requests,async_depth}        what init writes
//   storekeeper.queue.saved.{discard_max_bytes,nr_requests,async_depth}  what was there before,
//                                                                        while changed
// The saved values let init put the queue back when the daemon dies.
class QueueControl {
  public:
    struct Properties {
        std::function<std::string(const std::string& name)> get;
        std::function<bool(const std::string& name, const std::string& value)> set;
    };

    // Documentation/ABI/stable/sysfs-block: a disk's queue, in bytes and requests.
    struct Limits {
        uint64_t discard_max_bytes = 0;
        uint64_t nr_requests = 0;
        // Of mq-deadline from Linux 5.16 on: how many of these may be writes and discards. Others
        // have none.
        std::optional<uint64_t> async_depth;

        bool operator==(const Limits&) const = default;
    };

    QueueControl(const FileReader& files, Pauser& pauser, Properties properties);

    // Splits discards so that others' requests get in between: pieces of 512 KiB, or of the card's
    // granularity where that is more, few requests in the queue at once, and room for reads among
    // them. Nothing to do when it is so. An error says why the queue is as it was.
    android::base::Result<void> Throttle(dev_t disk);

    // Puts back what Throttle() has changed, or a daemon before this one. Waits for it.
    android::base::Result<void> Restore();

  private:
    android::base::Result<Limits> Read() const;
    android::base::Result<Limits> Throttled(const Limits& now) const;
    // Has init write these and waits until sysfs shows them.
    android::base::Result<void> Ask(const Limits& limits);
    android::base::Result<void> Set(const std::string& prefix, const Limits& limits);
    // The properties as Set() left them; absent when there are none.
    std::optional<Limits> Saved() const;
    android::base::Result<void> ForgetSaved();

    const FileReader& files_;
    Pauser& pauser_;
    const Properties properties_;
};

}  // namespace storekeeper
