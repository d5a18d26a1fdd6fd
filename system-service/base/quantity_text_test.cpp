// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "base/quantity_text.h"

#include <gtest/gtest.h>

namespace storekeeper {
namespace {

TEST(QuantityTextTest, OneIsSingular) {
    EXPECT_EQ("0 steps", Counted(0, "step"));
    EXPECT_EQ("1 step", Counted(1, "step"));
    EXPECT_EQ("2 steps", Counted(2, "step"));
}

TEST(QuantityTextTest, EachUnit) {
    struct Row {
        int64_t value;
        const char* unit;
        const char* text;
    };
    for (const Row& row :
         {Row{0, "s", "0 s"}, Row{3 * 86400 + 59, "s", "3 d 59 s"}, Row{90061, "s", "1 d 1 h"},
          Row{-3660, "s", "-1 h -1 min"}, Row{80, "pct", "80 %"}, Row{405, "dC", "40.5 C"},
          Row{-5, "dC", "-0.5 C"}, Row{0, "yes", "no"}, Row{1, "yes", "yes"}}) {
        EXPECT_EQ(row.text, QuantityText(row.value, row.unit)) << row.value << row.unit;
    }
}

TEST(QuantityTextTest, ASmallFigureIsNotZero) {
    struct Row {
        double value;
        const char* text;
    };
    for (const Row& row :
         {Row{524.288, "524.3"}, Row{1, "1.0"}, Row{0.5, "0.50"}, Row{0.0419, "0.042"},
          Row{-0.0419, "-0.042"}, Row{0.00001, "0.000010"}, Row{1e-9, "0.0"}, Row{0, "0.0"}}) {
        EXPECT_EQ(row.text, FigureText(row.value));
    }
}

TEST(QuantityTextTest, ASizeIsInTheUnitThatItFills) {
    struct Row {
        uint64_t bytes;
        const char* text;
    };
    constexpr uint64_t kGib = 1 << 30;
    for (const Row& row :
         {Row{0, "0 bytes"}, Row{1, "1 byte"}, Row{1023, "1023 bytes"}, Row{1024, "1 KiB"},
          Row{3 << 19, "1.5 MiB"}, Row{128 << 20, "128 MiB"}, Row{(1 << 20) - 1, "1.0 MiB"},
          Row{kGib - (1 << 20), "1023 MiB"}, Row{kGib - 1, "1.0 GiB"}, Row{64 * kGib, "64 GiB"},
          Row{kGib * 1024 * 3 / 2, "1.5 TiB"}, Row{UINT64_MAX, "16.0 EiB"}}) {
        EXPECT_EQ(row.text, SizeText(row.bytes)) << row.bytes;
    }
}

TEST(QuantityTextTest, WallTimeOfFourDigitYears) {
    EXPECT_EQ("1970-01-01 00:00:00 UTC", WallTimeText(WallTime(0)));
    EXPECT_EQ("2038-01-19 03:14:08 UTC", WallTimeText(WallTime(2147483648)));
    EXPECT_EQ("9999-12-31 23:59:59 UTC", WallTimeText(WallTime(253402300799)));
    EXPECT_EQ("?", WallTimeText(WallTime(253402300800)));
    EXPECT_EQ("?", WallTimeText(WallTime(-1)));
}

}  // namespace
}  // namespace storekeeper
