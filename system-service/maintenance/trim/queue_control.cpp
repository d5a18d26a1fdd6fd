// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "maintenance/trim/queue_control.h"

#include <android-base/parseint.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "base/try.h"

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

// The largest value that the kernel takes for discard_max_bytes (block/blk-sysfs.c,
// queue_var_store()), even where the hardware's own limit is larger.
constexpr uint64_t kMaxDiscardMaxBytes = std::numeric_limits<uint32_t>::max();
// The fewest requests that the kernel accepts (BLKDEV_MIN_RQ): few discards are sent in a batch.
constexpr uint64_t kThrottledRequests = 4;
// One of these 4 stays free for reads. With writeback throttling it bounds the discards that the
// kernel lets through after a moment without reads.
constexpr uint64_t kThrottledAsyncDepth = 3;
// No read is that quick, so writeback throttling lets one discard at a time through as soon as any
// process reads. Discards then wait outside of the queue, so nr_requests stays.
constexpr uint64_t kThrottledWbtLatencyUsec = 1;
// The kernel stops the queue for each change (for discard_max_bytes since Linux 6.9) until a grace
// period of RCU is over, some 10 ms. A synced write is several requests, and two stops in a row
// would hold it longer than a frame. The window of writeback throttling is 100 ms
// (block/blk-wbt.c, RWB_WINDOW_NSEC): after one the kernel knows whether any process reads.
constexpr std::chrono::milliseconds kAfterChange(100);

std::string LimitsText(const QueueControl::Limits& limits) {
    std::string text = "discard_max_bytes " + std::to_string(limits.discard_max_bytes) +
                       ", nr_requests " + std::to_string(limits.nr_requests);
    if (limits.async_depth.has_value()) {
        text += ", async_depth " + std::to_string(*limits.async_depth);
    }
    if (limits.wbt_lat_usec.has_value()) {
        text += ", wbt_lat_usec " + std::to_string(*limits.wbt_lat_usec);
    }
    return text;
}

Result<uint64_t> Granularity(const FileReader& files) {
    const uint64_t granularity =
            TRY(ReadNumber(files, std::string(kRootDisk) + "/queue/discard_granularity"));
    if (granularity != 0) return granularity;
    // queue_discard_max_store() compares with the granularity minus 1.
    return Error() << "its discard_granularity is 0, so Linux accepts no discard_max_bytes";
}

}  // namespace

Result<QueueControl::Limits> QueueControl::Read() const {
    const std::string queue = std::string(kRootDisk) + "/queue/";
    const uint64_t granularity = TRY(Granularity(files_));
    Limits limits;
    // The kernel refuses a value that is no multiple of the granularity, but the hardware's own
    // limit may be none. It takes that limit for any larger value. So the next multiple stands for
    // the limit, or else the largest that can be written.
    const uint64_t shown = TRY(ReadNumber(files_, queue + kDiscardMaxBytes));
    limits.discard_max_bytes =
            std::min((shown + granularity - 1) / granularity, kMaxDiscardMaxBytes / granularity) *
            granularity;
    limits.nr_requests = TRY(ReadNumber(files_, queue + kNrRequests));
    const std::string async_depth = queue + "iosched/" + kAsyncDepth;
    if (files_.Exists(async_depth)) limits.async_depth = TRY(ReadNumber(files_, async_depth));
    // The file also exists without writeback throttling, but then cannot be read.
    const Result<uint64_t> latency = ReadNumber(files_, queue + kWbtLatency);
    if (latency.ok()) limits.wbt_lat_usec = *latency;
    return limits;
}

Result<DiscardLimits> QueueControl::Sizes(dev_t disk) const {
    TRY(CheckIsRootDisk(files_, disk, "set the queue of"));
    const Limits before = Saved().value_or(TRY(Read()));
    return DiscardLimits{.granularity = TRY(Granularity(files_)),
                         .largest = before.discard_max_bytes};
}

QueueControl::Limits QueueControl::Throttled(const Limits& before, uint64_t discard_bytes) {
    Limits throttled = before;
    throttled.discard_max_bytes = std::min(before.discard_max_bytes, discard_bytes);
    if (before.async_depth.has_value()) {
        throttled.async_depth = std::min(*before.async_depth, kThrottledAsyncDepth);
    }
    if (before.wbt_lat_usec.has_value()) {
        throttled.wbt_lat_usec = kThrottledWbtLatencyUsec;
    } else {
        throttled.nr_requests = std::min(before.nr_requests, kThrottledRequests);
    }
    return throttled;
}

Result<void> QueueControl::SetProperties(const std::string& prefix, const Limits& limits,
                                         const Limits& known) {
    const auto set = [&](const std::string& name, uint64_t value) -> Result<void> {
        TRY(SetRequest(properties_, prefix + name, std::to_string(value)));
        // async_depth is the scheduler's, so the kernel stops nothing for it.
        if (prefix == kWanted && name != kAsyncDepth) pauser_.Pause(kAfterChange, StopSignal());
        return {};
    };
    if (limits.discard_max_bytes != known.discard_max_bytes) {
        TRY(set(kDiscardMaxBytes, limits.discard_max_bytes));
    }
    const bool other_number = limits.nr_requests != known.nr_requests;
    if (other_number) TRY(set(kNrRequests, limits.nr_requests));
    // The kernel changes async_depth with nr_requests, so it is set afterwards.
    if (limits.async_depth.has_value() &&
        (other_number || limits.async_depth != known.async_depth)) {
        TRY(set(kAsyncDepth, *limits.async_depth));
    }
    if (limits.wbt_lat_usec.has_value() && limits.wbt_lat_usec != known.wbt_lat_usec) {
        TRY(set(kWbtLatency, *limits.wbt_lat_usec));
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
                  .async_depth = number(kAsyncDepth),
                  .wbt_lat_usec = number(kWbtLatency)};
}

Result<void> QueueControl::Request(const Limits& limits) {
    TRY(SetProperties(kWanted, limits, TRY(Read())));
    const Limits now = TRY(ReadWhenDone(
            pauser_, [this] { return Read(); },
            [&](const Limits& shown) { return shown == limits; }));
    if (now == limits) return {};
    return Error()
           << "init did not apply " << LimitsText(limits) << "; the queue has " << LimitsText(now)
           << ": check that storekeeperd_trim.rc is in the image and that the policy lets init "
              "write there";
}

Result<bool> QueueControl::Throttle(dev_t disk, uint64_t discard_bytes) {
    TRY(CheckIsRootDisk(files_, disk, "set the queue of"));
    const Limits now = TRY(Read());
    // Saved values are from before the run, even if an earlier run could not restore them.
    const std::optional<Limits> saved = Saved();
    const Limits throttled = Throttled(saved.value_or(now), discard_bytes);
    if (throttled == now) return saved.has_value();
    // Saved first: from here on init restores them when the daemon dies.
    if (!saved.has_value()) {
        if (Result<void> kept = SetProperties(kSaved, now, Limits()); !kept.ok()) {
            static_cast<void>(ForgetSaved());
            return kept.error();
        }
    }
    Result<void> done = Request(throttled);
    if (done.ok()) return true;
    const Result<void> back = Restore();
    if (!back.ok()) return Error() << done.error().message() << "; " << back.error().message();
    return done.error();
}

Result<void> QueueControl::Restore() {
    const std::optional<Limits> saved = Saved();
    if (!saved.has_value()) return {};
    Result<void> done = Request(*saved);
    // A second attempt: a busy property service refuses a request, and the queue would stay slow.
    if (!done.ok()) done = Request(*saved);
    if (!done.ok()) return Error() << "the queue is not restored: " << done.error().message();
    return ForgetSaved();
}

Result<void> QueueControl::ForgetSaved() {
    Result<void> done = {};
    for (const char* name : {kDiscardMaxBytes, kNrRequests, kAsyncDepth, kWbtLatency}) {
        if (properties_.set(std::string(kSaved) + name, "")) continue;
        done = Error() << "cannot clear property " << kSaved << name;
    }
    return done;
}

}  // namespace storekeeper
