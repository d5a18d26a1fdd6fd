// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <cstdint>

namespace storekeeper {

// Log-linear buckets of times in nanoseconds: 32 for each power of two, so none is wider than 1/32
// (3.1 %) of its lower end. The numbers are stored: a change needs a migration of the history.
inline constexpr unsigned kBucketBits = 5;
// Times from 2^40 ns (18 minutes) on share the last bucket.
inline constexpr unsigned kBucketTop = 40;
inline constexpr uint32_t kBuckets = (kBucketTop - kBucketBits + 1) << kBucketBits;

// The bucket of a time in nanoseconds.
constexpr uint32_t BucketOf(uint64_t nanoseconds) {
    if (nanoseconds < uint64_t{1} << kBucketBits) return static_cast<uint32_t>(nanoseconds);
    if (nanoseconds >= uint64_t{1} << kBucketTop) return kBuckets - 1;
    const unsigned octave = 63 - static_cast<unsigned>(__builtin_clzll(nanoseconds)) - kBucketBits;
    return (octave << kBucketBits) + static_cast<uint32_t>(nanoseconds >> octave);
}

// The shortest time in a bucket, in nanoseconds.
constexpr uint64_t BucketStart(uint32_t bucket) {
    const uint32_t octave = bucket >> kBucketBits;
    const uint64_t within = bucket & ((1U << kBucketBits) - 1);
    if (octave == 0) return bucket;
    return (within + (1U << kBucketBits)) << (octave - 1);
}

}  // namespace storekeeper
