// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "trim/diskstats.h"

#include <android-base/parseint.h>
#include <android-base/strings.h>
#include <sys/sysmacros.h>

#include <algorithm>
#include <string>
#include <vector>

namespace storekeeper {
namespace {

using android::base::Error;
using android::base::Result;

// Documentation/admin-guide/iostats.rst: major, minor and name, then the statistics. Number 14 is
// "sectors discarded", in units of 512 bytes whatever the device's sector size.
constexpr size_t kNames = 3;
constexpr size_t kDiscardedSectors = 14;
constexpr uint64_t kSectorBytes = 512;
// 3 names and 20 numbers of at most 20 digits, with room for fields to come.
constexpr size_t kMaxLine = 1024;

using Fields = std::vector<std::string>;

// The fields of a device's line.
Result<Fields> LineOf(std::string_view diskstats, dev_t device) {
    const std::string major_number = std::to_string(major(device));
    const std::string minor_number = std::to_string(minor(device));
    while (!diskstats.empty()) {
        size_t end = std::min(diskstats.find('\n'), diskstats.size());
        std::string_view line = diskstats.substr(0, end);
        diskstats.remove_prefix(std::min(end + 1, diskstats.size()));
        if (line.size() > kMaxLine) continue;
        Fields fields = android::base::Tokenize(std::string(line), " ");
        if (fields.size() > 2 && fields[0] == major_number && fields[1] == minor_number) {
            return fields;
        }
    }
    return Error() << "/proc/diskstats has no line for device " << major_number << ":"
                   << minor_number;
}

// A statistic by its number in the document, which counts from 1.
Result<uint64_t> Statistic(const Fields& fields, size_t number, uint64_t max = UINT64_MAX) {
    const size_t at = kNames + number - 1;
    if (fields.size() <= at) {
        return Error() << "/proc/diskstats has no statistic " << number << " for " << fields[2];
    }
    uint64_t value = 0;
    if (!android::base::ParseUint(fields[at], &value, max)) {
        return Error() << "/proc/diskstats: '" << fields[at] << "' is not a number";
    }
    return value;
}

Result<std::chrono::milliseconds> Milliseconds(const Fields& fields, size_t number) {
    return std::chrono::milliseconds(OR_RETURN(Statistic(fields, number, INT64_MAX)));
}

}  // namespace

Result<uint64_t> DiscardedBytes(std::string_view diskstats, dev_t device) {
    const Fields fields = OR_RETURN(LineOf(diskstats, device));
    if (fields.size() < kNames + kDiscardedSectors) {
        return Error() << "/proc/diskstats does not count discards (kernels before 4.18)";
    }
    return OR_RETURN(Statistic(fields, kDiscardedSectors, UINT64_MAX / kSectorBytes)) *
           kSectorBytes;
}

Result<DiskActivity> ActivityOf(std::string_view diskstats, dev_t device) {
    const Fields fields = OR_RETURN(LineOf(diskstats, device));
    DiskActivity activity;
    activity.reads = OR_RETURN(Statistic(fields, 1));
    activity.reading = OR_RETURN(Milliseconds(fields, 4));
    activity.writes = OR_RETURN(Statistic(fields, 5));
    activity.writing = OR_RETURN(Milliseconds(fields, 8));
    activity.written_bytes =
            OR_RETURN(Statistic(fields, 7, UINT64_MAX / kSectorBytes)) * kSectorBytes;
    activity.in_flight = OR_RETURN(Statistic(fields, 9));
    activity.busy = OR_RETURN(Milliseconds(fields, 10));
    return activity;
}

}  // namespace storekeeper
