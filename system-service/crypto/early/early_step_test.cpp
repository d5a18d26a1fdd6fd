// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "crypto/early/early_step.h"

#include <errno.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "base/file_reader.h"
#include "crypto/choice_store.h"
#include "crypto/early/mechanisms.h"
#include "crypto/properties.h"
#include "testing/fake_crypto_kernel.h"

namespace storekeeper {
namespace {

using android::base::Error;
using android::base::Result;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr char kFile[] = "/cache/storekeeper/crypto";

// Notes the content of the choice's file at each request to the kernel.
class WatchedKernel : public FakeCryptoKernel {
  public:
    explicit WatchedKernel(Tree& tree) : FakeCryptoKernel(tree), tree_(tree) {}
    std::vector<std::string> seen;

    Result<size_t> Pwrite(android::base::borrowed_fd fd, const void* buffer, size_t size,
                          off_t offset) override {
        seen.push_back(tree_.Read(kFile));
        return FakeCryptoKernel::Pwrite(fd, buffer, size, offset);
    }

  private:
    Tree& tree_;
};

// A phone with /data on dm-crypt, which is not opened yet.
class EarlyStepTest : public testing::Test {
  protected:
    EarlyStepTest() {
        tree_.MakeDirectory("/cache/storekeeper");
        kernel_.Register({.name = "aes", .driver = "aes-asm", .type = "cipher"});
        kernel_.Register({.name = "cbc(aes)", .driver = "cbc-aes-neonbs", .priority = 250});
        kernel_.Register({.name = "cbc(aes)", .driver = "qcrypto-cbc-aes", .priority = 300});
        kernel_.AddDevice("qcrypto.0");
        kernel_.LoadDriver();
        for (const char* driver : {"qcrypto-cbc-aes", "cbc-aes-neonbs"}) {
            kernel_.errors[std::string("priority ") + driver] = EPROTONOSUPPORT;
        }
    }

    void SaveChoice(CryptoMode mode) {
        const CryptoBaseline baseline{.write_mbps = 2.7,
                                      .read_mbps = 3.9,
                                      .method = "af_alg",
                                      .unit_bytes = 512};
        ASSERT_TRUE(store_.Save(*MakeChoice(mode, baseline, "0")).ok());
    }
    EarlyReport Boot(const std::string& id) {
        tree_.Write(kBootIdPath, id + "\n");
        properties_.clear();
        const SetProperty set = [this](const std::string& name, const std::string& value) {
            properties_[name] = value;
            return true;
        };
        return RunEarlyStep({.files = files_,
                             .syscalls = RealCalls(),
                             .targets = [this]() -> Result<std::vector<DmTarget>> {
                                 if (targets_error_ != 0) {
                                     return Error(targets_error_) << "no targets";
                                 }
                                 return targets_;
                             },
                             .property = [this](const std::string& name) { return words_[name]; },
                             .set = set,
                             .choice = choice_,
                             .kernel_release = release_},
                            MechanismsOf(files_, kernel_, kernel_, set));
    }

    Tree tree_;
    FileReader files_ = tree_.files();
    WatchedKernel kernel_{tree_};
    ChoiceStore store_{RealCalls(), tree_.PathOf(kFile)};
    Result<std::string> choice_ = tree_.PathOf(kFile);
    std::vector<DmTarget> targets_ = {{"crypt", {1, 11, 0}}};
    int targets_error_ = 0;
    std::string release_ = "3.4.113-perf";
    std::map<std::string, std::string> words_;
    std::map<std::string, std::string> properties_;
};

TEST_F(EarlyStepTest, WithoutAChoiceNothingIsTouched) {
    const EarlyReport report = Boot("1");
    EXPECT_EQ(EarlyRefusal::kNothingChosen, report.refusal);
    EXPECT_THAT(kernel_.calls(), IsEmpty());
    EXPECT_FALSE(files_.Exists(kFile));
    EXPECT_EQ(0, properties_.count(kVoldChoiceProperty)) << "as if there were no Storekeeper";
    EXPECT_EQ("load", properties_[kEngineProperty]);
    EXPECT_EQ("refused:nothing_chosen", properties_[kEarlyProperty]);
}

TEST_F(EarlyStepTest, UnbindsTheEngineOfAnOldKernel) {
    SaveChoice(CryptoMode::kKernel);
    const EarlyReport report = Boot("1");
    EXPECT_EQ(EarlyRefusal::kNone, report.refusal);
    EXPECT_EQ("unbind", report.outcome);
    EXPECT_THAT(kernel_.calls(), ElementsAre("unbind qcrypto.0"));
    EXPECT_EQ("kernel", properties_[kVoldChoiceProperty]);
    EXPECT_EQ("unbind", properties_[kEarlyProperty]);
    EXPECT_EQ(1, store_.Load().choice.boots);
    EXPECT_THAT(report.notes, Contains(HasSubstr("skip_module: refused, driver_loaded (38)")));
}

// A power cut right after the request finds the boot counted.
TEST_F(EarlyStepTest, TheBootIsCountedOnTheDiskBeforeAnythingIsDone) {
    SaveChoice(CryptoMode::kKernel);
    Boot("1");
    ASSERT_THAT(kernel_.seen, testing::SizeIs(1));
    const Result<CryptoChoice> seen = ParseChoice(kernel_.seen[0]);
    ASSERT_TRUE(seen.ok()) << seen.error();
    EXPECT_EQ(1, seen->boots);
}

TEST_F(EarlyStepTest, AConfirmedChoiceIsAppliedAndNotWrittenAgain) {
    SaveChoice(CryptoMode::kKernel);
    Boot("1");
    CryptoChoice choice = store_.Load().choice;
    choice.stage = CryptoChoice::Stage::kConfirmed;
    ASSERT_TRUE(store_.Save(choice).ok());
    const std::string before = tree_.Read(kFile);
    for (const char* boot : {"2", "3", "4"}) {
        ASSERT_TRUE(kernel_.LoadDriverAgain());
        EXPECT_EQ("unbind", Boot(boot).outcome);
        EXPECT_EQ(before, tree_.Read(kFile));
    }
}

TEST_F(EarlyStepTest, LeavesTheEngineWhenHardwareIsChosen) {
    SaveChoice(CryptoMode::kHardware);
    const EarlyReport report = Boot("1");
    EXPECT_EQ(EarlyRefusal::kNone, report.refusal);
    EXPECT_EQ("none", report.outcome);
    EXPECT_THAT(kernel_.calls(), IsEmpty());
    EXPECT_EQ("hardware", properties_[kVoldChoiceProperty]);
    EXPECT_EQ("load", properties_[kEngineProperty]);
}

TEST(EarlyRefusalTest, ExitCodesDiffer) {
    std::set<std::string_view> names;
    for (int code = 10; code <= 22; ++code) {
        names.insert(RefusalName(static_cast<EarlyRefusal>(code)));
    }
    EXPECT_THAT(names, testing::SizeIs(13));
}

// Each refusal has its own code.
TEST_F(EarlyStepTest, RefusesWithoutTouchingAnything) {
    struct Row {
        EarlyRefusal refusal;
        std::function<void()> change;
    };
    const Row rows[] = {
            {EarlyRefusal::kReqCrypt,
             [this] {
                 targets_.push_back({"req-crypt", {1, 0, 0}});
             }},
            {EarlyRefusal::kTargetsUnknown, [this] { targets_error_ = EACCES; }},
            {EarlyRefusal::kQcomInUse,
             [this] {
                 kernel_.Register({.name = "qcom-xts(aes)",
                                   .driver = "qcrypto-xts-aes",
                                   .priority = 300,
                                   .refcount = 2});
             }},
            {EarlyRefusal::kEngineInUse, [this] { kernel_.SetUsers("qcrypto-cbc-aes", 2); }},
            {EarlyRefusal::kUnreadable, [this] { tree_.Remove("/proc/crypto"); }},
            {EarlyRefusal::kUnreadable, [this] { tree_.Write("/proc/crypto", "name : x\n"); }},
            {EarlyRefusal::kOverruled, [this] { words_[kBootCryptoProperty] = "auto"; }},
            {EarlyRefusal::kNotSaved,
             [this] {
                 tree_.Remove(std::string(kFile) + ".new");
                 tree_.MakeDirectory(std::string(kFile) + ".new/inner");
             }},
    };
    for (const Row& row : rows) {
        SaveChoice(CryptoMode::kKernel);
        row.change();
        const EarlyReport report = Boot("1");
        EXPECT_EQ(RefusalName(row.refusal), RefusalName(report.refusal));
        EXPECT_THAT(kernel_.calls(), IsEmpty());
        EXPECT_EQ("auto", properties_[kVoldChoiceProperty]) << RefusalName(row.refusal);
        EXPECT_EQ("load", properties_[kEngineProperty]);
        EXPECT_EQ("refused:" + std::string(RefusalName(row.refusal)), properties_[kEarlyProperty]);
        targets_.resize(1);
        targets_error_ = 0;
        words_.clear();
        kernel_.SetUsers("qcrypto-xts-aes", 1);
        kernel_.SetUsers("qcrypto-cbc-aes", 1);
    }
}

// A kernel without device mapper has neither req-crypt nor dm-crypt.
TEST_F(EarlyStepTest, WithoutADeviceMapperTheKernelDecides) {
    SaveChoice(CryptoMode::kKernel);
    targets_error_ = ENOENT;
    EXPECT_EQ("unbind", Boot("1").outcome);
}

TEST_F(EarlyStepTest, WithoutAPlaceForAChoiceThereIsNone) {
    choice_ = Error() << "nowhere";
    const EarlyReport report = Boot("1");
    EXPECT_EQ(EarlyRefusal::kNoPlace, report.refusal);
    EXPECT_THAT(report.notes, Contains("nowhere"));
    EXPECT_EQ(0, properties_.count(kVoldChoiceProperty));
}

TEST_F(EarlyStepTest, ATornFileMeansNothingIsChosen) {
    tree_.Write(kFile, "storekeeper-crypto 1\nmode kernel\n");
    const EarlyReport report = Boot("1");
    EXPECT_EQ(EarlyRefusal::kNothingChosen, report.refusal);
    EXPECT_THAT(report.notes, Contains(HasSubstr("the choice of an engine is lost")));
    EXPECT_THAT(kernel_.calls(), IsEmpty());
}

// The user does nothing.
TEST_F(EarlyStepTest, TheThirdBootLeavesTheEngineAlone) {
    SaveChoice(CryptoMode::kKernel);
    for (const char* boot : {"1", "2"}) {
        EXPECT_EQ("unbind", Boot(boot).outcome);
        ASSERT_TRUE(kernel_.LoadDriverAgain());
    }
    const size_t calls = kernel_.calls().size();
    EXPECT_EQ(EarlyRefusal::kTrialFailed, Boot("3").refusal);
    EXPECT_EQ("auto", properties_[kVoldChoiceProperty]);
    EXPECT_EQ(CryptoMode::kAuto, store_.Load().choice.mode);
    EXPECT_EQ(EarlyRefusal::kNothingChosen, Boot("4").refusal);
    EXPECT_EQ(calls, kernel_.calls().size());
}

TEST_F(EarlyStepTest, AChoiceWithoutAMechanismIsRefusedAndLeftToVold) {
    SaveChoice(CryptoMode::kKernel);
    kernel_.errors["open /sys/bus/platform/drivers/qcrypto/unbind"] = EACCES;
    const EarlyReport report = Boot("1");
    EXPECT_EQ(EarlyRefusal::kNoMechanism, report.refusal);
    EXPECT_THAT(kernel_.calls(), IsEmpty());
    EXPECT_EQ("kernel", properties_[kVoldChoiceProperty]);
    EXPECT_EQ("refused at boot: no_mechanism", store_.Load().choice.reason);
    for (const char* note : {"skip_module: refused, driver_loaded", "unbind: refused, no_unbind",
                             "aes_sw_max_len: refused, no_parameter",
                             "priority: refused, no_netlink", "capi: refused, old_dm_crypt"}) {
        EXPECT_THAT(report.notes, Contains(HasSubstr(note)));
    }
}

TEST_F(EarlyStepTest, AModuleThatWaitsIsLeftOut) {
    tree_.Remove("/sys/bus/platform/drivers/qcrypto");
    tree_.Write("/proc/crypto",
                "name : cbc(aes)\ndriver : cbc(aes-generic)\npriority : 100\nrefcnt : 1\n"
                "type : blkcipher\n");
    SaveChoice(CryptoMode::kKernel);
    EXPECT_EQ("skip_module", Boot("1").outcome);
    EXPECT_EQ("skip", properties_[kEngineProperty]);
    EXPECT_THAT(kernel_.calls(), IsEmpty());
}

// From 4.12 to 5.9, vold can choose the driver, so the engine is not unbound for nothing.
TEST_F(EarlyStepTest, IfDmCryptTakesNamesVoldIsInformedAndTheOrderChanged) {
    SaveChoice(CryptoMode::kKernel);
    targets_ = {{"crypt", {1, 18, 1}}};
    release_ = "4.14.190";
    EXPECT_EQ("capi", Boot("1").outcome);
    EXPECT_EQ("kernel", properties_[kVoldChoiceProperty]);
    EXPECT_THAT(kernel_.calls(), IsEmpty()) << "no NETLINK_CRYPTO, and no unbinding";
    kernel_.errors.clear();
    EXPECT_EQ("priority", Boot("2").outcome);
    EXPECT_THAT(kernel_.calls(),
                ElementsAre("priority qcrypto-cbc-aes=0", "priority cbc-aes-neonbs=250"));
}

// A newer dm-crypt ignores the engine, so a measurement would not lead to this choice.
TEST_F(EarlyStepTest, NewerKernelsLoseTheEngineLast) {
    SaveChoice(CryptoMode::kKernel);
    targets_ = {{"crypt", {1, 28, 0}}};
    release_ = "6.12.90";
    EXPECT_EQ("unbind", Boot("1").outcome);
}

}  // namespace
}  // namespace storekeeper
