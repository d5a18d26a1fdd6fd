// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "writers/uid_name.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace storekeeper {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;

constexpr char kInvalid[] = "the package service returned an invalid value: ";

TEST(UidNameTest, DistinguishesTheRangesOfEachUser) {
    const UidNames names = {{10001, "shared:com.example"}, {10002, "com.example.two"}};
    const struct {
        uint32_t uid;
        const char* kind;
        const char* name;  // "" if it has none
    } rows[] = {
            {0, "system", ""},
            {1000, "system", ""},
            {9999, "system", ""},
            {10000, "app", ""},
            {10001, "shared", "shared:com.example"},
            {10002, "app", "com.example.two"},
            {19999, "app", ""},
            {20000, "sdk_sandbox", ""},
            {20002, "sdk_sandbox", "com.example.two"},
            {29999, "sdk_sandbox", ""},
            {30000, "other", ""},
            {65534, "other", ""},
            {89999, "other", ""},
            {90000, "isolated", ""},
            {98999, "isolated", ""},
            {99999, "isolated", ""},
            {100000, "system", ""},
            {1001000, "system", ""},
            {1010001, "shared", "shared:com.example"},
            {1010002, "app", "com.example.two"},
            {1099001, "isolated", ""},
            {UINT32_MAX, "other", ""},
    };
    for (const auto& row : rows) {
        EXPECT_STREQ(row.kind, UidKindName(KindOf(row.uid, names))) << row.uid;
        EXPECT_EQ(row.name, NameOf(row.uid, names).value_or("")) << row.uid;
    }
}

TEST(UidNameTest, AsksForEachAppOnce) {
    EXPECT_THAT(UidsToName({0, 1010002, 10002, 10001, 20002, 1000, 99001, 30000}),
                ElementsAre(10001, 10002));
    EXPECT_THAT(UidsToName({1000}), IsEmpty());
}

TEST(UidNameTest, TakesNamesThatPackagesMayHave) {
    const std::string longest(255, 'a');
    EXPECT_THAT(*CheckedNames({10001, 10002, 10003, 10004},
                              {"com.Example_9.app", "", "shared:android.uid.x", longest}),
                ElementsAre(Pair(10001, "com.Example_9.app"), Pair(10003, "shared:android.uid.x"),
                            Pair(10004, longest)));
    EXPECT_THAT(*CheckedNames({}, {}), IsEmpty());
}

TEST(UidNameTest, RefusesAnAnswerAsAWhole) {
    const struct {
        std::vector<std::string> answer;
        std::string problem;
    } rows[] = {
            {{"com.example"}, "1 names for 2 uids"},
            {{"a", "b", "c"}, "3 names for 2 uids"},
            {{"com.example", "../etc"}, "for uid 10002 a name that no package has"},
            {{"a b", "b"}, "for uid 10001"},
            {{"a\n", "b"}, "for uid 10001"},
            {{"a[", "b"}, "for uid 10001"},
            {{"a`", "b"}, "for uid 10001"},
            {{"a:b", "b"}, "for uid 10001"},
            {{"a~", "b"}, "for uid 10001"},
            {{"shared:", "b"}, "for uid 10001"},
            {{std::string(256, 'a'), "b"}, "for uid 10001"},
    };
    for (const auto& row : rows) {
        const auto names = CheckedNames({10001, 10002}, row.answer);
        ASSERT_FALSE(names.ok()) << row.problem;
        EXPECT_THAT(names.error().message(), HasSubstr(kInvalid + row.problem));
    }
}

}  // namespace
}  // namespace storekeeper
