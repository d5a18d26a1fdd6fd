// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <atomic>
#include <functional>
#include <optional>
#include <utility>

#include "base/clock.h"

namespace storekeeper {

// Makes all threads share one heap, like bionic's malloc. glibc would create up to eight heaps per
// processor, and each keeps memory that its threads have freed. Call it before starting threads.
void ShareOneHeap();

// Returns memory to the kernel that is not needed for hours: free memory of the heap (M_PURGE of
// bionic's mallopt(3), malloc_trim(3) of glibc), and the code and constants of libsqlite, which are
// read from its file again on use (MADV_DONTNEED of madvise(2)). Safe from any thread.
void ReleaseMemory();

// Releases memory a little after a call with large input or output. The delay lets libbinder free
// its copy of the input, which it does when the call has returned.
class HeapPurge {
  public:
    static constexpr std::chrono::milliseconds kDelay{500};

    // `wake` makes the loop call Turn().
    HeapPurge(const Clock& clock, std::function<void()> wake)
          : clock_(clock), wake_(std::move(wake)) {}

    // Requests a purge; safe from any thread.
    void Request();

    // Purges if a request is old enough. Otherwise returns the time of the next call; nullopt
    // without a request.
    std::optional<BootTime> Turn();

  private:
    const Clock& clock_;
    const std::function<void()> wake_;
    // Time of the oldest pending request in ns since boot; 0 if there is none.
    std::atomic<int64_t> requested_ = 0;
};

}  // namespace storekeeper
