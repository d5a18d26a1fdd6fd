// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "maintenance/inputs/io_pressure.h"

#include <gtest/gtest.h>

#include <string>

namespace storekeeper {
namespace {

std::string Pressure(const std::string& avg10) {
    return "some avg10=" + avg10 +
           " avg60=0.00 avg300=0.00 total=5\nfull avg10=0.00 avg60=0.00 avg300=0.00 total=3\n";
}

TEST(IoPressureTest, TheShareIsRoundedUp) {
    EXPECT_EQ(0, *ParseIoPressure(Pressure("0.00")));
    EXPECT_EQ(1, *ParseIoPressure(Pressure("0.01")));
    EXPECT_EQ(43, *ParseIoPressure(Pressure("42.20")));
    EXPECT_EQ(100, *ParseIoPressure(Pressure("100.00")));
}

TEST(IoPressureTest, GarbageIsAnError) {
    for (const std::string& text :
         {std::string(), std::string("garbage"), std::string("some avg10="),
          std::string("some avg10=0.00"), Pressure("x.00"), Pressure("1"), Pressure("101.00"),
          Pressure("-1.00"), Pressure("1.0"), Pressure("1.0x"),
          "full avg10=0.00 avg60=0.00 avg300=0.00 total=3\n" + Pressure("0.00"),
          std::string("some avg1=0.00 avg60=0.00 avg300=0.00 total=3\n"),
          "some avg10=" + std::string(1 << 20, '1')}) {
        EXPECT_FALSE(ParseIoPressure(text).ok()) << text.substr(0, 80);
    }
}

}  // namespace
}  // namespace storekeeper
