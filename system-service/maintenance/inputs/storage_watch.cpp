// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "maintenance/inputs/storage_watch.h"

#include <android-base/strings.h>

#include <algorithm>
#include <array>
#include <string>

#include "base/diskstats.h"
#include "base/io_pressure.h"
#include "base/try.h"

namespace storekeeper {
namespace {

using android::base::Error;
using android::base::Result;

// A look longer ago says nothing of now; a shorter one is within the counter's grain.
constexpr BootTime kMaxWindow = std::chrono::minutes(30);
constexpr BootTime kMinWindow = std::chrono::seconds(1);

// Devices whose requests another device serves, or memory.
bool IsVirtual(const std::string& name) {
    constexpr std::array<std::string_view, 6> kPrefixes = {"loop", "ram", "zram",
                                                           "dm-",  "md",  "sr"};
    return std::any_of(kPrefixes.begin(), kPrefixes.end(), [&](std::string_view prefix) {
        return android::base::StartsWith(name, prefix);
    });
}

}  // namespace

Result<BusiestDisk> FindBusiestDisk(std::string_view diskstats) {
    BusiestDisk busiest;
    bool found = false;
    for (const DiskStats& disk : TRY(ParseDiskstats(diskstats))) {
        if (IsVirtual(disk.name)) continue;
        found = true;
        busiest.in_flight = std::max(busiest.in_flight, disk.in_flight);
        busiest.busy = std::max(busiest.busy, disk.busy);
    }
    if (!found) return Error() << kDiskstatsPath << ": no disk is listed";
    return busiest;
}

std::optional<int> StorageWatch::BusySinceLastLook(const BusiestDisk& activity, bool look) {
    const BootTime now = clock_.SinceBoot();
    const BootTime window = now - last_look_;
    if (last_.has_value() && window < kMinWindow) return last_percent_;
    std::optional<int> percent;
    if (last_.has_value() && window <= kMaxWindow) {
        // The busiest disk may have become another one: then its counter is the larger.
        const BootTime busy = std::max(BootTime(0), BootTime(activity.busy - last_->busy));
        percent = static_cast<int>(std::min(int64_t{100}, int64_t{busy * 100 / window}));
    }
    if (look) {
        last_ = activity;
        last_look_ = now;
        last_percent_ = percent;
    }
    return percent;
}

Result<StorageReading> StorageWatch::Read() {
    return Measure(true);
}

Result<StorageReading> StorageWatch::Peek() {
    return Measure(false);
}

Result<StorageReading> StorageWatch::Measure(bool look) {
    const BusiestDisk activity = TRY(FindBusiestDisk(TRY(files_.ReadTable(kDiskstatsPath))));
    StorageReading reading{.in_flight = static_cast<int64_t>(activity.in_flight)};
    const std::optional<int> since = BusySinceLastLook(activity, look);
    Result<IoPressure> pressure = [this]() -> Result<IoPressure> {
        return ParseIoPressure(TRY(files_.ReadTable(kIoPressurePath)));
    }();
    if (pressure.ok()) {
        reading.busy_percent = pressure->avg10_percent;
        reading.source = "I/O stall time of the last 10 s";
    } else if (since.has_value()) {
        reading.busy_percent = since;
        reading.source = "disk busy time since the last check";
    } else {
        reading.source = "no measurement yet";
    }
    return reading;
}

}  // namespace storekeeper
