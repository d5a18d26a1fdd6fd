// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "crypto/inventory.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "testing/proc_crypto_texts.h"

namespace storekeeper {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

CryptoInventory Read(std::string_view text) {
    return MakeInventory(ParseProcCrypto(text));
}

struct Found {
    const char* name;
    const char* serving;  // "" if no driver does
    CryptoEngine engine;
};

void Expect(std::string_view text, const std::vector<Found>& all) {
    const CryptoInventory inventory = Read(text);
    EXPECT_THAT(inventory.problems, IsEmpty());
    for (const Found& found : all) {
        const CryptoDriver* serving = inventory.Serving(found.name);
        ASSERT_EQ(*found.serving == 0, serving == nullptr) << found.name;
        if (serving == nullptr) continue;
        EXPECT_EQ(found.serving, serving->driver);
        EXPECT_EQ(found.engine, serving->engine) << found.name;
    }
}

TEST(InventoryTest, Kernel34OfTheXperiaZ) {
    Expect(kKernel34, {{"cbc(aes)", "qcrypto-cbc-aes", CryptoEngine::kQcrypto},
                       {"xts(aes)", "qcrypto-xts-aes", CryptoEngine::kQcrypto}});
    const CryptoInventory inventory = Read(kKernel34);
    EXPECT_EQ(3, inventory.Serving("cbc(aes)")->refcount);
    EXPECT_TRUE(inventory.Serving("cbc(aes)")->async);
    EXPECT_EQ("cbc(aes-generic)", inventory.BestCpu("cbc(aes)")->driver);
    EXPECT_TRUE(inventory.BestCpu("cbc(aes)")->uses_tables);
    EXPECT_TRUE(inventory.AnyHardware());
    EXPECT_THAT(inventory.QcomPrefixed(), IsEmpty());
}

TEST(InventoryTest, Kernel318WithQcomPrefixIsCpu) {
    Expect(kKernel318Qcom, {{"cbc(aes)", "cbc-aes-ce", CryptoEngine::kCpu},
                            {"xts(aes)", "xts-aes-ce", CryptoEngine::kCpu},
                            {"qcom-cbc(aes)", "qcrypto-cbc-aes", CryptoEngine::kQcrypto}});
    const CryptoInventory inventory = Read(kKernel318Qcom);
    EXPECT_THAT(inventory.QcomPrefixed(), SizeIs(2));
    EXPECT_EQ(nullptr, inventory.BestHardware("cbc(aes)"));
}

TEST(InventoryTest, DuplicatesAreOneWithTheirHighestCount) {
    const CryptoInventory inventory = Read(kDuplicates);
    ASSERT_THAT(inventory.drivers, SizeIs(1));
    EXPECT_EQ(7, inventory.drivers[0].refcount);
    EXPECT_EQ("ablkcipher", inventory.drivers[0].type);
    EXPECT_NE(nullptr, inventory.Serving("cbc(aes)"));
}

TEST(InventoryTest, Kernel618WithNestedLskcipher) {
    Expect(kKernel618,
           {{"cbc(aes)", "cbc(ecb(aes-fixed-time))", CryptoEngine::kCpu},
            {"xts(aes)", "xts-aes-qce", CryptoEngine::kQce},
            {"essiv(cbc(aes),sha256)", "essiv(cbc-aes-qce,sha256-lib)", CryptoEngine::kQce}});
    EXPECT_FALSE(Read(kKernel618).Serving("cbc(aes)")->uses_tables);
}

TEST(InventoryTest, TruncatedAndGarbage) {
    struct Row {
        std::string text;
        size_t algorithms;
        const char* problem;
    };
    const Row rows[] = {
            {"", 0, ""},
            {"\n\n\n", 0, ""},
            {"garbage\n", 0, "it has no name"},
            {std::string(1 << 20, 'x'), 0, "it has no name"},
            {"name : cbc(aes)\ndriver : x\npriority : 1\nrefcnt", 0, "it has no refcnt"},
            {"name : cbc(aes)\ndriver : x\npriority : 9999999999\nrefcnt : 1\ntype : skcipher\n", 0,
             "priority '9999999999'"},
            {"name : cbc(aes)\ndriver : x\npriority : -1\nrefcnt : -1\ntype : skcipher\n", 0,
             "refcnt '-1'"},
            {"name : cbc(aes)\ndriver : x\npriority : -1\nrefcnt : 1\ntype : skcipher", 1, ""},
    };
    for (const Row& row : rows) {
        const CryptoTable table = ParseProcCrypto(row.text);
        EXPECT_THAT(table.algorithms, SizeIs(row.algorithms)) << row.text.substr(0, 60);
        if (*row.problem == 0) {
            EXPECT_THAT(table.problems, IsEmpty());
        } else {
            ASSERT_THAT(table.problems, SizeIs(1)) << row.text.substr(0, 60);
            EXPECT_THAT(table.problems[0], HasSubstr(row.problem));
        }
    }
}

TEST(InventoryTest, MoreThanAKernelHasIsLeftOut) {
    std::string many;
    for (int i = 0; i < 5000; ++i) {
        many += "name : x\ndriver : y\npriority : 1\nrefcnt : 1\ntype : shash\n\n";
    }
    EXPECT_THAT(ParseProcCrypto(many).algorithms, SizeIs(4096));
    std::string bad;
    for (int i = 0; i < 20; ++i) bad += "garbage\n\n";
    EXPECT_THAT(ParseProcCrypto(bad).problems, SizeIs(8));
}

TEST(InventoryTest, OnlyCiphersOfDisks) {
    EXPECT_THAT(Read("name : cbc(des3_ede)\ndriver : qcrypto-cbc-3des\npriority : 300\n"
                     "refcnt : 1\ntype : ablkcipher\n\n"
                     "name : cmac(aes)\ndriver : cmac(aes-asm)\npriority : 300\n"
                     "refcnt : 1\ntype : shash\n")
                        .drivers,
                IsEmpty());
}

TEST(InventoryTest, CutAnywhereNothingIsMisread) {
    const std::string text(kKernel34);
    const CryptoTable whole = ParseProcCrypto(text);
    for (size_t length = 0; length < text.size(); ++length) {
        const CryptoTable cut = ParseProcCrypto(text.substr(0, length));
        EXPECT_LE(cut.algorithms.size(), whole.algorithms.size());
        EXPECT_LE(cut.problems.size(), 1);
    }
}

TEST(InventoryTest, TheLastRegisteredWinsATie) {
    Expect("name : cbc(aes)\ndriver : cbc-aes-neonbs\npriority : 300\nrefcnt : 1\n"
           "type : ablkcipher\n\n"
           "name : cbc(aes)\ndriver : qcrypto-cbc-aes\npriority : 300\nrefcnt : 1\n"
           "type : ablkcipher\n",
           {{"cbc(aes)", "cbc-aes-neonbs", CryptoEngine::kCpu}});
}

TEST(InventoryTest, InternalAndIvGeneratingOnesServeNobody) {
    Expect("name : cbc(aes)\ndriver : a-qce\npriority : 300\nrefcnt : 1\ninternal : yes\n"
           "type : skcipher\n\n"
           "name : cbc(aes)\ndriver : b-qce\npriority : 300\nrefcnt : 1\ntype : givcipher\n",
           {{"cbc(aes)", "", CryptoEngine::kUnknown}});
}

TEST(InventoryTest, EnginesByDriverName) {
    struct Row {
        const char* driver;
        CryptoEngine engine;
        bool tables;
    };
    const Row rows[] = {
            {"qcrypto-cbc-aes", CryptoEngine::kQcrypto, false},
            {"xts-aes-qce", CryptoEngine::kQce, false},
            {"essiv(cbc-aes-qce,sha256-generic)", CryptoEngine::kQce, false},
            {"essiv(qcrypto-cbc-aes,sha256-ce)", CryptoEngine::kQcrypto, false},
            {"authenc(hmac(sha1-generic),cbc-aes-qce)", CryptoEngine::kQce, false},
            {"cbc-aes-qcelerator", CryptoEngine::kUnknown, false},
            {"cbc(aes-generic)", CryptoEngine::kCpu, true},
            {"cbc(aes-asm)", CryptoEngine::kCpu, true},
            {"cbc-aes-neonbs", CryptoEngine::kCpu, false},
            {"xts-aes-aesni", CryptoEngine::kCpu, false},
            // arm64's own essiv: arch/arm64/crypto/aes-glue.c, and the arm64 list of
            // github.com/PureSwift/CryptoLinux, Tests/CryptoLinuxTests/TestCipherList.swift.
            {"essiv-cbc-aes-sha256-ce", CryptoEngine::kCpu, false},
            {"essiv-cbc-aes-sha256-neon", CryptoEngine::kCpu, false},
            {"cbc-aes-ccree", CryptoEngine::kUnknown, false},
            {"", CryptoEngine::kUnknown, false},
    };
    for (const Row& row : rows) {
        EXPECT_EQ(row.engine, EngineOf(row.driver)) << row.driver;
        EXPECT_EQ(row.tables, UsesTables(row.driver)) << row.driver;
    }
}

}  // namespace
}  // namespace storekeeper
