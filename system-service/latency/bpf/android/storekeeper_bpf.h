/* SPDX-License-Identifier: Apache-2.0 OR GPL-2.0-only */
/* Copyright (C) 2026 The Storekeeper Project */

/* What storekeeperLatency.c needs, for Android's bpfloader, which relocates no fields. */

#ifndef STOREKEEPER_LATENCY_BPF_ANDROID_STOREKEEPER_BPF_H_
#define STOREKEEPER_LATENCY_BPF_ANDROID_STOREKEEPER_BPF_H_

#include <bpf_helpers.h>
#include <linux/bpf.h>
#include <stdint.h>

/*
 * /sys/kernel/tracing/events/block/block_rq_issue/format. Kernels from 6.11 on have the I/O
 * priority (2 bytes) before rwbs. Its low byte is below 0x40 (linux/ioprio.h: three bits of level,
 * seven hints above them), rwbs are letters: so they are distinguished.
 */
struct block_rq_args {
    uint64_t common;
    uint32_t dev;
    uint32_t unused;
    uint64_t sector;
    uint32_t nr_sector;
    uint32_t bytes_or_error;
    uint32_t priority_or_rwbs;
};
#define block_rq_issue_args block_rq_args
#define block_rq_complete_args block_rq_args

/* One load at a fixed place: the verifier takes no address in the context that is computed. */
static inline __attribute__((always_inline)) char rwbs_of(const struct block_rq_args* args,
                                                          uint32_t at) {
    uint32_t bytes = *(const volatile uint32_t*)&args->priority_or_rwbs;

    if ((bytes & 0xff) < 0x40) bytes >>= 16;
    return (char)(bytes >> (8 * at));
}
#define RWBS(args, at) rwbs_of(args, at)

#endif /* STOREKEEPER_LATENCY_BPF_ANDROID_STOREKEEPER_BPF_H_ */
