// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "maintenance/receipt_store.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <functional>
#include <vector>

#include "base/atomic_file.h"
#include "base/json_text.h"
#include "maintenance/receipt_json.h"
#include "testing/tree.h"

namespace storekeeper {
namespace {

using testing::HasSubstr;

TrimReceipt Receipt(int number) {
    TrimReceipt receipt;
    receipt.started_wall = WallTime(number);
    receipt.mounts.push_back({.mount = "/data", .outcome = TrimOutcome::kTrimmed});
    return receipt;
}

TEST(ReceiptStoreTest, KeepsTheLastOnesOverARestart) {
    Tree tree;
    const std::string path = tree.PathOf("/receipts");
    {
        ReceiptStore store(path);
        EXPECT_TRUE(store.Last(5).empty());
        for (int i = 1; i <= 100; ++i) ASSERT_TRUE(store.Append(Receipt(i)).ok());
        EXPECT_EQ(WallTime(100), store.Last(1).at(0).started_wall);
    }
    ReceiptStore store(path);
    const std::vector<TrimReceipt> all = store.Last(1000);
    ASSERT_EQ(ReceiptStore::kKept, all.size());
    EXPECT_EQ(WallTime(100), all[0].started_wall);
    EXPECT_EQ(WallTime(69), all[31].started_wall);
    EXPECT_EQ("/data", all[31].mounts.at(0).mount);
    EXPECT_EQ(ReceiptStore::kFileBytes, tree.Read("/receipts").size());
}

TEST(ReceiptStoreTest, LongReceiptsDoNotMakeTheFileGrow) {
    Tree tree;
    ReceiptStore store(tree.PathOf("/receipts"));
    TrimReceipt receipt = Receipt(1);
    receipt.reason = std::string(2000, 'x');
    for (int i = 0; i < 100; ++i) {
        ASSERT_TRUE(store.Append(receipt).ok());
        EXPECT_LE(std::min<size_t>(5, i + 1), store.Last(100).size()) << i;
        EXPECT_EQ(ReceiptStore::kFileBytes, tree.Read("/receipts").size()) << i;
    }
}

TEST(ReceiptStoreTest, ATornLineIsLostAloneAndSwallowsNoOther) {
    Tree tree;
    const std::string path = tree.PathOf("/receipts");
    ASSERT_TRUE(ReceiptStore(path).Append(Receipt(1)).ok());
    for (const char* torn : {"{\"mounts\":[", "garbage\n", "{}\n", "[]\n{\"moun"}) {
        const std::string before(WithoutPadding(tree.Read("/receipts")));
        tree.Write("/receipts", before + torn);
        ReceiptStore store(path);
        EXPECT_EQ(WallTime(1), store.Last(1).at(0).started_wall);
        ASSERT_TRUE(store.Append(Receipt(2)).ok());
        EXPECT_EQ(2U, ReceiptStore(path).Last(9).size());
        tree.Remove("/receipts");
        ASSERT_TRUE(ReceiptStore(path).Append(Receipt(1)).ok());
    }
}

TEST(ReceiptStoreTest, WhatCannotBeWrittenIsKeptInMemoryAndSaid) {
    Tree tree;
    ReceiptStore store(tree.PathOf("/nosuch/receipts"));
    EXPECT_FALSE(store.Append(Receipt(1)).ok());
    EXPECT_EQ(1U, store.Last(1).size());
    tree.MakeDirectory("/nosuch");
    EXPECT_TRUE(store.Append(Receipt(2)).ok());
    EXPECT_EQ(2U, ReceiptStore(tree.PathOf("/nosuch/receipts")).Last(9).size());
}

TEST(ReceiptStoreTest, WhatIsNoFileOfOursIsSetAsideAndSaid) {
    const std::function<void(Tree*)> strangers[] = {
            [](Tree* tree) { ASSERT_EQ(0, mkfifo(tree->PathOf("/receipts").c_str(), 0600)); },
            [](Tree* tree) {
                tree->Write("/receipts", "");
                ASSERT_EQ(0, truncate(tree->PathOf("/receipts").c_str(), 1 << 30));
            },
            [](Tree* tree) { tree->MakeDirectory("/receipts/inner"); },
            [](Tree* tree) { tree->Link("/receipts", "/dev/zero"); },
    };
    for (const auto& make : strangers) {
        Tree tree;
        make(&tree);
        ASSERT_EQ(0, mkfifo(tree.PathOf("/receipts.new").c_str(), 0600));
        ReceiptStore store(tree.PathOf("/receipts"));
        EXPECT_TRUE(store.Last(9).empty());
        EXPECT_THAT(store.note(),
                    HasSubstr("it was set aside as " + tree.PathOf("/receipts.corrupt")));
        ASSERT_TRUE(store.Append(Receipt(1)).ok());
        ReceiptStore again(tree.PathOf("/receipts"));
        EXPECT_EQ("", again.note());
        EXPECT_EQ(1U, again.Last(9).size());
    }
}

TEST(ReceiptStoreTest, LinesThatAreNoReceiptsAreLeftOutAndCounted) {
    Tree tree;
    const std::string deep(3000, '[');
    tree.Write("/receipts", deep + "\n{\"mounts\":[1]}\n{\"a\":\"" + std::string(3000, ']') +
                                    "\",\"mounts\":" + deep + "\n" +
                                    WriteJsonLine(ReceiptToJson(Receipt(7))));
    ReceiptStore store(tree.PathOf("/receipts"));
    ASSERT_EQ(1U, store.Last(9).size());
    EXPECT_EQ(WallTime(7), store.Last(1).at(0).started_wall);
    EXPECT_THAT(store.note(), HasSubstr("3 lines are not receipts and are ignored"));
}

}  // namespace
}  // namespace storekeeper
