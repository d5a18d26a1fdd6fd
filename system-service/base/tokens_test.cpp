// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "base/tokens.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace storekeeper {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(TokensTest, WordsAreWhatStandsBetweenDelimiters) {
    EXPECT_THAT(Tokenize("a bc  d", " "), ElementsAre("a", "bc", "d"));
    EXPECT_THAT(Tokenize("\t a:b\t", " \t:"), ElementsAre("a", "b"));
    EXPECT_THAT(Tokenize("one", " "), ElementsAre("one"));
    EXPECT_THAT(Tokenize("", " "), IsEmpty());
    EXPECT_THAT(Tokenize("  ", " "), IsEmpty());
}

TEST(TokensTest, APropertyListHasWholeWords) {
    EXPECT_EQ("", PropertyList({}));
    EXPECT_EQ("10102,0", PropertyList({"10102", "0"}));
    const std::vector<std::string> words(9, "123456789");
    EXPECT_EQ(89U, PropertyList(words).size());
    std::vector<std::string> more = words;
    more.push_back("1");
    EXPECT_EQ(91U, PropertyList(more).size());
    more.back() = "12";
    more.push_back("1");
    EXPECT_EQ(PropertyList(words), PropertyList(more));
    EXPECT_EQ("", PropertyList({std::string(92, 'x')}));
}

TEST(TokensTest, HexStringHasTwoDigitsAByte) {
    const uint8_t bytes[] = {0x00, 0x0f, 0xa0, 0xff};
    EXPECT_EQ("000fa0ff", HexString(bytes, sizeof(bytes)));
    EXPECT_EQ("", HexString(bytes, 0));
}

}  // namespace
}  // namespace storekeeper
