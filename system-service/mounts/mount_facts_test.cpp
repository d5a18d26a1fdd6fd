// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "mounts/mount_facts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "testing/fake_syscalls.h"
#include "testing/tree.h"

namespace storekeeper {
namespace {

using testing::ElementsAre;

constexpr char kMountinfo[] =
        "21 1 254:0 / / ro - ext4 /dev/block/dm-0 ro\n"
        "40 21 254:5 / /data rw,noatime - f2fs /dev/block/dm-5 rw,discard\n"
        "41 40 254:5 / /data/user/0 rw,noatime - f2fs /dev/block/dm-5 rw,discard\n"
        "42 21 179:3 / /metadata rw,noatime - ext4 /dev/block/mmcblk0p3 rw\n"
        "43 21 0:17 / /dev rw - tmpfs tmpfs rw\n"
        "44 21 0:40 / /mnt/user/0/emulated rw - fuse /dev/fuse rw\n"
        "45 21 0:40 / /storage/emulated rw - fuse /dev/fuse rw\n"
        "46 21 0:41 / /sys/fs/fuse/connections rw - fusectl none rw\n";

class MountFactsTest : public testing::Test {
  protected:
    MountFactsTest() {
        tree_.Write("/proc/self/mountinfo", kMountinfo);
        tree_.Write("/sys/dev/block/254:5/dm/name", "userdata\n");
        tree_.Write("/sys/dev/block/254:5/queue/discard_max_bytes", "134217728\n");
        tree_.Write("/sys/dev/block/254:5/queue/write_cache", "write back\n");
        tree_.Write("/sys/dev/block/179:3/queue/discard_max_bytes", "0\n");
        kernel_.Add("/data", FakeSyscalls::Mount{.device = 1, .size_bytes = 8 << 20});
    }

    MountAuditInputs Read(std::optional<bool> volatile_cache = {}) {
        FileReader files = tree_.files();
        android::base::Result<MountAuditInputs> inputs =
                ReadMountFacts(files, kernel_, volatile_cache, {"/data"},
                               [this](const std::string& name) { return properties_[name]; });
        EXPECT_TRUE(inputs.ok()) << inputs.error();
        return *inputs;
    }

    std::string Layer() { return Read().mounts.at(0).layer; }

    Tree tree_;
    FakeSyscalls kernel_;
    std::map<std::string, std::string> properties_;
};

TEST_F(MountFactsTest, EachFileSystemOnce) {
    MountAuditInputs inputs = Read();
    std::vector<std::string> mounts;
    for (const AuditedMount& audited : inputs.mounts) mounts.push_back(audited.mount.mount_point);
    EXPECT_THAT(mounts, ElementsAre("/data", "/metadata", "/mnt/user/0/emulated"));
    EXPECT_EQ(8u << 20, inputs.mounts[0].size_bytes);
    EXPECT_EQ(4u << 20, inputs.mounts[0].free_bytes);
    EXPECT_EQ(true, inputs.mounts[0].discards);
    EXPECT_TRUE(inputs.mounts[0].maintained);
    EXPECT_EQ(std::nullopt, inputs.mounts[1].size_bytes);
    EXPECT_EQ(false, inputs.mounts[1].discards);
    EXPECT_FALSE(inputs.mounts[1].maintained);
    EXPECT_EQ("none", inputs.mounts[1].layer);
    EXPECT_EQ(std::nullopt, inputs.mounts[2].discards);
}

TEST_F(MountFactsTest, Layers) {
    EXPECT_EQ("", Layer());
    properties_["ro.crypto.state"] = "encrypted";
    properties_["ro.crypto.type"] = "block";
    EXPECT_EQ("dm-crypt", Layer());
    properties_["ro.crypto.type"] = "file";
    EXPECT_EQ("fscrypt", Layer());
    properties_["ro.crypto.metadata.enabled"] = "true";
    EXPECT_EQ("dm-default-key", Layer());
    tree_.Write("/sys/dev/block/254:5/dm/uuid", "CRYPT-PLAIN-data\n");
    EXPECT_EQ("dm-crypt", Layer());
    tree_.Remove("/sys/dev/block/254:5/dm");
    properties_.clear();
    EXPECT_EQ("none", Layer());
    // Encrypted, and nothing reports how.
    properties_["ro.crypto.state"] = "encrypted";
    EXPECT_EQ("", Layer());
}

TEST_F(MountFactsTest, Cache) {
    tree_.Write("/sys/dev/block/254:5/uevent", "DEVNAME=mmcblk0\n");
    EXPECT_EQ(std::nullopt, Read().volatile_cache);
    tree_.Write("/sys/dev/block/254:5/uevent", "DEVNAME=sda\n");
    EXPECT_EQ(true, Read().volatile_cache);
    tree_.Write("/sys/dev/block/254:5/queue/write_cache", "write through\n");
    EXPECT_EQ(false, Read().volatile_cache);
    // The register is asked of the chip itself.
    EXPECT_EQ(true, Read(true).volatile_cache);
}

TEST_F(MountFactsTest, WithoutATableThereIsNoAudit) {
    tree_.Remove("/proc/self/mountinfo");
    EXPECT_FALSE(ReadMountFacts(tree_.files(), kernel_, {}, {}, [](const std::string&) {
                     return "";
                 }).ok());
}

}  // namespace
}  // namespace storekeeper
