// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "StorekeeperCrypto.h"

#include <gtest/gtest.h>

#include <string>

#include "fake_properties.h"
#include "testing/tree.h"

namespace {

TEST(StorekeeperCryptoTest, TheChoiceOfThisBootHasTheLastWord) {
    const struct {
        std::string choice;
        std::string persist;
        bool userdata;
        bool adopted;
    } cases[] = {
            {"", "", false, false},           {"kernel", "", true, true},
            {"", "kernel", false, true},      {"kernel", "hardware", true, false},
            {"auto", "kernel", false, false}, {"hardware", "kernel", false, true},
            {"kernel", "kernel", true, true}, {"KERNEL", "1", false, false},
    };
    for (const auto& c : cases) {
        FakeProperties properties;
        properties.Put("storekeeper.crypto.choice", c.choice);
        properties.Put("persist.storekeeper.crypto", c.persist);
        EXPECT_EQ(c.userdata, storekeeper_kernel_chosen("userdata") != 0)
                << c.choice << " " << c.persist;
        EXPECT_EQ(c.adopted, storekeeper_kernel_chosen("private:179,3") != 0)
                << c.choice << " " << c.persist;
    }
}

TEST(StorekeeperCryptoTest, ReportsWhatBecameOfItWithinOldLimits) {
    FakeProperties properties;
    storekeeper_report_choice("userdata", "unbound");
    storekeeper_report_choice("private:179,3", "refused:no_engine");
    EXPECT_EQ("unbound", properties.Get("vold.storekeeper.aes.userdata"));
    EXPECT_EQ("refused:no_engine", properties.Get("vold.storekeeper.aes.adopted"));
    EXPECT_EQ(0, properties.refused());
}

// Counts the algorithms of a /proc/crypto; -1 if it was not understood.
int Count(const std::string& text) {
    storekeeper::Tree tree;
    tree.Write("/proc/crypto", text);
    FILE* file = storekeeper_open_algs(tree.root().c_str());
    storekeeper_alg alg;
    int count = 0;
    int more;
    while ((more = storekeeper_next_alg(file, &alg)) > 0) count++;
    fclose(file);
    return more < 0 ? -1 : count;
}

constexpr char kOne[] =
        "name         : cbc(aes)\n"
        "driver       : qcrypto-cbc-aes\n"
        "module       : kernel\n"
        "priority     : 300\n"
        "refcnt       : 1\n"
        "selftest     : passed\n"
        "type         : ablkcipher\n"
        "async        : yes\n"
        "geniv        : <default>\n";

TEST(StorekeeperCryptoTest, ReadsProcCryptoOrSaysThatItCannot) {
    const std::string one = kOne;
    EXPECT_EQ(0, Count(""));
    EXPECT_EQ(0, Count("\n\n"));
    EXPECT_EQ(1, Count(one));
    EXPECT_EQ(1, Count(one + "\n"));
    EXPECT_EQ(2, Count(one + "\n" + one + "\n"));
    // An algorithm that is being looked up has no driver yet.
    EXPECT_EQ(1, Count("name         : aes\ndriver       : \nmodule       : kernel\n"
                       "priority     : 0\nrefcnt       : 2\nselftest     : unknown\n"
                       "type         : larval\n"));
    EXPECT_EQ(-1, Count("name         : aes\n"));
    EXPECT_EQ(-1, Count(one + one.substr(0, 40)));
    EXPECT_EQ(-1, Count(one + "garbage\n"));
    EXPECT_EQ(-1, Count("name         : " + std::string(128, 'a') + "\n"));
    EXPECT_EQ(-1, Count("name         : " + std::string(5000, 'a') + "\n"));
    EXPECT_EQ(-1, Count(one + "refcnt       : one\n"));
    EXPECT_EQ(-1, Count(one + "refcnt       : -1\n"));
    EXPECT_EQ(-1, Count(one + "priority     : 99999999999999999999999\n"));
}

TEST(StorekeeperCryptoTest, KnowsTheEngineByItsDrivers) {
    EXPECT_TRUE(storekeeper_is_engine("qcrypto-cbc-aes"));
    EXPECT_TRUE(storekeeper_is_engine("cbc-aes-qce"));
    EXPECT_TRUE(storekeeper_is_engine("essiv(cbc-aes-qce,sha256-generic)"));
    EXPECT_FALSE(storekeeper_is_engine("cbc-aes-neonbs"));
    EXPECT_FALSE(storekeeper_is_engine("cbc(aes-generic)"));
    EXPECT_FALSE(storekeeper_is_engine(""));
}

}  // namespace
