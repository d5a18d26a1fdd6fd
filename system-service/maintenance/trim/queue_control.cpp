// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "maintenance/trim/queue_control.h"

#include <android-base/logging.h>
#include <android-base/parseint.h>

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "base/try.h"
#include "mounts/block_device.h"

namespace storekeeper {
namespace {

using android::base::Error;
using android::base::ParseUint;
using android::base::Result;

constexpr char kWanted[] = "storekeeper.queue.";
constexpr char kSaved[] = "storekeeper.queue.saved.";
constexpr char kDiscardMaxBytes[] = "discard_max_bytes";
constexpr char kNrRequests[] = "nr_requests";
constexpr char kAsyncDepth[] = "async_depth";
constexpr char kWbtLatency[] = "wbt_lat_usec";

// block/blk-sysfs.c, queue_var_store(): what is more the kernel refuses (EINVAL), also where the
// hardware's own limit is more, as a UFS' that unmaps 32 GiB at once.
constexpr uint64_t kMaxBytes = std::numeric_limits<uint32_t>::max();

// Fewer requests than this the kernel refuses (BLKDEV_MIN_RQ).
constexpr uint64_t kThrottledRequests = 4;
// Reads find a free request, and the scheduler lets them pass what waits there: their p99
// fell from 12.3 to 5.0 ms on the dear card of docs/testing.md. With 2, two discards took both and
// a synced write waited for up to eight of them: with 3 its p99 fell from 6.5 to 4.6 ms there. With
// 4 that of reads rose on 3 of 6 cards that were drawn, by 42 to 78 %.
constexpr uint64_t kThrottledAsyncDepth = 3;

// No read is as quick: as soon as there are any, the kernel has one discard under way at a time,
// and the next waits outside of the queue, where it takes no request from a synced write. The p90
// of these fell from 3.7 to 1.8 ms on the cheap card. nr_requests is not needed then.
constexpr uint64_t kThrottledWbtLatency = 1;

// Whoever has stopped a run wants the disk now; after others nobody uses it.
void AtOnce() {}

std::string Show(const QueueControl::Limits& limits) {
    return "discard_max_bytes " + std::to_string(limits.discard_max_bytes) + ", nr_requests " +
           std::to_string(limits.nr_requests) +
           (limits.async_depth.has_value() ? ", async_depth " + std::to_string(*limits.async_depth)
                                           : "") +
           (limits.wbt_lat_usec.has_value()
                    ? ", wbt_lat_usec " + std::to_string(*limits.wbt_lat_usec)
                    : "");
}

}  // namespace

Result<QueueControl::Limits> QueueControl::Read() const {
    const std::string queue = std::string(kRootDisk) + "/queue/";
    Limits limits;
    const uint64_t granularity = TRY(ReadNumber(files_, queue + "discard_granularity"));
    if (granularity == 0) return Error() << "its discard_granularity is 0";
    // The kernel refuses what is no multiple of the granularity, which the hardware's own limit
    // need not be, and takes that limit instead of more: so it is restored by the next multiple,
    // or by the largest that can be written.
    const uint64_t shown = TRY(ReadNumber(files_, queue + kDiscardMaxBytes));
    limits.discard_max_bytes =
            std::min((shown + granularity - 1) / granularity, kMaxBytes / granularity) *
            granularity;
    limits.nr_requests = TRY(ReadNumber(files_, queue + kNrRequests));
    const std::string async_depth = queue + "iosched/" + kAsyncDepth;
    if (files_.Exists(async_depth)) limits.async_depth = TRY(ReadNumber(files_, async_depth));
    // There is the file where nothing serves it, too.
    const Result<uint64_t> latency = ReadNumber(files_, queue + kWbtLatency);
    if (latency.ok()) limits.wbt_lat_usec = *latency;
    return limits;
}

Result<DiscardLimits> QueueControl::Sizes(dev_t disk) const {
    TRY(CheckIsRootDisk(files_, disk, "set the queue of"));
    const Limits before = Saved().value_or(TRY(Read()));
    const std::string queue = std::string(kRootDisk) + "/queue/";
    const uint64_t granularity = TRY(ReadNumber(files_, queue + "discard_granularity"));
    return DiscardLimits{.granularity = granularity, .largest = before.discard_max_bytes};
}

QueueControl::Limits QueueControl::Throttled(const Limits& before, uint64_t discard_bytes) {
    Limits throttled = before;
    throttled.discard_max_bytes = std::min(before.discard_max_bytes, discard_bytes);
    if (before.async_depth.has_value()) {
        throttled.async_depth = std::min(*before.async_depth, kThrottledAsyncDepth);
    }
    if (before.wbt_lat_usec.has_value()) {
        throttled.wbt_lat_usec = kThrottledWbtLatency;
    } else {
        throttled.nr_requests = std::min(before.nr_requests, kThrottledRequests);
    }
    return throttled;
}

Result<void> QueueControl::Save(const Limits& limits) {
    const std::string prefix = kSaved;
    TRY(SetRequest(properties_, prefix + kDiscardMaxBytes,
                   std::to_string(limits.discard_max_bytes)));
    TRY(SetRequest(properties_, prefix + kNrRequests, std::to_string(limits.nr_requests)));
    if (limits.async_depth.has_value()) {
        TRY(SetRequest(properties_, prefix + kAsyncDepth, std::to_string(*limits.async_depth)));
    }
    if (!limits.wbt_lat_usec.has_value()) return {};
    return SetRequest(properties_, prefix + kWbtLatency, std::to_string(*limits.wbt_lat_usec));
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
                  .async_depth = number(kAsyncDepth),
                  .wbt_lat_usec = number(kWbtLatency)};
}

// In two steps: the kernel stops the queue for each of them, some 10 ms, and others' requests get
// in between.
Result<void> QueueControl::Ask(const Limits& limits, const Lull& lull) {
    Limits first = limits;
    const Limits now = TRY(Read());
    first.wbt_lat_usec = now.wbt_lat_usec;
    if (first != now) lull();
    TRY(AskAtOnce(first));
    if (first != limits) lull();
    return AskAtOnce(limits);
}

Result<void> QueueControl::AskAtOnce(const Limits& limits) {
    const Limits before = TRY(Read());
    const std::string prefix = kWanted;
    if (limits.discard_max_bytes != before.discard_max_bytes) {
        TRY(SetRequest(properties_, prefix + kDiscardMaxBytes,
                       std::to_string(limits.discard_max_bytes)));
    }
    // Not without need: the kernel stops the queue to change it.
    const bool other_number = limits.nr_requests != before.nr_requests;
    if (other_number)
        TRY(SetRequest(properties_, prefix + kNrRequests, std::to_string(limits.nr_requests)));
    // Last: the kernel changes it with nr_requests.
    if (limits.async_depth.has_value() &&
        (other_number || limits.async_depth != before.async_depth)) {
        TRY(SetRequest(properties_, prefix + kAsyncDepth, std::to_string(*limits.async_depth)));
    }
    if (limits.wbt_lat_usec.has_value() && limits.wbt_lat_usec != before.wbt_lat_usec) {
        TRY(SetRequest(properties_, prefix + kWbtLatency, std::to_string(*limits.wbt_lat_usec)));
    }
    const Limits now = TRY(ReadWhenDone(
            pauser_, kInitPatience, [this] { return Read(); },
            [&](const Limits& shown) { return shown == limits; }));
    if (now == limits) return {};
    return Error() << "init did not apply " << Show(limits) << "; the queue has " << Show(now)
                   << ": check that storekeeperd.rc is in the image and that the policy lets init "
                      "write there";
}

Result<void> QueueControl::Throttle(dev_t disk, uint64_t discard_bytes, const Lull& lull) {
    TRY(Sizes(disk));
    const Limits now = TRY(Read());
    // What is saved is what the queue had, also if an earlier run could not restore it.
    const std::optional<Limits> saved = Saved();
    const Limits throttled = Throttled(saved.value_or(now), discard_bytes);
    if (saved.has_value()) throttled_ = disk;
    if (throttled == now) return {};
    // Saved first: from here on init puts them back when the daemon dies.
    if (Result<void> kept = saved.has_value() ? Result<void>() : Save(now); !kept.ok()) {
        static_cast<void>(Forget());
        return kept;
    }
    throttled_ = disk;
    Result<void> asked = Ask(throttled, lull);
    if (asked.ok()) return {};
    Result<void> back = Restore();
    if (!back.ok()) return Error() << asked.error().message() << "; " << back.error().message();
    return asked.error();
}

Result<void> QueueControl::Restore() {
    const std::optional<Limits> saved = Saved();
    if (!saved.has_value()) return {};
    Result<void> asked = Ask(*saved, AtOnce);
    // Once more: a busy property service refuses a request, and a slow queue stays until the next
    // run.
    if (!asked.ok()) asked = Ask(*saved, AtOnce);
    if (!asked.ok()) return Error() << "the queue is not restored: " << asked.error().message();
    throttled_.reset();
    return Forget();
}

Result<void> QueueControl::Forget() {
    Result<void> done = {};
    for (const char* name : {kDiscardMaxBytes, kNrRequests, kAsyncDepth, kWbtLatency}) {
        if (properties_.set(std::string(kSaved) + name, "")) continue;
        done = Error() << "cannot clear property " << kSaved << name;
    }
    return done;
}

}  // namespace storekeeper
