// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "latency/histogram.h"

#include <algorithm>

#include "base/try.h"
#include "latency/histogram_buckets.h"

namespace storekeeper {
namespace {

using android::base::Error;
using android::base::Result;

// LEB128 holds seven bits per byte, lowest first; the eighth bit announces another byte.
constexpr unsigned kGroupBits = 7;
constexpr uint8_t kMore = 0x80;
constexpr unsigned kWordBits = 64;

void PutNumber(uint64_t number, std::string* to) {
    while (number >= kMore) {
        to->push_back(static_cast<char>(number | kMore));
        number >>= kGroupBits;
    }
    to->push_back(static_cast<char>(number));
}

Result<uint64_t> TakeNumber(std::string_view* from) {
    uint64_t number = 0;
    for (unsigned shift = 0; shift < kWordBits; shift += kGroupBits) {
        if (from->empty()) return Error() << "histogram: ends within a number";
        const uint8_t byte = static_cast<uint8_t>(from->front());
        from->remove_prefix(1);
        const uint64_t bits = byte & (kMore - 1);
        if (bits != 0 && bits > UINT64_MAX >> shift) break;
        number |= bits << shift;
        if ((byte & kMore) == 0) return number;
    }
    return Error() << "histogram: a number of more than 64 bits";
}

}  // namespace

void Histogram::Add(std::chrono::nanoseconds time, uint64_t count) {
    // A clock that runs backwards is not the storage's fault: count the time as 0.
    AddToBucket(BucketOf(static_cast<uint64_t>(std::max<int64_t>(time.count(), 0))), count);
}

void Histogram::AddToBucket(uint32_t bucket, uint64_t count) {
    if (count == 0) return;
    count_ += count;
    bucket = std::min<uint32_t>(bucket, kBuckets - 1);
    const auto at = std::lower_bound(buckets_.begin(), buckets_.end(), bucket,
                                     [](const Bucket& b, uint32_t n) { return b.number < n; });
    if (at == buckets_.end() || at->number != bucket) {
        buckets_.insert(at, {bucket, count});
    } else {
        at->count += count;
    }
}

void Histogram::Merge(const Histogram& other) {
    for (const auto& [bucket, count] : other.buckets_) AddToBucket(bucket, count);
}

std::optional<std::chrono::nanoseconds> Histogram::Percentile(double percent) const {
    if (count_ == 0) return std::nullopt;
    const double wanted = std::clamp(percent, 0.0, 100.0) / 100 * static_cast<double>(count_);
    double below = 0;
    for (const auto& [bucket, count] : buckets_) {
        if (below + static_cast<double>(count) >= wanted) {
            const auto start = static_cast<double>(BucketStart(bucket));
            const auto end = static_cast<double>(BucketStart(bucket + 1));
            const double part = (wanted - below) / static_cast<double>(count);
            // Rounds to the nearest nanosecond.
            return std::chrono::nanoseconds(
                    static_cast<int64_t>(start + (end - start) * part + 0.5));
        }
        below += static_cast<double>(count);
    }
    return std::chrono::nanoseconds(BucketStart(buckets_.back().number + 1));
}

std::string Histogram::Encode() const {
    std::string bytes;
    uint32_t last = 0;
    for (const auto& [bucket, count] : buckets_) {
        PutNumber(bucket - last, &bytes);
        PutNumber(count, &bytes);
        last = bucket;
    }
    return bytes;
}

Result<Histogram> Histogram::Decode(std::string_view bytes) {
    Histogram histogram;
    uint64_t bucket = 0;
    while (!bytes.empty()) {
        const uint64_t distance = TRY(TakeNumber(&bytes));
        const uint64_t count = TRY(TakeNumber(&bytes));
        if (distance >= kBuckets || bucket + distance >= kBuckets) {
            return Error() << "histogram: bucket " << bucket << " + " << distance << " of "
                           << kBuckets;
        }
        if (distance == 0 && histogram.count_ != 0) {
            return Error() << "histogram: bucket " << bucket << " twice";
        }
        if (count == 0 || count > UINT64_MAX - histogram.count_) {
            return Error() << "histogram: bucket " << bucket + distance << " counts " << count;
        }
        bucket += distance;
        histogram.AddToBucket(static_cast<uint32_t>(bucket), count);
    }
    return histogram;
}

}  // namespace storekeeper
