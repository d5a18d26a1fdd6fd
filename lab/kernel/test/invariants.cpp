// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include <algorithm>
#include <map>
#include <set>

#include "flash_shadow.h"

namespace {

std::string CheckMaps(const ftl& f) {
    const uint32_t slots = f.p.block_pages / ftl_map_unit(&f);
    std::vector<uint32_t> live(f.nblocks);
    uint32_t mapped = 0;
    for (uint32_t entry = 0; entry < f.nlogical * slots; entry++) {
        const uint32_t phys = f.l2p[entry];
        if (phys == FTL_NONE) continue;
        if (phys >= f.nblocks * slots) return "entry mapped outside the flash";
        if (f.p2l[phys] != entry) return "two maps disagree about entry " + std::to_string(entry);
        live[phys / slots]++;
        mapped++;
    }
    if (mapped != f.mapped) return "count of mapped entries";
    for (uint32_t lb = 0; lb < f.nlogical; lb++) {
        const uint32_t* const first = f.l2p + lb * slots;
        const auto none = static_cast<uint32_t>(std::count(first, first + slots, FTL_NONE));
        if (f.logical_live[lb] != slots - none) return "live entries of a logical block";
    }
    uint32_t reverse = 0;
    for (uint32_t phys = 0; phys < f.nblocks * slots; phys++) reverse += f.p2l[phys] != FTL_NONE;
    if (reverse != mapped) return "a physical page belongs to a logical one that is elsewhere";
    for (uint32_t b = 0; b < f.nblocks; b++) {
        if (f.blk[b].live != live[b]) return "live count of block " + std::to_string(b);
        if (f.blk[b].state == FTL_BLOCK_FREE && live[b] != 0) return "live data in a free block";
    }
    return "";
}

std::string CheckPool(const ftl& f) {
    std::set<uint32_t> pool;
    for (uint32_t i = 0; i < f.nfree; i++) {
        const uint32_t b = ftl_pool_at(&f, i);
        if (f.blk[b].state != FTL_BLOCK_FREE) return "a block in use is in the pool";
        if (!pool.insert(b).second) return "a block is in the pool twice";
    }
    uint32_t free_blocks = 0;
    for (uint32_t b = 0; b < f.nblocks; b++) free_blocks += f.blk[b].state == FTL_BLOCK_FREE;
    return free_blocks == f.nfree ? "" : "a free block is not in the pool";
}

std::string CheckLogList(const ftl& f) {
    uint32_t count = 0;
    uint32_t previous = FTL_NONE;
    for (uint32_t b = f.log_oldest; b != FTL_NONE; b = f.blk[b].next) {
        if (f.blk[b].state != FTL_BLOCK_LOG) return "no log block, but in their list";
        if (f.blk[b].prev != previous) return "list of log blocks is torn";
        if (f.blk[b].live == 0 && b != f.rnd.block && b != f.seq.block) return "idle log block";
        previous = b;
        if (++count > f.nblocks) return "list of log blocks is a ring";
    }
    if (previous != f.log_newest || count != f.nlog) return "end of the list of log blocks";
    uint32_t states = 0;
    for (uint32_t b = 0; b < f.nblocks; b++) states += f.blk[b].state == FTL_BLOCK_LOG;
    return states == f.nlog ? "" : "a log block is not in their list";
}

std::string CheckHybrid(const ftl& f) {
    std::set<uint32_t> data;
    uint32_t debt = 0;
    for (uint32_t lb = 0; lb < f.nlogical; lb++) {
        const uint32_t live = f.logical_live[lb];
        const uint32_t b = f.data_block[lb];
        if (b == FTL_NONE) {
            debt += live > 0;
            continue;
        }
        if (live == 0) return "an empty logical block keeps its data block";
        if (f.blk[b].state != FTL_BLOCK_DATA) return "data block in another role";
        if (!data.insert(b).second) return "data block of two logical blocks";
        for (uint32_t i = 0; i < f.slots; i++) {
            const uint32_t unit = f.p2l[b * f.slots + i];
            if (unit != FTL_NONE && unit != lb * f.slots + i) return "unit out of its place";
        }
    }
    if (debt != f.debt) return "debt";
    if (f.nfree < FTL_MERGE_RESERVE + f.debt) return "free blocks below reserve + debt";
    if (data.size() + f.nlog + f.nfree != f.nblocks) return "a block is lost";
    return CheckLogList(f);
}

}  // namespace

std::string BrokenInvariant(const ftl& f) {
    std::string broken = CheckMaps(f);
    if (broken.empty()) broken = CheckPool(f);
    if (broken.empty() && f.p.model == FTL_HYBRID) broken = CheckHybrid(f);
    return broken;
}
