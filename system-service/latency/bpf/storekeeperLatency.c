/* SPDX-License-Identifier: Apache-2.0 OR GPL-2.0-only */
/* Copyright (C) 2026 The Storekeeper Project */

/*
 * How long each request of a disk takes, from when its driver gets it to when it is done, counted
 * by kind. One source for Android's bpfloader and for libbpf: storekeeper_bpf.h, of which each has
 * its own, gives it Android's macros and the fields of the tracepoints.
 *
 * Not reported: the time in the scheduler's queue. A request that is done in parts counts when the
 * first part is. Of requests that share a slot at the same time only the last one counts: with n
 * in flight about n of 4096 are not reported.
 */

#include "latency/bpf/storekeeper_latency.h"
#include "storekeeper_bpf.h"

/*
 * An array and no hash map: all of it then costs an I/O 2.3 us instead of 4.3 in measuring mode.
 * A slot is overwritten, so that requests whose end is not seen fill nothing up.
 */
#define SLOT_BITS 12
/* LOOP_MAJOR: what a loop device does its disk does, too. MINORBITS of linux/kdev_t.h is 20. */
#define LOOP_MAJOR 7
#define MINOR_BITS 20

struct request {
    uint64_t sector;
    uint32_t device;
    uint32_t kind;
};
/* began 0: it has ended. */
struct in_flight {
    struct request request;
    uint64_t began;
};

DEFINE_BPF_MAP(in_flight_map, ARRAY, uint32_t, struct in_flight, 1 << SLOT_BITS)
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

/* Whether a request counts; `request` is then what it is known by while it is in flight. */
static inline __attribute__((always_inline)) int request_of(uint32_t device, uint64_t sector,
                                                            uint32_t sectors, int kind,
                                                            struct request* request) {
    uint32_t zero = 0;
    uint32_t* disk = bpf_disk_map_lookup_elem(&zero);

    if (!disk || kind < 0) return 0;
    if (*disk ? device != *disk : device >> MINOR_BITS == LOOP_MAJOR) return 0;
    /* The empty write that asked for a flush ends without having been issued. */
    if (kind != STOREKEEPER_FLUSH && sectors == 0) return 0;
    request->device = device;
    /* A flush has no place; the two tracepoints show that in different ways. */
    request->sector = kind == STOREKEEPER_FLUSH ? 0 : sector;
    request->kind = (uint32_t)kind;
    return 1;
}

static inline __attribute__((always_inline)) struct in_flight* slot_of(
        const struct request* request) {
    /* 2^64 divided by the golden ratio (Knuth): neighbours come to lie apart. */
    uint64_t mixed = (request->sector * STOREKEEPER_KINDS + request->kind) * 0x9e3779b97f4a7c15ULL;
    uint32_t slot = (uint32_t)(mixed >> (64 - SLOT_BITS));

    return bpf_in_flight_map_lookup_elem(&slot);
}

DEFINE_BPF_PROG("tracepoint/block/block_rq_issue", AID_ROOT, AID_SYSTEM, block_rq_issue)
(struct block_rq_issue_args* args) {
    struct request request = {};
    struct in_flight* slot;

    if (!request_of(args->dev, args->sector, args->nr_sector, kind_of(RWBS(args, 0), RWBS(args, 1)),
                    &request)) {
        return 0;
    }
    slot = slot_of(&request);
    if (!slot) return 0;
    slot->request = request;
    slot->began = bpf_ktime_get_ns();
    return 0;
}

DEFINE_BPF_PROG("tracepoint/block/block_rq_complete", AID_ROOT, AID_SYSTEM, block_rq_complete)
(struct block_rq_complete_args* args) {
    struct request request = {};
    struct storekeeper_latency* latency;
    struct in_flight* slot;
    uint64_t took;
    uint32_t bucket;

    if (!request_of(args->dev, args->sector, args->nr_sector, kind_of(RWBS(args, 0), RWBS(args, 1)),
                    &request)) {
        return 0;
    }
    slot = slot_of(&request);
    if (!slot || slot->began == 0 || slot->request.sector != request.sector ||
        slot->request.device != request.device || slot->request.kind != request.kind) {
        return 0;
    }
    took = bpf_ktime_get_ns() - slot->began;
    slot->began = 0;
    latency = bpf_latency_map_lookup_elem(&request.kind);
    bucket = storekeeper_bucket(took);
    if (!latency || bucket >= STOREKEEPER_BUCKETS) return 0;
    __sync_fetch_and_add(&latency->total_ns, took);
    __sync_fetch_and_add(&latency->buckets[bucket], 1);
    return 0;
}

LICENSE("GPL");
