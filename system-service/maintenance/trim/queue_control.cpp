// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "maintenance/trim/queue_control.h"

#include <android-base/parseint.h>
#include <sys/sysmacros.h>

#include <algorithm>
#include <chrono>
#include <utility>
#include <vector>

#include "base/try.h"

namespace storekeeper {
namespace {

using android::base::Error;
using android::base::ParseUint;
using android::base::Result;

// AOSP's init.rc makes this link to the disk below /data (Android 14 and later).
constexpr char kDisk[] = "/dev/sys/block/by-name/rootdisk";
constexpr char kWanted[] = "storekeeper.queue.";
constexpr char kSaved[] = "storekeeper.queue.saved.";
constexpr char kDiscardMaxBytes[] = "discard_max_bytes";
constexpr char kNrRequests[] = "nr_requests";
constexpr char kAsyncDepth[] = "async_depth";

// A discard of 512 KiB lasts 3 ms on a slow card: what a read has to wait for at worst, together
// with the others in the queue. Fewer requests than this the kernel refuses (BLKDEV_MIN_RQ).
constexpr uint64_t kThrottledBytes = 512 * 1024;
constexpr uint64_t kThrottledRequests = 4;
// Reads find a free request, and the scheduler lets them pass what waits there: their p99
// fell from 12.3 to 5.0 ms on the dear card of docs/testing.md. 1 has not been measured.
constexpr uint64_t kThrottledAsyncDepth = 2;

// init acts within milliseconds; a device that is busy booting may take longer.
constexpr std::chrono::milliseconds kStep(2);
constexpr std::chrono::milliseconds kPatience(1000);

std::string Show(const QueueControl::Limits& limits) {
    return "discard_max_bytes " + std::to_string(limits.discard_max_bytes) + ", nr_requests " +
           std::to_string(limits.nr_requests) +
           (limits.async_depth.has_value() ? ", async_depth " + std::to_string(*limits.async_depth)
                                           : "");
}

}  // namespace

QueueControl::QueueControl(const FileReader& files, Pauser& pauser, Properties properties)
      : files_(files), pauser_(pauser), properties_(std::move(properties)) {}

Result<QueueControl::Limits> QueueControl::Read() const {
    const std::string queue = std::string(kDisk) + "/queue/";
    Limits limits;
    limits.discard_max_bytes = TRY(ReadNumber(files_, queue + kDiscardMaxBytes));
    limits.nr_requests = TRY(ReadNumber(files_, queue + kNrRequests));
    const std::string async_depth = queue + "iosched/" + kAsyncDepth;
    if (files_.Exists(async_depth)) limits.async_depth = TRY(ReadNumber(files_, async_depth));
    return limits;
}

Result<QueueControl::Limits> QueueControl::Throttled(const Limits& now) const {
    const std::string queue = std::string(kDisk) + "/queue/";
    const uint64_t granularity = TRY(ReadNumber(files_, queue + "discard_granularity"));
    // The kernel refuses a discard_max_bytes that is no multiple of the granularity.
    if (granularity == 0 || now.discard_max_bytes % granularity != 0) {
        return Error() << "its discard_max_bytes " << now.discard_max_bytes
                       << " cannot be restored: it is not a multiple of its granularity "
                       << granularity;
    }
    const uint64_t piece =
            (std::max(granularity, kThrottledBytes) + granularity - 1) / granularity * granularity;
    Limits throttled{.discard_max_bytes = std::min(now.discard_max_bytes, piece),
                     .nr_requests = std::min(now.nr_requests, kThrottledRequests),
                     .async_depth = now.async_depth};
    if (now.async_depth.has_value()) {
        throttled.async_depth = std::min(*now.async_depth, kThrottledAsyncDepth);
    }
    return throttled;
}

Result<void> QueueControl::Set(const std::string& prefix, const Limits& limits) {
    std::vector<std::pair<std::string, uint64_t>> values = {{kDiscardMaxBytes,
                                                             limits.discard_max_bytes},
                                                            {kNrRequests, limits.nr_requests}};
    // Last: the kernel changes it with nr_requests.
    if (limits.async_depth.has_value()) values.emplace_back(kAsyncDepth, *limits.async_depth);
    for (const auto& [name, value] : values) {
        if (!properties_.set(prefix + name, std::to_string(value))) {
            return Error() << "cannot set property " << prefix << name
                           << ": check the policy of storekeeperd";
        }
    }
    return {};
}

std::optional<QueueControl::Limits> QueueControl::Saved() const {
    const auto number = [this](const char* name) -> std::optional<uint64_t> {
        uint64_t value = 0;
        if (!ParseUint(properties_.get(std::string(kSaved) + name), &value)) return std::nullopt;
        return value;
    };
    const std::optional<uint64_t> discard_max_bytes = number(kDiscardMaxBytes);
    const std::optional<uint64_t> nr_requests = number(kNrRequests);
    if (!discard_max_bytes.has_value() || !nr_requests.has_value()) return std::nullopt;
    return Limits{.discard_max_bytes = *discard_max_bytes,
                  .nr_requests = *nr_requests,
                  .async_depth = number(kAsyncDepth)};
}

Result<void> QueueControl::ForgetSaved() {
    for (const char* name : {kDiscardMaxBytes, kNrRequests, kAsyncDepth}) {
        if (!properties_.set(std::string(kSaved) + name, "")) {
            return Error() << "cannot clear property " << kSaved << name;
        }
    }
    return {};
}

Result<void> QueueControl::Ask(const Limits& limits) {
    TRY(Set(kWanted, limits));
    // Not to be interrupted: whoever stops a run must find the queue put back.
    const StopSignal never;
    Limits now = TRY(Read());
    for (auto waited = kStep; now != limits && waited <= kPatience; waited += kStep) {
        pauser_.Pause(kStep, never);
        now = TRY(Read());
    }
    if (now == limits) return {};
    return Error() << "init did not apply " << Show(limits) << "; the queue has " << Show(now)
                   << ": check that storekeeperd.rc is in the image and that the policy lets init "
                      "write there";
}

Result<void> QueueControl::Throttle(dev_t disk) {
    const std::string number = std::to_string(major(disk)) + ":" + std::to_string(minor(disk));
    const std::string known = TRY(files_.ReadAttribute(std::string(kDisk) + "/dev"));
    if (known != number) {
        return Error() << "init can set the queue of " << known << " only, this is " << number;
    }
    const Limits before = TRY(Read());
    const Limits throttled = TRY(Throttled(before));
    if (throttled == before) return {};
    // Saved first: from here on init puts them back when the daemon dies.
    TRY(Set(kSaved, before));
    Result<void> asked = Ask(throttled);
    if (asked.ok()) return {};
    Result<void> back = Restore();
    if (!back.ok()) return Error() << asked.error().message() << "; " << back.error().message();
    return asked.error();
}

Result<void> QueueControl::Restore() {
    const std::optional<Limits> saved = Saved();
    if (!saved.has_value()) return {};
    Result<void> asked = Ask(*saved);
    if (!asked.ok()) return Error() << "the queue is not restored: " << asked.error().message();
    return ForgetSaved();
}

}  // namespace storekeeper
