/* SPDX-License-Identifier: Apache-2.0 OR GPL-2.0-only */
/* Copyright (C) 2026 The Storekeeper Project */

/*
 * How long each request of a disk takes, from when its driver gets it to when it is done, counted by
 * kind. One source for Android's bpfloader and for libbpf: storekeeper_bpf.h, of which each has its
 * own, gives it Android's macros and the fields of the tracepoints.
 *
 * Not told: the time in the scheduler's queue. A request that is done in parts counts when the
 * first part is. Of two that are alike in kind and first sector at the same time only one counts.
 */

#include "storekeeper_bpf.h"

#include "latency/bpf/storekeeper_latency.h"

/* More than the tags of any eMMC or UFS queue; one that finds no room does not count. */
#define IN_FLIGHT 1024
/* LOOP_MAJOR: what a loop device does its disk does, too. MINORBITS of linux/kdev_t.h is 20. */
#define LOOP_MAJOR 7
#define MINOR_BITS 20

struct in_flight {
    uint64_t sector;
    uint32_t device;
    uint32_t kind;
};

DEFINE_BPF_MAP(in_flight_map, HASH, struct in_flight, uint64_t, IN_FLIGHT)
DEFINE_BPF_MAP_GRO(latency_map, ARRAY, uint32_t, struct storekeeper_latency, STOREKEEPER_KINDS,
                   AID_SYSTEM)
/* The one disk that counts, as the kernel numbers devices; 0: all but loop devices. */
DEFINE_BPF_MAP_GRW(disk_map, ARRAY, uint32_t, uint32_t, 1, AID_SYSTEM)

/* blk_fill_rwbs() in kernel/trace/blktrace.c: F for a flush to come before, then the operation. */
static inline __attribute__((always_inline)) int kind_of(char first, char second) {
    switch (first) {
        case 'R':
            return STOREKEEPER_READ;
        case 'W':
            return STOREKEEPER_WRITE;
        case 'D':
            return STOREKEEPER_DISCARD;
        case 'F':
            return second == 'W' ? STOREKEEPER_WRITE : STOREKEEPER_FLUSH;
        default:
            return -1;
    }
}

/* Whether a request counts; `key` is then what it is known by while it is in flight. */
static inline __attribute__((always_inline)) int request_of(uint32_t device, uint64_t sector, uint32_t sectors,
                                             int kind, struct in_flight* key) {
    uint32_t zero = 0;
    uint32_t* disk = bpf_disk_map_lookup_elem(&zero);

    if (!disk || kind < 0) return 0;
    if (*disk ? device != *disk : device >> MINOR_BITS == LOOP_MAJOR) return 0;
    /* The empty write that asked for a flush ends without having been issued. */
    if (kind != STOREKEEPER_FLUSH && sectors == 0) return 0;
    key->device = device;
    /* A flush has no place; the two tracepoints show that in different ways. */
    key->sector = kind == STOREKEEPER_FLUSH ? 0 : sector;
    key->kind = (uint32_t)kind;
    return 1;
}

DEFINE_BPF_PROG("tracepoint/block/block_rq_issue", AID_ROOT, AID_SYSTEM, block_rq_issue)
(struct block_rq_issue_args* args) {
    struct in_flight key = {};
    uint64_t now;

    if (!request_of(args->dev, args->sector, args->nr_sector,
                    kind_of(RWBS(args, 0), RWBS(args, 1)), &key)) {
        return 0;
    }
    now = bpf_ktime_get_ns();
    bpf_in_flight_map_update_elem(&key, &now, BPF_ANY);
    return 0;
}

DEFINE_BPF_PROG("tracepoint/block/block_rq_complete", AID_ROOT, AID_SYSTEM, block_rq_complete)
(struct block_rq_complete_args* args) {
    struct in_flight key = {};
    struct storekeeper_latency* latency;
    uint64_t* began;
    uint64_t took;
    uint32_t bucket;

    if (!request_of(args->dev, args->sector, args->nr_sector,
                    kind_of(RWBS(args, 0), RWBS(args, 1)), &key)) {
        return 0;
    }
    began = bpf_in_flight_map_lookup_elem(&key);
    if (!began) return 0;
    took = bpf_ktime_get_ns() - *began;
    bpf_in_flight_map_delete_elem(&key);
    latency = bpf_latency_map_lookup_elem(&key.kind);
    bucket = storekeeper_bucket(took);
    if (!latency || bucket >= STOREKEEPER_BUCKETS) return 0;
    __sync_fetch_and_add(&latency->total_ns, took);
    __sync_fetch_and_add(&latency->buckets[bucket], 1);
    return 0;
}

LICENSE("GPL");
