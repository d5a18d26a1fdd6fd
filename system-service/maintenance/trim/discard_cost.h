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

// What a discard takes on a card: a time for each, and a time for each MiB of its range.
struct DiscardCost {
    std::chrono::nanoseconds fixed{};
    std::chrono::nanoseconds per_mib{};

    std::chrono::nanoseconds Of(uint64_t bytes) const;

    bool operator==(const DiscardCost&) const = default;
};

// What the disk discarded during one FITRIM, as the kernel counts it.
struct DiscardSample {
    uint64_t limit_bytes = 0;  // no discard was larger: discard_max_bytes at that time, or less
    uint64_t discards = 0;
    uint64_t bytes = 0;
    std::chrono::nanoseconds took{};
    uint64_t extents = 0;  // that were free; 0: not known
    // It waited for others' requests, and took longer than discards do.
    bool waited = false;
};

// Sizes that differ by less do not show what the fixed part is: a card whose reads and writes let
// the larger discards wait seems to take longer for them.
inline constexpr double kFarApart = 4;

// Learns from the discards of a pass what they cost, and how long the free extents are that they
// are cut from. Both follow from counts alone: nothing is discarded for the measurement.
class DiscardModel {
  public:
    // `known`: what an earlier run has measured on this card. It counts until this run has shown
    // what two different sizes cost.
    DiscardModel(uint64_t granularity, std::optional<DiscardCost> known);

    void Add(const DiscardSample& sample);
    // Free extents of this length there are, or are as many as the pass will find: their lengths
    // are no longer guessed. `length` is not 0.
    void AddExtents(uint64_t number, uint64_t length);

    // Of AddExtents().
    uint64_t extents() const { return number_; }

    // Discarded so far.
    double mib() const { return mib_; }

    // Where nothing was known and one size alone has been seen, half of the time is taken to be the
    // fixed one.
    DiscardCost cost() const { return cost_; }
    // This pass has seen what two sizes cost.
    bool is_measured() const { return is_measured_; }
    // How many times the smallest size the largest one is, of those of which this pass has seen so
    // many discards; 1 where it has not.
    double Spread(uint64_t discards) const;

    // Discards for each MiB of what this pass discards, if discards had at most this size.
    double DiscardsPerMib(uint64_t limit_bytes) const;

    // Work for each MiB of what this pass discards, if discards had at most this size. Free extents
    // have the lengths of AddExtents(), or are taken to have lengths as an exponential distribution
    // has them, with the mean that fits the counts.
    std::chrono::nanoseconds WorkPerMib(uint64_t limit_bytes) const;

    // How many discards an extent of this length is in sizes of at most `limit_bytes`.
    double DiscardsOf(uint64_t extent_bytes, uint64_t limit_bytes) const;

    // Which share of what is free, in per cent, lies in extents of AddExtents() that are longer.
    // 100 where none are known.
    int PercentLongerThan(uint64_t bytes) const;

    // How much longer than this the extents of AddExtents() take that do, each in one discard, for
    // each MiB of all of them. At least one was added.
    std::chrono::nanoseconds BeyondPerMib(std::chrono::nanoseconds time) const;

    // What a discard of that size takes at most: nothing of what one has taken so far was fixed.
    // Absent before the first.
    std::optional<std::chrono::nanoseconds> AtMost(uint64_t bytes) const;

    // How long the discards so far would have taken in sizes of at most `limit_bytes`, among the
    // requests of those that they waited for.
    std::chrono::nanoseconds WorkSoFar(uint64_t limit_bytes) const;

    // The same for a size that no free extent exceeds, or hardly any.
    std::chrono::nanoseconds WholeSoFar(uint64_t limit_bytes) const;

  private:
    double DiscardsPerMib(uint64_t limit_bytes, double mean_mib) const;
    double DiscardsPerMibOfExtents(uint64_t limit_bytes) const;
    void FitExtents();
    void FitCost();
    // What shows the cost of discards of at most this size.
    const DiscardSample& Showing(uint64_t limit_bytes) const;
    // Of all sizes.
    std::vector<DiscardSample> Showing() const;
    // By those that waited for nobody; absent where they do not show it.
    std::optional<DiscardCost> CostOfAlone() const;
    // How many times what they cost discards take that fill the disk, by those so far.
    double Waiting() const;

    const double granularity_mib_;
    const std::optional<DiscardCost> known_;
    // By limit_bytes, added up.
    std::map<uint64_t, DiscardSample> samples_;
    // Of those, what waited for nobody.
    std::map<uint64_t, DiscardSample> alone_;
    double mib_ = 0;             // discarded in all
    uint64_t extents_ = 0;       // that were discarded
    bool knows_extents_ = true;  // all of them
    // Free extents: how many of which length, the latter to some precision.
    std::map<uint64_t, uint64_t> lengths_;
    uint64_t number_ = 0;     // of them
    double mean_extent_mib_;  // beyond one unit of the granularity
    DiscardCost cost_;
    bool is_measured_ = false;
};

// What earlier runs have measured, by chip: the record `discards`.

std::optional<DiscardCost> FindDiscardCost(const RecordFile& records, const std::string& chip);

// Puts the record, and leaves the writing to the caller. A few chips are remembered, the newest.
void PutDiscardCost(RecordFile* records, const std::string& chip, const DiscardCost& cost);

}  // namespace storekeeper
