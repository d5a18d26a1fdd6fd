/* SPDX-License-Identifier: Apache-2.0 OR GPL-2.0-only */
/* Copyright (C) 2026 The Storekeeper Project */

/* What storekeeperLatency.c needs, for Android's bpfloader, which relocates no fields. */

#ifndef STOREKEEPER_LATENCY_BPF_ANDROID_STOREKEEPER_BPF_H_
#define STOREKEEPER_LATENCY_BPF_ANDROID_STOREKEEPER_BPF_H_

#include <linux/bpf.h>
#include <stdint.h>

#include <bpf_helpers.h>

/*
 * /sys/kernel/tracing/events/block/block_rq_issue/format. Kernels from 6.11 on have the I/O priority
 * (2 bytes) before rwbs. Its low byte is below 0x40 (linux/ioprio.h: three bits of level, seven
 * hints above them), rwbs are letters: so they are told apart.
 */
struct block_rq_args {
    uint64_t common;
    uint32_t dev;
    uint32_t unused;
    uint64_t sector;
    uint32_t nr_sector;
    uint32_t bytes_or_error;
    char priority_or_rwbs[4];
};
#define block_rq_issue_args block_rq_args
#define block_rq_complete_args block_rq_args
#define RWBS(args, at)                                               \
    ((args)->priority_or_rwbs[0] < 0x40 ? (args)->priority_or_rwbs[2 + (at)] \
                                        : (args)->priority_or_rwbs[at])

#endif /* STOREKEEPER_LATENCY_BPF_ANDROID_STOREKEEPER_BPF_H_ */
