// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "maintenance/trim/lulls.h"

#include <utility>

namespace storekeeper {
namespace {

using android::base::Result;
using std::chrono::microseconds;
using std::chrono::milliseconds;
using std::chrono::nanoseconds;

// One step of looking for a lull.
constexpr microseconds kStep(500);
// Who comes less often is rarely met.
constexpr milliseconds kLongest(12);
// Synced writes come less often, and wait for longest.
constexpr milliseconds kLongestAfterWrite(60);

}  // namespace

bool Lulls::IsLull(After after, bool* came) {
    const Result<DiskStats> before = std::exchange(looked_, ReadDiskStats(files_, disks_));
    if (!before.ok() || !looked_.ok()) return true;
    const bool wrote = looked_->writes != before->writes;
    const bool used = wrote || looked_->reads != before->reads;
    if (after == After::kWrites ? wrote : used) *came = true;
    return *came && !used && looked_->in_flight == 0;
}

bool Lulls::AwaitAfter(After after, nanoseconds longest) {
    const nanoseconds start = clock_.Monotonic();
    looked_ = ReadDiskStats(files_, disks_);
    bool came = false;
    while (!IsLull(after, &came)) {
        if (stop_.raised() || clock_.Monotonic() - start >= longest) return false;
        pauser_.Pause(kStep, stop_);
    }
    return true;
}

nanoseconds Lulls::Await() {
    const nanoseconds start = clock_.Monotonic();
    AwaitAfter(After::kAny, kLongest);
    return clock_.Monotonic() - start;
}

nanoseconds Lulls::AwaitAfterWrite() {
    const nanoseconds start = clock_.Monotonic();
    if (!AwaitAfter(After::kWrites, kLongestAfterWrite)) Await();
    return clock_.Monotonic() - start;
}

nanoseconds Lulls::AwaitLong() {
    const nanoseconds start = clock_.Monotonic();
    AwaitAfter(After::kWrites, kLongestAfterWrite);
    Await();
    return clock_.Monotonic() - start;
}

}  // namespace storekeeper
