// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "maintenance/inputs/system_inputs.h"
#include "testing/tree.h"

namespace storekeeper {
namespace {

using android::base::Result;
using testing::HasSubstr;

std::string Line(const std::string& type, const std::string& options) {
    return "40 21 259:2 / /data rw,nosuid shared:5 - " + type + " /dev/block/dm-5 " + options +
           "\n";
}

TEST(CheckpointTest, AnF2fsWithoutCheckpointsIsPending) {
    struct Row {
        std::string line;
        bool pending;
    };
    for (const Row& row :
         {Row{Line("f2fs", "rw,lazytime,checkpoint=disable:0,fsync_mode=nobarrier"), true},
          Row{Line("f2fs", "rw,checkpoint=disable"), true},
          Row{Line("f2fs", "rw,checkpoint_merge,fsync_mode=nobarrier"), false},
          Row{Line("f2fs", "rw,checkpoint=enable"), false},
          Row{Line("ext4", "rw,checkpoint=disable"), false},
          Row{"- f2fs checkpoint=disable\n", false}}) {
        Tree tree;
        tree.Write("/proc/self/mountinfo", Line("ext4", "rw") + row.line);
        Result<std::string> reading = ReadCheckpoint(tree.files());
        ASSERT_TRUE(reading.ok()) << reading.error();
        EXPECT_EQ(row.pending, !reading->empty()) << row.line;
        if (row.pending) EXPECT_THAT(*reading, HasSubstr("/data is mounted with"));
    }
}

TEST(CheckpointTest, ABowDeviceIsPendingUntilItIsCommitted) {
    Tree tree;
    tree.Write("/proc/self/mountinfo", Line("ext4", "rw"));
    tree.Write("/sys/block/mmcblk0/size", "5\n");
    EXPECT_EQ("", *ReadCheckpoint(tree.files()));
    for (const char* state : {"0\n", "1\n", "garbage\n"}) {
        tree.Write("/sys/block/dm-3/bow/state", state);
        EXPECT_THAT(*ReadCheckpoint(tree.files()), HasSubstr("/sys/block/dm-3/bow/state is "));
    }
    tree.Write("/sys/block/dm-3/bow/state", "2\n");
    EXPECT_EQ("", *ReadCheckpoint(tree.files()));
}

TEST(CheckpointTest, AnUnreadableMountTableOrBowStateIsAnError) {
    Tree tree;
    EXPECT_FALSE(ReadCheckpoint(tree.files()).ok());
    for (std::string_view garbage :
         {std::string_view("\0\1\n", 3), std::string_view(), std::string_view("40 21 259:2")}) {
        tree.Write("/proc/self/mountinfo", garbage);
        EXPECT_FALSE(ReadCheckpoint(tree.files()).ok());
    }
    tree.Write("/proc/self/mountinfo", Line("ext4", "rw"));
    tree.Write("/sys/block/dm-3/bow/state", "");
    EXPECT_FALSE(ReadCheckpoint(tree.files()).ok());
}

}  // namespace
}  // namespace storekeeper
