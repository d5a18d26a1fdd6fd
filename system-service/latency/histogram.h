// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/result.h>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace storekeeper {

// Counts of times in fixed buckets (histogram_buckets.h). Histograms of any two devices or days add
// up without loss.
class Histogram {
  public:
    struct Bucket {
        uint32_t number;
        uint64_t count;

        bool operator==(const Bucket&) const = default;
    };

    void Add(std::chrono::nanoseconds time, uint64_t count = 1);
    void AddToBucket(uint32_t bucket, uint64_t count);
    void Merge(const Histogram& other);

    uint64_t count() const { return count_; }
    // Ascending by number; no bucket is empty.
    const std::vector<Bucket>& buckets() const { return buckets_; }

    // The time that `percent` (0 to 100) of all counted times do not exceed, interpolated linearly
    // within a bucket. Absent if nothing was counted.
    std::optional<std::chrono::nanoseconds> Percentile(double percent) const;

    // Serializes the buckets: for each its distance to the previous one and its count, both as
    // LEB128.
    std::string Encode() const;
    // The error describes the defect of the bytes.
    static android::base::Result<Histogram> Decode(std::string_view bytes);

    bool operator==(const Histogram&) const = default;

  private:
    std::vector<Bucket> buckets_;
    uint64_t count_ = 0;
};

}  // namespace storekeeper
