// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/result.h>

#include <cstdint>
#include <string_view>
#include <vector>

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
    uint64_t fsyncs = 0;
    uint64_t device_bytes = 0;  // on the file system's device: AttributeBytes() of writers/cost.h
    uint64_t span_s = 0;        // in so many seconds, to the end of which the day belongs

    bool operator==(const UidWrites&) const = default;
};

inline constexpr char kUidIoPath[] = "/proc/uid_io/stats";

// The text of kUidIoPath (uid_io_show() in drivers/misc/uid_sys_stats.c), ascending by uid. Lines
// of single tasks ("task,..."), which some kernels put between, are passed over. An error names the
// line that is neither.
android::base::Result<std::vector<UidIo>> ParseUidIo(std::string_view stats);

// What each uid has read, written and synced between two looks in the same boot, in the order of
// `after`, uids that did nothing left out. A uid that was not there before began at 0. A count that
// went back counts as 0: writes that were cancelled before they reached storage are taken off it,
// and an app that is removed takes its counts along.
std::vector<UidIo> UidDelta(const std::vector<UidIo>& before, const std::vector<UidIo>& after);

}  // namespace storekeeper
