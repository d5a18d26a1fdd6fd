// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "config/config_file.h"

#include <android-base/file.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/json_text.h"
#include "report/report.h"
#include "testing/tree.h"

namespace storekeeper {
namespace {

using android::base::Result;
using std::chrono::seconds;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::string Shipped(const std::string& name) {
    std::string text;
    EXPECT_TRUE(
            android::base::ReadFileToString(android::base::GetExecutableDirectory() + "/" + name,
                                            &text, /* follow_symlinks= */ true))
            << name;
    return text;
}

// A file in the form in which the jsoncpp at hand writes it; that of Android 11 indents
// differently.
std::string Rewritten(const std::string& text) {
    const Result<Json::Value> value = ParseJsonObject(text, {.bytes = text.size(), .depth = 16});
    return value.ok() ? WriteJson(*value) : value.error().message();
}

// On failure the output shows the expected text, from which to regenerate the file.
TEST(ConfigFileTest, TheShippedDefaultIsTheBuiltInOne) {
    EXPECT_EQ(WriteJson(ConfigToJson(Config())), Rewritten(Shipped("etc/default.json")));
    EXPECT_TRUE(OverlayConfig(Config(), Shipped("etc/default.json")).ok());
}

TEST(ConfigFileTest, TheSchemaInTheDocumentsIsThatOfTheKeys) {
    EXPECT_EQ(WriteJson(ConfigSchema()), Rewritten(Shipped("config.schema.json")));
}

TEST(ConfigFileTest, EveryDefaultIsWithinItsRangeAndEveryKeyCanBeSet) {
    EXPECT_TRUE(OverlayConfig(Config(), "{}").ok());
    for (const ConfigKey& key : ConfigKeys()) {
        Config config;
        EXPECT_GE(key.get(config), key.min) << key.name;
        EXPECT_LE(key.get(config), key.max) << key.name;
        key.set(&config, key.max);
        EXPECT_EQ(key.max, key.get(config)) << key.name;
        for (const ConfigKey& other : ConfigKeys()) {
            if (other.name == key.name) continue;
            EXPECT_EQ(other.get(Config()), other.get(config)) << key.name << " is " << other.name;
        }
    }
}

struct Refused {
    const char* name;
    std::string text;
    const char* reason;
};

class ConfigRefusalTest : public testing::TestWithParam<Refused> {};

TEST_P(ConfigRefusalTest, LeavesTheOtherFileInForce) {
    Tree tree;
    tree.Write("/a.json", R"({"maintenance": {"untouched_s": 1800}})"
                          "\n");
    tree.Write("/b.json", GetParam().text);
    LoadedConfig loaded = LoadConfig(tree.files(), {"/a.json", "/b.json", "/none.json"});
    EXPECT_EQ(seconds(1800), loaded.config.maintenance.min_untouched);
    EXPECT_EQ(PolicyConfig().interval, loaded.config.maintenance.interval);
    EXPECT_THAT(loaded.files, ElementsAre("/a.json"));
    ASSERT_EQ(1U, loaded.problems.size());
    EXPECT_THAT(loaded.problems[0], HasSubstr("/b.json is ignored: "));
    EXPECT_THAT(loaded.problems[0], HasSubstr(GetParam().reason));
    EXPECT_EQ(std::string::npos, loaded.problems[0].find('\n'));
}

// Each text also sets the interval, which must be ignored with the rest.
std::string With(const std::string& more) {
    return R"({"maintenance": {"interval_s": 90000, )" + more + "}}\n";
}

INSTANTIATE_TEST_SUITE_P(
        All, ConfigRefusalTest,
        testing::Values(
                Refused{"UnknownKey", With(R"("untouched": 60)"),
                        "unknown key maintenance.untouched"},
                Refused{"UnknownSection", "{\"maintenance\": {\"interval_s\": 90000}, \"x\": 1}\n",
                        "unknown key x"},
                Refused{"SectionNoObject", "{\"maintenance\": 5}\n", "must be an object"},
                Refused{"CommentNoString", "{\"$comment\": 5}\n", "$comment must be a string"},
                Refused{"StringForNumber", With(R"("untouched_s": "60")"),
                        "maintenance.untouched_s must be an integer"},
                Refused{"FractionForNumber", With(R"("untouched_s": 60.0)"), "must be an integer"},
                Refused{"BoolForNumber", With(R"("untouched_s": true)"), "must be an integer"},
                Refused{"NullForNumber", With(R"("untouched_s": null)"), "must be an integer"},
                Refused{"NumberForBool", With(R"("yield_to_framework": 1)"),
                        "must be true or false"},
                Refused{"TooSmall", With(R"("untouched_s": 59)"),
                        "maintenance.untouched_s is 59, out of range: 60 to 86400"},
                Refused{"TooLarge", With(R"("battery_pct": 101)"), "out of range: 40 to 100"},
                Refused{"Negative", With(R"("battery_pct": -1)"), "is -1, out of range"},
                Refused{"BeyondInt64", With(R"("battery_pct": 18446744073709551615)"),
                        "maintenance.battery_pct is out of range: 40 to 100"},
                Refused{"BeyondUint64", With(R"("battery_pct": 99999999999999999999999)"),
                        "maintenance.battery_pct is out of range: 40 to 100"},
                Refused{"BelowInt64", With(R"("battery_pct": -99999999999999999999999)"),
                        "maintenance.battery_pct is out of range: 40 to 100"},
                Refused{"NotLessThanAnotherKey", With(R"("deadline_s": 90000)"),
                        "maintenance.interval_s (90000) must be less than "
                        "maintenance.deadline_s (90000)"},
                Refused{"KeyThatWasRemoved", With(R"("interval_max_s": 345600)"),
                        "maintenance.interval_max_s was removed: since 2026-11 the interval is "
                        "interval_s and does not adapt"},
                Refused{"RemovedKeyOfAnotherSection", R"({"writers": {"retry_s": 3600}})",
                        "unknown key writers.retry_s"},
                Refused{"BudgetNegative", R"({"writers": {"app_budget_mib": -1}})",
                        "writers.app_budget_mib is -1, out of range: 0 to 16777216"},
                Refused{"BudgetNoInteger", R"({"writers": {"system_budget_mib": "1000"}})",
                        "writers.system_budget_mib must be an integer"},
                Refused{"ChipsNoArray", R"({"chips": {}})", "chips must be an array"},
                Refused{"TooManyChips",
                        "{\"chips\": [" +
                                [] {
                                    std::string many = "1";
                                    for (int i = 0; i < 64; ++i) many += ",1";
                                    return many;
                                }() +
                                "]}",
                        "chips must be an array of at most 64"},
                Refused{"ChipNoObject", R"({"chips": [5]})", "chips[0] must be an object"},
                Refused{"ChipWithoutModel", R"({"chips": [{"gib_per_step": 1}]})",
                        "chips[0] has no model"},
                Refused{"ChipModelNoString", R"({"chips": [{"model": 5}]})",
                        "chips[0] model must be a string"},
                Refused{"ChipModelEmpty", R"({"chips": [{"model": ""}]})",
                        "chips[0] model must be a string of 1 to 64 bytes"},
                Refused{"ChipModelTooLong",
                        "{\"chips\": [{\"model\": \"" + std::string(65, 'x') + "\"}]}",
                        "chips[0] model must be a string of 1 to 64 bytes"},
                Refused{"ChipWithoutSpread", R"({"chips": [{"model": "A", "gib_per_step": 1}]})",
                        "chips[0] has no spread_pct"},
                Refused{"ChipNumberOutOfRange",
                        R"({"chips": [{"model": "A", "gib_per_step": 0, "spread_pct": 5}]})",
                        "chips[0] gib_per_step is 0, out of range"},
                Refused{"ChipUnknownKey",
                        R"({"chips": [{"model": "A", "gib_per_step": 9, "spread_pct": 5},
                                      {"model": "A", "gib_per_step": 9, "spread_pct": 5, "x": 1}]})",
                        "chips[1] has an unknown key x"},
                Refused{"Empty", "", "is empty"}, Refused{"NoJson", "untouched = 5\n", "not JSON"},
                Refused{"AnArray", "[]\n", "not a JSON object"},
                Refused{"AComment", "{} // none\n", "not JSON"},
                Refused{"Truncated", "{\"maintenance\": {\"interval_s\": 90000\n", "not JSON"},
                Refused{"Binary", std::string("\0\1\2\n", 4), "is not text"},
                Refused{"Huge", std::string(1 << 20, ' ') + "{}\n", "longer than 65536"},
                Refused{"Deep", std::string(5000, '[') + "\n", "nested too deeply"},
                Refused{"DeepBehindAString",
                        "{\"$comment\": \"" + std::string(5000, ']') +
                                "\", \"a\": " + std::string(5000, '[') + "\n",
                        "nested too deeply"},
                Refused{"DeepBehindAComment", "{/*\"*/\"a\":\"" + std::string(5000, '[') + "\n",
                        "a slash outside"}),
        [](const auto& row) { return row.param.name; });

TEST(ConfigFileTest, AFileNeedNotEndItsLastLine) {
    Tree tree;
    tree.Write("/device.json", R"({"storekeeper": "x"})");
    tree.Write("/right.json", "{}");
    EXPECT_THAT(LoadConfig(tree.files(), {"/right.json"}).files, ElementsAre("/right.json"));
    EXPECT_THAT(LoadConfig(tree.files(), {"/device.json"}).problems,
                ElementsAre(HasSubstr("unknown key storekeeper")));
}

TEST(ConfigFileTest, ChipsOfTheSecondFileStandInsteadOfTheFirst) {
    Tree tree;
    tree.Write("/a.json", R"({"chips": [{"model": "A", "gib_per_step": 900, "spread_pct": 20}]})");
    tree.Write("/b.json", R"({"chips": [{"model": "B", "firmware": "0x07", "gib_per_step": 1200,
                                         "spread_pct": 25}]})");
    const ChipPrior a{.model = "A", .gib_per_step = 900, .spread_pct = 20};
    const ChipPrior b{.model = "B", .firmware = "0x07", .gib_per_step = 1200, .spread_pct = 25};
    EXPECT_THAT(LoadConfig(tree.files(), {"/a.json"}).config.chips, ElementsAre(a));
    const LoadedConfig both = LoadConfig(tree.files(), {"/a.json", "/b.json"});
    EXPECT_THAT(both.config.chips, ElementsAre(b));
    for (const ChipPrior& chip : {a, b}) {
        const Config config{.chips = {chip}};
        const Result<Config> again = OverlayConfig(Config(), WriteJson(ConfigToJson(config)));
        ASSERT_TRUE(again.ok()) << again.error().message();
        EXPECT_THAT(again->chips, ElementsAre(chip));
    }
}

TEST(ConfigFileTest, ADuplicateKeyIsRefused) {
#if !__has_include(<json/version.h>)
    GTEST_SKIP() << "the jsoncpp of Android 11 keeps the last of two";
#endif
    const Result<Config> config =
            OverlayConfig(Config(), With(R"("untouched_s": 60, "untouched_s": 61)"));
    ASSERT_FALSE(config.ok());
    EXPECT_THAT(config.error().message(), HasSubstr("Duplicate key"));
}

TEST(ConfigFileTest, TheSecondFileGoesOverTheFirst) {
    Tree tree;
    tree.Write("/a.json", R"({"maintenance": {"untouched_s": 1800, "battery_pct": 70}})"
                          "\n");
    tree.Write(
            "/b.json",
            R"({"$comment": "x", "maintenance": {"untouched_s": 7200, "yield_to_framework": false}})"
            "\n");
    LoadedConfig loaded = LoadConfig(tree.files(), {"/a.json", "/b.json"});
    EXPECT_THAT(loaded.problems, IsEmpty());
    EXPECT_EQ(seconds(7200), loaded.config.maintenance.min_untouched);
    EXPECT_EQ(70, loaded.config.maintenance.min_percent_on_battery);
    EXPECT_FALSE(loaded.config.maintenance.yield_to_framework);
}

}  // namespace
}  // namespace storekeeper
