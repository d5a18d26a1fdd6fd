// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "maintenance/receipt_json.h"

#include <gtest/gtest.h>

#include "base/json_text.h"
#include "report/report.h"
#include "report/report_text.h"

namespace storekeeper {
namespace {

Json::Value Receipt() {
    TrimReceipt receipt;
    receipt.mounts.push_back({.mount = "/data", .outcome = TrimOutcome::kTrimmed});
    return ReceiptToJson(receipt);
}

TEST(ReceiptShapeTest, WhatTheServiceWritesIsAReceipt) {
    const std::string line = WriteJsonLine(Receipt());
    const android::base::Result<Json::Value> receipt = ParseReceipt(line);
    ASSERT_TRUE(receipt.ok()) << receipt.error();
    EXPECT_EQ(line, WriteJsonLine(*receipt));
}

// False where it is refused.
bool PrintsOrRefuses(const Json::Value& value) {
    const android::base::Result<Json::Value> receipt = ParseReceipt(WriteJsonLine(value));
    if (!receipt.ok()) return false;
    Json::Value receipts(Json::arrayValue);
    receipts.append(*receipt);
    EXPECT_NE("", ReceiptsText(receipts));
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
        for (const std::string& key : good["mounts"][0].getMemberNames()) {
            Json::Value bad = good;
            bad["mounts"][0][key] = value;
            refused += PrintsOrRefuses(bad) ? 0 : 1;
        }
    }
    EXPECT_GE(refused, 100);
}

TEST(ReceiptShapeTest, DeepNestingIsRefusedWhereverBracketsAreHidden) {
    const std::string deep(3000, '[');
    for (const std::string& line :
         {deep, "{\"mounts\":" + deep, "{\"a\":\"" + std::string(3000, ']') + "\",\"b\":" + deep,
          "{/*\"*/\"a\":\"" + deep + "\",\"b\":" + deep, "{\"a\\\"\":" + deep,
          std::string(3000, ']') + deep}) {
        EXPECT_FALSE(ParseReceipt(line).ok()) << line.substr(0, 40);
    }
}

}  // namespace
}  // namespace storekeeper
