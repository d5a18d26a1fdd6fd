/* SPDX-License-Identifier: Apache-2.0 OR GPL-2.0-only */
/* Copyright (C) 2026 The Storekeeper Project */

/* What the BPF program counts and the daemon reads, in C for both. */

#ifndef STOREKEEPER_LATENCY_BPF_STOREKEEPER_LATENCY_H_
#define STOREKEEPER_LATENCY_BPF_STOREKEEPER_LATENCY_H_

#include "latency/histogram_buckets.h"

/* The order of IoKind (latency/latency_sample.h). */
#define STOREKEEPER_READ 0
#define STOREKEEPER_WRITE 1
#define STOREKEEPER_FLUSH 2
#define STOREKEEPER_DISCARD 3
#define STOREKEEPER_KINDS 4

/* A value of the map latency_map, whose keys are the kinds. */
struct storekeeper_latency {
    unsigned long long total_ns;
    unsigned long long buckets[STOREKEEPER_BUCKETS];
};

#endif /* STOREKEEPER_LATENCY_BPF_STOREKEEPER_LATENCY_H_ */
