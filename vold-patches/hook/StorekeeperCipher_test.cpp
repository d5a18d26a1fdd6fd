// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "StorekeeperCipher.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "fake_properties.h"
#include "proc_crypto.h"
#include "testing/tree.h"

namespace {

const ProcCryptoEntry kEngine = {"cbc(aes)", "qcrypto-cbc-aes", 300};
const ProcCryptoEntry kMainlineEngine = {"cbc(aes)", "cbc-aes-qce", 300};
const ProcCryptoEntry kNeon = {"cbc(aes)", "cbc-aes-neon", 200};
const ProcCryptoEntry kCe = {"cbc(aes)", "cbc-aes-ce", 300};
const ProcCryptoEntry kTables = {"cbc(aes)", "cbc(aes-asm)", 200};

class StorekeeperCipherTest : public testing::Test {
  protected:
    StorekeeperCipherTest() {
        properties_.Put("storekeeper.crypto.choice", "kernel");
        *storekeeper_given_up() = 0;
    }

    // The string that is used in the end.
    std::string Use(const std::vector<ProcCryptoEntry>& algs,
                    const std::string& cipher = STOREKEEPER_LEGACY_CIPHER, bool takes_capi = true,
                    const std::string& release = "4.14.190-perf+") {
        tree_.Write("/proc/crypto", ProcCrypto(algs));
        const char* instead = storekeeper_cipher_in(tree_.root().c_str(), "private:179,3",
                                                    cipher.c_str(), takes_capi, release.c_str());
        return instead != nullptr ? instead : cipher;
    }
    std::string reported() const { return properties_.Get("vold.storekeeper.aes.adopted"); }

    storekeeper::Tree tree_;
    FakeProperties properties_;
};

TEST_F(StorekeeperCipherTest, NamesTheCpuWhereTheEngineServes) {
    const struct {
        std::vector<ProcCryptoEntry> algs;
        std::string used;
        std::string reported;
    } cases[] = {
            {{kEngine, kNeon}, "capi:cbc-aes-neon-essiv:sha256", ""},
            {{kEngine, kCe, kNeon}, "capi:cbc-aes-ce-essiv:sha256", ""},
            {{kMainlineEngine, kNeon}, "capi:cbc-aes-neon-essiv:sha256", ""},
            // The CPU registered last and wins already.
            {{kCe, kEngine, kNeon}, STOREKEEPER_LEGACY_CIPHER, "refused:cpu_already"},
            {{{"essiv(cbc(aes),sha256)", "essiv-cbc-aes-sha256-ce", 301}, kEngine, kCe},
             STOREKEEPER_LEGACY_CIPHER,
             "refused:cpu_already"},
            {{{"essiv(cbc(aes),sha256)", "essiv(qcrypto-cbc-aes,sha256-ce)", 301}, kEngine, kCe},
             "capi:cbc-aes-ce-essiv:sha256",
             ""},
            // Tables leak through the cache: not without being asked.
            {{kEngine, kTables}, STOREKEEPER_LEGACY_CIPHER, "refused:no_cpu_driver"},
            {{kEngine, {"xts(aes)", "xts-aes-ce", 300}},
             STOREKEEPER_LEGACY_CIPHER,
             "refused:no_cpu_driver"},
            {{{"aes", "aes-generic", 100}}, STOREKEEPER_LEGACY_CIPHER, "refused:no_engine"},
    };
    for (const auto& c : cases) {
        EXPECT_EQ(c.used, Use(c.algs)) << c.reported;
        EXPECT_EQ(c.reported.empty() ? c.used : c.reported, reported());
    }
}

TEST_F(StorekeeperCipherTest, EveryStringMeansTheSameToDmCrypt) {
    for (const auto& entry : kStorekeeperCiphers) {
        // crypt_ctr_cipher_new() in drivers/md/dm-crypt.c: what follows the last ':' are the IV's
        // options, what follows the last '-' before is its name, the rest names the driver.
        std::string text = entry.cipher;
        ASSERT_TRUE(text.starts_with("capi:"));
        text = text.substr(5);
        const size_t colon = text.rfind(':');
        const size_t dash = text.rfind('-', colon);
        EXPECT_EQ("sha256", text.substr(colon + 1));
        EXPECT_EQ("essiv", text.substr(dash + 1, colon - dash - 1));
        EXPECT_EQ(entry.driver, text.substr(0, dash));
        EXPECT_TRUE(std::string(entry.driver).starts_with("cbc-aes-"));
        EXPECT_FALSE(storekeeper_is_engine(entry.driver));
    }
}

TEST_F(StorekeeperCipherTest, EveryOtherStringComesBackAsItIs) {
    std::vector<std::string> others = {"xchacha12,aes-adiantum-plain64",
                                       "xchacha20,aes-adiantum-plain64",
                                       "aes-xts",
                                       "aes-xts-plain64",
                                       "aes-cbc-plain",
                                       "aes-cbc-essiv:sha1",
                                       "capi:cbc(aes)-essiv:sha256",
                                       "AES-CBC-ESSIV:SHA256",
                                       ""};
    std::mt19937 random(1);  // NOLINT(cert-msc51-cpp): the same ones every time
    for (int i = 0; i < 300; i++) {
        std::string text = STOREKEEPER_LEGACY_CIPHER;
        const size_t at = random() % text.size();
        if (i % 3 == 0) {
            text.erase(at, 1);
        } else if (i % 3 == 1) {
            text.insert(at, 1, static_cast<char>(random() % 255 + 1));
        } else {
            text[at] = static_cast<char>(random() % 255 + 1);
        }
        if (text != STOREKEEPER_LEGACY_CIPHER) others.push_back(text);
    }
    for (const std::string& text : others) {
        EXPECT_EQ(text, Use({kEngine, kCe}, text));
        EXPECT_EQ("refused:other_cipher", reported());
    }
}

TEST_F(StorekeeperCipherTest, ADmCryptBefore117NeverSeesCapi) {
    EXPECT_EQ(STOREKEEPER_LEGACY_CIPHER,
              Use({kEngine, kCe}, STOREKEEPER_LEGACY_CIPHER, false, "4.9.337"));
    EXPECT_EQ("refused:old_dm_crypt", reported());
}

TEST_F(StorekeeperCipherTest, LeavesKernelsAloneThatPassOverTheEngine) {
    for (const char* release : {"4.14.0", "4.19.157-perf", "5.4.0", "5.9.16"}) {
        EXPECT_NE(STOREKEEPER_LEGACY_CIPHER,
                  Use({kEngine, kCe}, STOREKEEPER_LEGACY_CIPHER, true, release))
                << release;
    }
    for (const char* release : {"5.10.0", "5.15.1-android13", "6.6.30", "10.1", "", "x", "5"}) {
        EXPECT_EQ(STOREKEEPER_LEGACY_CIPHER,
                  Use({kEngine, kCe}, STOREKEEPER_LEGACY_CIPHER, true, release))
                << release;
        EXPECT_EQ("refused:new_kernel", reported());
    }
}

TEST_F(StorekeeperCipherTest, DoesNothingUnlessChosen) {
    for (const char* choice : {"", "auto", "hardware"}) {
        properties_.Put("storekeeper.crypto.choice", choice);
        EXPECT_EQ(STOREKEEPER_LEGACY_CIPHER, Use({kEngine, kCe}));
        EXPECT_EQ("", reported());
    }
}

TEST_F(StorekeeperCipherTest, ReturnsToTheOldStringWhenAMappingFails) {
    EXPECT_EQ(0, storekeeper_give_up("private:179,3", nullptr));
    EXPECT_NE(STOREKEEPER_LEGACY_CIPHER, Use({kEngine, kCe}));
    EXPECT_EQ(1, storekeeper_give_up("private:179,3", kStorekeeperCiphers[0].cipher));
    EXPECT_EQ("refused:mapping_failed", reported());
    EXPECT_EQ(STOREKEEPER_LEGACY_CIPHER, Use({kEngine, kCe}));
    EXPECT_EQ("refused:mapping_failed", reported());
}

TEST_F(StorekeeperCipherTest, RefusesWhatItCannotRead) {
    EXPECT_EQ(nullptr, storekeeper_cipher_in("/nowhere", "private:179,3", STOREKEEPER_LEGACY_CIPHER,
                                             1, "4.14.0"));
    EXPECT_EQ("refused:no_proc_crypto", reported());
    tree_.Write("/proc/crypto", ProcCrypto({kEngine, kCe}) + "half");
    EXPECT_EQ(nullptr, storekeeper_cipher_in(tree_.root().c_str(), "private:179,3",
                                             STOREKEEPER_LEGACY_CIPHER, 1, "4.14.0"));
    EXPECT_EQ("refused:bad_proc_crypto", reported());
}

}  // namespace
