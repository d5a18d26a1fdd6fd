// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "latency/latency_collector.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

#include "base/try.h"
#include "mounts/block_device.h"

namespace storekeeper {
namespace {

using android::base::Error;
using android::base::Result;
using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr char kFirstLook[] = "first sample taken; figures follow with the next";

// Wrap of unsigned int, and of unsigned long in 32-bit kernels (block/genhd.c, diskstats_show).
constexpr uint64_t kWrap = uint64_t{1} << 32;

struct Counters {
    IoKind kind = IoKind::kRead;
    std::optional<uint64_t> count;
    std::optional<milliseconds> time;
};

std::array<Counters, 4> CountersOf(const DiskStats& stats) {
    return {Counters{IoKind::kRead, stats.reads, stats.reading},
            Counters{IoKind::kWrite, stats.writes, stats.writing},
            Counters{IoKind::kFlush, stats.flushes, stats.flushing},
            Counters{IoKind::kDiscard, stats.discards, stats.discarding}};
}

// Increase of a counter. A decrease is a wrap if it leads from the upper to the lower half of 32
// bits; otherwise nullopt.
std::optional<uint64_t> IncreaseAcrossWrap(uint64_t before, uint64_t after) {
    if (after >= before) return after - before;
    if (before >= kWrap || before < kWrap / 2 || after >= kWrap / 2) return std::nullopt;
    return after + kWrap - before;
}

// Increase of a byte counter; nullopt if it was reset.
std::optional<uint64_t> IncreaseUnlessReset(uint64_t before, uint64_t after) {
    if (after < before) return std::nullopt;
    return after - before;
}

template <typename T>
void Put(Result<std::vector<T>> measured, std::vector<T>* to, std::string* problem) {
    if (measured.ok()) {
        std::move(measured->begin(), measured->end(), std::back_inserter(*to));
    } else {
        *problem = measured.error().message();
    }
}

}  // namespace

Result<std::vector<LatencySample>> DiskLatency(const DiskStats& before, const DiskStats& after,
                                               WallTime wall, seconds span) {
    if (before.device != after.device || before.name != after.name) {
        return Error() << "counters of " << after.name << " and " << before.name
                       << " have nothing in common";
    }
    if (span <= seconds(0)) {
        return Error() << "no time between two looks at the counters of " << after.name;
    }
    const auto old_counters = CountersOf(before);
    const auto new_counters = CountersOf(after);
    std::vector<LatencySample> samples;
    int backwards = 0;
    for (size_t i = 0; i < new_counters.size(); ++i) {
        const Counters& then = old_counters[i];
        const Counters& now = new_counters[i];
        if (!then.count || !now.count || !then.time || !now.time) continue;
        // One counter may wrap between two readings. Several decreases mean a reset.
        if (*now.count < *then.count && ++backwards > 1) {
            return Error() << "the counters of " << after.name << " began anew";
        }
        const std::optional<uint64_t> count = IncreaseAcrossWrap(*then.count, *now.count);
        const std::optional<uint64_t> time =
                IncreaseAcrossWrap(static_cast<uint64_t>(then.time->count()),
                                   static_cast<uint64_t>(now.time->count()));
        if (!count || !time) {
            return Error() << "a counter of " << after.name << " (" << IoKindName(now.kind)
                           << ") went backwards";
        }
        if (*count == 0) continue;
        // A kernel without counters for discards counts them as writes.
        if (now.kind == IoKind::kWrite && !after.discards.has_value()) continue;
        samples.push_back({.wall = wall,
                           .span = span,
                           .source = LatencySource::kDiskstats,
                           .kind = now.kind,
                           .count = *count,
                           .total = milliseconds(*time)});
    }
    return samples;
}

LatencyReadings LatencyCollector::Measure(const std::vector<dev_t>& disks,
                                          const std::vector<dev_t>& filesystem) {
    LatencyReadings readings;
    if (disks_ != disks) disks_before_.reset();
    if (filesystem_ != filesystem) filesystem_before_.reset();
    const BootTime now = clock_.SinceBoot();
    const WallTime wall = clock_.Wall();
    const seconds span = std::chrono::duration_cast<seconds>(now - last_);
    LatencyProblems& problems = readings.problems;
    const std::optional<DiskStats> before = disks_before_;
    Put(MeasureDisks(disks, wall, span), &readings.samples, &problems.diskstats);
    readings.wall = wall;
    readings.span = span;
    if (before.has_value() && disks_before_.has_value() && disks_before_->discards.has_value()) {
        readings.disk_bytes =
                IncreaseUnlessReset(before->written_bytes, disks_before_->written_bytes);
    }
    Put(MeasureUids(), &readings.uids, &problems.uid_io);
    readings.filesystem_bytes = MeasureFilesystem(filesystem);
    disks_ = disks;
    filesystem_ = filesystem;
    last_ = now;
    return readings;
}

LatencyReadings LatencyCollector::MeasureProbe(const StopSignal& stop) {
    LatencyReadings readings;
    Put(RunProbe(stop), &readings.samples, &readings.problems.probe);
    return readings;
}

LatencyCollector::Samples LatencyCollector::RunProbe(const StopSignal& stop) {
    if (sources_.probe == nullptr) return Error() << "off";
    std::vector<LatencySample> samples = TRY(sources_.probe->Run(stop));
    if (samples.empty()) {
        return Error() << "daily I/O budget used up, or the probe file is not complete yet";
    }
    return samples;
}

Result<DiskStats> LatencyCollector::ReadDisks(const std::vector<dev_t>& disks) const {
    const Result<std::string> table = files_.ReadTable(kDiskstatsPath);
    if (table.ok()) return SumDiskStats(*table, disks);
    if (sources_.hal == nullptr) return android::base::unexpected(table.error());
    const Result<std::vector<HalDiskStats>> answer = sources_.hal->Disks();
    Result<DiskStats> reported = answer.ok() ? CheckedDisk(*answer) : Error() << answer.error();
    if (!reported.ok()) return Error() << table.error() << "; health HAL: " << reported.error();
    reported->device = disks.front();
    return reported;
}

LatencyCollector::Samples LatencyCollector::MeasureDisks(const std::vector<dev_t>& disks,
                                                         WallTime wall, seconds span) {
    const std::optional<DiskStats> before = std::exchange(disks_before_, std::nullopt);
    const std::string uncounted = WhyNotCounted(files_, disks);
    if (!uncounted.empty()) return Error() << uncounted;
    disks_before_ = TRY(ReadDisks(disks));
    if (!before.has_value()) return Error() << kFirstLook;
    return DiskLatency(*before, *disks_before_, wall, span);
}

Result<std::vector<UidIo>> LatencyCollector::MeasureUids() {
    if (!files_.Exists(kUidIoPath)) return Error() << "the kernel has no " << kUidIoPath;
    std::vector<UidIo> now = TRY(ParseUidIo(TRY(files_.ReadTable(kUidIoPath))));
    const auto before = std::exchange(uids_before_, std::move(now));
    if (!before.has_value()) return Error() << kFirstLook;
    return UidDelta(*before, *uids_before_);
}

std::optional<uint64_t> LatencyCollector::MeasureFilesystem(const std::vector<dev_t>& devices) {
    const std::optional<uint64_t> before = std::exchange(filesystem_before_, std::nullopt);
    if (devices.empty() || !WhyNotCounted(files_, devices).empty()) return std::nullopt;
    const Result<DiskStats> now = ReadDiskStats(files_, devices);
    if (!now.ok() || !now->discards.has_value()) return std::nullopt;
    filesystem_before_ = now->written_bytes;
    return before.has_value() ? IncreaseUnlessReset(*before, now->written_bytes) : std::nullopt;
}

}  // namespace storekeeper
