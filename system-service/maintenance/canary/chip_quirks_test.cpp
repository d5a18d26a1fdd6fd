// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "maintenance/canary/chip_quirks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/sysmacros.h>

#include "testing/tree.h"

namespace storekeeper {
namespace {

using testing::HasSubstr;

struct Row {
    ChipIdentity chip;
    bool refused;
};

class ChipQuirkTest : public testing::TestWithParam<Row> {};

TEST_P(ChipQuirkTest, IsFoundByNameMakerAndFirmware) {
    std::optional<std::string> quirk = FindTrimQuirk(GetParam().chip);
    EXPECT_EQ(GetParam().refused, quirk.has_value()) << quirk.value_or("");
    if (quirk.has_value()) EXPECT_THAT(*quirk, HasSubstr(GetParam().chip.name));
}

INSTANTIATE_TEST_SUITE_P(
        All, ChipQuirkTest,
        testing::Values(
                Row{{.type = "MMC", .name = "KYL00M", .manfid = 0x15, .firmware = 0x19}, true},
                Row{{.type = "MMC", .name = "KYL00M", .manfid = 0x15, .firmware = 0x25}, true},
                Row{{.type = "MMC", .name = "KYL00M", .manfid = 0x15, .firmware = 0x26}, false},
                // Fields that are not reported may be those of the worst chip.
                Row{{.type = "MMC", .name = "KYL00M", .manfid = 0x15}, true},
                Row{{.type = "MMC", .name = "KYL00M"}, true},
                Row{{.type = "MMC", .name = "KYL00M", .manfid = 0x90, .firmware = 0x19}, false},
                Row{{.type = "SD", .name = "KYL00M", .manfid = 0x15, .firmware = 0x19}, false},
                Row{{.type = "MMC", .name = "MAG4FA", .manfid = 0x15, .firmware = 0x25}, true},
                Row{{.type = "MMC", .name = "VYL00M", .manfid = 0x15, .firmware = 0x19}, true},
                Row{{.type = "MMC", .name = "VAL00M", .manfid = 0x15, .firmware = 0x19}, true},
                Row{{.type = "MMC", .name = "VZL00M", .manfid = 0x15, .firmware = 0x19}, true},
                Row{{.type = "MMC", .name = "M8G2FA", .manfid = 0x15, .firmware = 0x99}, true},
                Row{{.type = "MMC", .name = "MAG2GA", .manfid = 0x15, .firmware = 0x99}, true},
                Row{{.type = "MMC", .name = "MBG8FA", .manfid = 0x15, .firmware = 0x11}, true},
                Row{{.type = "MMC", .name = "MCGAFA", .manfid = 0x15, .firmware = 0x11}, true},
                // The sudden deaths of this chip had another cause.
                Row{{.type = "MMC", .name = "VTU00M", .manfid = 0x15, .firmware = 0xf1}, false},
                Row{{.type = "MMC", .name = "V10008", .manfid = 0x70, .firmware = 0x01}, true},
                Row{{.type = "MMC", .name = "V10016", .manfid = 0x70, .firmware = 0x01}, true},
                Row{{.type = "MMC", .name = "M62704", .manfid = 0x70, .firmware = 0x01}, true},
                Row{{.type = "MMC", .name = "Q2J54A", .manfid = 0x13, .firmware = 0x01}, true},
                Row{{.type = "SD", .name = "SU08G", .manfid = 0x03, .oemid = 0x5344}, true},
                Row{{.type = "SD", .name = "SU08G", .manfid = 0x03, .oemid = 0x5054}, false},
                Row{{.type = "SD", .name = "SD8GB"}, false},
                Row{{.type = "MMC", .name = "VEMMC1", .manfid = 0x90, .firmware = 0x01}, false},
                Row{{}, false}));

TEST(ReadChipTest, ReadsBothFormsOfTheFirmware) {
    Tree tree;
    const std::string device = "/sys/dev/block/179:0/device/";
    tree.Write(device + "type", "MMC\n");
    tree.Write(device + "name", "KYL00M\n");
    tree.Write(device + "manfid", "0x000015\n");
    tree.Write(device + "fwrev", "0x25\n");
    const FileReader files = tree.files();
    EXPECT_THAT(TrimRefusal(files, makedev(179, 0), false).value_or(""),
                HasSubstr(
                        "KYL00M, manfid 0x15, firmware 0x25: erase commands are known to destroy"));
    // The value has 8 bytes from eMMC 5.0 on.
    tree.Write(device + "fwrev", "0x2500000000000000\n");
    EXPECT_EQ(0x25U, ReadChip(files, makedev(179, 0)).firmware);
    tree.Write(device + "fwrev", "0x2600000000000000\n");
    EXPECT_EQ(std::nullopt, TrimRefusal(files, makedev(179, 0), false));
    tree.Write(device + "fwrev", "garbage\n");
    EXPECT_NE(std::nullopt, TrimRefusal(files, makedev(179, 0), false));
    EXPECT_EQ(std::nullopt, TrimRefusal(files, makedev(179, 0), true));
    EXPECT_EQ(std::nullopt, TrimRefusal(files, makedev(8, 0), false));
}

}  // namespace
}  // namespace storekeeper
