// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "maintenance/trim/cursor.h"

#include <gtest/gtest.h>

#include "testing/tree.h"

namespace storekeeper {
namespace {

using std::chrono::hours;

const std::string kData = CursorKey(0x5709, 1 << 30);
const std::string kCache = CursorKey(0x5709, 1 << 20);
constexpr WallTime kNow{1'767'225'600};

TEST(CursorTest, OutlivesARestartUntilThePassIsComplete) {
    Tree tree;
    {
        RecordFile records(RealCalls(), tree.PathOf("/state.log"));
        EXPECT_EQ(0U, FindCursor(records, kData, kNow));
        PutCursor(&records, kData, 128 << 20, kNow);
        PutCursor(&records, kCache, 8 << 20, kNow);
        ASSERT_TRUE(records.Write().ok());
    }
    RecordFile records(RealCalls(), tree.PathOf("/state.log"));
    EXPECT_EQ(128U << 20, FindCursor(records, kData, kNow + hours(24)));
    EXPECT_EQ(8U << 20, FindCursor(records, kCache, kNow));
    PutCursor(&records, kData, 0, kNow);
    EXPECT_EQ(0U, FindCursor(records, kData, kNow));
    EXPECT_EQ(8U << 20, FindCursor(records, kCache, kNow));
    PutCursor(&records, kCache, 0, kNow);
    EXPECT_EQ("", records.Last(RecordKind::kCursors));
}

TEST(CursorTest, AnOldOrImpossibleTimeIsNoCursor) {
    Tree tree;
    RecordFile records(RealCalls(), tree.PathOf("/state.log"));
    PutCursor(&records, kData, 1, kNow);
    EXPECT_EQ(1U, FindCursor(records, kData, kNow + kCursorLife));
    EXPECT_EQ(0U, FindCursor(records, kData, kNow + kCursorLife + WallTime(1)));
    EXPECT_EQ(0U, FindCursor(records, kData, kNow - WallTime(1)));
    // The next PutCursor() removes an expired cursor.
    PutCursor(&records, kCache, 2, kNow + kCursorLife + WallTime(1));
    EXPECT_EQ(0U, FindCursor(records, kData, kNow));
}

TEST(CursorTest, AnUnreadableCursorStartsOver) {
    Tree tree;
    for (const char* text : {"garbage", "5709-1073741824 -1 1767225600", "5709-1073741824 x y",
                             "5709-1073741824 1 y", "5709-1073741824 1 -1", "\t\t"}) {
        RecordFile records(RealCalls(), tree.PathOf("/state.log"));
        records.Put(RecordKind::kCursors, text);
        EXPECT_EQ(0U, FindCursor(records, kData, kNow)) << text;
    }
}

TEST(CursorTest, ForgettingNothingWritesNothing) {
    Tree tree;
    RecordFile records(RealCalls(), tree.PathOf("/state.log"));
    PutCursor(&records, kData, 0, kNow);
    ASSERT_TRUE(records.Write().ok());
    EXPECT_FALSE(tree.files().Exists("/state.log"));
}

}  // namespace
}  // namespace storekeeper
