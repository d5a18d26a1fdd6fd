// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/record_file.h"

namespace storekeeper {

// Sizes that a discard of a disk can have, in bytes: multiples of `granularity` up to `largest`.
struct DiscardLimits {
    uint64_t granularity = 0;
    uint64_t largest = 0;
};

// Time of a discard on one chip: a part for each discard, and a part for each MiB of its range.
struct DiscardCost {
    std::chrono::nanoseconds fixed{};
    std::chrono::nanoseconds per_mib{};

    std::chrono::nanoseconds TimeOf(uint64_t bytes) const;
};

// Estimates the cost of a chip's discards from the steps of a run, and chooses their size.
//
// A sample is the mean over the discards of one step. A discard that waited for other requests took
// longer than the chip needs, so the lower quartile of the samples of each size counts; sizes are
// distinguished by half powers of two. Where two sizes were seen, one at least half as large again
// as the other, a line through the smallest and the largest gives both parts of the cost. Where one
// size was seen, the remembered cost is scaled to it.
class CardModel {
  public:
    // `remembered`: the estimate of an earlier run on this chip, if there is one.
    explicit CardModel(std::optional<DiscardCost> remembered) : remembered_(remembered) {}

    // Adds one step: the size to which the queue cut its discards, their number, their bytes, and
    // the time that they took together.
    void Record(uint64_t cut_bytes, uint64_t discards, uint64_t bytes,
                std::chrono::nanoseconds took);

    // The best estimate; absent before two sizes were seen on a chip that is not remembered.
    std::optional<DiscardCost> Estimate() const;

    // Time of a discard of this size: by the estimate, or in proportion to the one size that was
    // seen. Absent if nothing is known.
    std::optional<std::chrono::nanoseconds> TimeOf(uint64_t bytes) const;

    // The granularity times the largest power of two whose discard takes at most `budget`, or twice
    // its fixed part if that is more: smaller discards would be mostly overhead. The largest size
    // of all if that fits.
    //
    // An unknown chip gets 512 KiB first, or its granularity if that is larger. Later sizes are at
    // most twice the largest that was seen, or what the remembered cost allows: a line through two
    // samples with noise says little of larger discards. As long as one size was seen, the next
    // must fit a frame in proportion.
    uint64_t ChooseDiscardSize(const DiscardLimits& limits, std::chrono::nanoseconds budget) const;

  private:
    struct Sample {
        std::chrono::nanoseconds time;
        uint64_t bytes;
    };
    // The lower quartile of each size that was seen, by size.
    std::vector<Sample> LowerQuartiles() const;
    uint64_t LargestToTry(const DiscardLimits& limits, std::chrono::nanoseconds budget) const;

    const std::optional<DiscardCost> remembered_;
    std::map<int, std::vector<Sample>> samples_;  // key: twice the logarithm of their bytes
    uint64_t largest_seen_ = 0;                   // of the sizes of Record()
};

// The record `discards` of state.log keeps the estimate for the chip of /data.
std::optional<DiscardCost> FindDiscardCost(const RecordFile& records, const std::string& chip);
// Replaces the estimate in memory; the next RecordFile::Write() stores it.
void PutDiscardCost(RecordFile* records, const std::string& chip, const DiscardCost& cost);

}  // namespace storekeeper
