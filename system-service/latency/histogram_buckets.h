/* SPDX-License-Identifier: Apache-2.0 OR GPL-2.0-only */
/* Copyright (C) 2026 The Storekeeper Project */

/* Log-linear buckets of times in nanoseconds, in C: a BPF program shares them. */

#ifndef STOREKEEPER_LATENCY_HISTOGRAM_BUCKETS_H_
#define STOREKEEPER_LATENCY_HISTOGRAM_BUCKETS_H_

/* Each power of two has 32 buckets: none is wider than 1/32 (3.1 %) of its lower end. */
#define STOREKEEPER_BUCKET_BITS 5
/* Times from 2^40 ns (18 minutes) on share the last bucket. */
#define STOREKEEPER_BUCKET_TOP 40
#define STOREKEEPER_BUCKETS \
    ((STOREKEEPER_BUCKET_TOP - STOREKEEPER_BUCKET_BITS + 1) << STOREKEEPER_BUCKET_BITS)

/* The bucket that a time belongs to. */
static inline unsigned int storekeeper_bucket(unsigned long long nanoseconds) {
    unsigned int msb = STOREKEEPER_BUCKET_BITS;
    int step = 0;

    if (nanoseconds < 1ULL << STOREKEEPER_BUCKET_BITS) return (unsigned int)nanoseconds;
    if (nanoseconds >= 1ULL << STOREKEEPER_BUCKET_TOP) return STOREKEEPER_BUCKETS - 1;
    /* The verifier wants a loop with an end, and BPF has no instruction that counts zeros. */
    for (step = 32; step; step >>= 1)
        if (msb + step < 64 && nanoseconds >> (msb + step)) msb += step;
    return ((msb - STOREKEEPER_BUCKET_BITS) << STOREKEEPER_BUCKET_BITS) +
           (unsigned int)(nanoseconds >> (msb - STOREKEEPER_BUCKET_BITS));
}

/* The shortest time that belongs to a bucket. */
static inline unsigned long long storekeeper_bucket_start(unsigned int bucket) {
    unsigned int octave = bucket >> STOREKEEPER_BUCKET_BITS;
    unsigned long long within = bucket & ((1u << STOREKEEPER_BUCKET_BITS) - 1);

    if (octave == 0) return bucket;
    return (within + (1u << STOREKEEPER_BUCKET_BITS)) << (octave - 1);
}

#endif /* STOREKEEPER_LATENCY_HISTOGRAM_BUCKETS_H_ */
