// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "writers/cost.h"

#include <unistd.h>

#include <algorithm>
#include <tuple>

namespace storekeeper {
namespace {

constexpr int64_t kDaysPerYear = 365;
constexpr double kPercentPerStep = 10;
// A descriptor block, the blocks of inode, bitmap and group, and the commit block, 4 KiB each. On
// ext4 in the virtual phone an append with an fsync wrote 20548 bytes more than its data.
constexpr uint64_t kJournalCommit = 20 << 10;

// total * part / whole, rounded down; 0 if `whole` is 0. Exact to a byte below 2^52. On 32-bit ARM
// long double is no wider than double.
uint64_t ShareOf(uint64_t total, uint64_t part, uint64_t whole) {
    if (whole == 0) return 0;
    return static_cast<uint64_t>(static_cast<double>(total) * static_cast<double>(part) /
                                 static_cast<double>(whole));
}

// Limits a share to the bytes that are left, because floating point may round up.
uint64_t TakeUpTo(uint64_t wanted, uint64_t* left) {
    const uint64_t taken = std::min(wanted, *left);
    *left -= taken;
    return taken;
}

}  // namespace

std::vector<uint64_t> AttributeBytes(const std::vector<UidIo>& writers,
                                     std::optional<uint64_t> filesystem_bytes,
                                     uint64_t bytes_per_fsync) {
    uint64_t written = 0;
    uint64_t fsyncs = 0;
    for (const UidIo& writer : writers) {
        written += writer.written_bytes;
        fsyncs += writer.fsyncs;
    }
    // A queue with iostats off counts nothing.
    const uint64_t counted = filesystem_bytes.value_or(0);
    const uint64_t device = counted == 0 ? written : counted;
    const uint64_t more = device - std::min(device, written);
    // If no bytes were written, the fsyncs caused all of it.
    const uint64_t for_fsyncs =
            written == 0 ? more : std::min(more, ShareOf(bytes_per_fsync, fsyncs, 1));
    uint64_t left = device;
    std::vector<uint64_t> bytes;
    bytes.reserve(writers.size());
    for (const UidIo& writer : writers) {
        const uint64_t wanted = ShareOf(device - for_fsyncs, writer.written_bytes, written) +
                                ShareOf(for_fsyncs, writer.fsyncs, fsyncs);
        bytes.push_back(TakeUpTo(wanted, &left));
    }
    return bytes;
}

uint64_t BytesPerFsync(std::string_view filesystem) {
    return filesystem == "f2fs" ? 0 : kJournalCommit;
}

bool IsFsyncStorm(uint64_t fsyncs_per_day, uint64_t bytes_per_day, uint64_t page_bytes) {
    return fsyncs_per_day >= kStormFsyncsPerDay &&
           fsyncs_per_day > bytes_per_day / (kStormPagesPerFsync * page_bytes);
}

std::vector<UidCost> CostOfUids(std::span<const UidRow> totals, int64_t days,
                                std::optional<uint64_t> bytes_per_step, size_t most) {
    std::vector<UidCost> costs;
    if (days <= 0) return costs;
    const auto page_bytes = static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
    const auto per_day = [days](uint64_t count) { return count / static_cast<uint64_t>(days); };
    for (const UidRow& total : totals) {
        if (total.uid == UidRow::kOthers) continue;
        UidCost cost{.uid = total.uid,
                     .bytes_per_day = per_day(total.written_bytes),
                     .device_bytes_per_day = per_day(total.device_bytes),
                     .fsyncs_per_day = per_day(total.fsyncs)};
        cost.fsync_storm = IsFsyncStorm(cost.fsyncs_per_day, cost.bytes_per_day, page_bytes);
        if (bytes_per_step.value_or(0) != 0) {
            cost.life_pct_per_year = static_cast<double>(cost.device_bytes_per_day) * kDaysPerYear /
                                     static_cast<double>(*bytes_per_step) * kPercentPerStep;
        }
        costs.push_back(cost);
    }
    std::sort(costs.begin(), costs.end(), [](const UidCost& a, const UidCost& b) {
        return std::tuple(b.device_bytes_per_day, a.uid) <
               std::tuple(a.device_bytes_per_day, b.uid);
    });
    if (costs.size() > most) costs.resize(most);
    return costs;
}

}  // namespace storekeeper
