// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/result.h>

#include <cstdint>
#include <string_view>
#include <vector>

namespace storekeeper {

// Storage I/O of one uid's apps and services since boot, foreground and background together:
// /proc/uid_io/stats (drivers/misc/uid_sys_stats.c of Android's kernels).
struct UidIo {
    uint32_t uid = 0;
    uint64_t read_bytes = 0;
    uint64_t written_bytes = 0;
    uint64_t fsyncs = 0;

    bool operator==(const UidIo&) const = default;
};

inline constexpr char kUidIoPath[] = "/proc/uid_io/stats";

// Parses the text of kUidIoPath (uid_io_show() in drivers/misc/uid_sys_stats.c), ascending by uid.
// Lines of single tasks ("task,..."), which some kernels insert, are skipped. The error names a
// line of neither form.
android::base::Result<std::vector<UidIo>> ParseUidIo(std::string_view stats);

// I/O of each uid between two readings in the same boot, in the order of `after`; uids without I/O
// are omitted. A new uid starts at 0. A count that decreased counts as 0, for two reasons: writes
// cancelled before they reached storage are subtracted, and an app's counts disappear with the app.
std::vector<UidIo> UidDelta(const std::vector<UidIo>& before, const std::vector<UidIo>& after);

}  // namespace storekeeper
