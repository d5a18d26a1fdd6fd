// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "maintenance/canary/canary_layout.h"

#include <algorithm>

#include "base/quantity_text.h"

namespace storekeeper {
namespace {

using android::base::Error;
using android::base::Result;

// Gap of a canary of which everything is written.
constexpr uint64_t kShortestGap = kCanaryWrittenBytes - 2 * kCanaryKeptBytes;
// A trial must not reserve more of a file system, not even briefly.
constexpr uint64_t kLongestGap = 64 << 20;

// Joins extents that are contiguous in the file and on the device.
std::vector<FileExtent> Runs(std::vector<FileExtent> extents) {
    std::sort(extents.begin(), extents.end(), [](const FileExtent& one, const FileExtent& other) {
        return one.logical < other.logical;
    });
    std::vector<FileExtent> runs;
    for (const FileExtent& extent : extents) {
        if (!runs.empty() && runs.back().logical + runs.back().length == extent.logical &&
            runs.back().physical + runs.back().length == extent.physical) {
            runs.back().length += extent.length;
        } else {
            runs.push_back(extent);
        }
    }
    return runs;
}

Result<CanaryPlan> TooCoarse(uint64_t granularity) {
    return Error() << "the device discards in units of " << SizeText(granularity)
                   << ", which is more than a canary takes";
}

}  // namespace

Result<CanaryPlan> PlanCanary(const std::string& filesystem, uint64_t block_bytes,
                              uint64_t granularity, uint64_t written_before) {
    // f2fs writes its log in order and trims pieces of any length.
    if (filesystem == "f2fs") {
        if (granularity >= kF2fsSegmentBlocks * block_bytes) return TooCoarse(granularity);
        return CanaryPlan{.gap_bytes = kF2fsCanaryWrittenBytes - 2 * kCanaryKeptBytes,
                          .min_gap_bytes = kCanaryKeptBytes,
                          .most_written_bytes = kF2fsCanaryWrittenBytes,
                          // Blocks of other files may have got between those of the last canary.
                          .own_log = written_before == 0};
    }
    if (filesystem != "ext4") {
        return Error() << "no canary is placed on a file system of type " << filesystem;
    }
    if (granularity > kLongestGap) return TooCoarse(granularity);
    const uint64_t whole = (granularity + kCanaryKeptBytes - 1) / kCanaryKeptBytes;
    return CanaryPlan{.gap_bytes = std::max(kShortestGap, whole * kCanaryKeptBytes),
                      .min_gap_bytes = std::max(kCanaryKeptBytes, granularity),
                      .reserve = true};
}

std::optional<CanaryGap> PlaceGap(const CanaryPlan& plan, std::vector<FileExtent> extents) {
    const std::vector<FileExtent> runs = Runs(std::move(extents));
    const auto longest = std::max_element(runs.begin(), runs.end(),
                                          [](const FileExtent& one, const FileExtent& other) {
                                              return one.length < other.length;
                                          });
    if (longest == runs.end()) return std::nullopt;
    // A part that is not written must not be kept.
    if (!plan.is_written_whole() && longest->length < plan.size()) return std::nullopt;
    // FIEMAP may report blocks behind the end of the file.
    const uint64_t length = std::min(longest->length, plan.size());
    if (length < plan.min_gap_bytes + 2 * kCanaryKeptBytes) return std::nullopt;
    return CanaryGap{.offset = longest->logical + kCanaryKeptBytes,
                     .length = length - 2 * kCanaryKeptBytes,
                     .physical = longest->physical + kCanaryKeptBytes};
}

bool LieBesideGap(const CanaryGap& gap, const std::vector<FileExtent>& extents, uint64_t offset,
                  uint64_t length) {
    uint64_t found = 0;
    for (const FileExtent& extent : extents) {
        const uint64_t from = std::max(offset, extent.logical);
        const uint64_t to = std::min(offset + length, extent.logical + extent.length);
        if (from >= to) continue;
        // Unsigned differences: an extent before the gap wraps around in both alike.
        if (extent.physical - extent.logical != gap.physical - gap.offset) return false;
        found += to - from;
    }
    return found == length;
}

}  // namespace storekeeper
