// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "maintenance/trim/init_writes.h"

#include <android-base/logging.h>
#include <android-base/parseint.h>

#include <algorithm>
#include <chrono>
#include <utility>
#include <vector>

#include "base/smart_idle_maintenance.h"
#include "base/try.h"
#include "maintenance/trim/foreground.h"
#include "mounts/block_device.h"

namespace storekeeper {
namespace {

using android::base::Error;
using android::base::ParseUint;
using android::base::Result;
using std::chrono::milliseconds;
using std::chrono::seconds;

// AOSP's init.rc makes this link to the disk below /data (Android 14 and later).
constexpr char kDisk[] = "/dev/sys/block/by-name/rootdisk";
constexpr char kWanted[] = "storekeeper.queue.";
constexpr char kSaved[] = "storekeeper.queue.saved.";
constexpr char kDiscardMaxBytes[] = "discard_max_bytes";
constexpr char kNrRequests[] = "nr_requests";
constexpr char kAsyncDepth[] = "async_depth";
constexpr char kWbtLatency[] = "wbt_lat_usec";

// Fewer requests than this the kernel refuses (BLKDEV_MIN_RQ).
constexpr uint64_t kThrottledRequests = 4;
// Reads find a free request, and the scheduler lets them pass what waits there: their p99
// fell from 12.3 to 5.0 ms on the dear card of docs/testing.md. 1 has not been measured.
constexpr uint64_t kThrottledAsyncDepth = 2;

// No read is as quick: as soon as there are any, the kernel has one discard under way at a time,
// and the next waits outside of the queue, where it takes no request from a synced write. The p90
// of these fell from 3.7 to 1.8 ms on the cheap card. nr_requests is not needed then.
constexpr uint64_t kThrottledWbtLatency = 1;

std::string Show(const QueueControl::Limits& limits) {
    return "discard_max_bytes " + std::to_string(limits.discard_max_bytes) + ", nr_requests " +
           std::to_string(limits.nr_requests) +
           (limits.async_depth.has_value() ? ", async_depth " + std::to_string(*limits.async_depth)
                                           : "") +
           (limits.wbt_lat_usec.has_value()
                    ? ", wbt_lat_usec " + std::to_string(*limits.wbt_lat_usec)
                    : "");
}

// AOSP's init.rc makes this link to the f2fs on /data.
constexpr char kF2fs[] = "/dev/sys/fs/by-name/userdata/";
constexpr char kUrgent[] = "storekeeper.gc.urgent";

// What vold leaves alone, too.
constexpr uint64_t kFewDirty = 100;
constexpr seconds kLook(2);

// init acts within milliseconds; a device that is busy booting may take longer.
constexpr milliseconds kStep(2);
constexpr milliseconds kPatience(1000);

Result<void> SetProperty(const QueueControl::Properties& properties, const std::string& name,
                         uint64_t value) {
    if (properties.set(name, std::to_string(value))) return {};
    return Error() << "cannot set property " << name << ": check the policy of storekeeperd";
}

// What `read` answers once init has done what `is_done` asks of it, or at the end of the patience.
// Not to be interrupted: whoever stops a run must find everything put back.
template <typename Read, typename IsDone>
auto ReadWhenDone(Pauser& pauser, const Read& read, const IsDone& is_done) {
    const StopSignal never;
    auto now = read();
    for (auto waited = kStep; now.ok() && !is_done(*now) && waited <= kPatience; waited += kStep) {
        pauser.Pause(kStep, never);
        now = read();
    }
    return now;
}

android::base::Result<uint64_t> Number(const FileReader& files, const std::string& name) {
    std::string text = TRY(files.ReadAttribute(kF2fs + name));
    // Vendors' kernels show gc_urgent with a word behind the number.
    text = text.substr(0, text.find(' '));
    uint64_t value = 0;
    if (!ParseUint(text, &value)) return Error() << kF2fs << name << ": '" << text << "'";
    return value;
}

}  // namespace

Result<QueueControl::Limits> QueueControl::Read() const {
    const std::string queue = std::string(kDisk) + "/queue/";
    Limits limits;
    const uint64_t granularity = TRY(ReadNumber(files_, queue + "discard_granularity"));
    if (granularity == 0) return Error() << "its discard_granularity is 0";
    // The kernel refuses what is no multiple of the granularity, which the hardware's own limit
    // need not be, and takes that limit instead of more: so it is restored by the next multiple.
    const uint64_t shown = TRY(ReadNumber(files_, queue + kDiscardMaxBytes));
    limits.discard_max_bytes = (shown + granularity - 1) / granularity * granularity;
    limits.nr_requests = TRY(ReadNumber(files_, queue + kNrRequests));
    const std::string async_depth = queue + "iosched/" + kAsyncDepth;
    if (files_.Exists(async_depth)) limits.async_depth = TRY(ReadNumber(files_, async_depth));
    // There is the file where nothing serves it, too.
    const Result<uint64_t> latency = ReadNumber(files_, queue + kWbtLatency);
    if (latency.ok()) limits.wbt_lat_usec = *latency;
    return limits;
}

Result<DiscardLimits> QueueControl::Sizes(dev_t disk) const {
    TRY(CheckIsOurs(disk));
    const Limits before = Saved().value_or(TRY(Read()));
    const std::string queue = std::string(kDisk) + "/queue/";
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
    TRY(SetProperty(properties_, prefix + kDiscardMaxBytes, limits.discard_max_bytes));
    TRY(SetProperty(properties_, prefix + kNrRequests, limits.nr_requests));
    if (limits.async_depth.has_value()) {
        TRY(SetProperty(properties_, prefix + kAsyncDepth, *limits.async_depth));
    }
    if (!limits.wbt_lat_usec.has_value()) return {};
    return SetProperty(properties_, prefix + kWbtLatency, *limits.wbt_lat_usec);
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
Result<void> QueueControl::Ask(const Limits& limits) {
    Limits first = limits;
    first.wbt_lat_usec = TRY(Read()).wbt_lat_usec;
    TRY(AskAtOnce(first));
    return AskAtOnce(limits);
}

Result<void> QueueControl::AskAtOnce(const Limits& limits) {
    const Limits before = TRY(Read());
    const std::string prefix = kWanted;
    if (limits.discard_max_bytes != before.discard_max_bytes) {
        TRY(SetProperty(properties_, prefix + kDiscardMaxBytes, limits.discard_max_bytes));
    }
    // Not without need: the kernel stops the queue to change it.
    const bool other_number = limits.nr_requests != before.nr_requests;
    if (other_number) TRY(SetProperty(properties_, prefix + kNrRequests, limits.nr_requests));
    // Last: the kernel changes it with nr_requests.
    if (limits.async_depth.has_value() &&
        (other_number || limits.async_depth != before.async_depth)) {
        TRY(SetProperty(properties_, prefix + kAsyncDepth, *limits.async_depth));
    }
    if (limits.wbt_lat_usec.has_value() && limits.wbt_lat_usec != before.wbt_lat_usec) {
        TRY(SetProperty(properties_, prefix + kWbtLatency, *limits.wbt_lat_usec));
    }
    const Limits now = TRY(ReadWhenDone(
            pauser_, [this] { return Read(); },
            [&](const Limits& shown) { return shown == limits; }));
    if (now == limits) return {};
    return Error() << "init did not apply " << Show(limits) << "; the queue has " << Show(now)
                   << ": check that storekeeperd.rc is in the image and that the policy lets init "
                      "write there";
}

Result<void> QueueControl::CheckIsOurs(dev_t disk) const {
    const std::string number = NumberText(disk);
    const std::string known = TRY(files_.ReadAttribute(std::string(kDisk) + "/dev"));
    if (known == number) return {};
    return Error() << "init can set the queue of " << known << " only, this is " << number;
}

Result<void> QueueControl::Throttle(dev_t disk, uint64_t discard_bytes) {
    TRY(Sizes(disk));
    const Limits now = TRY(Read());
    // What is saved is what the queue had, also if an earlier run could not restore it.
    const std::optional<Limits> saved = Saved();
    const Limits throttled = Throttled(saved.value_or(now), discard_bytes);
    if (throttled == now) return {};
    // Saved first: from here on init puts them back when the daemon dies.
    if (Result<void> kept = saved.has_value() ? Result<void>() : Save(now); !kept.ok()) {
        static_cast<void>(Forget());
        return kept;
    }
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
    // Once more: a busy property service refuses a request, and a slow queue stays until the next
    // run.
    if (!asked.ok()) asked = Ask(*saved);
    if (!asked.ok()) return Error() << "the queue is not restored: " << asked.error().message();
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

GcLease::GcLease(const FileReader& files, const Clock& clock, Pauser& pauser,
                 QueueControl::Properties properties, Terms terms)
      : files_(files),
        clock_(clock),
        pauser_(pauser),
        properties_(std::move(properties)),
        terms_(terms) {}

bool GcLease::FrameworkOwnsIt() const {
    return IsSmartIdleMaintenance(properties_.get(kSmartIdleMaintenance));
}

android::base::Result<void> GcLease::SetUrgent(bool urgent) {
    const uint64_t wanted = urgent ? 1 : 0;
    TRY(SetProperty(properties_, kUrgent, wanted));
    // fs/f2fs/sysfs.c shows the mode that 1 led to: 1 (4.14), 3 (4.19), 4 (from 5.9 on).
    const auto is_done = [urgent](uint64_t mode) { return (mode != 0) == urgent; };
    const uint64_t now = TRY(ReadWhenDone(
            pauser_, [this] { return Number(files_, "gc_urgent"); }, is_done));
    if (is_done(now)) return {};
    return Error() << "init did not set gc_urgent to " << wanted << ", it is " << now;
}

std::optional<std::string> GcLease::WhyEnd(BootTime begun, uint64_t written,
                                           const StopSignal& stop) {
    if (std::optional<std::string> reason = stop.reason(); reason.has_value()) return reason;
    if (FrameworkOwnsIt()) return "smart idle maintenance is enabled";
    if (clock_.SinceBoot() - begun >= terms_.longest) return "time limit reached";
    android::base::Result<uint64_t> dirty = Number(files_, "dirty_segments");
    if (!dirty.ok()) return dirty.error().message();
    if (*dirty < kFewDirty) return "few dirty segments left";
    if (written >= terms_.most_written_bytes) return "write limit reached";
    return std::nullopt;
}

android::base::Result<std::optional<GcLease::Result>> GcLease::Run(dev_t device,
                                                                   const StopSignal& stop) {
    if (terms_.longest == seconds(0) || FrameworkOwnsIt()) return std::nullopt;
    if (const uint64_t urgent = TRY(Number(files_, "gc_urgent")); urgent != 0) {
        return Error() << "another process has set gc_urgent to " << urgent;
    }
    Result result;
    result.dirty_before = TRY(Number(files_, "dirty_segments"));
    const uint64_t written_before = TRY(ReadDiskStats(files_, device)).written_bytes;
    const BootTime begun = clock_.SinceBoot();
    std::optional<std::string> ended = WhyEnd(begun, 0, stop);
    if (!ended.has_value()) {
        LOG(INFO) << "f2fs collects garbage: " << result.dirty_before << " dirty segments";
        if (auto set = SetUrgent(true); !set.ok()) ended = set.error().message();
    }
    while (!ended.has_value()) {
        pauser_.Pause(kLook, stop);
        android::base::Result<DiskStats> stats = ReadDiskStats(files_, device);
        if (!stats.ok()) {
            ended = stats.error().message();
            break;
        }
        result.written_bytes = stats->written_bytes - written_before;
        ended = WhyEnd(begun, result.written_bytes, stop);
    }
    TRY(Restore());
    result.ended = *ended;
    result.duration = clock_.SinceBoot() - begun;
    result.dirty_after = Number(files_, "dirty_segments").value_or(result.dirty_before);
    return result;
}

android::base::Result<void> GcLease::Restore() {
    if (properties_.get(kUrgent) != "1") return {};
    // Twice, as the queue.
    if (SetUrgent(false).ok()) return {};
    return SetUrgent(false);
}

}  // namespace storekeeper
