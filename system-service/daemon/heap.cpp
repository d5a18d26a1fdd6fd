// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "daemon/heap.h"

#include <malloc.h>

namespace storekeeper {

void HeapPurge::Request() {
    int64_t none = 0;
    if (requested_.compare_exchange_strong(none, clock_.SinceBoot().count())) wake_();
}

std::optional<BootTime> HeapPurge::Turn() {
    const int64_t requested = requested_.load();
    if (requested == 0) return std::nullopt;
    const BootTime due = BootTime(requested) + kDelay;
    if (clock_.SinceBoot() < due) return due;
    requested_ = 0;
#if defined(__BIONIC__)
    mallopt(M_PURGE, 0);
#else
    malloc_trim(0);
#endif
    return std::nullopt;
}

}  // namespace storekeeper
