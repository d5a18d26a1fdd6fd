// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "maintenance/trim/gc_lease.h"

#include <android-base/logging.h>
#include <android-base/parseint.h>

#include <utility>

#include "base/diskstats.h"
#include "base/smart_idle_maintenance.h"
#include "base/try.h"

namespace storekeeper {
namespace {

using android::base::Error;
using android::base::ParseUint;
using std::chrono::milliseconds;
using std::chrono::seconds;

// AOSP's init.rc makes this link to the f2fs on /data.
constexpr char kF2fs[] = "/dev/sys/fs/by-name/userdata/";
constexpr char kUrgent[] = "storekeeper.gc.urgent";

// What vold leaves alone, too.
constexpr uint64_t kFewDirty = 100;
constexpr seconds kLook(2);
// init acts within milliseconds.
constexpr milliseconds kStep(2);
constexpr milliseconds kPatience(1000);

android::base::Result<uint64_t> Number(const FileReader& files, const std::string& name) {
    std::string text = TRY(files.ReadAttribute(kF2fs + name));
    // Vendors' kernels show gc_urgent with a word behind the number.
    text = text.substr(0, text.find(' '));
    uint64_t value = 0;
    if (!ParseUint(text, &value)) return Error() << kF2fs << name << ": '" << text << "'";
    return value;
}

android::base::Result<uint64_t> Written(const FileReader& files, dev_t device) {
    const std::string text = TRY(files.ReadTable(kDiskstatsPath));
    return TRY(FindDiskStats(text, device)).written_bytes;
}

}  // namespace

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
    if (!properties_.set(kUrgent, std::to_string(wanted))) {
        return Error() << "cannot set property " << kUrgent << ": check the policy of storekeeperd";
    }
    // Not to be interrupted: it must be back before anything else happens.
    const StopSignal never;
    // fs/f2fs/sysfs.c shows the mode that 1 led to: 1 (4.14), 3 (4.19), 4 (from 5.9 on).
    uint64_t now = TRY(Number(files_, "gc_urgent"));
    for (auto waited = kStep; (now != 0) != urgent && waited <= kPatience; waited += kStep) {
        pauser_.Pause(kStep, never);
        now = TRY(Number(files_, "gc_urgent"));
    }
    if ((now != 0) == urgent) return {};
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
    const uint64_t written_before = TRY(Written(files_, device));
    const BootTime begun = clock_.SinceBoot();
    std::optional<std::string> ended = WhyEnd(begun, 0, stop);
    if (!ended.has_value()) {
        LOG(INFO) << "f2fs collects garbage: " << result.dirty_before << " dirty segments";
        if (auto set = SetUrgent(true); !set.ok()) ended = set.error().message();
    }
    while (!ended.has_value()) {
        pauser_.Pause(kLook, stop);
        android::base::Result<uint64_t> written = Written(files_, device);
        if (!written.ok()) {
            ended = written.error().message();
            break;
        }
        result.written_bytes = *written - written_before;
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
    return SetUrgent(false);
}

}  // namespace storekeeper
