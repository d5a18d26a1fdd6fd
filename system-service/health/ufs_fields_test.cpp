// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "health/ufs_fields.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace storekeeper {
namespace {

using testing::HasSubstr;

TEST(UfsFieldsTest, EachValueHasItsTextAndTheNextIsReserved) {
    struct Row {
        std::string (*text)(uint64_t);
        uint64_t value;
        const char* expected;
    };
    for (const Row& row : {
                 Row{UfsVersionText, 0x0410, "UFS 4.1"},
                 Row{UfsDateText, 0x1220, "12/2020"},
                 Row{UfsPercentText, 100, "100 % used by the vendor's count"},
                 Row{UfsPercentText, 101, "reserved value"},
                 Row{WbAvailableText, 0, "0 % of the buffer is free"},
                 Row{WbAvailableText, 10, "100 % of the buffer is free"},
                 Row{WbAvailableText, 11, "reserved value"},
                 Row{WbLifeText, 0, "not defined"},
                 Row{WbLifeText, 0x0b, "past its rated life"},
                 Row{WbLifeText, 0x0c, "reserved value"},
                 Row{WbLifeText, 0x10b, "reserved value"},
                 Row{WbTypeText, 0, "a buffer for one logical unit"},
                 Row{WbTypeText, 1, "one shared buffer"},
                 Row{WbTypeText, 2, "reserved value"},
                 Row{BkopsText, 0, "no operation required"},
                 Row{BkopsText, 3, "critical: operations must run"},
                 Row{BkopsText, 4, "reserved value"},
                 Row{ProvisioningText, 0, "thin provisioning is off: no discards"},
                 Row{ProvisioningText, 1, "reserved value"},
                 Row{ProvisioningText, 2, "thin: UNMAP discards"},
                 Row{ProvisioningText, 3, "thin: UNMAP erases, and zeros are read"},
                 Row{ProvisioningText, 4, "reserved value"},
                 Row{BlockSizeText, 11, "reserved value"},
                 Row{BlockSizeText, 12, "4 KiB"},
                 Row{BlockSizeText, 31, "2 GiB"},
                 Row{BlockSizeText, 32, "reserved value"},
                 Row{BlockSizeText, UINT64_MAX, "reserved value"},
         }) {
        EXPECT_EQ(row.expected, row.text(row.value)) << row.value;
    }
}

TEST(UfsFieldsTest, NoCriticalHealthMeansSomethingFromUfs41On) {
    EXPECT_EQ("no critical health since boot", CriticalHealthText(0, 0x0410));
    EXPECT_EQ("no critical health since boot", CriticalHealthText(0, 0x0500));
    EXPECT_EQ("reported from UFS 4.1 on", CriticalHealthText(0, 0x0400));
    EXPECT_EQ("reported from UFS 4.1 on", CriticalHealthText(0, std::nullopt));
    EXPECT_EQ("the chip has reported critical health since boot", CriticalHealthText(1, 0x0310));
}

// Documentation/ABI/testing/sysfs-driver-ufs: 0400h units of the usual 4 MiB are 4 GiB.
TEST(UfsFieldsTest, AllocationUnits) {
    EXPECT_EQ(4U << 20, AllocationUnitBytes(1, 0x2000));
    EXPECT_EQ("4 GiB", UnitsText(0x400, 4U << 20));
    EXPECT_EQ("", UnitsText(0x400, std::nullopt));
    EXPECT_EQ(std::nullopt, AllocationUnitBytes(0, 0x2000));
    EXPECT_EQ(std::nullopt, AllocationUnitBytes(0x100, 0x2000));
    EXPECT_EQ(std::nullopt, AllocationUnitBytes(1, 0));
    EXPECT_EQ(std::nullopt, AllocationUnitBytes(1, 0x100000000));
    EXPECT_EQ("", UnitsText(UINT64_MAX, 1 << 18));
}

struct Parsed {
    const char* text;
    const char* explanation;
    const char* error = "";
    bool has_value = true;
};

void Expect(const ItemParser& parse, const std::vector<Parsed>& rows) {
    for (const Parsed& row : rows) {
        HealthItem item{.value = row.text};
        const android::base::Result<void> parsed = parse(row.text, &item);
        ASSERT_EQ(*row.error == 0, parsed.ok()) << row.text;
        EXPECT_EQ(row.explanation, item.explanation) << row.text;
        if (parsed.ok()) {
            EXPECT_EQ(row.has_value, item.value.has_value()) << row.text;
        } else {
            EXPECT_THAT(parsed.error().message(), HasSubstr(row.error));
        }
    }
}

TEST(UfsFieldsTest, Temperatures) {
    const char* kError = "thousandths of a degree Celsius";
    Expect(AsTemperature, {{"41000", "41 C"},
                           {"-79000", "-79 C"},
                           {"170000", "170 C"},
                           {"170001", "", kError},
                           {"-79001", "", kError},
                           {"41 C", "", kError},
                           {"", "", kError}});
}

TEST(UfsFieldsTest, WordsOfTheBufferThatChangesItsSize) {
    Expect(AsResizeHint, {{"keep", ""},
                          {"decrease", ""},
                          {"increase", ""},
                          {"unknown", "reserved value"},
                          {"idle", "", "'idle' is none of the kernel's words"},
                          {"KEEP", "", "'KEEP'"},
                          {"", "", "''"}});
}

TEST(UfsFieldsTest, SizesOfDefragmentation) {
    EXPECT_EQ(4096U, HidBytes(1));
    EXPECT_EQ(0xfffffffeULL * 4096, HidBytes(0xfffffffe));
    EXPECT_EQ(std::nullopt, HidBytes(0xffffffff));
    EXPECT_EQ(std::nullopt, HidBytes(0x100000000));
    Expect(AsFragmentedSize, {{"0", "0 bytes"},
                              {"262144", "1 GiB"},
                              {"4294967295", "", "", false},
                              {"4294967296", "", "is not a number"},
                              {"0x10", "", "is not a number"}});
    Expect(AsDefragSize, {{"256", "1 MiB"},
                          {"4294967295", "as much as possible"},
                          {"-1", "", "is not a number"}});
}

TEST(UfsFieldsTest, StatesOfDefragmentation) {
    struct Row {
        const char* text;
        HidState state;
    };
    for (const Row& row :
         {Row{"idle", HidState::kIdle}, Row{"analysis_in_progress", HidState::kAnalysis},
          Row{"defrag_required", HidState::kDefragRequired},
          Row{"defrag_in_progress", HidState::kDefrag},
          Row{"defrag_completed", HidState::kDefragCompleted},
          Row{"defrag_not_required", HidState::kDefragNotRequired},
          Row{"unknown", HidState::kUnknown}}) {
        const android::base::Result<HidState> state = ParseHidState(row.text);
        ASSERT_TRUE(state.ok()) << row.text;
        EXPECT_EQ(row.state, *state);
        EXPECT_NE("", HidStateText(*state));
    }
    EXPECT_EQ("reserved value", HidStateText(HidState::kUnknown));
    for (const char* text : {"", "2", "IDLE", "defrag"}) {
        EXPECT_FALSE(ParseHidState(text).ok()) << text;
    }
}

TEST(UfsHealthTextTest, RefusesWhatIsNone) {
    struct Row {
        const char* text;
        const char* error;
    };
    for (const Row& row :
         {Row{"", "no field"}, Row{"hello = 0x1\n", "no field"}, Row{"= 0x1\n", "no field"},
          Row{"bPreEOLInfo = \n", "bPreEOL"}, Row{"bPreEOLInfo = 0x100\n", "does not fit a byte"},
          Row{"bPreEOLInfo = 0x1\nbPreEOLInfo = 0x2\n", "twice, with different values"}}) {
        auto wear = ParseUfsHealthText(row.text);
        ASSERT_FALSE(wear.ok()) << row.text;
        EXPECT_THAT(wear.error().message(), HasSubstr(row.error));
    }
    EXPECT_EQ(1, ParseUfsHealthText("x: bPreEOLInfo = 0x1")->pre_eol_info);
}

}  // namespace
}  // namespace storekeeper
