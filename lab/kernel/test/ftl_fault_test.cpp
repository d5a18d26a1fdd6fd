// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <vector>

extern "C" {
#include "../ftl/ftl_fault.h"
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
        EXPECT_FALSE(d.noop);
        EXPECT_EQ(FTL_DISCARDED_ZEROS, d.reads_as);
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

TEST(FtlFaultTest, GarbleStrikesEveryNthDiscard) {
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

TEST(FtlFaultTest, ADiscardMayDoNothing) {
    ftl_fault_config config = ftl_fault_default();
    config.noop = 1;
    config.discarded = FTL_DISCARDED_RANDOM;
    ftl_faults faults = Armed(config);
    const ftl_discard_fault d = ftl_fault_discard(&faults, 10, 20, kPages);
    EXPECT_TRUE(d.noop);
    EXPECT_EQ(FTL_DISCARDED_OLD, d.reads_as);
}

TEST(FtlFaultTest, DiscardedPagesReadAsSet) {
    for (const ftl_discarded as : {FTL_DISCARDED_ZEROS, FTL_DISCARDED_OLD, FTL_DISCARDED_RANDOM}) {
        ftl_fault_config config = ftl_fault_default();
        config.discarded = as;
        ftl_faults faults = Armed(config);
        const ftl_discard_fault d = ftl_fault_discard(&faults, 10, 20, kPages);
        EXPECT_FALSE(d.noop);
        EXPECT_EQ(as, d.reads_as);
    }
}

// Results of commands, one character each.
std::string Reads(ftl_faults* faults, int count) {
    std::string outcomes;
    for (int i = 0; i < count; i++) outcomes += ".x~"[ftl_fault_read(faults)];
    return outcomes;
}

TEST(FtlFaultTest, ReadsFailInBursts) {
    ftl_fault_config config = ftl_fault_default();
    ftl_faults faults = Armed(config);
    EXPECT_EQ("..........", Reads(&faults, 10));
    config.read_every = 4;
    faults = Armed(config);
    EXPECT_EQ("....x....x....x", Reads(&faults, 15));
    config.read_burst = 3;
    faults = Armed(config);
    EXPECT_EQ("....xxx....xxx.", Reads(&faults, 15));
    config.read_change = 1;
    faults = Armed(config);
    EXPECT_EQ("....~~~....~~~.", Reads(&faults, 15));
}

TEST(FtlFaultTest, AsManyReadsOfABurstFailAsSet) {
    for (const uint32_t permille : {0u, 100u, 500u, 1000u}) {
        ftl_fault_config config = ftl_fault_default();
        config.read_every = 1;
        config.read_burst = 9999;
        config.read_permille = permille;
        ftl_faults faults = Armed(config);
        const std::string once = Reads(&faults, 10000);
        const auto failed = std::count(once.begin(), once.end(), 'x');
        EXPECT_NEAR(permille * 10, failed, permille % 1000 == 0 ? 1 : 150) << permille;
        faults = Armed(config);
        EXPECT_EQ(once, Reads(&faults, 10000)) << "another one with the same seed";
        config.seed = 2;
        faults = Armed(config);
        EXPECT_EQ(permille % 1000 == 0, once == Reads(&faults, 10000)) << permille;
    }
}

TEST(FtlFaultTest, StallsStrikeEveryNthCommand) {
    ftl_fault_config config = ftl_fault_default();
    ftl_faults faults = Armed(config);
    EXPECT_EQ(0u, ftl_fault_stall(&faults));
    config.stall_ms = 5000;
    faults = Armed(config);
    EXPECT_EQ(5'000'000'000u, ftl_fault_stall(&faults));
    config.stall_every = 3;
    faults = Armed(config);
    for (int i = 1; i < 10; i++) {
        EXPECT_EQ(i % 3 == 0 ? 5'000'000'000u : 0u, ftl_fault_stall(&faults)) << i;
    }
}

// How many of single pages cannot be written.
uint32_t Unwritable(const ftl_faults& faults, uint64_t worn) {
    uint32_t failed = 0;
    for (uint32_t page = 0; page < 10000; page++) {
        failed += ftl_fault_program(&faults, worn, page, 1);
    }
    return failed;
}

TEST(FtlFaultTest, PagesFailFromTheCliffOn) {
    ftl_fault_config config = ftl_fault_default();
    EXPECT_EQ(0u, Unwritable(Armed(config), 1000));
    config.wear = 900;
    config.wear_permille = 100;
    EXPECT_EQ(0u, Unwritable(Armed(config), 899));
    EXPECT_NEAR(1000, Unwritable(Armed(config), 900), 150);
    EXPECT_EQ(Unwritable(Armed(config), 900), Unwritable(Armed(config), 1500));
    config.wear_permille = 1000;
    EXPECT_EQ(10000u, Unwritable(Armed(config), 900));
}

TEST(FtlFaultTest, AWriteFailsIfOneOfItsPagesDoes) {
    ftl_fault_config config = ftl_fault_default();
    config.wear_permille = 5;
    const ftl_faults faults = Armed(config);
    for (uint32_t first = 0; first < 10000; first += 100) {
        bool any = false;
        for (uint32_t page = first; page < first + 100; page++) {
            any = any || ftl_fault_program(&faults, 0, page, 1);
        }
        EXPECT_EQ(any, ftl_fault_program(&faults, 0, first, 100)) << first;
    }
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
            {"fault_noop: 0 or 1", [](ftl_fault_config* c) { c->noop = 2; }},
            {"fault_stall_every: 1 or more", [](ftl_fault_config* c) { c->stall_every = 0; }},
            {"fault_read_burst: 1 or more", [](ftl_fault_config* c) { c->read_burst = 0; }},
            {"fault_read_permille: up to 1000",
             [](ftl_fault_config* c) { c->read_permille = 1001; }},
            {"fault_read_change: 0 or 1", [](ftl_fault_config* c) { c->read_change = 2; }},
            {"fault_flush: 0 or 1", [](ftl_fault_config* c) { c->flush = 2; }},
            {"fault_wear_permille: up to 1000",
             [](ftl_fault_config* c) { c->wear_permille = 1001; }},
    };
    for (const auto& row : table) {
        ftl_fault_config config = ftl_fault_default();
        row.spoil(&config);
        EXPECT_STREQ(row.error, ftl_fault_error(&config));
    }
}

}  // namespace
