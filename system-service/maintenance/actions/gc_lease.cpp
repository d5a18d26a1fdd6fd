// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "maintenance/actions/gc_lease.h"

#include <android-base/logging.h>
#include <android-base/parseint.h>

#include <algorithm>
#include <utility>

#include "base/diskstats.h"
#include "base/smart_idle_maintenance.h"
#include "base/try.h"

namespace storekeeper {
namespace {

using android::base::Error;
using android::base::ParseUint;
using android::base::Result;
using std::chrono::seconds;

// AOSP's init.rc makes this link to the f2fs on /data.
constexpr char kF2fs[] = "/dev/sys/fs/by-name/userdata/";
constexpr char kUrgent[] = "storekeeper.gc.urgent";

// Dirty segments below which collecting ends. vold's own idle garbage collection stops there, too.
constexpr uint64_t kFewDirty = 100;
constexpr seconds kLook(2);

android::base::Result<uint64_t> Number(const FileReader& files, const std::string& name) {
    std::string text = TRY(files.ReadAttribute(kF2fs + name));
    // Vendors' kernels print gc_urgent with a word behind the number.
    text = text.substr(0, text.find(' '));
    uint64_t value = 0;
    if (!ParseUint(text, &value)) return Error() << kF2fs << name << ": '" << text << "'";
    return value;
}

}  // namespace

GcLease::GcLease(const FileReader& files, const Clock& clock, Pauser& pauser,
                 InitProperties properties, Terms terms)
      : files_(files),
        clock_(clock),
        pauser_(pauser),
        properties_(std::move(properties)),
        terms_(terms) {}

bool GcLease::FrameworkOwnsIt() const {
    return IsSmartIdleMaintenance(properties_.get);
}

android::base::Result<void> GcLease::SetUrgent(bool urgent) {
    const uint64_t wanted = urgent ? 1 : 0;
    TRY(SetRequest(properties_, kUrgent, std::to_string(wanted)));
    // fs/f2fs/sysfs.c shows the mode that 1 led to: 1 (4.14), 3 (4.19), 4 (from 5.9 on).
    const auto is_done = [urgent](uint64_t mode) { return (mode != 0) == urgent; };
    const uint64_t now = TRY(ReadWhenDone(
            pauser_, kInitPatience, [this] { return Number(files_, "gc_urgent"); }, is_done));
    if (is_done(now)) return {};
    return Error() << "init did not set gc_urgent to " << wanted << ", it is " << now;
}

std::optional<std::string> GcLease::WhyEnd(BootTime begun, uint64_t written, uint64_t most_bytes,
                                           const StopSignal& stop) {
    if (std::optional<std::string> reason = stop.reason(); reason.has_value()) return reason;
    if (FrameworkOwnsIt()) return "smart idle maintenance is enabled";
    if (clock_.SinceBoot() - begun >= terms_.longest) return "time limit reached";
    android::base::Result<uint64_t> dirty = Number(files_, "dirty_segments");
    if (!dirty.ok()) return dirty.error().message();
    if (*dirty < kFewDirty) return "few dirty segments left";
    if (written >= std::min(terms_.most_written_bytes, most_bytes)) return "write limit reached";
    return std::nullopt;
}

std::string GcLease::WhyNever() const {
    if (terms_.longest == seconds(0)) {
        // A value that is no count of seconds is taken as 0; the message shows the value itself.
        const std::string value = properties_.get(kSecondsProperty);
        return std::string("off: ") + kSecondsProperty + " is " + (value.empty() ? "0" : value);
    }
    return FrameworkOwnsIt() ? "smart idle maintenance is enabled" : "";
}

android::base::Result<std::optional<GcLease::Result>> GcLease::Run(
        const std::vector<dev_t>& devices, uint64_t most_bytes, const StopSignal& stop) {
    if (!WhyNever().empty()) return std::nullopt;
    if (const uint64_t urgent = TRY(Number(files_, "gc_urgent")); urgent != 0) {
        return Error() << "another process has set gc_urgent to " << urgent;
    }
    Result result;
    result.dirty_before = TRY(Number(files_, "dirty_segments"));
    const uint64_t written_before = TRY(ReadDiskStats(files_, devices)).written_bytes;
    const BootTime begun = clock_.SinceBoot();
    std::optional<std::string> ended = WhyEnd(begun, 0, most_bytes, stop);
    if (!ended.has_value()) {
        LOG(INFO) << "f2fs collects garbage: " << result.dirty_before << " dirty segments";
        if (auto set = SetUrgent(true); !set.ok()) ended = set.error().message();
    }
    while (!ended.has_value()) {
        pauser_.Pause(kLook, stop);
        android::base::Result<DiskStats> stats = ReadDiskStats(files_, devices);
        if (!stats.ok()) {
            ended = stats.error().message();
            break;
        }
        result.written_bytes = stats->written_bytes - written_before;
        ended = WhyEnd(begun, result.written_bytes, most_bytes, stop);
    }
    TRY(Restore());
    result.ended = *ended;
    result.duration = clock_.SinceBoot() - begun;
    result.dirty_after = Number(files_, "dirty_segments").value_or(result.dirty_before);
    return result;
}

android::base::Result<void> GcLease::Restore() {
    if (properties_.get(kUrgent) != "1") return {};
    // A second attempt, as in QueueControl::Restore().
    if (SetUrgent(false).ok()) return {};
    return SetUrgent(false);
}

}  // namespace storekeeper
