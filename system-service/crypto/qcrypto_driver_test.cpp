// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "crypto/qcrypto_driver.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "testing/tree.h"

namespace storekeeper {
namespace {

using testing::HasSubstr;

constexpr char k34[] =
        "\nQualcomm crypto accelerator 1 Statistics:\n\n"
        "   ABLK AES CIPHER encryption   : 20\n"
        "   ABLK AES CIPHER decryption   : -96\n"
        "   ABLK DES CIPHER encryption   : 7\n"
        "   ABLK 3DES CIPHER decryption  : 8\n"
        "   AEAD AES CIPHER encryption    : 9\n"
        "   AEAD SHA1-AES encryption      : 9\n";
constexpr char k8974[] =
        "\nQTI crypto accelerator 1 Statistics\n"
        "   ABLK AES CIPHER encryption          : 6000000000\n"
        "   ABLK AES CIPHER decryption          : 40\n";
constexpr char k318[] =
        "\nQTI crypto accelerator 1 Statistics\n"
        "   ABLK CIPHER AES encryption          : 50\n"
        "   ABLK CIPHER AES decryption          : 60\n"
        "   ABLK CIPHER operation success       : 110\n";

TEST(QcryptoDriverTest, ThreeLayouts) {
    EXPECT_EQ(20, ParseQcryptoStats(k34)->encryptions);
    EXPECT_EQ(4294967200, ParseQcryptoStats(k34)->decryptions);
    EXPECT_EQ(6000000000, ParseQcryptoStats(k8974)->encryptions);
    EXPECT_EQ(40, ParseQcryptoStats(k8974)->decryptions);
    EXPECT_EQ(50, ParseQcryptoStats(k318)->encryptions);
    EXPECT_EQ(60, ParseQcryptoStats(k318)->decryptions);
}

TEST(QcryptoDriverTest, WrapAndClearing) {
    struct Row {
        uint64_t before = 0;
        uint64_t after = 0;
        std::optional<uint64_t> requests;
    };
    const Row rows[] = {
            {10, 30, 20},
            {4294967200, 4, 100},
            {10, 9, std::nullopt},
            {4294967200, 4294967100, std::nullopt},
            {6000000000, 1, std::nullopt},
            {0, 0, 0},
    };
    for (const Row& row : rows) {
        EXPECT_EQ(row.requests, RequestsBetween({.encryptions = row.before, .decryptions = 5},
                                                {.encryptions = row.after, .decryptions = 5}))
                << row.before << " to " << row.after;
    }
}

TEST(QcryptoDriverTest, AddsUpTheEnginesAndNeverWrites) {
    Tree tree;
    tree.Write("/sys/kernel/debug/qcrypto/stats-1", k34);
    tree.Write("/sys/kernel/debug/qcrypto/stats-2", k8974);
    EXPECT_EQ(6000000020, ReadQcryptoStats(tree.files())->encryptions);
    EXPECT_EQ(k34, tree.Read("/sys/kernel/debug/qcrypto/stats-1"));
    EXPECT_EQ(k8974, tree.Read("/sys/kernel/debug/qcrypto/stats-2"));
}

TEST(QcryptoDriverTest, MissingOrGarbage) {
    Tree tree;
    EXPECT_FALSE(ReadQcryptoStats(tree.files()).ok());
    tree.Write("/sys/kernel/debug/qcrypto/other", "x\n");
    EXPECT_THAT(ReadQcryptoStats(tree.files()).error().message(), HasSubstr("no stats-1"));
    for (const char* text :
         {"x\n", "   ABLK AES CIPHER encryption : 1\n", "   ABLK AES CIPHER encryption : lots\n"}) {
        tree.Write("/sys/kernel/debug/qcrypto/stats-1", text);
        EXPECT_THAT(ReadQcryptoStats(tree.files()).error().message(), HasSubstr("stats-1")) << text;
    }
}

TEST(QcryptoDriverTest, OneDirectionClearedIsNoCount) {
    EXPECT_EQ(std::nullopt, RequestsBetween({.encryptions = 5, .decryptions = 10},
                                            {.encryptions = 6, .decryptions = 9}));
}

TEST(EngineDevicesTest, WithoutABusNothingWaits) {
    EXPECT_FALSE(HasUnloadedEngine(Tree().files()));
}

TEST(QcryptoDriverTest, OversizedAndEmptyTablesAreErrors) {
    EXPECT_THAT(ParseQcryptoStats(std::string(1 << 20, 'x')).error().message(),
                HasSubstr("longer than"));
    Tree tree;
    tree.Write("/sys/kernel/debug/qcrypto/stats-1", "");
    EXPECT_THAT(ReadQcryptoStats(tree.files()).error().message(), HasSubstr("is empty"));
}

}  // namespace
}  // namespace storekeeper
