// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <cstdint>

#include "base/clock.h"

namespace storekeeper {

// What the apps and services of one uid have read from and written to storage since boot, whether
// in the foreground or not: /proc/uid_io/stats (drivers/misc/uid_sys_stats.c of Android's kernels).
struct UidIo {
    uint32_t uid = 0;
    uint64_t read_bytes = 0;
    uint64_t written_bytes = 0;
    uint64_t fsyncs = 0;

    bool operator==(const UidIo&) const = default;
};

// What a uid wrote on a day.
struct UidWrites {
    int64_t day = 0;  // since the epoch, UTC
    uint32_t uid = 0;
    uint64_t written_bytes = 0;

    bool operator==(const UidWrites&) const = default;
};

}  // namespace storekeeper
