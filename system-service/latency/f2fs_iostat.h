// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/result.h>

#include <cstdint>
#include <optional>
#include <string_view>

namespace storekeeper {

// What an f2fs has written since it was mounted or its iostat switched on, by who caused it, in
// bytes: /proc/fs/f2fs/<device>/iostat_info (fs/f2fs/iostat.c, before 5.16 fs/f2fs/sysfs.c).
struct F2fsIostat {
    uint64_t app_bytes = 0;         // write(2), direct and mapped, before f2fs gathered them
    uint64_t fs_bytes = 0;          // data, nodes and meta data of ordinary writing back
    uint64_t gc_bytes = 0;          // data and nodes that garbage collection moved
    uint64_t checkpoint_bytes = 0;  // data, nodes and meta data of checkpoints
    // Absent in the layouts of one column: those kernels count requests there, not bytes.
    std::optional<uint64_t> discarded_bytes;

    bool operator==(const F2fsIostat&) const = default;
};

// An error says what is missing: an empty file is one whose iostat is off
// (/sys/fs/f2fs/<device>/iostat_enable).
android::base::Result<F2fsIostat> ParseF2fsIostat(std::string_view iostat_info);

}  // namespace storekeeper
