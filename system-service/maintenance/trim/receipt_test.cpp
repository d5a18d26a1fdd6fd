// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "maintenance/trim/receipt.h"

#include <errno.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <map>

#include "base/json_text.h"
#include "report/report.h"

namespace storekeeper {
namespace {

Json::Value Receipt() {
    TrimReceipt receipt{.manual = true,
                        .started = std::chrono::hours(1),
                        .started_wall = WallTime(1'767'225'600),
                        .duration = std::chrono::milliseconds(146),
                        .outcome = TrimOutcome::kIoError,
                        .reason = "/cache: an error",
                        .complete = true};
    receipt.mounts.push_back({.mount = "/data",
                              .outcome = TrimOutcome::kTrimmed,
                              .range_start_bytes = 1,
                              .range_length_bytes = 2,
                              .filesystem_bytes = 3,
                              .block_layer_bytes = uint64_t{1} << 63,
                              .duration = std::chrono::milliseconds(140),
                              .trimming = std::chrono::milliseconds(34),
                              .fitrim_calls = 8,
                              .throttled = true,
                              .discard_bytes = 1 << 20,
                              .discard_time = std::chrono::microseconds(1021),
                              .note = "a note"});
    receipt.mounts.push_back({.mount = "/cache", .reason = "an error"});
    receipt.actions.push_back({.action = "defragment",
                               .outcome = ActionOutcome::kDone,
                               .note = "a note",
                               .duration = std::chrono::milliseconds(9080),
                               .written_bytes = 214085632});
    return FieldsToJson(receipt);
}

TEST(ReceiptShapeTest, AReceiptSurvivesWritingAndParsing) {
    const std::string line = WriteJsonLine(Receipt());
    const android::base::Result<TrimReceipt> receipt = ParseFields<TrimReceipt>(line);
    ASSERT_TRUE(receipt.ok()) << receipt.error();
    EXPECT_EQ(line, WriteJsonLine(FieldsToJson(*receipt)));
}

// False if the value is refused.
bool PrintsOrRefuses(const Json::Value& value) {
    const android::base::Result<TrimReceipt> receipt =
            ParseFields<TrimReceipt>(WriteJsonLine(value));
    if (!receipt.ok()) return false;
    EXPECT_NE("", ReceiptsText({*receipt}));
    return true;
}

TEST(ReceiptShapeTest, AValueOfAnotherTypeIsRefusedOrHarmless) {
    const Json::Value good = Receipt();
    Json::Value strange[] = {Json::Value(),
                             Json::Value("x"),
                             Json::Value(-1),
                             Json::Value(1e300),
                             Json::Value(true),
                             Json::Value(Json::arrayValue),
                             Json::Value(Json::objectValue)};
    strange[5].append(1);
    int refused = 0;
    for (const Json::Value& value : strange) {
        for (const std::string& key : good.getMemberNames()) {
            Json::Value bad = good;
            bad[key] = value;
            refused += PrintsOrRefuses(bad) ? 0 : 1;
        }
        for (const char* list : {"mounts", "actions"}) {
            for (const std::string& key : good[list][0].getMemberNames()) {
                Json::Value bad = good;
                bad[list][0][key] = value;
                refused += PrintsOrRefuses(bad) ? 0 : 1;
            }
        }
    }
    EXPECT_GE(refused, 100);
}

TEST(ReceiptShapeTest, AValueOutOfRangeIsRefusedAndAnUnknownKeyIgnored) {
    constexpr auto kMax = Json::Int64{std::numeric_limits<int64_t>::max()};
    const auto with = [](const char* key, const Json::Value& value) {
        Json::Value receipt = Receipt();
        receipt[key] = value;
        receipt["mounts"][0][key] = value;
        return ParseFields<TrimReceipt>(WriteJsonLine(receipt));
    };
    for (const char* key :
         {"duration_ms", "trimming_ms", "discard_us", "started_boot_s", "started_wall_s"}) {
        EXPECT_FALSE(with(key, kMax).ok()) << key;
        EXPECT_FALSE(with(key, -1).ok()) << key;
    }
    EXPECT_FALSE(with("outcome", "nosuch").ok());
    EXPECT_TRUE(with("of_a_later_version", 1).ok());
}

TEST(ReceiptShapeTest, AnActionIsAsStrictAndOlderReceiptsHaveNone) {
    constexpr auto kMax = Json::Int64{std::numeric_limits<int64_t>::max()};
    const auto with = [](const char* key, const Json::Value& value) {
        Json::Value receipt = Receipt();
        receipt["actions"][0][key] = value;
        return ParseFields<TrimReceipt>(WriteJsonLine(receipt));
    };
    EXPECT_TRUE(with("note", "another").ok());
    EXPECT_EQ("its outcome is not known", with("outcome", "nosuch").error().message());
    EXPECT_FALSE(with("duration_ms", kMax).ok());
    EXPECT_FALSE(with("written_bytes", -1).ok());
    Json::Value old = Receipt();
    old.removeMember("actions");
    ASSERT_TRUE(ParseFields<TrimReceipt>(WriteJsonLine(old)).ok());
    EXPECT_EQ(0U, ParseFields<TrimReceipt>(WriteJsonLine(old))->actions.size());
}

// Versions before November 2026 had another key for `throttled`, and a key `worst_foreground_us`.
TEST(ReceiptShapeTest, AnOldReceiptStaysReadable) {
    Json::Value old = Receipt();
    old["mounts"][0].removeMember("throttled");
    old["mounts"][0]["gentle"] = true;
    old["mounts"][0]["worst_foreground_us"] = 1234;
    const android::base::Result<TrimReceipt> receipt = ParseFields<TrimReceipt>(WriteJsonLine(old));
    ASSERT_TRUE(receipt.ok()) << receipt.error();
    EXPECT_TRUE(receipt->mounts[0].throttled);
    EXPECT_FALSE(receipt->mounts[1].throttled);
    EXPECT_FALSE(FieldsToJson(*receipt)["mounts"][0].isMember("gentle"));
}

TEST(ReceiptShapeTest, TheSchemaRequiresTheKeysThatMustBeThere) {
    const Json::Value good = Receipt();
    std::vector<std::string> required;
    for (const std::string& key : good.getMemberNames()) {
        Json::Value bad = good;
        bad.removeMember(key);
        if (PrintsOrRefuses(bad)) continue;
        required.push_back(key);
        EXPECT_EQ("its " + key + " is missing",
                  ParseFields<TrimReceipt>(WriteJsonLine(bad)).error().message());
    }
    EXPECT_THAT(required, testing::ElementsAre("complete", "duration_ms", "manual", "mounts",
                                               "outcome", "reason", "started_wall_s"));
    required.clear();
    for (const std::string& key : good["mounts"][0].getMemberNames()) {
        Json::Value bad = good;
        bad["mounts"][0].removeMember(key);
        if (!PrintsOrRefuses(bad)) required.push_back(key);
    }
    EXPECT_THAT(required,
                testing::ElementsAre("block_layer_bytes", "duration_ms", "filesystem_bytes",
                                     "mount", "note", "outcome", "reason"));
}

// LeakSanitizer reports a leak, if there is one.
TEST(ReceiptShapeTest, ARefusedReceiptIsFreed) {
    for (const char* key : {"outcome", "duration_ms", "trimming_ms", "discard_us"}) {
        Json::Value bad = Receipt();
        bad["mounts"][0]["mount"] = "/mnt/expand/00112233-4455-6677-8899-aabbccddeeff";
        bad["mounts"][0][key] = key == std::string("outcome") ? Json::Value("nosuch") : -1;
        EXPECT_FALSE(PrintsOrRefuses(bad)) << key;
    }
}

TEST(OutcomeTest, EachErrorHasItsOutcome) {
    const std::map<TrimOutcome, std::vector<int>> rows =
            {{TrimOutcome::kNoDiscard, {EOPNOTSUPP, ENOTTY, ENOSYS}},
             {TrimOutcome::kReadOnly, {EROFS}},
             {TrimOutcome::kNotPermitted, {EPERM, EACCES}},
             {TrimOutcome::kIoError, {EIO, ENODEV, ENXIO, EREMOTEIO, ETIMEDOUT}},
             {TrimOutcome::kNotMounted, {ENOENT}},
             {TrimOutcome::kHidden, {ESTALE}},
             {TrimOutcome::kAborted, {EINTR}},
             {TrimOutcome::kFailed, {ENOMEM, 0}}};
    for (const auto& [outcome, errors] : rows) {
        for (int error : errors) EXPECT_EQ(outcome, OutcomeOf(error)) << error;
    }
}

TEST(ReceiptShapeTest, DeepNestingIsRefusedWhereverBracketsAreHidden) {
    const std::string deep(3000, '[');
    for (const std::string& line :
         {deep, "{\"mounts\":" + deep, "{\"a\":\"" + std::string(3000, ']') + "\",\"b\":" + deep,
          "{/*\"*/\"a\":\"" + deep + "\",\"b\":" + deep, "{\"a\\\"\":" + deep,
          std::string(3000, ']') + deep}) {
        EXPECT_FALSE(ParseFields<TrimReceipt>(line).ok()) << line.substr(0, 40);
    }
}

}  // namespace
}  // namespace storekeeper
