// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "mounts/fstab.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "testing/tree.h"

namespace storekeeper {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr char kFstab[] =
        "# /dev/x /comment ext4 rw notrim\n"
        "/dev/block/by-name/userdata /data f2fs noatime,discard wait,check,quota\n"
        "/dev/block/by-name/cache\t/cache ext4 noatime wait,notrim\n"
        "/dev/block/by-name/persist /persist ext4 nosuid wait,notrimming\n"
        "/dev/sda1 /srv ext4 noatime,X-fstrim.notrim 0 2\n"
        "/dev/sda2 /export ext4 noatime\n"
        "short /line\n";

TEST(NoTrimTest, KnowsBothWordsForIt) {
    EXPECT_THAT(ParseNoTrim(kFstab), ElementsAre("/cache", "/srv"));
    EXPECT_THAT(ParseNoTrim(""), IsEmpty());
}

TEST(NoTrimTest, FindsTheFstabAsFsMgrDoes) {
    Tree tree;
    tree.Write("/vendor/etc/fstab.board", kFstab);
    tree.Write("/system/etc/fstab.board", "/dev/x /data ext4 rw notrim\n");
    const auto board = [](const std::string& name) {
        return name == "ro.boot.hardware" ? "board" : "";
    };
    EXPECT_THAT(ParseNoTrim(ReadFstab(tree.files(), board)), ElementsAre("/cache", "/srv"));
    tree.Write("/odm/etc/fstab.board", "/dev/x /odm-says ext4 rw notrim\n");
    EXPECT_THAT(ParseNoTrim(ReadFstab(tree.files(), board)), ElementsAre("/odm-says"));
    EXPECT_THAT(ParseNoTrim(ReadFstab(tree.files(), [](const std::string&) { return ""; })),
                IsEmpty());
    // If a suffix has no file, the next one is tried.
    const auto two = [](const std::string& name) {
        return name == "ro.boot.hardware.platform" ? "board" : "nosuch";
    };
    EXPECT_THAT(ParseNoTrim(ReadFstab(tree.files(), two)), ElementsAre("/odm-says"));
}

TEST(NoTrimTest, AnFstabNeedNotEndItsLastLine) {
    Tree tree;
    tree.Write("/etc/fstab", "/dev/x /data ext4 rw notrim");
    EXPECT_THAT(ParseNoTrim(ReadFstab(tree.files(), [](const std::string&) { return ""; })),
                ElementsAre("/data"));
}

// Flags of the Essential PH-1 (EssentialOpenSource/device_essential_mata), of Xiaomis with the
// sm8250, of TWRP for older Qualcomm devices, and of devices whose mount has the option
// inlinecrypt.
TEST(FstabTest, TheFlagIceMeansTheStorageHost) {
    struct Row {
        const char* flags;
        bool in_host;
    };
    for (const Row& row :
         {Row{"wait,check,formattable,fileencryption=ice,quota", true},
          Row{"fileencryption=ice,wrappedkey,keydirectory=/metadata/vold/metadata_encryption",
              true},
          Row{"fileencryption=ice:aes-256-heh", true}, Row{"wait,fileencryption=iced", false},
          Row{"wait,fileencryption=aes-256-xts:aes-256-cts:v2+inlinecrypt_optimized", false},
          Row{"", false}}) {
        const std::string line = std::string("/dev/x /data ext4 noatime ") + row.flags + "\n";
        EXPECT_EQ(row.in_host, EncryptsInHost(line, "/data")) << row.flags;
        EXPECT_FALSE(EncryptsInHost(line, "/cache")) << row.flags;
    }
}

}  // namespace
}  // namespace storekeeper
