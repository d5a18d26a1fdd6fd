// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "maintenance/trim/cursor_store.h"

#include <gtest/gtest.h>

#include "testing/tree.h"

namespace storekeeper {
namespace {

using std::chrono::hours;

constexpr FilesystemKey kData = {.fsid = 0x5709, .size_bytes = 1 << 30};
constexpr FilesystemKey kCache = {.fsid = 0x5709, .size_bytes = 1 << 20};
constexpr WallTime kNow{1'767'225'600};

TEST(CursorStoreTest, OutlivesARestartUntilThePassIsComplete) {
    Tree tree;
    {
        CursorStore store(tree.PathOf("/cursors"));
        EXPECT_EQ(0U, store.Find(kData, kNow));
        ASSERT_TRUE(store.Save(kData, 128 << 20, kNow).ok());
        ASSERT_TRUE(store.Save(kCache, 8 << 20, kNow).ok());
    }
    CursorStore store(tree.PathOf("/cursors"));
    EXPECT_EQ(128U << 20, store.Find(kData, kNow + hours(24)));
    EXPECT_EQ(8U << 20, store.Find(kCache, kNow));
    ASSERT_TRUE(store.Forget(kData).ok());
    EXPECT_EQ(0U, CursorStore(tree.PathOf("/cursors")).Find(kData, kNow));
    ASSERT_TRUE(store.Forget(kCache).ok());
    EXPECT_EQ(0U, CursorStore(tree.PathOf("/cursors")).Find(kCache, kNow));
}

TEST(CursorStoreTest, AnOldOrImpossibleTimeIsNoCursor) {
    Tree tree;
    CursorStore store(tree.PathOf("/cursors"));
    ASSERT_TRUE(store.Save(kData, 1, kNow).ok());
    EXPECT_EQ(1U, store.Find(kData, kNow + CursorStore::kLife));
    EXPECT_EQ(0U, store.Find(kData, kNow + CursorStore::kLife + WallTime(1)));
    EXPECT_EQ(0U, store.Find(kData, kNow - WallTime(1)));
}

TEST(CursorStoreTest, WhatCannotBeReadStartsOver) {
    Tree tree;
    for (const char* text :
         {"", "garbage", "5709-1073741824 -1 1767225600\n", "5709-1073741824 x y\n\n\n"}) {
        tree.Write("/cursors", text);
        EXPECT_EQ(0U, CursorStore(tree.PathOf("/cursors")).Find(kData, kNow)) << text;
    }
    EXPECT_FALSE(CursorStore(tree.PathOf("/nosuch/cursors")).Save(kData, 1, kNow).ok());
}

TEST(CursorStoreTest, ForgettingNothingWritesNothing) {
    Tree tree;
    ASSERT_TRUE(CursorStore(tree.PathOf("/cursors")).Forget(kData).ok());
    EXPECT_FALSE(tree.files().Exists("/cursors"));
}

}  // namespace
}  // namespace storekeeper
