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

TEST(TokensTest, UnprintableBytesAreEscaped) {
    struct Row {
        std::string text;
        const char* printable;
    };
    for (const Row& row :
         {Row{"", ""}, Row{"/data", "/data"}, Row{" ~", " ~"}, Row{"a\nb", "a\\x0ab"},
          Row{"\x1b[31m\x7f", "\\x1b[31m\\x7f"}, Row{std::string(1, '\0'), "\\x00"},
          // Backslashes stay.
          Row{"a\\040b\\", "a\\040b\\"},
          // Valid characters of two, three and four bytes.
          Row{"caf\xc3\xa9", "caf\xc3\xa9"}, Row{"\xe7\xba\xa2", "\xe7\xba\xa2"},
          Row{"\xf0\x9f\x93\xb1", "\xf0\x9f\x93\xb1"},
          // Invalid sequences: control character, overlong, truncated, no lead byte, surrogate,
          // above U+10FFFF.
          Row{"\xc2\x9b", "\\xc2\\x9b"}, Row{"\xc1\xa1", "\\xc1\\xa1"},
          Row{"\xe0\x81\xa1", "\\xe0\\x81\\xa1"}, Row{"\xf0\x80\x81\xa1", "\\xf0\\x80\\x81\\xa1"},
          Row{"\xe7\xba", "\\xe7\\xba"}, Row{"\xc3x", "\\xc3x"}, Row{"\xa9", "\\xa9"},
          Row{"\xff", "\\xff"}, Row{"\xed\xa0\x80", "\\xed\\xa0\\x80"},
          Row{"\xee\x80\x80", "\xee\x80\x80"}, Row{"\xf4\x90\x80\x80", "\\xf4\\x90\\x80\\x80"}}) {
        EXPECT_EQ(row.printable, Printable(row.text));
        EXPECT_EQ(row.printable, Printable(row.printable));
    }
    EXPECT_EQ("a\n\\x09b\n\n", PrintableLines("a\n\tb\n\n"));
    EXPECT_EQ("", PrintableLines(""));
}

TEST(TokensTest, HexStringHasTwoDigitsAByte) {
    const uint8_t bytes[] = {0x00, 0x0f, 0xa0, 0xff};
    EXPECT_EQ("000fa0ff", HexString(bytes, sizeof(bytes)));
    EXPECT_EQ("", HexString(bytes, 0));
}

}  // namespace
}  // namespace storekeeper
