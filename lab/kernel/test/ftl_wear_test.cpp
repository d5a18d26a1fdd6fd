// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include <gtest/gtest.h>

#include "flash_shadow.h"

extern "C" {
#include "../ftl/ftl_config.h"
}

namespace {

ftl_params SmallCard(ftl_model model, uint32_t endurance) {
    ftl_config config = ftl_config_default();
    config.capacity_mib = 8;
    config.block_kib = 128;
    config.endurance = endurance;
    config.endurance_log = endurance;
    config.bad_reserve = 10;
    return ftl_config_params(&config, model);
}

class FtlWearTest : public testing::TestWithParam<ftl_model> {};

TEST_P(FtlWearTest, NewCardHasUsedNoneOfItsLife) {
    FlashShadow flash(SmallCard(GetParam(), 100));
    EXPECT_EQ(1, ftl_life_time_a(&flash.state()));
    EXPECT_EQ(1, ftl_life_time_b(&flash.state()));
    EXPECT_EQ(1, ftl_pre_eol_info(&flash.state()));
}

TEST_P(FtlWearTest, ErasuresAdvanceItStepByStepToTheEnd) {
    FlashShadow flash(SmallCard(GetParam(), 40));
    const uint32_t pages = flash.state().p.pages;
    uint8_t last = 1;
    std::string seen = "1";
    for (uint32_t i = 0; last < 0x0b && i < 400000; i++) {
        flash.Write(i * 7919 % pages, 1);
        if (i % 4 == 0) flash.Sync();
        const uint8_t life =
                std::max(ftl_life_time_a(&flash.state()), ftl_life_time_b(&flash.state()));
        ASSERT_GE(life, last) << "life came back";
        if (life != last) seen += " " + std::to_string(life);
        last = life;
    }
    EXPECT_EQ("1 2 3 4 5 6 7 8 9 10 11", seen);
    EXPECT_GT(flash.state().s.erases, 0u);
    uint64_t worn = 0;
    for (uint32_t b = 0; b < flash.state().nblocks; b++) worn += flash.state().blk[b].erases;
    EXPECT_EQ(flash.state().s.erases, worn + flash.state().s.bad_blocks * 40);
}

TEST_P(FtlWearTest, ReserveRunsOutAtEightyAndNinetyPercent) {
    FlashShadow flash(SmallCard(GetParam(), 3));
    const uint32_t pages = flash.state().p.pages;
    for (uint32_t i = 0; flash.state().s.bad_blocks < 9 && i < 400000; i++) {
        const uint64_t bad = flash.state().s.bad_blocks;
        ASSERT_EQ(bad >= 9 ? 3 : bad >= 8 ? 2 : 1, ftl_pre_eol_info(&flash.state())) << bad;
        flash.Write(i * 7919 % pages, 1);
        flash.Sync();
    }
    EXPECT_EQ(3, ftl_pre_eol_info(&flash.state()));
}

TEST_P(FtlWearTest, StartsAsWornAsItIsSetTo) {
    ftl_params params = SmallCard(GetParam(), 1000);
    const struct {
        uint32_t permille;
        int life;
    } table[] = {{0, 1}, {99, 1}, {100, 2}, {750, 8}, {999, 10}, {1000, 11}, {1500, 11}};
    for (const auto& row : table) {
        params.worn_permille = row.permille;
        FlashShadow flash(params);
        EXPECT_EQ(row.life, ftl_life_time_a(&flash.state())) << row.permille;
        EXPECT_EQ(row.life, ftl_life_time_b(&flash.state())) << row.permille;
    }
}

INSTANTIATE_TEST_SUITE_P(Models, FtlWearTest, testing::Values(FTL_HYBRID, FTL_PAGE),
                         [](const auto& test) {
                             return test.param == FTL_HYBRID ? "Hybrid" : "Page";
                         });

TEST(FtlWearTest, HybridDistinguishesLogBlocksFromDataBlocks) {
    ftl_config config = ftl_config_default();
    config.capacity_mib = 8;
    config.block_kib = 128;
    config.endurance = 1000000;
    config.endurance_log = 10;
    const ftl_params params = ftl_config_params(&config, FTL_HYBRID);
    FlashShadow flash(params);
    for (uint32_t i = 0; i < 20000; i++) flash.Write(i * 7919 % params.pages, 1);
    EXPECT_EQ(0x0b, ftl_life_time_a(&flash.state()));
    EXPECT_EQ(1, ftl_life_time_b(&flash.state()));
}

TEST(FtlParamsTest, NamesWhatIsWrong) {
    const struct {
        const char* error;
        void (*spoil)(ftl_config*);
    } table[] = {
            {"pages, block_pages and unit_pages must not be 0",
             [](ftl_config* c) { c->capacity_mib = 0; }},
            {"pages, block_pages and unit_pages must not be 0",
             [](ftl_config* c) { c->unit_kib = 0; }},
            {"unit_pages must divide block_pages", [](ftl_config* c) { c->unit_kib = 48; }},
            {"endurance, endurance_log, bad_reserve must not be 0",
             [](ftl_config* c) { c->endurance_log = 0; }},
            {"a hybrid card needs a spare block", [](ftl_config* c) { c->spare_blocks = 0; }},
            {"more pages than a 32-bit map can name",
             [](ftl_config* c) { c->spare_blocks = 0xffffffff; }},
    };
    for (const auto& row : table) {
        ftl_config config = ftl_config_default();
        row.spoil(&config);
        const ftl_params params = ftl_config_params(&config, FTL_HYBRID);
        EXPECT_STREQ(row.error, ftl_params_error(&params));
    }
    const ftl_config config = ftl_config_default();
    const ftl_params params = ftl_config_params(&config, FTL_HYBRID);
    EXPECT_EQ(nullptr, ftl_params_error(&params));
}

}  // namespace
