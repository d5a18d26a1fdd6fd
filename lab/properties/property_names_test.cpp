// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "property_names.h"

#include <gtest/gtest.h>

#include <string>

namespace storekeeper::lab {
namespace {

TEST(PropertyNamesTest, AcceptsAndRefusesNamesAsAndroidDoes) {
    const struct {
        std::string name;
        bool legal;
    } cases[] = {
            {"a", true},
            {"debug.tracing.screen_state", true},
            {"init.svc.vendor-x@1.0:y_Z", true},
            {std::string(255, 'a'), true},
            {std::string(256, 'a'), false},
            {"", false},
            {".", false},
            {"..", false},
            {".a", false},
            {"a.", false},
            {"a..b", false},
            {"a/b", false},
            {"../a", false},
            {"a b", false},
            {"a=b", false},
            {"a\n", false},
            {std::string("a\0b", 3), false},
            {"\xc3\xa4", false},
    };
    for (const auto& c : cases) {
        EXPECT_EQ(c.legal, CheckPropertyName(c.name).ok()) << "'" << c.name << "'";
    }
}

TEST(PropertyNamesTest, LimitsValuesByKindOfProperty) {
    const struct {
        const char* name;
        size_t length;
        bool legal;
    } cases[] = {
            {"a", 0, true},          {"a", 91, true},          {"a", 92, false},
            {"persist.a", 91, true}, {"persist.a", 92, false}, {"ro.a", 92, true},
            {"ro.a", 0xffff, true},  {"ro.a", 0x10000, false}, {"roa", 92, false},
    };
    for (const auto& c : cases) {
        EXPECT_EQ(c.legal, CheckPropertyValue(c.name, std::string(c.length, 'x')).ok())
                << c.name << " " << c.length;
    }
}

TEST(PropertyNamesTest, AcceptsUtf8AndNothingElse) {
    const struct {
        std::string value;
        bool legal;
    } cases[] = {
            {"plain\nand\ttabs", true},
            {"\xc3\xa4", true},          // U+00E4
            {"\xe2\x82\xac x", true},    // U+20AC
            {"\xed\x9f\xbf", true},      // U+D7FF
            {"\xf0\x9f\x93\xb1", true},  // U+1F4F1
            {"\xf4\x8f\xbf\xbf", true},  // U+10FFFF
            {std::string("nul\0inside", 10), false},
            {"\x80", false},              // continuation without a lead
            {"\xc3", false},              // cut off
            {"\xe2\x82", false},          // cut off
            {"\xf0\x9f\x93", false},      // cut off
            {"\xc3g", false},             // lead without a continuation
            {"\xe2\x82g", false},         // third byte is no continuation
            {"\xc0\xaf", false},          // overlong
            {"\xe0\x80\xaf", false},      // overlong
            {"\xf0\x80\x80\xaf", false},  // overlong
            {"\xed\xa0\x80", false},      // surrogate
            {"\xf4\x90\x80\x80", false},  // beyond Unicode
            {"\xff", false},
    };
    for (const auto& c : cases) {
        EXPECT_EQ(c.legal, CheckPropertyValue("a", c.value).ok()) << "'" << c.value << "'";
    }
}

TEST(PropertyNamesTest, SaysWhatIsWrong) {
    EXPECT_EQ("property a: value of 92 bytes is too long; at most 91 are allowed",
              CheckPropertyValue("a", std::string(92, 'x')).error().message());
    EXPECT_EQ("property name 'a b': only letters, digits and ._-@: may stand in a name",
              CheckPropertyName("a b").error().message());
}

}  // namespace
}  // namespace storekeeper::lab
