// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "StorekeeperUnbind.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <string>
#include <vector>

#include "fake_properties.h"
#include "proc_crypto.h"
#include "testing/tree.h"

namespace {

constexpr char kUnbind[] = STOREKEEPER_QCRYPTO "/unbind";

// An Xperia Z before /data is mounted: Linux 3.4, no assembler AES, nobody uses the engine.
const std::vector<ProcCryptoEntry> kXperiaZ = {
        {"xts(aes)", "qcrypto-xts-aes", 300},
        {"cbc(aes)", "qcrypto-cbc-aes", 300},
        {"sha256", "sha256-generic", 0},
        {"aes", "aes-generic", 100},
};

std::vector<ProcCryptoEntry> With(ProcCryptoEntry entry) {
    std::vector<ProcCryptoEntry> all = kXperiaZ;
    all.insert(all.begin(), entry);
    return all;
}

class StorekeeperUnbindTest : public testing::Test {
  protected:
    StorekeeperUnbindTest() {
        properties_.Put("storekeeper.crypto.choice", "kernel");
        tree_.Write("/proc/crypto", ProcCrypto(kXperiaZ));
        for (const char* name : {"bind", "unbind", "uevent", "module", "qcrypto.0"}) {
            tree_.Write(std::string(STOREKEEPER_QCRYPTO "/") + name, "");
        }
    }

    // Returns the reported value, "" if nothing was reported.
    std::string Unbind(const char* cipher = "aes-cbc-essiv:sha256",
                       const char* label = "userdata") {
        properties_.Put("vold.storekeeper.aes.userdata", "");
        storekeeper_unbind_engine_in(tree_.root().c_str(), label, cipher);
        return properties_.Get("vold.storekeeper.aes.userdata");
    }
    std::string written() const { return tree_.Read(kUnbind); }

    storekeeper::Tree tree_;
    FakeProperties properties_;
};

TEST_F(StorekeeperUnbindTest, TakesTheEngineAwayWhenChosen) {
    EXPECT_EQ("unbound", Unbind());
    EXPECT_EQ("qcrypto.0", written());
}

TEST_F(StorekeeperUnbindTest, UnbindsEveryDeviceOfADeviceTree) {
    tree_.Remove(STOREKEEPER_QCRYPTO "/qcrypto.0");
    tree_.Write(STOREKEEPER_QCRYPTO "/fd440000.qcrypto", "");
    tree_.Write(STOREKEEPER_QCRYPTO "/fd450000.qcrypto", "");
    EXPECT_EQ("unbound", Unbind());
    EXPECT_EQ(32u, written().size());
    EXPECT_NE(std::string::npos, written().find("fd440000.qcrypto"));
    EXPECT_NE(std::string::npos, written().find("fd450000.qcrypto"));
}

TEST_F(StorekeeperUnbindTest, DoesNothingUnlessChosen) {
    for (const char* choice : {"", "auto", "hardware"}) {
        properties_.Put("storekeeper.crypto.choice", choice);
        EXPECT_EQ("", Unbind());
        EXPECT_EQ("", written());
    }
}

TEST_F(StorekeeperUnbindTest, AdoptedStorageHasAChoiceOfItsOwn) {
    properties_.Put("persist.storekeeper.crypto", "hardware");
    EXPECT_EQ("", Unbind("aes-cbc-essiv:sha256", "private:179,3"));
    EXPECT_EQ("", written());
}

TEST_F(StorekeeperUnbindTest, KeepsOffCiphersThatAreNotItsOwn) {
    EXPECT_EQ("refused:hardware_key", Unbind("aes-xts"));
    for (const char* cipher : {"aes-xts-plain64", "xchacha12,aes-adiantum-plain64", "aes-cbc-plain",
                               "aes-cbc-essiv:sha1", "capi:cbc(aes)-essiv:sha256", ""}) {
        EXPECT_EQ("refused:other_cipher", Unbind(cipher)) << cipher;
    }
    EXPECT_EQ("", written());
}

TEST_F(StorekeeperUnbindTest, RefusesEachForAReasonOfItsOwn) {
    std::vector<ProcCryptoEntry> no_aes = kXperiaZ;
    no_aes.pop_back();
    const struct {
        std::string proc_crypto;
        std::string reported;
    } cases[] = {
            {ProcCrypto(With({"ctr(aes)", "qcrypto-ctr-aes", 300, 2})), "refused:engine_in_use"},
            {ProcCrypto(With({"sha1", "qcrypto-sha1", 300, 0})), "refused:engine_in_use"},
            {ProcCrypto(With({"qcom-xts(aes)", "qcom-xts-aes", 300, 2})), "refused:qcom_in_use"},
            {ProcCrypto(With({"cbc(aes)", "cbc-aes-neonbs", 300})), "refused:cpu_already"},
            {ProcCrypto(no_aes), "refused:no_cpu_aes"},
            {ProcCrypto({{"aes", "aes-generic", 100}}), "refused:no_engine"},
            {"", "refused:no_engine"},
            {"garbage\n", "refused:bad_proc_crypto"},
            {ProcCrypto(kXperiaZ) + "name         : half", "refused:bad_proc_crypto"},
    };
    for (const auto& c : cases) {
        tree_.Write("/proc/crypto", c.proc_crypto);
        EXPECT_EQ(c.reported, Unbind()) << c.proc_crypto;
        EXPECT_EQ("", written()) << c.proc_crypto;
    }
    tree_.Remove("/proc/crypto");
    EXPECT_EQ("refused:no_proc_crypto", Unbind());
    EXPECT_EQ("", written());
}

TEST_F(StorekeeperUnbindTest, AnIdleQcomNameIsNoHindrance) {
    tree_.Write("/proc/crypto", ProcCrypto(With({"qcom-xts(aes)", "qcom-xts-aes", 300, 1})));
    EXPECT_EQ("unbound", Unbind());
}

TEST_F(StorekeeperUnbindTest, SaysWhatTheDriverLacks) {
    tree_.Remove(kUnbind);
    EXPECT_EQ("refused:no_unbind", Unbind());
    ASSERT_EQ(0, symlink("/dev/full", tree_.PathOf(kUnbind).c_str()));
    EXPECT_EQ("refused:unbind_failed", Unbind());
    tree_.Remove(STOREKEEPER_QCRYPTO "/qcrypto.0");
    EXPECT_EQ("refused:no_device", Unbind());
    for (const char* name : {"bind", "unbind", "uevent", "module", ""}) {
        tree_.Remove(std::string(STOREKEEPER_QCRYPTO "/") + name);
    }
    EXPECT_EQ("refused:no_driver", Unbind());
}

}  // namespace
