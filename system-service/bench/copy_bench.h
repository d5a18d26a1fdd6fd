// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/result.h>

#include <cstdint>
#include <functional>
#include <vector>

#include "bench/bench_result.h"
#include "bench/system/own_folder.h"

namespace storekeeper {

// Lengths of files such as people have: from 4 KiB to 1 MiB, each power of two about equally often,
// always the same ones, `bytes` in all.
std::vector<uint64_t> CopyLengths(uint64_t bytes);

// A real copy of many files: they are made anew, forgotten by the page cache, copied one after the
// other and synced at the end, which counts. Latencies are those of the files. They are removed
// again. `read` and `stop` as the runner's; stopped, the error's code is EINTR.
android::base::Result<BenchRepetition> RunCopyBench(
        OwnFolder* folder, uint64_t bytes,
        const std::function<DeviceState(bool clocks_first)>& read,
        const std::function<bool()>& stop);

}  // namespace storekeeper
