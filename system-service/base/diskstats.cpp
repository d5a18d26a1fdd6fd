// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "base/diskstats.h"

#include <android-base/parseint.h>
#include <sys/sysmacros.h>

#include <algorithm>

#include "base/tokens.h"
#include "base/try.h"

namespace storekeeper {
namespace {

using android::base::Error;
using android::base::Result;
using std::chrono::milliseconds;

// Major, minor and name precede the statistics.
constexpr size_t kNames = 3;
constexpr size_t kDiscarding = 15;
constexpr size_t kFlushing = 17;
// 3 names and 20 numbers of at most 20 digits each, with room for future fields.
constexpr size_t kMaxLine = 1024;
// The times of up to 8 devices of one file system can be added without overflow.
constexpr int64_t kMaxMilliseconds = INT64_MAX / 8;

using Fields = std::vector<std::string>;

Fields FieldsOf(std::string_view line) {
    // A longer line is invalid; it is not copied.
    if (line.size() > kMaxLine) return {};
    return Tokenize(line, " ");
}

std::optional<dev_t> DeviceOf(const Fields& fields) {
    unsigned major_number = 0;
    unsigned minor_number = 0;
    if (fields.size() < kNames || !android::base::ParseUint(fields[0], &major_number) ||
        !android::base::ParseUint(fields[1], &minor_number)) {
        return std::nullopt;
    }
    return makedev(major_number, minor_number);
}

// A statistic by its number in iostats.rst, counted from 1.
Result<uint64_t> Statistic(const Fields& fields, size_t number, uint64_t max = UINT64_MAX) {
    const size_t at = kNames + number - 1;
    if (fields.size() <= at) {
        return Error() << kDiskstatsPath << " has no statistic " << number << " for " << fields[2];
    }
    uint64_t value = 0;
    if (!android::base::ParseUint(fields[at], &value, max)) {
        return Error() << kDiskstatsPath << ": '" << fields[at] << "' is not a number";
    }
    return value;
}

Result<milliseconds> Milliseconds(const Fields& fields, size_t number) {
    return milliseconds(TRY(Statistic(fields, number, kMaxMilliseconds)));
}

Result<uint64_t> Bytes(const Fields& fields, size_t number) {
    return TRY(Statistic(fields, number, UINT64_MAX / kSectorBytes)) * kSectorBytes;
}

Result<DiskStats> StatsOf(const Fields& fields, dev_t device) {
    DiskStats stats{.device = device, .name = fields[2]};
    stats.reads = TRY(Statistic(fields, 1));
    stats.read_bytes = TRY(Bytes(fields, 3));
    stats.reading = TRY(Milliseconds(fields, 4));
    stats.writes = TRY(Statistic(fields, 5));
    stats.written_bytes = TRY(Bytes(fields, 7));
    stats.writing = TRY(Milliseconds(fields, 8));
    stats.in_flight = TRY(Statistic(fields, 9));
    stats.busy = TRY(Milliseconds(fields, 10));
    if (fields.size() >= kNames + kDiscarding) {
        stats.discards = TRY(Statistic(fields, 12));
        stats.discarded_bytes = TRY(Bytes(fields, 14));
        stats.discarding = TRY(Milliseconds(fields, kDiscarding));
    }
    if (fields.size() >= kNames + kFlushing) {
        stats.flushes = TRY(Statistic(fields, 16));
        stats.flushing = TRY(Milliseconds(fields, kFlushing));
    }
    return stats;
}

template <typename T>
void AddTo(std::optional<T>* sum, const std::optional<T>& part) {
    if (sum->has_value() && part.has_value()) {
        **sum += *part;
    } else {
        sum->reset();
    }
}

void AddTo(DiskStats* sum, const DiskStats& part) {
    sum->reads += part.reads;
    sum->read_bytes += part.read_bytes;
    sum->reading += part.reading;
    sum->writes += part.writes;
    sum->written_bytes += part.written_bytes;
    sum->writing += part.writing;
    sum->in_flight += part.in_flight;
    sum->busy += part.busy;
    AddTo(&sum->discards, part.discards);
    AddTo(&sum->discarded_bytes, part.discarded_bytes);
    AddTo(&sum->discarding, part.discarding);
    AddTo(&sum->flushes, part.flushes);
    AddTo(&sum->flushing, part.flushing);
}

}  // namespace

Result<std::vector<DiskStats>> ParseDiskstats(std::string_view diskstats) {
    std::vector<DiskStats> all;
    for (size_t number = 1; !diskstats.empty(); ++number) {
        const Fields fields = FieldsOf(NextLine(&diskstats));
        const std::optional<dev_t> device = DeviceOf(fields);
        if (!device.has_value()) {
            return Error() << kDiskstatsPath << ": line " << number << " has no disk";
        }
        all.push_back(TRY(StatsOf(fields, *device)));
    }
    return all;
}

Result<DiskStats> FindDiskStats(std::string_view diskstats, dev_t device) {
    while (!diskstats.empty()) {
        const Fields fields = FieldsOf(NextLine(&diskstats));
        if (DeviceOf(fields) == device) return StatsOf(fields, device);
    }
    return Error() << kDiskstatsPath << " has no line for device " << major(device) << ":"
                   << minor(device);
}

Result<DiskStats> SumDiskStats(std::string_view diskstats, const std::vector<dev_t>& devices) {
    DiskStats sum = TRY(FindDiskStats(diskstats, devices.front()));
    for (size_t i = 1; i < devices.size(); ++i) {
        AddTo(&sum, TRY(FindDiskStats(diskstats, devices[i])));
    }
    return sum;
}

Result<DiskStats> ReadDiskStats(const FileReader& files, const std::vector<dev_t>& devices) {
    return SumDiskStats(TRY(files.ReadTable(kDiskstatsPath)), devices);
}

}  // namespace storekeeper
