// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

extern "C" {
#include "../ftl/ftl.h"
}

// The flash behind an ftl: what each physical page holds, as a tag for each host write. Programs a
// page that is not erased, or not in ascending order within its block, and the test fails, as the
// data of a real chip would.
class FlashShadow {
  public:
    explicit FlashShadow(const ftl_params& params) {
        EXPECT_EQ(nullptr, ftl_params_error(&params));
        EXPECT_TRUE(ftl_init(&ftl_, &params));
        watch_ = {Program, Erase, this};
        ftl_.watch = &watch_;
        flash_.resize(static_cast<size_t>(ftl_.nblocks) * params.block_pages);
        filled_.resize(ftl_.nblocks);
        host_.resize(params.pages);
    }
    ~FlashShadow() { ftl_destroy(&ftl_); }
    FlashShadow(const FlashShadow&) = delete;
    FlashShadow& operator=(const FlashShadow&) = delete;

    uint64_t Write(uint32_t page, uint32_t count) {
        next_ = page;
        for (uint32_t i = 0; i < count; i++) host_[page + i] = ++last_tag_;
        return Spend(ftl_write(&ftl_, now_, page, count));
    }

    uint64_t Trim(uint32_t page, uint32_t count) {
        const uint32_t unit = ftl_map_unit(&ftl_);
        const uint32_t end = (page + count) / unit * unit;
        for (uint32_t i = (page + unit - 1) / unit * unit; i < end; i++) host_[i] = 0;
        return Spend(ftl_trim(&ftl_, now_, page, count));
    }

    uint64_t Read(uint32_t page, uint32_t count) {
        return Spend(ftl_read(&ftl_, now_, page, count));
    }
    uint64_t Flush() { return Spend(ftl_flush(&ftl_, now_)); }
    uint64_t Sync() { return Spend(ftl_sync(&ftl_, now_)); }
    void PowerLoss() { ftl_power_loss(&ftl_, now_); }
    void Wait(uint64_t ns) { now_ += ns; }

    // The tag of the data that the host would read; 0 for an unmapped page.
    uint64_t TagOf(uint32_t page) const {
        const uint32_t phys = ftl_lookup(&ftl_, page);
        return phys == FTL_NONE ? 0 : flash_[phys];
    }

    // Returns the number of pages that do not read as the data written last.
    uint32_t LostPages() const {
        uint32_t lost = 0;
        for (uint32_t page = 0; page < host_.size(); page++) lost += TagOf(page) != host_[page];
        return lost;
    }

    const ftl& state() const { return ftl_; }

  private:
    static void Program(void* context, u32 phys, u32 source) {
        static_cast<FlashShadow*>(context)->OnProgram(phys, source);
    }
    static void Erase(void* context, u32 block) {
        static_cast<FlashShadow*>(context)->OnErase(block);
    }

    void OnProgram(uint32_t phys, uint32_t source) {
        const uint32_t block = phys / ftl_.p.block_pages;
        const uint32_t offset = phys % ftl_.p.block_pages;
        ASSERT_LT(phys, flash_.size());
        EXPECT_GE(offset, filled_[block]) << "block " << block << " programmed out of order";
        filled_[block] = offset + 1;
        // The host's pages arrive in the order of the command.
        flash_[phys] = source == FTL_NONE ? host_[next_++] : flash_[source];
    }

    void OnErase(uint32_t block) {
        EXPECT_EQ(0u, ftl_.blk[block].live) << "block " << block << " erased with live data";
        const uint32_t n = ftl_.p.block_pages;
        std::fill_n(flash_.begin() + static_cast<ptrdiff_t>(block) * n, n, 0);
        filled_[block] = 0;
    }

    uint64_t Spend(uint64_t service) {
        now_ += service;
        return service;
    }

    ftl ftl_ = {};
    ftl_watch watch_ = {};
    std::vector<uint64_t> flash_;
    std::vector<uint32_t> filled_;  // pages of each block up to the last one programmed
    std::vector<uint64_t> host_;    // what each logical page should read as, 0: never written
    uint64_t last_tag_ = 0;
    uint64_t now_ = 0;
    uint32_t next_ = 0;
};

// All that must hold between two operations; empty if it does.
std::string BrokenInvariant(const ftl& f);
