// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project
//
// Times of operations: each expectation is the sum of its parts, as README.md states the model.

#include <gtest/gtest.h>

#include "flash_shadow.h"

namespace {

constexpr uint64_t kCommandRead = 11;
constexpr uint64_t kCommandWrite = 13;
constexpr uint64_t kRead = 100;
constexpr uint64_t kProgram = 1000;
constexpr uint64_t kCopyRead = 10000;
constexpr uint64_t kCopyProgram = 100000;
constexpr uint64_t kErase = 10000000;
constexpr uint64_t kTrim = 17;
constexpr uint64_t kTrimMib = 256000;
constexpr uint64_t kFlush = 19;
constexpr uint64_t kIdle = 1000000000;

constexpr uint32_t kUnit = 16;
constexpr uint32_t kBlock = 64;
constexpr uint32_t kSlots = kBlock / kUnit;
constexpr uint32_t kPages = 16 * kBlock;

ftl_params Params(ftl_model model) {
    ftl_params p = {};
    p.model = model;
    p.pages = kPages;
    p.block_pages = kBlock;
    p.unit_pages = kUnit;
    p.spare_blocks = 2;
    p.endurance = 1000;
    p.endurance_log = 1000;
    p.bad_reserve = 10;
    p.t_cmd_r = kCommandRead;
    p.t_cmd_w = kCommandWrite;
    p.t_read = kRead;
    p.t_prog = kProgram;
    p.t_cread = kCopyRead;
    p.t_cprog = kCopyProgram;
    p.t_erase = kErase;
    p.t_trim = kTrim;
    p.t_trim_mib = kTrimMib;
    p.t_flush = kFlush;
    p.idle = kIdle;
    return p;
}

void FillSequentially(FlashShadow* flash) {
    for (uint32_t page = 0; page < kPages; page += kBlock) flash->Write(page, kBlock);
}

TEST(FtlCostTest, ReadsCostTheCommandAndThePages) {
    FlashShadow flash(Params(FTL_HYBRID));
    EXPECT_EQ(kCommandRead + 5 * kRead, flash.Read(3, 5));
}

TEST(FtlCostTest, TrimCostsTheCommandAndTheRange) {
    FlashShadow flash(Params(FTL_HYBRID));
    EXPECT_EQ(kTrim + 256 * (kTrimMib / 256), flash.Trim(0, 256));
    EXPECT_EQ(kTrim + kTrimMib / 256, flash.Trim(7, 1));
}

TEST(FtlCostTest, HybridSequentialWritesCostTheirPagesOnly) {
    FlashShadow flash(Params(FTL_HYBRID));
    for (uint32_t page = 0; page < kPages; page += kBlock) {
        ASSERT_EQ(kCommandWrite + kBlock * kProgram, flash.Write(page, kBlock));
    }
    EXPECT_EQ(kPages / kBlock, flash.state().s.switch_merges);
    EXPECT_EQ(0u, flash.state().s.copies);
    EXPECT_EQ(0u, flash.state().nlog);
}

TEST(FtlCostTest, HybridSmallSequentialWritesAreMergedInTheOpenUnit) {
    FlashShadow flash(Params(FTL_HYBRID));
    flash.Write(0, kUnit);
    flash.Flush();
    for (uint32_t page = 0; page < kUnit; page++) {
        ASSERT_EQ(kCommandWrite + kProgram, flash.Write(page, 1)) << "page " << page;
    }
    EXPECT_EQ(0u, flash.state().s.copies);
}

TEST(FtlCostTest, HybridLoneWriteIsAReadModifyWriteOfTheUnit) {
    FlashShadow flash(Params(FTL_HYBRID));
    FillSequentially(&flash);
    // The pages before it are copied when the unit is opened, those behind when it is closed.
    EXPECT_EQ(kCommandWrite + kProgram + 5 * (kCopyRead + kProgram), flash.Write(kUnit + 5, 1));
    EXPECT_EQ(kFlush + 10 * (kCopyRead + kProgram), flash.Flush());
    EXPECT_EQ(kFlush, flash.Flush()) << "nothing is open any more";
}

TEST(FtlCostTest, HybridUnitThatNeverWasWrittenIsNotCopied) {
    FlashShadow flash(Params(FTL_HYBRID));
    EXPECT_EQ(kCommandWrite + kProgram, flash.Write(5, 1));
    EXPECT_EQ(kFlush, flash.Flush());
}

TEST(FtlCostTest, HybridFullCardMergesAndTrimRepairsIt) {
    FlashShadow flash(Params(FTL_HYBRID));
    FillSequentially(&flash);
    // Two spare blocks of log, a unit of another logical block in each slot.
    for (uint32_t i = 0; i < 2 * kSlots; i++) {
        flash.Write(i % 8 * kBlock, 1);
        flash.Sync();
    }
    ASSERT_EQ(0u, flash.state().s.full_merges);
    const uint64_t merge = kBlock * (kCopyRead + kCopyProgram);
    // Four merges free both log blocks: what they held is merged with it. All free blocks are
    // dirty, so each of the four targets and the new log block are erased before they are written,
    // but for the one that was never used.
    EXPECT_EQ(kCommandWrite + kProgram + 4 * merge + 4 * kErase, flash.Write(9 * kBlock, 1));
    EXPECT_EQ(4u, flash.state().s.full_merges);
    flash.Flush();

    flash.Trim(0, 8 * kBlock);
    for (uint32_t i = 0; i < 8 * kSlots; i++) {
        const uint64_t cost = flash.Write(9 * kBlock + i % 8, 1) + flash.Sync();
        EXPECT_LT(cost, merge + kErase) << "write " << i;
    }
    EXPECT_EQ(4u, flash.state().s.full_merges);
    EXPECT_EQ("", BrokenInvariant(flash.state()));
    EXPECT_EQ(0u, flash.LostPages());
}

TEST(FtlCostTest, HybridTrimOfLessThanAUnitGivesNothingUp) {
    FlashShadow flash(Params(FTL_HYBRID));
    FillSequentially(&flash);
    flash.Trim(1, 2 * kUnit - 2);
    EXPECT_EQ(kPages, ftl_mapped_pages(&flash.state()));
    flash.Trim(1, 2 * kUnit - 1);
    EXPECT_EQ(kPages - kUnit, ftl_mapped_pages(&flash.state()));
    EXPECT_EQ(kUnit, flash.state().s.trimmed_pages);
}

TEST(FtlCostTest, HybridEmptyLogicalBlockGivesItsDataBlockBack) {
    FlashShadow flash(Params(FTL_HYBRID));
    FillSequentially(&flash);
    const uint32_t before = flash.state().nfree;
    flash.Trim(0, kBlock - kUnit);
    EXPECT_EQ(before, flash.state().nfree);
    flash.Trim(kBlock - kUnit, kUnit);
    EXPECT_EQ(before + 1, flash.state().nfree);
}

TEST(FtlCostTest, HybridShortPoolTakesTheStreamsOwnLogBlockAway) {
    ftl_params params = Params(FTL_HYBRID);
    params.log_low = 4;
    FlashShadow flash(params);
    FillSequentially(&flash);
    const uint64_t switched = flash.state().s.switch_merges;
    EXPECT_LT(switched, kPages / kBlock) << "the last blocks were written with a short pool";
    flash.Write(0, kBlock);
    EXPECT_EQ(switched, flash.state().s.switch_merges);
    flash.Trim(8 * kBlock, 8 * kBlock);
    flash.Write(kBlock, kBlock);
    EXPECT_EQ(switched + 1, flash.state().s.switch_merges);
}

TEST(FtlCostTest, HybridMergesWhileItIsQuietForLongEnough) {
    FlashShadow flash(Params(FTL_HYBRID));
    FillSequentially(&flash);
    flash.Write(3, 1);
    flash.Wait(kIdle);
    flash.Read(0, 1);
    EXPECT_EQ(1u, flash.state().nlog) << "not yet idle";
    flash.Wait(2 * kIdle);
    flash.Read(0, 1);
    EXPECT_EQ(0u, flash.state().nlog);
    EXPECT_GT(flash.state().s.idle_ns, 0u);
    EXPECT_EQ(kCommandRead + kRead, flash.Read(0, 1)) << "quiet time pays";
}

TEST(FtlCostTest, PageMapWritesCostTheirPagesUntilItIsFull) {
    FlashShadow flash(Params(FTL_PAGE));
    for (uint32_t page = 0; page < kPages; page++) {
        ASSERT_EQ(kCommandWrite + kProgram, flash.Write((page * 37) % kPages, 1));
    }
    EXPECT_EQ(0u, flash.state().s.copies);
}

TEST(FtlCostTest, PageMapCollectsGarbageWhenFullAndTrimRepairsIt) {
    ftl_params params = Params(FTL_PAGE);
    params.pages = 8 * kPages;
    params.t_erase = 0;
    FlashShadow flash(params);
    for (uint32_t page = 0; page < params.pages; page++) flash.Write(page, 1);
    auto copies_per_write = [&flash, &params] {
        const uint64_t before = flash.state().s.copies;
        for (uint32_t i = 0; i < params.pages; i++) flash.Write(i * 379 % (params.pages / 2), 1);
        return static_cast<double>(flash.state().s.copies - before) / params.pages;
    };
    EXPECT_GT(copies_per_write(), 1.0);
    flash.Trim(params.pages / 2, params.pages / 2);
    copies_per_write();
    EXPECT_LT(copies_per_write(), 0.2);
    EXPECT_EQ("", BrokenInvariant(flash.state()));
    EXPECT_EQ(0u, flash.LostPages());
}

TEST(FtlCostTest, PageMapTrimsSinglePages) {
    FlashShadow flash(Params(FTL_PAGE));
    flash.Write(0, 8);
    flash.Trim(3, 1);
    EXPECT_EQ(7u, ftl_mapped_pages(&flash.state()));
    EXPECT_EQ(0u, flash.TagOf(3));
    EXPECT_NE(0u, flash.TagOf(2));
}

}  // namespace
