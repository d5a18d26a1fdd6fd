// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <vector>

extern "C" {
#include "../ftl_fault.h"
}

namespace {

constexpr uint32_t kPages = 1000;

ftl_faults Armed(const ftl_fault_config& config) {
    EXPECT_EQ(nullptr, ftl_fault_error(&config));
    ftl_faults faults;
    ftl_faults_arm(&faults, &config);
    return faults;
}

TEST(FtlFaultTest, ADiscardOfASoundCardDoesNothingElse) {
    ftl_faults faults = Armed(ftl_fault_default());
    for (uint32_t page = 0; page < kPages; page++) {
        const ftl_discard_fault d = ftl_fault_discard(&faults, page, page + 1, kPages);
        EXPECT_FALSE(d.dies);
        EXPECT_FALSE(d.later);
        EXPECT_EQ(0u, d.before);
        EXPECT_EQ(0u, d.after);
    }
    EXPECT_EQ(kPages, faults.discards);
}

TEST(FtlFaultTest, GarbleIsRoundedUpToPagesOnBothSides) {
    const struct {
        uint32_t bytes;
        uint32_t pages;
    } table[] = {{0, 0}, {1, 1}, {4096, 1}, {4097, 2}, {65536, 16}};
    for (const auto& row : table) {
        ftl_fault_config config = ftl_fault_default();
        config.garble = row.bytes;
        ftl_faults faults = Armed(config);
        const ftl_discard_fault d = ftl_fault_discard(&faults, 100, 200, kPages);
        EXPECT_EQ(row.pages, d.before) << row.bytes;
        EXPECT_EQ(row.pages, d.after) << row.bytes;
    }
}

TEST(FtlFaultTest, GarbleEndsWhereTheCardDoes) {
    ftl_fault_config config = ftl_fault_default();
    config.garble = 0xffffffff;
    ftl_faults faults = Armed(config);
    const struct {
        uint32_t first;
        uint32_t end;
    } table[] = {{0, 1}, {3, 990}, {999, 1000}, {0, 1000}};
    for (const auto& row : table) {
        const ftl_discard_fault d = ftl_fault_discard(&faults, row.first, row.end, kPages);
        EXPECT_EQ(row.first, d.before);
        EXPECT_EQ(kPages - row.end, d.after);
    }
}

TEST(FtlFaultTest, GarbleStrikesEachSoManiethDiscard) {
    ftl_fault_config config = ftl_fault_default();
    config.garble = 4096;
    config.garble_every = 3;
    ftl_faults faults = Armed(config);
    std::string struck;
    for (int i = 0; i < 9; i++) {
        const ftl_discard_fault d = ftl_fault_discard(&faults, 10, 20, kPages);
        EXPECT_EQ(d.before, d.after);
        struck += d.before != 0 ? 'x' : '.';
    }
    EXPECT_EQ("..x..x..x", struck);
}

TEST(FtlFaultTest, GarbleMayShowLater) {
    ftl_fault_config config = ftl_fault_default();
    config.garble = 4096;
    config.garble_later = 1;
    ftl_faults faults = Armed(config);
    const ftl_discard_fault d = ftl_fault_discard(&faults, 10, 20, kPages);
    EXPECT_TRUE(d.later);
    EXPECT_EQ(1u, d.before);
}

TEST(FtlFaultTest, DiesAtTheDiscardItIsSetTo) {
    for (const uint32_t at : {1u, 2u, 7u}) {
        ftl_fault_config config = ftl_fault_default();
        config.garble = 4096;
        config.die = at;
        ftl_faults faults = Armed(config);
        for (uint32_t i = 1; i < 20; i++) {
            const ftl_discard_fault d = ftl_fault_discard(&faults, 10, 20, kPages);
            EXPECT_EQ(i >= at, d.dies) << i;
            EXPECT_EQ(i >= at ? 0u : 1u, d.before) << "a dead card writes nothing";
        }
    }
}

TEST(FtlFaultTest, CountsStartAnewWhenArmed) {
    ftl_fault_config config = ftl_fault_default();
    config.die = 2;
    ftl_faults faults = Armed(config);
    EXPECT_FALSE(ftl_fault_discard(&faults, 0, 1, kPages).dies);
    ftl_faults_arm(&faults, &config);
    EXPECT_FALSE(ftl_fault_discard(&faults, 0, 1, kPages).dies);
    EXPECT_TRUE(ftl_fault_discard(&faults, 0, 1, kPages).dies);
}

using Page = std::array<uint64_t, FTL_PAGE_SIZE / sizeof(uint64_t)>;

Page Noise(uint32_t seed, uint32_t page) {
    Page words = {};
    ftl_fault_noise(seed, page, words.data());
    return words;
}

TEST(FtlFaultTest, NoiseIsThePagesOwnAndTheSeeds) {
    EXPECT_EQ(Noise(1, 5), Noise(1, 5));
    std::vector<uint64_t> words;
    for (const uint32_t seed : {0u, 1u, 2u, 0xffffffffu}) {
        for (const uint32_t page : {0u, 1u, 2u, 0x3ffffffu}) {
            const Page noise = Noise(seed, page);
            words.insert(words.end(), noise.begin(), noise.end());
        }
    }
    std::sort(words.begin(), words.end());
    EXPECT_EQ(words.end(), std::adjacent_find(words.begin(), words.end()))
            << "a word that repeats itself";
}

TEST(FtlFaultTest, NamesWhatIsWrong) {
    const struct {
        const char* error;
        void (*spoil)(ftl_fault_config*);
    } table[] = {
            {"fault_garble_every: 1 or more", [](ftl_fault_config* c) { c->garble_every = 0; }},
            {"fault_garble_later: 0 or 1", [](ftl_fault_config* c) { c->garble_later = 2; }},
    };
    for (const auto& row : table) {
        ftl_fault_config config = ftl_fault_default();
        row.spoil(&config);
        EXPECT_STREQ(row.error, ftl_fault_error(&config));
    }
}

}  // namespace
