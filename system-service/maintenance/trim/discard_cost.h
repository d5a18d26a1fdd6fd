// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "base/record_file.h"

namespace storekeeper {

// What a discard takes on a card: a time for each, and a time for each MiB of its range.
struct DiscardCost {
    std::chrono::nanoseconds fixed{};
    std::chrono::nanoseconds per_mib{};

    std::chrono::nanoseconds Of(uint64_t bytes) const;

    bool operator==(const DiscardCost&) const = default;
};

// What the disk discarded during one FITRIM, as the kernel counts it.
struct DiscardSample {
    uint64_t limit_bytes = 0;  // discard_max_bytes at that time
    uint64_t discards = 0;
    uint64_t bytes = 0;
    std::chrono::nanoseconds took{};
};

// Learns from the discards of a pass what they cost, and how long the free extents are that they
// are cut from. Both follow from counts alone: nothing is discarded for the measurement.
class DiscardModel {
  public:
    // `known`: what an earlier run has measured on this card. It counts until this run has shown
    // what two different sizes cost.
    DiscardModel(uint64_t granularity, std::optional<DiscardCost> known);

    void Add(const DiscardSample& sample);

    // Where nothing was known and one size alone has been seen, half of the time is taken to be the
    // fixed one.
    DiscardCost cost() const { return cost_; }
    // This pass has seen what two sizes cost.
    bool is_measured() const { return is_measured_; }

    // Work for each MiB of what this pass discards, if discards had at most this size. Free extents
    // are taken to have lengths as an exponential distribution has them, with the mean that fits
    // the counts.
    std::chrono::nanoseconds WorkPerMib(uint64_t limit_bytes) const;

    // How long the discards so far would have taken in sizes of at most `limit_bytes`.
    std::chrono::nanoseconds WorkSoFar(uint64_t limit_bytes) const;

  private:
    double DiscardsPerMib(uint64_t limit_bytes, double mean_mib) const;
    void FitExtents();
    void FitCost();

    const double granularity_mib_;
    const std::optional<DiscardCost> known_;
    // By limit_bytes, added up.
    std::map<uint64_t, DiscardSample> samples_;
    double mib_ = 0;          // discarded in all
    double mean_extent_mib_;  // beyond one unit of the granularity
    DiscardCost cost_;
    bool is_measured_ = false;
};

// What earlier runs have measured, by chip: the record `discards`.

std::optional<DiscardCost> FindDiscardCost(const RecordFile& records, const std::string& chip);

// Puts the record, and leaves the writing to the caller. A few chips are remembered, the newest.
void PutDiscardCost(RecordFile* records, const std::string& chip, const DiscardCost& cost);

}  // namespace storekeeper
