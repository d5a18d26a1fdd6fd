// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/result.h>
#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "base/clock.h"
#include "base/file_reader.h"
#include "base/stop_signal.h"
#include "maintenance/actions/init_requests.h"

namespace storekeeper {

// Makes f2fs on /data collect its garbage faster for a while (gc_urgent 1 of
// Documentation/ABI/testing/sysfs-fs-f2fs). Only init may write that attribute: the property
// storekeeper.gc.urgent requests it, and init writes 0 when the daemon dies.
class GcLease {
  public:
    static constexpr char kSecondsProperty[] = "ro.storekeeper.gc.seconds";

    struct Terms {
        std::chrono::seconds longest{0};  // 0: never
        uint64_t most_written_bytes = 0;  // by any process, since collecting is writing
    };

    struct Result {
        std::chrono::nanoseconds duration{};
        uint64_t written_bytes = 0;
        uint64_t dirty_before = 0;  // segments
        uint64_t dirty_after = 0;
        std::string ended;  // why it ended
    };

    GcLease(const FileReader& files, const Clock& clock, Pauser& pauser, InitProperties properties,
            Terms terms);

    // Holds gc_urgent until few dirty segments are left, the time or the bytes are used up, `stop`
    // is raised, or the framework takes over; then sets 0. Returns nullopt if WhyNever() forbids a
    // lease, and an error if it could not begin or gc_urgent could not be reset. If init does not
    // set gc_urgent, Result::ended says so.
    // `devices` are the file system's; `most_bytes` is a second limit of the bytes written.
    android::base::Result<std::optional<Result>> Run(const std::vector<dev_t>& devices,
                                                     uint64_t most_bytes, const StopSignal& stop);

    // Why no lease may begin; "" if one may.
    std::string WhyNever() const;
    const Terms& terms() const { return terms_; }

    // Ends a lease that an earlier daemon left.
    android::base::Result<void> Restore();

  private:
    std::optional<std::string> WhyEnd(BootTime begun, uint64_t written, uint64_t most_bytes,
                                      const StopSignal& stop);
    bool FrameworkOwnsIt() const;
    android::base::Result<void> SetUrgent(bool urgent);

    const FileReader& files_;
    const Clock& clock_;
    Pauser& pauser_;
    const InitProperties properties_;
    const Terms terms_;
};

}  // namespace storekeeper
