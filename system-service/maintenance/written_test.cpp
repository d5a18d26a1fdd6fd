// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "maintenance/written.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "testing/tree.h"

namespace storekeeper {
namespace {

using testing::HasSubstr;

constexpr uint64_t kKib = 1024;

// A phone with an ext4 of 1000 KiB on dm-0, and an f2fs of 500 KiB on sda2 with a bind mount.
class WrittenTest : public testing::Test {
  protected:
    WrittenTest() {
        tree_.Write("/proc/self/mountinfo",
                    "20 1 254:0 / /data rw - ext4 /dev/block/dm-0 rw\n"
                    "21 20 254:0 /media /data/media rw - ext4 /dev/block/dm-0 rw\n"
                    "22 1 8:2 / /cache rw - f2fs /dev/block/sda2 rw\n"
                    "23 1 8:3 / /vendor ro - ext4 /dev/block/sda3 ro\n"
                    "24 1 0:30 / /tmp rw - tmpfs tmpfs rw\n");
        Device("254:0", "dm-0", 2000);
        Device("8:2", "sda2", 1000);
        Count("ext4/dm-0", "700\n");
        Count("f2fs/sda2", "50\n");
    }

    void Device(const std::string& number, const std::string& name, int sectors) {
        const std::string node = "/sys/dev/block/" + number;
        tree_.Write(node + "/uevent", "DEVNAME=" + name + "\n");
        tree_.Write(node + "/size", std::to_string(sectors) + "\n");
        tree_.Write(node + "/queue/iostats", "1\n");
    }
    void Count(const std::string& name, const std::string& kbytes) {
        tree_.Write("/sys/fs/" + name + "/lifetime_write_kbytes", kbytes);
    }
    std::string Problem(const std::vector<std::string>& configured = {"/data"}) {
        const auto written = ReadWritten(tree_.files(), configured);
        return written.ok() ? "" : written.error().message();
    }

    Tree tree_;
};

TEST_F(WrittenTest, IsTheSumOverTheWritableFileSystems) {
    const auto written = ReadWritten(tree_.files(), {"/data", "/data/media", "/cache", "/vendor",
                                                     "/tmp", "/mnt/expand/*"});
    ASSERT_TRUE(written.ok()) << written.error();
    EXPECT_EQ(750 * kKib, written->bytes);
    EXPECT_EQ(1500 * kKib, written->size_bytes);
}

TEST_F(WrittenTest, IsNotBelievedWhereTheBlockLayerDoesNotCount) {
    tree_.Write("/sys/dev/block/254:0/queue/iostats", "0\n");
    EXPECT_EQ("not counted: queue/iostats is 0 on dm-0", Problem());
    EXPECT_EQ("", Problem({"/cache"}));
}

// Policy as AOSP's: /sys/fs/f2fs has a label, /sys/fs/ext4/*/lifetime_write_kbytes has none. Most
// phones with f2fs on /data have ext4 on /metadata (fstab.qcom of LineageOS's sony_sm8250-common).
TEST_F(WrittenTest, OnlyDataMustBeCounted) {
    tree_.Write("/proc/self/mountinfo",
                "20 1 8:2 / /data rw - f2fs /dev/block/sda2 rw\n"
                "22 1 254:0 / /metadata rw - ext4 /dev/block/dm-0 rw\n");
    tree_.Remove("/sys/fs/ext4/dm-0/lifetime_write_kbytes");
    const auto written = ReadWritten(tree_.files(), {"/data", "/metadata"});
    ASSERT_TRUE(written.ok()) << written.error();
    EXPECT_EQ(50 * kKib, written->bytes);
    EXPECT_EQ(500 * kKib, written->size_bytes);
    EXPECT_THAT(Problem({"/metadata"}), HasSubstr("/sys/fs/ext4/dm-0/lifetime_write_kbytes"));
    tree_.Write("/proc/self/mountinfo", "22 1 254:0 / /metadata rw - ext4 /dev/block/dm-0 rw\n");
    EXPECT_THAT(Problem({"/metadata"}), HasSubstr("/sys/fs/ext4/dm-0/lifetime_write_kbytes"));
}

TEST_F(WrittenTest, SaysWhyThereIsNone) {
    EXPECT_EQ("no file system that may be trimmed has a size", Problem({"/vendor", "/none"}));
    Count("ext4/dm-0", "garbage\n");
    EXPECT_THAT(Problem(), HasSubstr("/sys/fs/ext4/dm-0/lifetime_write_kbytes"));
    tree_.Remove("/sys/dev/block/254:0/uevent");
    EXPECT_THAT(Problem(), HasSubstr("/sys/dev/block/254:0/uevent"));
    tree_.Remove("/proc/self/mountinfo");
    EXPECT_THAT(Problem(), HasSubstr("/proc/self/mountinfo"));
}

}  // namespace
}  // namespace storekeeper
