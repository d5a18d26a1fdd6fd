// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "daemon/give_back.h"

#include <gtest/gtest.h>
#include <sqlite3.h>

namespace storekeeper {
namespace {

TEST(GiveBackTest, ALibraryWorksOnWithoutItsMemory) {
    const int version = sqlite3_libversion_number();
    EXPECT_LT(100'000U, GiveBackLibrary("libsqlite"));
    EXPECT_EQ(version, sqlite3_libversion_number());
    sqlite3* memory = nullptr;
    ASSERT_EQ(SQLITE_OK, sqlite3_open(":memory:", &memory));
    EXPECT_EQ(SQLITE_OK, sqlite3_exec(memory, "CREATE TABLE t (a)", nullptr, nullptr, nullptr));
    sqlite3_close(memory);
}

TEST(GiveBackTest, WhatIsNotThereHasNothing) {
    EXPECT_EQ(0U, GiveBackLibrary("libnosuch"));
}

}  // namespace
}  // namespace storekeeper
