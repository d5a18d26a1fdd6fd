// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "health/ext_csd.h"

#include <android-base/file.h>
#include <android-base/stringprintf.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "base/tokens.h"
#include "testing/tree.h"

namespace storekeeper {
namespace {

using android::base::Result;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

std::string ReadTestData(const std::string& name) {
    std::string text;
    EXPECT_TRUE(android::base::ReadFileToString(TestDataDirectory() + "/linux-6.12-emmc51/" + name,
                                                &text));
    return text;
}

ExtCsd Sample() {
    Result<ExtCsd> ext_csd = ExtCsd::FromHex(ReadTestData("ext_csd.hex"));
    EXPECT_TRUE(ext_csd.ok()) << ext_csd.error();
    return *ext_csd;
}

std::vector<uint8_t> SampleBytes() {
    ExtCsd sample = Sample();
    return {sample.bytes().begin(), sample.bytes().end()};
}

TEST(ExtCsdFieldsTest, NamesAreUniqueAndNumbersFit) {
    std::set<std::string_view> names;
    for (const ExtCsdField& field : ExtCsdFields()) {
        EXPECT_TRUE(names.insert(field.name).second) << field.name;
        EXPECT_FALSE(field.meaning.empty()) << field.name;
        if (field.kind == ExtCsdField::Kind::kNumber) EXPECT_LE(field.width, 8) << field.name;
    }
    EXPECT_EQ(nullptr, FindExtCsdField("NO_SUCH_FIELD"));
}

struct NamedOffset {
    const char* name;
    uint16_t offset;
    uint16_t width;
};

class ExtCsdOffsetTest : public testing::TestWithParam<NamedOffset> {};

// Compares with include/linux/mmc/mmc.h of Linux 6.12, an independent copy of the standard's
// numbers. It keeps eMMC 4.5's names for PWR_CL_200_130 and _195: PWR_CL_200_195 and _360.
TEST_P(ExtCsdOffsetTest, IsTheKernels) {
    const ExtCsdField* field = FindExtCsdField(GetParam().name);
    ASSERT_NE(nullptr, field) << GetParam().name;
    EXPECT_EQ(GetParam().offset, field->offset) << GetParam().name;
    EXPECT_EQ(GetParam().width, field->width) << GetParam().name;
}

INSTANTIATE_TEST_SUITE_P(
        All, ExtCsdOffsetTest,
        testing::Values(
                NamedOffset{"CMDQ_MODE_EN", 15, 1}, NamedOffset{"FLUSH_CACHE", 32, 1},
                NamedOffset{"CACHE_CTRL", 33, 1}, NamedOffset{"POWER_OFF_NOTIFICATION", 34, 1},
                NamedOffset{"PACKED_FAILURE_INDEX", 35, 1},
                NamedOffset{"PACKED_COMMAND_STATUS", 36, 1},
                NamedOffset{"EXCEPTION_EVENTS_STATUS", 54, 2},
                NamedOffset{"EXCEPTION_EVENTS_CTRL", 56, 2}, NamedOffset{"DATA_SECTOR_SIZE", 61, 1},
                NamedOffset{"GP_SIZE_MULT_1", 143, 3}, NamedOffset{"PARTITIONS_ATTRIBUTE", 156, 1},
                NamedOffset{"PARTITIONING_SUPPORT", 160, 1}, NamedOffset{"HPI_MGMT", 161, 1},
                NamedOffset{"RST_n_FUNCTION", 162, 1}, NamedOffset{"BKOPS_EN", 163, 1},
                NamedOffset{"BKOPS_START", 164, 1}, NamedOffset{"SANITIZE_START", 165, 1},
                NamedOffset{"WR_REL_PARAM", 166, 1}, NamedOffset{"RPMB_SIZE_MULT", 168, 1},
                NamedOffset{"FW_CONFIG", 169, 1}, NamedOffset{"BOOT_WP", 173, 1},
                NamedOffset{"ERASE_GROUP_DEF", 175, 1}, NamedOffset{"PARTITION_CONFIG", 179, 1},
                NamedOffset{"ERASED_MEM_CONT", 181, 1}, NamedOffset{"BUS_WIDTH", 183, 1},
                NamedOffset{"STROBE_SUPPORT", 184, 1}, NamedOffset{"HS_TIMING", 185, 1},
                NamedOffset{"POWER_CLASS", 187, 1}, NamedOffset{"EXT_CSD_REV", 192, 1},
                NamedOffset{"CSD_STRUCTURE", 194, 1}, NamedOffset{"DEVICE_TYPE", 196, 1},
                NamedOffset{"DRIVER_STRENGTH", 197, 1},
                NamedOffset{"PARTITION_SWITCH_TIME", 199, 1}, NamedOffset{"PWR_CL_52_195", 200, 1},
                NamedOffset{"PWR_CL_26_195", 201, 1}, NamedOffset{"PWR_CL_52_360", 202, 1},
                NamedOffset{"PWR_CL_26_360", 203, 1}, NamedOffset{"SEC_COUNT", 212, 4},
                NamedOffset{"S_A_TIMEOUT", 217, 1}, NamedOffset{"REL_WR_SEC_C", 222, 1},
                NamedOffset{"HC_WP_GRP_SIZE", 221, 1}, NamedOffset{"ERASE_TIMEOUT_MULT", 223, 1},
                NamedOffset{"HC_ERASE_GRP_SIZE", 224, 1}, NamedOffset{"BOOT_SIZE_MULT", 226, 1},
                NamedOffset{"SEC_TRIM_MULT", 229, 1}, NamedOffset{"SEC_ERASE_MULT", 230, 1},
                NamedOffset{"SEC_FEATURE_SUPPORT", 231, 1}, NamedOffset{"TRIM_MULT", 232, 1},
                NamedOffset{"PWR_CL_200_195", 237, 1}, NamedOffset{"PWR_CL_200_130", 236, 1},
                NamedOffset{"PWR_CL_DDR_52_195", 238, 1}, NamedOffset{"PWR_CL_DDR_52_360", 239, 1},
                NamedOffset{"BKOPS_STATUS", 246, 1}, NamedOffset{"POWER_OFF_LONG_TIME", 247, 1},
                NamedOffset{"GENERIC_CMD6_TIME", 248, 1}, NamedOffset{"CACHE_SIZE", 249, 4},
                NamedOffset{"PWR_CL_DDR_200_360", 253, 1}, NamedOffset{"FIRMWARE_VERSION", 254, 8},
                NamedOffset{"PRE_EOL_INFO", 267, 1},
                NamedOffset{"DEVICE_LIFE_TIME_EST_TYP_A", 268, 1},
                NamedOffset{"DEVICE_LIFE_TIME_EST_TYP_B", 269, 1},
                NamedOffset{"CMDQ_DEPTH", 307, 1}, NamedOffset{"CMDQ_SUPPORT", 308, 1},
                NamedOffset{"SUPPORTED_MODES", 493, 1}, NamedOffset{"TAG_UNIT_SIZE", 498, 1},
                NamedOffset{"DATA_TAG_SUPPORT", 499, 1}, NamedOffset{"MAX_PACKED_WRITES", 500, 1},
                NamedOffset{"MAX_PACKED_READS", 501, 1}, NamedOffset{"BKOPS_SUPPORT", 502, 1},
                NamedOffset{"HPI_FEATURES", 503, 1}));

TEST(ExtCsdTest, ReadsFieldsLittleEndian) {
    ExtCsd ext_csd = Sample();
    EXPECT_EQ(8, ext_csd.revision());
    EXPECT_EQ(61071360U, ext_csd.NumberOf(*FindExtCsdField("SEC_COUNT")));
    EXPECT_EQ(65536U, ext_csd.NumberOf(*FindExtCsdField("CACHE_SIZE")));
    EXPECT_EQ("5.1", StandardOf(ext_csd.revision()));
    // mmc-utils, "read_extcsd": JESD84-B51B increments EXT_CSD_REV to 9.
    EXPECT_EQ("5.1B", StandardOf(9));
    EXPECT_EQ("of an unknown standard", StandardOf(10));
}

TEST(ExtCsdTest, FindsTheByteOrder) {
    Result<ExtCsd> reversed = ExtCsd::FromHex(ReadTestData("ext_csd-reversed.hex"));
    ASSERT_TRUE(reversed.ok()) << reversed.error();
    const ExtCsd sample = Sample();
    EXPECT_TRUE(std::equal(sample.bytes().begin(), sample.bytes().end(), reversed->bytes().begin(),
                           reversed->bytes().end()));
}

TEST(ExtCsdTest, TakesTheByteOrderThatIsPlausible) {
    std::vector<uint8_t> bytes = SampleBytes();
    bytes[511 - 192] = 0xff;  // position of the revision in a reversed register
    std::reverse(bytes.begin(), bytes.end());
    const Result<ExtCsd> reversed = ExtCsd::FromHex(HexString(bytes.data(), bytes.size()));
    ASSERT_TRUE(reversed.ok()) << reversed.error();
    EXPECT_EQ(8, reversed->revision());
    EXPECT_EQ(0xff, reversed->bytes()[511 - 192]);
}

// A card of up to 2 GB may be byte addressed and leave SEC_COUNT 0 (JESD84-A441).
TEST(ExtCsdTest, ASmallCardHasNoSectorCount) {
    std::string hex;
    ASSERT_TRUE(android::base::ReadFileToString(TestDataDirectory() + "/registers/emmc441-2gb.hex",
                                                &hex));
    const Result<ExtCsd> forward = ExtCsd::FromHex(hex);
    ASSERT_TRUE(forward.ok()) << forward.error();
    EXPECT_EQ(5, forward->revision());
    EXPECT_EQ("4.41", StandardOf(forward->revision()));
    EXPECT_THAT(ExtCsdToText(*forward), HasSubstr("not reported (EXT_CSD_REV 5; reported from 7"));
    std::vector<uint8_t> bytes(forward->bytes().begin(), forward->bytes().end());
    EXPECT_TRUE(ExtCsd::FromBytes(bytes).ok());
    std::reverse(bytes.begin(), bytes.end());
    const Result<ExtCsd> mirrored = ExtCsd::FromHex(HexString(bytes.data(), bytes.size()));
    ASSERT_TRUE(mirrored.ok()) << mirrored.error();
    EXPECT_EQ(5, mirrored->revision());
}

// A text that is invalid in its own order must not pass in the reverse order by accident.
TEST(ExtCsdTest, AMirroredRegisterHasWhatEveryRegisterHas) {
    std::vector<uint8_t> bytes = SampleBytes();
    std::fill_n(bytes.begin() + 212, 4, 0);
    EXPECT_THAT(ExtCsd::FromHex(HexString(bytes.data(), bytes.size())).error().message(),
                HasSubstr("SEC_COUNT is 0"));
    std::reverse(bytes.begin(), bytes.end());
    const Result<ExtCsd> backwards = ExtCsd::FromHex(HexString(bytes.data(), bytes.size()));
    EXPECT_FALSE(backwards.ok() && backwards->revision() == 8);
    std::vector<uint8_t> nearly_empty(512, 0);
    nearly_empty[100] = 1;
    nearly_empty[192] = 16;
    EXPECT_FALSE(ExtCsd::FromHex(HexString(nearly_empty.data(), nearly_empty.size())).ok());
}

TEST(ExtCsdTest, TakesHexAsPeoplePasteIt) {
    std::string hex = ReadTestData("ext_csd.hex");
    std::string pasted;
    for (size_t i = 0; i < hex.size(); ++i) {
        pasted += static_cast<char>(toupper(hex[i]));
        if (i % 32 == 31) pasted += "\r\n ";
    }
    EXPECT_TRUE(ExtCsd::FromHex(pasted).ok());
    EXPECT_TRUE(ExtCsd::FromHex("\xef\xbb\xbf" + pasted).ok());
    std::string prefixed;
    std::string little_endian = "\xff\xfe";
    for (size_t i = 0; i + 1 < hex.size(); i += 2) {
        prefixed += (i % 4 == 0 ? "0x" : "0X") + hex.substr(i, 2) + " ";
    }
    for (const char c : pasted) little_endian += {c, '\0'};
    std::string big_endian = little_endian;
    for (size_t i = 0; i < big_endian.size(); i += 2) std::swap(big_endian[i], big_endian[i + 1]);
    for (const std::string& text : {prefixed, little_endian, big_endian}) {
        const Result<ExtCsd> ext_csd = ExtCsd::FromHex(text);
        ASSERT_TRUE(ext_csd.ok()) << ext_csd.error();
        EXPECT_EQ(8, ext_csd->revision());
    }
}

// The form of https://github.com/linux4sam/at91bootstrap/issues/107, from which this register is.
TEST(ExtCsdTest, TakesBytesOfOneDigit) {
    std::string hex;
    ASSERT_TRUE(android::base::ReadFileToString(TestDataDirectory() + "/registers/emmc441-2gb.hex",
                                                &hex));
    const ExtCsd expected = *ExtCsd::FromHex(hex);
    for (const char* separator : {" ", ", ", ",", " \n"}) {
        std::string text;
        for (const uint8_t byte : expected.bytes()) {
            text += android::base::StringPrintf("%s0x%x", text.empty() ? "" : separator, byte);
        }
        const Result<ExtCsd> ext_csd = ExtCsd::FromHex(text);
        ASSERT_TRUE(ext_csd.ok()) << ext_csd.error();
        EXPECT_TRUE(std::equal(expected.bytes().begin(), expected.bytes().end(),
                               ext_csd->bytes().begin(), ext_csd->bytes().end()));
    }
}

TEST(ExtCsdTest, RefusesWhatIsNone) {
    std::string hex = ReadTestData("ext_csd.hex");
    struct Row {
        std::string text;
        const char* error;
    };
    const Row rows[] = {
            {"", "has 0 hexadecimal digits"},
            {hex.substr(0, 1023), "has 1023 hexadecimal digits"},
            {hex + "00", "more than 1024"},
            {std::string(1 << 20, '0'), "more than 1024"},
            {"z" + hex.substr(1), "1025 bytes, not all of them hexadecimal"},
            {"x" + hex, "not all of them hexadecimal"},
            {"00x" + hex, "not all of them hexadecimal"},
            {"1x" + hex, "not all of them hexadecimal"},
            {std::string("\0\1", 2) + hex, "not all of them hexadecimal"},
            {"0x" + hex.substr(0, 3) + " 0x" + hex, "not all of them hexadecimal"},
            {hex.substr(0, 1023) + " ", "has 1023 hexadecimal digits"},
            {std::string(1024, '0'), "every byte of the EXT_CSD is 0x00"},
            {std::string(1024, 'f'), "every byte of the EXT_CSD is 0xff"},
    };
    for (const Row& row : rows) {
        Result<ExtCsd> ext_csd = ExtCsd::FromHex(row.text);
        ASSERT_FALSE(ext_csd.ok());
        EXPECT_THAT(ext_csd.error().message(), HasSubstr(row.error));
    }
}

TEST(ExtCsdTest, RefusesImplausibleRegisters) {
    struct Row {
        uint16_t offset;
        uint8_t value;
        const char* error;
    };
    for (const Row& row : {Row{192, 16, "EXT_CSD_REV is 16"}, Row{194, 4, "CSD_STRUCTURE is 4"}}) {
        std::vector<uint8_t> bytes = SampleBytes();
        bytes[row.offset] = row.value;
        Result<ExtCsd> ext_csd = ExtCsd::FromBytes(bytes);
        ASSERT_FALSE(ext_csd.ok());
        EXPECT_THAT(ext_csd.error().message(), HasSubstr(row.error));
    }
    std::vector<uint8_t> bytes = SampleBytes();
    std::fill_n(bytes.begin() + 212, 4, 0);
    EXPECT_THAT(ExtCsd::FromBytes(bytes).error().message(), HasSubstr("SEC_COUNT is 0"));
    bytes.pop_back();
    EXPECT_THAT(ExtCsd::FromBytes(bytes).error().message(), HasSubstr("not 511"));
}

TEST(ExtCsdTest, TheCacheIsThereAndOn) {
    struct Row {
        uint8_t rev;
        uint8_t control;
        uint8_t size;
        bool on;
    };
    for (const Row& row : {Row{8, 1, 1, true}, Row{6, 1, 1, true}, Row{8, 0, 1, false},
                           Row{8, 1, 0, false}, Row{5, 1, 1, false}, Row{8, 2, 1, false}}) {
        std::vector<uint8_t> bytes(512, 0);
        bytes[192] = row.rev;
        bytes[194] = 2;
        bytes[214] = 1;
        bytes[33] = row.control;
        bytes[250] = row.size;
        Result<ExtCsd> ext_csd = ExtCsd::FromBytes(bytes);
        ASSERT_TRUE(ext_csd.ok()) << ext_csd.error();
        EXPECT_EQ(row.on, VolatileCacheOn(*ext_csd)) << int{row.rev};
    }
    EXPECT_EQ(std::nullopt, VolatileCacheOn(std::nullopt));
}

TEST(ExtCsdReportTest, TextAndJsonNameTheSameValues) {
    Json::Value report = ExtCsdToJson(Sample());
    EXPECT_EQ("storekeeper.ext_csd", report["schema"].asString());
    size_t bytes = 0;
    for (const Json::Value& field : report["fields"]) bytes += field["width"].asUInt();
    EXPECT_EQ(kExtCsdSize, bytes);
    std::string text = ExtCsdToText(Sample());
    EXPECT_THAT(text, testing::StartsWith("Storage life: 10-20 % used (80-90 % left), pre-EOL "
                                          "normal\nEXT_CSD revision 8, eMMC 5.1\n"));
    EXPECT_THAT(text, ContainsRegex("\\[215:212\\] SEC_COUNT +0x03a3e000  29.1 GiB  # "));
    EXPECT_THAT(text, ContainsRegex("\\[261:254\\] FIRMWARE_VERSION +5445535430303037  .TEST0007"));
    EXPECT_THAT(text, ContainsRegex("\\[307\\] +CMDQ_DEPTH +0x1f  32 commands"));
    EXPECT_THAT(text, HasSubstr("VENDOR_PROPRIETARY_HEALTH_REPORT"));
    EXPECT_THAT(text, Not(HasSubstr("RESERVED_0 ")));
}

TEST(ExtCsdReportTest, AnOlderRevisionHasNoWear) {
    std::vector<uint8_t> bytes = SampleBytes();
    bytes[kExtCsdRev] = 6;
    const ExtCsd ext_csd = *ExtCsd::FromBytes(bytes);
    Json::Value report = ExtCsdToJson(ext_csd);
    EXPECT_EQ("unknown", report["verdict"]["level"].asString());
    EXPECT_TRUE(report["verdict"]["used_to_pct"].isNull());
    for (const Json::Value& field : report["fields"]) {
        if (field["name"].asString() == "DEVICE_LIFE_TIME_EST_TYP_A") {
            EXPECT_FALSE(field["defined"].asBool());
            EXPECT_FALSE(field.isMember("explanation"));
        }
    }
    EXPECT_THAT(ExtCsdToText(ext_csd), HasSubstr("(not defined at this revision)"));
}

}  // namespace
}  // namespace storekeeper
