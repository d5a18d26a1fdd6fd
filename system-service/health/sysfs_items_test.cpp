// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "health/sysfs_items.h"

#include <errno.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "testing/tree.h"

namespace storekeeper {
namespace {

using android::base::Result;
using testing::HasSubstr;
using testing::IsEmpty;

Result<void> Parse(const ItemParser& parse, const std::string& text, HealthItem* item) {
    *item = {.value = text};
    return parse(text, item);
}

TEST(SysfsItemsTest, DecimalNumbersAreNoOthers) {
    HealthItem item;
    std::optional<uint64_t> number;
    const ItemParser parse = AsDecimal(
            100, [](uint64_t n) { return std::to_string(n) + " %"; }, &number);
    EXPECT_TRUE(Parse(parse, "100", &item).ok());
    EXPECT_EQ("100 %", item.explanation);
    EXPECT_EQ(100U, number);
    for (const char* text : {"101", "0x10", "-1", "+1", "1.5", "99999999999999999999999", "a"}) {
        EXPECT_THAT(Parse(parse, text, &item).error().message(),
                    HasSubstr("is not a number from 0 to 100"))
                << text;
    }
    EXPECT_EQ(100U, number);
    EXPECT_TRUE(Parse(AsDecimal(1), "1", &item).ok());
    EXPECT_EQ("", item.explanation);
}

TEST(SysfsItemsTest, HexadecimalWithAndWithoutAPrefix) {
    HealthItem item;
    const ItemParser parse = AsHex([](uint64_t n) { return std::to_string(n); });
    for (const char* text : {"0x0000000A", "A", "a"}) {
        ASSERT_TRUE(Parse(parse, text, &item).ok()) << text;
        EXPECT_EQ("10", item.explanation);
    }
    for (const char* text : {"", "0x", "-1", "0x0x1", "g"}) {
        EXPECT_FALSE(Parse(parse, text, &item).ok()) << text;
    }
}

TEST(SysfsItemsTest, FlagsAreWords) {
    HealthItem item;
    ASSERT_TRUE(Parse(AsFlag("off", "on"), "true", &item).ok());
    EXPECT_EQ("on", item.explanation);
    ASSERT_TRUE(Parse(AsFlag("off", "on"), "false", &item).ok());
    EXPECT_EQ("off", item.explanation);
    EXPECT_FALSE(Parse(AsFlag("off", "on"), "1", &item).ok());
}

TEST(SysfsItemsTest, ThreeErrorsSayThatTheChipHasNoSuchValue) {
    for (int code : {EINVAL, EOPNOTSUPP, ENODATA}) EXPECT_TRUE(IsRefusal(code)) << code;
    for (int code : {0, EIO, EBUSY, EACCES, EPERM, ENOENT}) EXPECT_FALSE(IsRefusal(code)) << code;
}

TEST(SysfsItemsTest, AMissingAttributeIsAnItemUnlessItIsOptional) {
    Tree tree;
    tree.Write("/sys/a", "1\n");
    // Reading a namespace file fails with EINVAL, reading a directory with EISDIR.
    tree.Link("/sys/refused", "/proc/self/ns/mnt");
    tree.MakeDirectory("/sys/folder");
    StorageHealth health;
    const SysfsItems items{tree.files(), "/sys", "sysfs", &health};
    items.AddUnlessRefused("missing", AsText);
    EXPECT_THAT(health.items, IsEmpty());
    items.Add("missing");
    items.AddUnlessRefused("a", AsText, true);
    items.AddUnlessRefused("refused", AsText, false, "b");
    items.AddUnlessRefused("folder", AsText);
    items.Add("refused");
    ASSERT_EQ(5U, health.items.size());
    EXPECT_EQ("missing", health.items[0].name);
    EXPECT_FALSE(health.items[0].detail);
    EXPECT_EQ("1", health.items[1].value);
    EXPECT_TRUE(health.items[1].detail);
    EXPECT_EQ("b", health.items[2].name);
    EXPECT_EQ(std::nullopt, health.items[2].value);
    EXPECT_EQ("", health.items[2].problem);
    EXPECT_THAT(health.items[3].problem, HasSubstr("cannot read /sys/folder"));
    EXPECT_THAT(health.items[4].problem, HasSubstr("/sys/refused"));
}

}  // namespace
}  // namespace storekeeper
