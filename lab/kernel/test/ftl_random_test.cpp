// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project
//
// Long random sequences on small cards of both models: whatever the host does, every page reads as
// it was written last and the layer's books are right.

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "flash_shadow.h"

namespace {

constexpr uint64_t kMillisecond = 1000000;

struct Card {
    const char* name;
    ftl_model model;
    uint32_t pages;
    uint32_t block_pages;
    uint32_t unit_pages;
    uint32_t spare_blocks;
    uint32_t op_permille;
};

constexpr Card kCards[] = {
        {"HybridOneSpare", FTL_HYBRID, 1024, 64, 16, 1, 0},
        {"HybridTwoSpares", FTL_HYBRID, 2048, 128, 16, 2, 0},
        {"HybridManySpares", FTL_HYBRID, 1024, 64, 8, 9, 0},
        {"HybridUnitIsBlock", FTL_HYBRID, 512, 16, 16, 2, 0},
        {"HybridUnitIsPage", FTL_HYBRID, 512, 32, 1, 2, 0},
        {"HybridOddCapacity", FTL_HYBRID, 1000, 64, 16, 2, 0},
        {"PageLeast", FTL_PAGE, 1024, 64, 16, 0, 0},
        {"PageMuch", FTL_PAGE, 1024, 64, 16, 0, 500},
        {"PageOddCapacity", FTL_PAGE, 1001, 32, 16, 0, 70},
};

ftl_params Params(const Card& card) {
    ftl_params p = {};
    p.model = card.model;
    p.pages = card.pages;
    p.block_pages = card.block_pages;
    p.unit_pages = card.unit_pages;
    p.spare_blocks = card.spare_blocks;
    p.op_permille = card.op_permille;
    p.endurance = 1000;
    p.endurance_log = 1000;
    p.bad_reserve = 4;
    p.t_prog = 300;
    p.t_cread = 100;
    p.t_cprog = 500;
    p.t_erase = 2000;
    p.idle = 20 * kMillisecond;
    return p;
}

class FtlRandomTest : public testing::TestWithParam<std::tuple<Card, uint32_t>> {
  protected:
    uint32_t Draw(uint32_t below) { return static_cast<uint32_t>(random_() % below); }

    void Step(FlashShadow* flash, uint32_t pages) {
        const uint32_t page = Draw(pages);
        const uint32_t choice = Draw(100);
        if (choice < 45) {  // a hot tenth
            flash->Write(page / 10, 1 + Draw(4));
        } else if (choice < 70) {
            flash->Write(page, std::min(1 + Draw(8), pages - page));
        } else if (choice < 82) {  // a stream, in commands of its own
            uint32_t at = page / 64 * 64;
            for (uint32_t i = 0; i < 12 && at < pages; i++, at += 32) {
                flash->Write(at, std::min(32u, pages - at));
            }
        } else if (choice < 90) {
            flash->Trim(page, std::min(1 + Draw(200), pages - page));
        } else if (choice < 93) {
            flash->Read(page, 1);
        } else if (choice < 96) {
            flash->Flush();
        } else if (choice < 97) {
            flash->Sync();
        } else if (choice < 98) {
            flash->PowerLoss();
        } else {  // from too short for background work to long enough for all of it
            flash->Wait(Draw(60) * kMillisecond);
        }
    }

    std::mt19937 random_;
};

TEST_P(FtlRandomTest, KeepsItsBooksAndLosesNothing) {
    const auto& [card, seed] = GetParam();
    random_.seed(seed);
    FlashShadow flash(Params(card));
    for (int i = 0; i < 6000; i++) {
        Step(&flash, card.pages);
        if (i % 16 != 0) continue;
        ASSERT_EQ("", BrokenInvariant(flash.state())) << "after step " << i;
        ASSERT_EQ(0u, flash.LostPages()) << "after step " << i;
    }
}

TEST_P(FtlRandomTest, FillsCompletelyAgainAndAgain) {
    const auto& [card, seed] = GetParam();
    random_.seed(seed);
    FlashShadow flash(Params(card));
    for (int pass = 0; pass < 4; pass++) {
        for (uint32_t page = 0; page < card.pages; page += 24) {
            flash.Write(page, std::min(24u, card.pages - page));
        }
        flash.Flush();
        ASSERT_EQ("", BrokenInvariant(flash.state()));
        ASSERT_EQ(0u, flash.LostPages());
        for (int i = 0; i < 500; i++) flash.Write(Draw(card.pages), 1);
        ASSERT_EQ("", BrokenInvariant(flash.state()));
        ASSERT_EQ(0u, flash.LostPages());
    }
    flash.Trim(0, card.pages);
    EXPECT_EQ("", BrokenInvariant(flash.state()));
    EXPECT_EQ(0u, flash.LostPages());
    // With an odd capacity, the last unit is cut by the end and stays mapped.
    EXPECT_LE(ftl_mapped_pages(&flash.state()),
              card.pages % ftl_map_unit(&flash.state()) ? ftl_map_unit(&flash.state()) : 0);
}

INSTANTIATE_TEST_SUITE_P(Cards, FtlRandomTest,
                         testing::Combine(testing::ValuesIn(kCards), testing::Values(1, 2, 3)),
                         [](const auto& test) {
                             return std::string(std::get<0>(test.param).name) + "Seed" +
                                    std::to_string(std::get<1>(test.param));
                         });

}  // namespace
