// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <atomic>
#include <functional>
#include <optional>
#include <utility>

#include "base/clock.h"

namespace storekeeper {

// Before any other thread is started: all threads share one heap, as they do with bionic's malloc.
// glibc gives up to eight heaps to each processor, and each keeps what its threads have freed.
void ShareOneHeap();

// Returns to the kernel what is not needed for some hours: free memory of the heap (M_PURGE of
// bionic's mallopt(3), malloc_trim(3) of glibc), and the code and constants of libsqlite, which
// return from its file when they are used (MADV_DONTNEED of madvise(2)). From any thread.
void ReleaseMemory();

// Releases it soon after a call that handed in much or was answered at length. Not at once:
// libbinder frees what it read of a call when that has returned.
class HeapPurge {
  public:
    static constexpr std::chrono::milliseconds kDelay{500};

    // `wake` ends the sleep of who calls Turn().
    HeapPurge(const Clock& clock, std::function<void()> wake)
          : clock_(clock), wake_(std::move(wake)) {}

    // From any thread.
    void Request();

    // Purges where it is time; otherwise when to call again, absent without a request.
    std::optional<BootTime> Turn();

  private:
    const Clock& clock_;
    const std::function<void()> wake_;
    // Of the first request that waits, ns since boot; 0 where none does.
    std::atomic<int64_t> requested_ = 0;
};

}  // namespace storekeeper
