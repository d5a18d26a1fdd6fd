// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "daemon/access.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

namespace storekeeper {
namespace {

using testing::HasSubstr;

constexpr uid_t kRoot = 0;
constexpr uid_t kSystem = 1000;
constexpr uid_t kShell = 2000;

TEST(AccessTest, OnlyWhoHasABitIsAdmitted) {
    for (const AccessRule& rule : AccessRules()) {
        // System accounts, nobody, an app, an isolated process, a secondary user's root, system and
        // shell, and an overflowed uid.
        for (uid_t uid : {1U, 1001U, 2001U, 9999U, 10123U, 99123U, 100000U, 101000U, 102000U,
                          1001000U, 0xffffffffU}) {
            auto access = CheckCaller(rule.operation, uid);
            ASSERT_FALSE(access.ok()) << rule.operation << " " << uid;
            EXPECT_THAT(access.error().message(), HasSubstr("uid " + std::to_string(uid)));
        }
        EXPECT_TRUE(CheckCaller(rule.operation, kRoot).ok()) << rule.operation;
    }
}

TEST(AccessTest, AnOperationWithoutARowAdmitsNoCaller) {
    for (uid_t uid : {kRoot, kSystem, kShell}) {
        auto access = CheckCaller("cmd storekeeper nosuch", uid);
        ASSERT_FALSE(access.ok());
        EXPECT_THAT(access.error().message(), HasSubstr("nobody may"));
    }
}

TEST(AccessTest, EachOperationHasOneRow) {
    std::set<std::string_view> seen;
    for (const AccessRule& rule : AccessRules()) {
        EXPECT_TRUE(seen.insert(rule.operation).second) << rule.operation;
        EXPECT_EQ(&rule, FindAccessRule(rule.operation));
    }
}

// These operations have fewer callers than the others.
TEST(AccessTest, TheShellNeitherChoosesNorHandsInNorSetsLimits) {
    for (const char* operation :
         {"setExtCsd()", "cmd storekeeper crypto choose", "cmd storekeeper crypto confirm",
          "cmd storekeeper crypto rollback", "cmd storekeeper set-gate-override"}) {
        EXPECT_FALSE(CheckCaller(operation, kShell).ok()) << operation;
    }
    EXPECT_FALSE(CheckCaller("setExtCsd()", kSystem).ok());
    EXPECT_THAT(CheckCaller("cmd storekeeper trim", kSystem).error().message(),
                HasSubstr("root and shell may"));
    EXPECT_THAT(CheckCaller("dumpsys storekeeper", 10123).error().message(),
                HasSubstr("root, system and shell may"));
}

}  // namespace
}  // namespace storekeeper
