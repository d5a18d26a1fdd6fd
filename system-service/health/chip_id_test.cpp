// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "health/chip_id.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace storekeeper {
namespace {

using testing::HasSubstr;
using testing::MatchesRegex;
using testing::Not;

constexpr char kCid[] = "150100544553544d3107deadbeef3b9f";

TEST(CidTest, HidesTheSerialNumber) {
    EXPECT_EQ("150100544553544d3107********3b**", *MaskedCid(kCid));
}

TEST(CidTest, RefusesWhatIsNone) {
    for (const char* text :
         {"", "15", "150100544553544d3107deadbeef3b9g", "150100544553544d3107deadbeef3b9f0",
          " 150100544553544d3107deadbeef3b9"}) {
        EXPECT_FALSE(MaskedCid(text).ok()) << text;
    }
}

TEST(CidTest, KnowsMakers) {
    EXPECT_EQ("Samsung", EmmcMaker(0x15));
    EXPECT_EQ("SK Hynix", EmmcMaker(0x90));
    EXPECT_EQ("", EmmcMaker(0x1515));
    EXPECT_EQ("", EmmcMaker(0));
}

TEST(ChipIdTest, DistinguishesChipsAndNothingElse) {
    const std::string id = ChipId(kCid);
    EXPECT_THAT(id, MatchesRegex("[0-9a-f]{16}"));
    EXPECT_EQ(id, ChipId("150100544553544D3107DEADBEEF3B9F"));
    EXPECT_NE(id, ChipId("150100544553544d3107deadbeee3b9f"));
    EXPECT_THAT(id, Not(HasSubstr("dead")));
    EXPECT_EQ("", ChipId("garbage"));
    // FNV-1a of "emmc " and the digits, kept for good: the ledger's key.
    EXPECT_EQ("0073fa0801d71038", id);
}

TEST(ChipIdTest, OfUfs) {
    EXPECT_EQ("", UfsChipId("A", "B", ""));
    EXPECT_THAT(UfsChipId("A", "B", "C"), MatchesRegex("[0-9a-f]{16}"));
    EXPECT_NE(UfsChipId("A", "B", "C"), UfsChipId("AB", "", "C"));
}

}  // namespace
}  // namespace storekeeper
