// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "platform/storage_watch.h"

#include <android-base/parseint.h>
#include <android-base/strings.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

namespace storekeeper {
namespace {

using android::base::Error;
using android::base::ParseInt;
using android::base::Result;
using std::chrono::duration_cast;
using std::chrono::milliseconds;

constexpr char kDiskstats[] = "/proc/diskstats";
constexpr char kPressure[] = "/proc/pressure/io";
// Longer than any line of either file.
constexpr size_t kMaxLine = 512;
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

// "2.41" as a percentage, rounded up.
std::optional<int> ParsePercent(const std::string& text) {
    std::vector<std::string> parts = android::base::Split(text, ".");
    int whole = 0;
    int hundredths = 0;
    if (parts.size() != 2 || parts[1].size() != 2 || !ParseInt(parts[0], &whole, 0, 100) ||
        !ParseInt(parts[1], &hundredths, 0, 99)) {
        return std::nullopt;
    }
    return std::min(100, whole + (hundredths > 0 ? 1 : 0));
}

}  // namespace

Result<BusiestDisk> ParseBusiestDisk(std::string_view diskstats) {
    BusiestDisk busiest;
    bool found = false;
    size_t number = 0;
    for (const std::string& line : android::base::Split(std::string(diskstats), "\n")) {
        ++number;
        if (line.empty()) continue;
        if (line.size() > kMaxLine) return Error() << "line " << number << " is too long";
        std::vector<std::string> words = android::base::Tokenize(line, " ");
        BusiestDisk disk;
        // major, minor, name, then the fields from 1 on.
        if (words.size() < 14 || !ParseInt(words[11], &disk.in_flight, int64_t{0}) ||
            !ParseInt(words[12], &disk.busy_ms, int64_t{0})) {
            return Error() << "line " << number << " has no disk's counters";
        }
        if (IsVirtual(words[2])) continue;
        found = true;
        busiest.in_flight = std::max(busiest.in_flight, disk.in_flight);
        busiest.busy_ms = std::max(busiest.busy_ms, disk.busy_ms);
    }
    if (!found) return Error() << "no disk is listed";
    return busiest;
}

Result<int> ParseIoPressure(std::string_view pressure) {
    constexpr std::string_view kStart = "some avg10=";
    if (!android::base::StartsWith(pressure, kStart)) return Error() << "no 'some avg10='";
    pressure.remove_prefix(kStart.size());
    std::string text(pressure.substr(0, std::min(pressure.find(' '), size_t{16})));
    std::optional<int> percent = ParsePercent(text);
    if (!percent.has_value()) return Error() << "avg10 is '" << text << "'";
    return *percent;
}

std::optional<int> StorageWatch::BusySinceLastLook(const BusiestDisk& activity) {
    const BootTime now = clock_.SinceBoot();
    const BootTime window = now - last_look_;
    std::optional<int> percent;
    if (last_.has_value() && window >= kMinWindow && window <= kMaxWindow) {
        // The busiest disk may have become another one: then its counter is the larger.
        const int64_t busy = std::max<int64_t>(0, activity.busy_ms - last_->busy_ms);
        percent = static_cast<int>(
                std::min<int64_t>(100, busy * 100 / duration_cast<milliseconds>(window).count()));
    }
    if (!last_.has_value() || window >= kMinWindow) {
        last_ = activity;
        last_look_ = now;
    }
    return percent;
}

Result<StorageReading> StorageWatch::Read() {
    Result<BusiestDisk> activity = [this]() -> Result<BusiestDisk> {
        return ParseBusiestDisk(OR_RETURN(files_.ReadTable(kDiskstats)));
    }();
    if (!activity.ok()) return Error() << kDiskstats << ": " << activity.error().message();
    StorageReading reading{.in_flight = activity->in_flight};
    const std::optional<int> since = BusySinceLastLook(*activity);
    Result<int> pressure = [this]() -> Result<int> {
        return ParseIoPressure(OR_RETURN(files_.ReadTable(kPressure)));
    }();
    if (pressure.ok()) {
        reading.busy_percent = *pressure;
        reading.source = "waited for in the last 10 s";
    } else if (since.has_value()) {
        reading.busy_percent = since;
        reading.source = "at work since the last look";
    } else {
        reading.source = "no measure of the past yet";
    }
    return reading;
}

}  // namespace storekeeper
