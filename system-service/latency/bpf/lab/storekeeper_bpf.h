/* SPDX-License-Identifier: Apache-2.0 OR GPL-2.0-only */
/* Copyright (C) 2026 The Storekeeper Project */

/* What storekeeperLatency.c needs, for libbpf: fields are found by CO-RE, by the kernel's BTF. */

#ifndef STOREKEEPER_LATENCY_BPF_LAB_STOREKEEPER_BPF_H_
#define STOREKEEPER_LATENCY_BPF_LAB_STOREKEEPER_BPF_H_

/* bpf_helpers.h wants what stands before it. */
/* clang-format off */
#include <linux/bpf.h>
#include <stdint.h>

#include <bpf/bpf_helpers.h>

#define DEFINE_BPF_MAP(the_map, TYPE, KeyType, ValueType, num_entries)                            \
    struct {                                                                                      \
        __uint(type, BPF_MAP_TYPE_##TYPE);                                                        \
        __type(key, KeyType);                                                                     \
        __type(value, ValueType);                                                                 \
        __uint(max_entries, num_entries);                                                         \
    } the_map SEC(".maps");                                                                       \
    static __always_inline __attribute__((unused)) ValueType* bpf_##the_map##_lookup_elem( \
            const KeyType* key) {                                                                 \
        return bpf_map_lookup_elem(&the_map, key);                                                \
    }                                                                                             \
    static __always_inline __attribute__((unused)) int bpf_##the_map##_update_elem(        \
            const KeyType* key, const ValueType* value, uint64_t flags) {                         \
        return (int)bpf_map_update_elem(&the_map, key, value, flags);                             \
    }                                                                                             \
    static __always_inline __attribute__((unused)) int bpf_##the_map##_delete_elem(        \
            const KeyType* key) {                                                                 \
        return (int)bpf_map_delete_elem(&the_map, key);                                           \
    }
/* Nobody but root is in the virtual phone's bpffs. */
#define DEFINE_BPF_MAP_GRO(the_map, TYPE, KeyType, ValueType, num_entries, gid) \
    DEFINE_BPF_MAP(the_map, TYPE, KeyType, ValueType, num_entries)
#define DEFINE_BPF_MAP_GRW(the_map, TYPE, KeyType, ValueType, num_entries, gid) \
    DEFINE_BPF_MAP(the_map, TYPE, KeyType, ValueType, num_entries)
#define DEFINE_BPF_PROG(section, uid, gid, program) SEC(section) int program
#define LICENSE(name) char _license[] SEC("license") = name

/*
 * include/trace/events/block.h, as the kernel's BTF names what its macros make of it. The other
 * tracepoint has these fields at the same places; its structure has another name before 5.18.
 */
struct trace_event_raw_block_rq {
    uint32_t dev;
    uint64_t sector;
    uint32_t nr_sector;
    char rwbs[8];
} __attribute__((preserve_access_index));
#define block_rq_issue_args trace_event_raw_block_rq
#define block_rq_complete_args trace_event_raw_block_rq
#define RWBS(args, at) ((args)->rwbs[at])

#endif /* STOREKEEPER_LATENCY_BPF_LAB_STOREKEEPER_BPF_H_ */
