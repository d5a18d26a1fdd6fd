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

TEST(TokensTest, HexStringHasTwoDigitsAByte) {
    const uint8_t bytes[] = {0x00, 0x0f, 0xa0, 0xff};
    EXPECT_EQ("000fa0ff", HexString(bytes, sizeof(bytes)));
    EXPECT_EQ("", HexString(bytes, 0));
}

}  // namespace
}  // namespace storekeeper
