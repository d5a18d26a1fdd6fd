// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include <android-base/file.h>
#include <android-base/strings.h>
#include <gtest/gtest.h>
#include <json/reader.h>

#include <algorithm>
#include <cctype>
#include <memory>
#include <string>
#include <vector>

#include "base/json_text.h"
#include "health/card_health.h"
#include "health/storage_health.h"
#include "report/report.h"
#include "testing/tree.h"

namespace storekeeper {
namespace {

std::vector<std::string> Devices() {
    std::vector<std::string> names;
    const FileReader files(TestDataDirectory());
    for (const std::string& name : files.List("/").value_or(std::vector<std::string>())) {
        if (files.Exists("/" + name + "/sys")) names.push_back(name);
    }
    std::sort(names.begin(), names.end());
    return names;
}

std::string Read(const std::string& path) {
    std::string text;
    EXPECT_TRUE(android::base::ReadFileToString(path, &text)) << path;
    return text;
}

// The content of expected.json: the output of `cmd storekeeper health --json`. If the folder has a
// register, the verdict after its delivery follows.
Json::Value ReportOf(const std::string& folder) {
    const StorageHealth storage = ReadStorageHealth(FileReader(folder), std::nullopt, nullptr);
    Json::Value json = HealthToJson(MakeHealthReport(storage, std::nullopt));
    if (!FileReader(folder).Exists("/ext_csd.hex")) return json;
    android::base::Result<ExtCsd> ext_csd = ExtCsd::FromHex(Read(folder + "/ext_csd.hex"));
    Json::Value& handed_in = json["with_ext_csd"];
    if (ext_csd.ok()) {
        Json::Value with = HealthToJson(MakeHealthReport(storage, *ext_csd));
        handed_in["verdict"] = with["verdict"];
        handed_in["wear_source"] = with["wear_source"];
    } else {
        handed_in["problem"] = ext_csd.error().message();
    }
    return json;
}

// Works on a copy with the symbolic links listed in the file `links`, because a push to a device
// loses links.
class FixtureTest : public testing::TestWithParam<std::string> {
  protected:
    void SetUp() override {
        tree_.CopyFrom(TestDataDirectory() + "/" + GetParam());
        if (!tree_.files().Exists("/links")) return;
        for (const std::string& line : android::base::Split(Read(tree_.root() + "/links"), "\n")) {
            if (line.empty()) continue;
            const std::vector<std::string> words = android::base::Split(line, " ");
            ASSERT_EQ(2U, words.size()) << line;
            tree_.Link(words[0], words[1]);
            // A dangling link would hide the files from the test.
            ASSERT_TRUE(tree_.files().Exists(words[0])) << line;
        }
    }

    Tree tree_;
};

TEST_P(FixtureTest, GivesTheExpectedReport) {
    const std::string folder = tree_.root();
    EXPECT_TRUE(FileReader(folder).Exists("/SOURCE.md"));
    const std::string expected = Read(folder + "/expected.json");
    const auto json = ParseJsonObject(expected, {.bytes = expected.size(), .depth = 16});
    ASSERT_TRUE(json.ok()) << json.error();
    // The installed jsoncpp formats both sides: Android 11's indents differently.
    EXPECT_EQ(WriteJson(*json), WriteJson(ReportOf(folder)));
}

// Only the CID and a UFS's string descriptors contain a serial number.
TEST_P(FixtureTest, NoReportHoldsTheSerialNumber) {
    const std::string folder = tree_.root();
    const FileReader files(folder);
    const std::string report = WriteJson(ReportOf(folder));
    android::base::Result<std::string> cid = files.ReadAttribute("/sys/block/mmcblk0/device/cid");
    if (cid.ok() && cid->size() == 32)
        EXPECT_EQ(std::string::npos, report.find(cid->substr(20, 8)));
    android::base::Result<std::string> serial =
            files.ReadAttribute("/sys/block/sda/device/../../../string_descriptors/serial_number");
    if (serial.ok()) EXPECT_EQ(std::string::npos, report.find(*serial));
}

INSTANTIATE_TEST_SUITE_P(Devices, FixtureTest, testing::ValuesIn(Devices()), [](const auto& row) {
    std::string name = row.param;
    std::replace_if(
            name.begin(), name.end(), [](unsigned char c) { return !std::isalnum(c); }, '_');
    return name;
});

TEST(FixturesTest, ThereAreTen) {
    EXPECT_GE(Devices().size(), 10U);
}

}  // namespace
}  // namespace storekeeper
