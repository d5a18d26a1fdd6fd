// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

// Tests of each mechanism on a kernel that supports it, and of its refusals on others.

#include "crypto/early/mechanisms.h"

#include <errno.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "crypto/properties.h"
#include "crypto/qcrypto_driver.h"
#include "testing/fake_crypto_kernel.h"

namespace storekeeper {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using Refusal = MechanismRefusal;

class MechanismsTest : public testing::Test {
  protected:
    MechanismsTest() {
        kernel_.Register({.name = "aes", .driver = "aes-asm", .type = "cipher"});
        kernel_.Register({.name = "cbc(aes)", .driver = "cbc-aes-neonbs", .priority = 250});
    }

    // Engines as on an Xperia Z, or an msm8974 without the device tree's `use-sw`.
    void AddEngine(const std::vector<std::string>& devices = {"qcrypto.0"}) {
        kernel_.Register({.name = "xts(aes)", .driver = "qcrypto-xts-aes", .priority = 300});
        kernel_.Register({.name = "cbc(aes)", .driver = "qcrypto-cbc-aes", .priority = 300});
        kernel_.Register({.name = "sha256", .driver = "qcrypto-sha256", .type = "ahash"});
        for (const std::string& device : devices) kernel_.AddDevice(device);
        kernel_.LoadDriver();
    }
    void AddMainlineEngine() {
        kernel_.Register({.name = "cbc(aes)", .driver = "cbc-aes-qce", .priority = 300});
        kernel_.AddDevice("1dfa000.crypto");
        kernel_.LoadDriver();
        kernel_.AddSoftwareLimit(512);
    }
    EarlyFacts Facts(std::array<uint32_t, 3> dm_crypt = {1, 11, 0}, KernelVersion kernel = {3, 4}) {
        return {.table = ParseProcCrypto(kernel_.proc_crypto()),
                .dm_crypt = dm_crypt,
                .kernel = kernel};
    }
    Refusal Run(const CryptoMechanism& mechanism, const EarlyFacts& facts) {
        outcome_ = mechanism(facts);
        return outcome_.refusal;
    }

    Tree tree_;
    FileReader files_ = tree_.files();
    FakeCryptoKernel kernel_{tree_};
    std::map<std::string, std::string> properties_;
    bool takes_properties_ = true;
    const EarlyMechanisms mechanisms_ =
            MechanismsOf(files_, kernel_, kernel_,
                         [this](const std::string& name, const std::string& value) {
                             if (takes_properties_) properties_[name] = value;
                             return takes_properties_;
                         });
    const CryptoMechanism& unbind_ = mechanisms_.unbind;
    const CryptoMechanism& priority_ = mechanisms_.priority;
    const CryptoMechanism& length_ = mechanisms_.software_length;
    MechanismOutcome outcome_;
};

TEST_F(MechanismsTest, UnbindsEveryDevice) {
    AddEngine({"fd440000.qcrypto", "fd450000.qcrypto"});
    EXPECT_EQ(Refusal::kNone, Run(unbind_, Facts())) << outcome_.detail;
    EXPECT_THAT(kernel_.calls(), ElementsAre("unbind fd440000.qcrypto", "unbind fd450000.qcrypto"));
    EXPECT_THAT(kernel_.proc_crypto(), Not(HasSubstr("qcrypto-")));
    EXPECT_FALSE(kernel_.bug());
}

TEST_F(MechanismsTest, UnbindRefusesEachForAReasonOfItsOwn) {
    EXPECT_EQ(Refusal::kNoDriver, Run(unbind_, Facts()));
    kernel_.LoadDriver();
    EXPECT_EQ(Refusal::kNoDevice, Run(unbind_, Facts()));
    AddEngine();
    for (const char* driver : {"qcrypto-cbc-aes", "qcrypto-xts-aes", "qcrypto-sha256"}) {
        for (uint32_t refcount : {0, 2}) {
            kernel_.SetUsers(driver, refcount);
            EXPECT_EQ(Refusal::kEngineInUse, Run(unbind_, Facts())) << driver << refcount;
        }
        kernel_.SetUsers(driver, 1);
    }
    EXPECT_THAT(kernel_.calls(), IsEmpty());
}

TEST_F(MechanismsTest, UnbindNeedsTheCpusAes) {
    Tree tree;
    FakeCryptoKernel kernel(tree);
    kernel.Register({.name = "cbc(aes)", .driver = "qcrypto-cbc-aes", .priority = 300});
    kernel.AddDevice("qcrypto.0");
    kernel.LoadDriver();
    const EarlyFacts facts{.table = ParseProcCrypto(kernel.proc_crypto())};
    const FileReader files = tree.files();
    EXPECT_EQ(Refusal::kNoCpuAes, UnbindEngine(files, kernel, facts).refusal);
}

TEST_F(MechanismsTest, UnbindLeavesMainlinesDriverAlone) {
    AddMainlineEngine();
    EXPECT_EQ(Refusal::kOtherDriver, Run(unbind_, Facts()));
}

// A user appears between the first count and the change.
TEST_F(MechanismsTest, UnbindCountsOnceMore) {
    AddEngine();
    const EarlyFacts facts = Facts();
    kernel_.SetUsers("qcrypto-cbc-aes", 2);
    EXPECT_EQ(Refusal::kEngineInUse, Run(unbind_, facts));
    tree_.Write("/proc/crypto", "name : cbc(aes)\n");
    EXPECT_EQ(Refusal::kEngineInUse, Run(unbind_, facts));
    EXPECT_THAT(kernel_.calls(), IsEmpty());
    EXPECT_FALSE(kernel_.bug());
}

TEST_F(MechanismsTest, UnbindPutsBackWhatItBegan) {
    AddEngine({"fd440000.qcrypto", "fd450000.qcrypto"});
    kernel_.errors["unbind fd450000.qcrypto"] = EBUSY;
    EXPECT_EQ(Refusal::kUnbindFailed, Run(unbind_, Facts()));
    EXPECT_THAT(kernel_.calls(), ElementsAre("unbind fd440000.qcrypto", "bind fd440000.qcrypto"));
    EXPECT_THAT(kernel_.proc_crypto(), HasSubstr("qcrypto-cbc-aes"));
}

TEST_F(MechanismsTest, UnbindSaysWhatTheFilesLack) {
    AddEngine();
    const std::string unbind = std::string(kEngineDriverFolder) + "/unbind";
    kernel_.errors["open " + unbind] = EACCES;
    EXPECT_EQ(Refusal::kNoUnbind, Run(unbind_, Facts()));
    kernel_.errors.clear();
    kernel_.keeps_algorithms = true;
    EXPECT_EQ(Refusal::kNoEffect, Run(unbind_, Facts()));
    EXPECT_THAT(kernel_.calls(), ElementsAre("unbind qcrypto.0", "bind qcrypto.0"));
}

TEST_F(MechanismsTest, LeavesTheModuleOutBeforeItIsLoaded) {
    const CryptoMechanism& skip = mechanisms_.skip_module;
    EXPECT_EQ(Refusal::kNoDevice, Run(skip, Facts()));
    kernel_.AddDevice("f9824900.sdhci");
    EXPECT_EQ(Refusal::kNoDevice, Run(skip, Facts()));
    kernel_.AddDevice("qcrypto.0");
    EXPECT_EQ(Refusal::kNone, Run(skip, Facts()));
    EXPECT_EQ("skip", properties_[kEngineProperty]);
    takes_properties_ = false;
    EXPECT_EQ(Refusal::kNoTriggers, Run(skip, Facts()));
    kernel_.LoadDriver();
    EXPECT_EQ(Refusal::kDriverLoaded, Run(skip, Facts()));
}

TEST_F(MechanismsTest, KnowsTheEnginesDevices) {
    for (const char* device : {"qcrypto.0", "720000.qcrypto", "fd440000.qcom,qcrypto"}) {
        Tree tree;
        FakeCryptoKernel kernel(tree);
        kernel.AddDevice(device);
        EXPECT_TRUE(HasUnloadedEngine(tree.files())) << device;
        EXPECT_THAT(BoundEngineDevices(tree.files()), IsEmpty());
        kernel.LoadDriver();
        EXPECT_FALSE(HasUnloadedEngine(tree.files())) << device;
        EXPECT_THAT(BoundEngineDevices(tree.files()), ElementsAre(device));
    }
}

// The engine's drivers go behind, and the instance of essiv() that uses one is forgotten.
TEST_F(MechanismsTest, PutsTheEngineBehindTheCpu) {
    AddEngine();
    kernel_.Register({.name = "xts(aes)", .driver = "xts-aes-neonbs", .priority = 250});
    kernel_.Register({.name = "essiv(cbc(aes),sha256)",
                      .driver = "essiv(qcrypto-cbc-aes,sha256-generic)",
                      .priority = 300});
    kernel_.Register({.name = "essiv(cbc(aes),sha256)",
                      .driver = "essiv(cbc-aes-neonbs,sha256-generic)",
                      .priority = 250});
    EXPECT_EQ(Refusal::kNone, Run(priority_, Facts({1, 24, 0}, {6, 12}))) << outcome_.detail;
    EXPECT_THAT(kernel_.calls(),
                ElementsAre("priority qcrypto-cbc-aes=0", "priority qcrypto-xts-aes=0",
                            "priority xts-aes-neonbs=250", "priority cbc-aes-neonbs=250"));
    EXPECT_THAT(kernel_.proc_crypto(), Not(HasSubstr("essiv")));
}

TEST_F(MechanismsTest, PriorityNeedsADriverOfTheCpuForTheSameCipher) {
    EXPECT_EQ(Refusal::kNoCpuDriver, Run(priority_, Facts()));
    AddEngine();
    // The CPU has no xts(aes), so the engine's stays in place.
    EXPECT_EQ(Refusal::kNone, Run(priority_, Facts()));
    EXPECT_THAT(kernel_.calls(),
                ElementsAre("priority qcrypto-cbc-aes=0", "priority cbc-aes-neonbs=250"));
}

TEST_F(MechanismsTest, PriorityRefusesEachForAReasonOfItsOwn) {
    AddEngine();
    const struct {
        int error;
        Refusal refusal;
    } rows[] = {{EPROTONOSUPPORT, Refusal::kNoNetlink},
                {EPERM, Refusal::kNotPermitted},
                {EACCES, Refusal::kNotPermitted},
                {ENOENT, Refusal::kPriorityFailed},
                {EBADMSG, Refusal::kPriorityFailed}};
    for (const auto& row : rows) {
        kernel_.errors["priority qcrypto-cbc-aes"] = row.error;
        EXPECT_EQ(row.refusal, Run(priority_, Facts())) << row.error;
    }
    EXPECT_THAT(kernel_.calls(), IsEmpty());
}

TEST_F(MechanismsTest, PriorityPutsBackWhatItBegan) {
    AddEngine();
    kernel_.errors["priority cbc-aes-neonbs"] = ENOENT;
    EXPECT_EQ(Refusal::kPriorityFailed, Run(priority_, Facts()));
    EXPECT_THAT(kernel_.calls(),
                ElementsAre("priority qcrypto-cbc-aes=0", "priority qcrypto-cbc-aes=300"));
}

TEST_F(MechanismsTest, PriorityLooksWhetherItHelped) {
    AddEngine();
    kernel_.ignores_priorities = true;
    EXPECT_EQ(Refusal::kNoEffect, Run(priority_, Facts()));
    EXPECT_THAT(kernel_.calls(), testing::Contains("priority qcrypto-cbc-aes=300"));
}

TEST_F(MechanismsTest, SetsMainlinesParameter) {
    AddMainlineEngine();
    EXPECT_EQ(Refusal::kNone, Run(length_, Facts())) << outcome_.detail;
    EXPECT_THAT(kernel_.calls(), ElementsAre("limit 65536"));
    EXPECT_EQ(65536, *ReadNumber(files_, kSoftwareLimitPath));
    // A second call has nothing to do.
    EXPECT_EQ(Refusal::kNone, Run(length_, Facts()));
    EXPECT_THAT(kernel_.calls(), ElementsAre("limit 65536"));
}

TEST_F(MechanismsTest, TheParameterRefusesEachForAReasonOfItsOwn) {
    EXPECT_EQ(Refusal::kNoParameter, Run(length_, Facts()));
    AddEngine();
    EXPECT_EQ(Refusal::kNoParameter, Run(length_, Facts()));
    AddMainlineEngine();
    kernel_.errors[std::string("open ") + kSoftwareLimitPath] = EACCES;
    EXPECT_EQ(Refusal::kParameterFailed, Run(length_, Facts()));
    kernel_.errors.clear();
    tree_.Write(kSoftwareLimitPath, "many\n");
    EXPECT_EQ(Refusal::kParameterFailed, Run(length_, Facts()));
    kernel_.AddSoftwareLimit(512, /* writable */ false);
    EXPECT_EQ(Refusal::kNoEffect, Run(length_, Facts()));
    EXPECT_THAT(kernel_.calls(), ElementsAre("limit 65536", "limit 512"));
}

TEST(CapiTest, ADmCryptBefore117IsNeverLeftToCapi) {
    EarlyFacts facts{.kernel = KernelVersion{4, 19}};
    facts.table = ParseProcCrypto(
            "name : cbc(aes)\ndriver : cbc-aes-ce\npriority : 300\nrefcnt : 1\ntype : skcipher\n");
    for (uint32_t minor = 0; minor < 17; ++minor) {
        facts.dm_crypt = {1, minor, 9};
        EXPECT_EQ(Refusal::kOldDmCrypt, LeaveToVold(facts).refusal) << minor;
    }
    for (uint32_t minor : {17U, 18U, 22U}) {
        facts.dm_crypt = {1, minor, 0};
        EXPECT_EQ(Refusal::kNone, LeaveToVold(facts).refusal) << minor;
    }
    facts.dm_crypt.reset();
    EXPECT_EQ(Refusal::kNoDmCrypt, LeaveToVold(facts).refusal);
}

TEST_F(MechanismsTest, CapiIsForKernelsThatWouldUseTheEngineAndADriverInConstantTime) {
    AddEngine();
    const std::array<uint32_t, 3> names = {1, 18, 0};
    EXPECT_EQ(Refusal::kNone, LeaveToVold(Facts(names, {5, 9})).refusal);
    EXPECT_EQ(Refusal::kNewKernel, LeaveToVold(Facts(names, {5, 10})).refusal);
    EXPECT_EQ(Refusal::kNewKernel, LeaveToVold(Facts(names, {6, 1})).refusal);
    EarlyFacts tables = Facts(names, {4, 14});
    tables.kernel.reset();
    EXPECT_EQ(Refusal::kNewKernel, LeaveToVold(tables).refusal);
    tables = {.table = ParseProcCrypto("name : cbc(aes)\ndriver : cbc(aes-asm)\npriority : 200\n"
                                       "refcnt : 1\ntype : blkcipher\n"),
              .dm_crypt = names,
              .kernel = KernelVersion{4, 14}};
    EXPECT_EQ(Refusal::kNoCpuDriver, LeaveToVold(tables).refusal);
}

TEST(MechanismRefusalTest, EachHasItsOwnNameAndNumber) {
    std::set<std::string_view> names;
    for (int number = 30; number <= 48; ++number) {
        names.insert(RefusalName(static_cast<Refusal>(number)));
    }
    EXPECT_THAT(names, testing::SizeIs(19));
    for (std::string_view name : names) EXPECT_LE(name.size() + sizeof("refused:"), 91);
}

}  // namespace
}  // namespace storekeeper
