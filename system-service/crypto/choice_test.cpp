// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "crypto/choice.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "base/tokens.h"
#include "crypto/choice_store.h"
#include "crypto/properties.h"
#include "testing/proc_crypto_texts.h"
#include "testing/tree.h"

namespace storekeeper {
namespace {

using Stage = CryptoChoice::Stage;
using VerdictResult = VerificationResult::Result;
using testing::HasSubstr;
using testing::IsEmpty;

const CryptoBaseline kBaseline{.write_mbps = 2.7,
                               .read_mbps = 3.9,
                               .method = "af_alg",
                               .unit_bytes = 512,
                               .cipher = "cbc(aes)",
                               .key_bytes = 16};

CryptoChoice Kernel(const std::string& boot_id = "a") {
    return *MakeChoice(CryptoMode::kKernel, kBaseline, boot_id);
}

// An engine that is not in use yet.
constexpr char kUnused[] =
        "name : cbc(aes)\ndriver : qcrypto-cbc-aes\npriority : 300\nrefcnt : 1\n"
        "type : ablkcipher\n\n"
        "name : cbc(aes)\ndriver : cbc(aes-asm)\npriority : 200\nrefcnt : 1\ntype : blkcipher\n";

constexpr char kCpuAlone[] =
        "name : cbc(aes)\ndriver : cbc(aes-asm)\npriority : 200\nrefcnt : 1\ntype : blkcipher\n";

EarlyInputs Boot(const std::string& id, const char* proc_crypto = kUnused) {
    return {.boot_id = id, .table = ParseProcCrypto(proc_crypto)};
}

TEST(ChoiceTest, NothingIsChosenWithoutABaseline) {
    EXPECT_THAT(MakeChoice(CryptoMode::kKernel, std::nullopt, "a").error().message(),
                HasSubstr("crypto bench first"));
    EXPECT_FALSE(MakeChoice(CryptoMode::kHardware, std::nullopt, "a").ok());
    EXPECT_FALSE(MakeChoice(CryptoMode::kKernel, kBaseline, "").ok());
    EXPECT_TRUE(MakeChoice(CryptoMode::kAuto, std::nullopt, "").ok());
    EXPECT_EQ(Stage::kTrial, Kernel().stage);
}

TEST(ChoiceTest, EachRefusalHasItsCode) {
    struct Row {
        const char* what = "";
        EarlyInputs inputs;
        EarlyRefusal refusal = EarlyRefusal::kNone;
    };
    EarlyInputs req_crypt = Boot("b");
    req_crypt.req_crypt = true;
    EarlyInputs unknown = Boot("b");
    unknown.targets_unknown = true;
    EarlyInputs auto_word = Boot("b");
    auto_word.boot_word = "auto";
    EarlyInputs kernel_word = Boot("b");
    kernel_word.boot_word = "kernel";
    EarlyInputs waits = Boot("b", kCpuAlone);
    waits.has_unloaded_engine = true;
    const Row rows[] = {
            {"nothing against it", Boot("b"), EarlyRefusal::kNone},
            {"req-crypt", req_crypt, EarlyRefusal::kReqCrypt},
            {"qcom in use",
             Boot("b",
                  "name : qcom-xts(aes)\ndriver : qcrypto-xts-aes\npriority : 300\n"
                  "refcnt : 2\ntype : ablkcipher\n"),
             EarlyRefusal::kQcomInUse},
            {"engine in use", Boot("b", kKernel34), EarlyRefusal::kEngineInUse},
            {"engine's hash in use",
             Boot("b",
                  "name : sha256\ndriver : qcrypto-sha256\npriority : 300\nrefcnt : 2\n"
                  "type : ahash\n"),
             EarlyRefusal::kEngineInUse},
            {"engine going away",
             Boot("b",
                  "name : cbc(aes)\ndriver : qcrypto-cbc-aes\npriority : 300\nrefcnt : 0\n"
                  "type : ablkcipher\n"),
             EarlyRefusal::kEngineInUse},
            {"already CPU",
             Boot("b",
                  "name : qcom-cbc(aes)\ndriver : qcrypto-cbc-aes\npriority : 300\n"
                  "refcnt : 1\ntype : ablkcipher\n"),
             EarlyRefusal::kNoEngine},
            {"engine without a cipher",
             Boot("b",
                  "name : sha256\ndriver : qcrypto-sha256\npriority : 300\nrefcnt : 1\n"
                  "type : ahash\n"),
             EarlyRefusal::kNoEngine},
            {"engine of two ciphers",
             Boot("b",
                  "name : cbc(aes)\ndriver : qcrypto-cbc-aes\npriority : 300\nrefcnt : 1\n"
                  "type : ablkcipher\n\n"
                  "name : xts(aes)\ndriver : qcrypto-xts-aes\npriority : 300\nrefcnt : 1\n"
                  "type : ablkcipher\n"),
             EarlyRefusal::kNone},
            {"targets unknown", unknown, EarlyRefusal::kTargetsUnknown},
            {"the bootloader says auto", auto_word, EarlyRefusal::kOverruled},
            {"the bootloader says kernel", kernel_word, EarlyRefusal::kNone},
            {"no module yet", waits, EarlyRefusal::kNone},
            {"no engine", Boot("b", kCpuAlone), EarlyRefusal::kNoEngine},
            {"unreadable", {.boot_id = "b"}, EarlyRefusal::kUnreadable},
            {"half readable", Boot("b", "name : cbc(aes)\n"), EarlyRefusal::kUnreadable},
    };
    for (const Row& row : rows) {
        const EarlyStep step = AtBoot(Kernel(), row.inputs);
        EXPECT_EQ(RefusalName(row.refusal), RefusalName(step.refusal)) << row.what;
        EXPECT_EQ(1, step.next.boots) << row.what;
    }
    EXPECT_EQ(EarlyRefusal::kNothingChosen, AtBoot({}, Boot("b")).refusal);
    // A mode without a stage is no choice either.
    EXPECT_EQ(EarlyRefusal::kNothingChosen,
              AtBoot({.mode = CryptoMode::kKernel}, Boot("b")).refusal);
    // Words without a measurement change nothing.
    EXPECT_EQ(EarlyRefusal::kNoBaseline, AtBoot({}, kernel_word).refusal);
    EarlyInputs product_word = Boot("b");
    product_word.product_word = "kernel";
    EXPECT_EQ(EarlyRefusal::kNoBaseline, AtBoot({}, product_word).refusal);
    product_word.boot_word = "auto";
    EXPECT_EQ(EarlyRefusal::kNothingChosen, AtBoot({}, product_word).refusal);
    // The engine is restored even while it is in use.
    const CryptoChoice back = *MakeChoice(CryptoMode::kHardware, kBaseline, "a");
    EXPECT_EQ(EarlyRefusal::kNone, AtBoot(back, Boot("b", kKernel34)).refusal);
}

TEST(ChoiceTest, TwoUnconfirmedBootsRestoreAuto) {
    CryptoChoice choice = Kernel();
    for (const char* boot : {"b", "c"}) {
        const EarlyStep step = AtBoot(choice, Boot(boot));
        EXPECT_EQ(EarlyRefusal::kNone, step.refusal) << boot;
        // A second call in the same boot counts nothing.
        EXPECT_EQ(step.next.boots, AtBoot(step.next, Boot(boot)).next.boots);
        choice = step.next;
    }
    EXPECT_EQ(2, choice.boots);
    const EarlyStep third = AtBoot(choice, Boot("d"));
    EXPECT_EQ(EarlyRefusal::kTrialFailed, third.refusal);
    EXPECT_EQ(CryptoMode::kAuto, third.next.mode);
    EXPECT_EQ(Stage::kNone, third.next.stage);
    EXPECT_THAT(third.next.reason, HasSubstr("two boots"));
    EXPECT_EQ(EarlyRefusal::kNothingChosen, AtBoot(third.next, Boot("e")).refusal);
}

TEST(ChoiceTest, BootsThatCannotBeDistinguishedCountEachTime) {
    CryptoChoice choice = Kernel();
    for (int boot = 1; boot <= 2; ++boot) {
        choice = AtBoot(choice, Boot("")).next;
        EXPECT_EQ(boot, choice.boots);
    }
    EXPECT_EQ(EarlyRefusal::kTrialFailed, AtBoot(choice, Boot("")).refusal);
}

TEST(ChoiceTest, RefusedBootsCountAsWell) {
    CryptoChoice choice = Kernel();
    for (const char* boot : {"b", "c", "d"}) choice = AtBoot(choice, Boot(boot, kKernel34)).next;
    EXPECT_EQ(CryptoMode::kAuto, choice.mode);
}

TEST(ChoiceTest, AConfirmedChoiceStaysForAllBoots) {
    CryptoChoice choice = AtBoot(Kernel(), Boot("b")).next;
    choice.stage = Stage::kConfirmed;
    for (const char* boot : {"c", "d", "e", "f"}) {
        const EarlyStep step = AtBoot(choice, Boot(boot));
        EXPECT_EQ(EarlyRefusal::kNone, step.refusal);
        choice = step.next;
    }
    EXPECT_EQ(CryptoMode::kKernel, choice.mode);
}

Verification Good() {
    return {.boot_id = "b",
            .signs = {"/proc/crypto", "counters"},
            .measured = CryptoBaseline{.write_mbps = 5.8,
                                       .read_mbps = 17.1,
                                       .method = "af_alg",
                                       .unit_bytes = 512,
                                       .cipher = "cbc(aes)",
                                       .key_bytes = 16}};
}

TEST(ChoiceTest, Verification) {
    struct Row {
        const char* what;
        std::function<void(Verification*)> change;
        VerdictResult result;
        const char* reason;
    };
    const Row rows[] = {
            {"good", [](auto*) {}, VerdictResult::kConfirmed, "confirmed"},
            {"same boot", [](auto* v) { v->boot_id = "a"; }, VerdictResult::kNotYet, "next boot"},
            {"one sign", [](auto* v) { v->signs.pop_back(); }, VerdictResult::kNotYet,
             "1 of 2 required"},
            {"sign against", [](auto* v) { v->against = {"counters move"}; },
             VerdictResult::kRolledBack, "counters move"},
            {"I/O error", [](auto* v) { v->io_errors = 1; }, VerdictResult::kRolledBack,
             "1 I/O error"},
            {"write gains 9 %", [](auto* v) { v->measured->write_mbps = 2.7 * 1.09; },
             VerdictResult::kRolledBack, "gain below 10 %"},
            {"read gains 9 %", [](auto* v) { v->measured->read_mbps = 3.9 * 1.09; },
             VerdictResult::kRolledBack, "gain below 10 %"},
            {"11 %",
             [](auto* v) {
                 v->measured->write_mbps = 2.7 * 1.11;
                 v->measured->read_mbps = 3.9 * 1.11;
             },
             VerdictResult::kConfirmed, "confirmed"},
            {"not measured", [](auto* v) { v->measured.reset(); }, VerdictResult::kNotYet,
             "no measurement"},
            {"another method", [](auto* v) { v->measured->method = "file_io"; },
             VerdictResult::kNotYet,
             "measured by file_io cbc(aes) 128 bit in units of 512 bytes, "},
            {"another method without a cipher",
             [](auto* v) {
                 v->measured->method = "file_io";
                 v->measured->cipher = "";
             },
             VerdictResult::kNotYet, "measured by file_io in units of 512 bytes, "},
            {"another cipher", [](auto* v) { v->measured->cipher = "xts(aes)"; },
             VerdictResult::kNotYet,
             "the baseline by af_alg cbc(aes) 128 bit in units of 512 bytes"},
            {"another key", [](auto* v) { v->measured->key_bytes = 32; }, VerdictResult::kNotYet,
             "measured by af_alg cbc(aes) 256 bit"},
            {"another unit", [](auto* v) { v->measured->unit_bytes = 4096; },
             VerdictResult::kNotYet, "measured by"},
    };
    const CryptoChoice trial = AtBoot(Kernel(), Boot("b")).next;
    for (const Row& row : rows) {
        Verification verification = Good();
        row.change(&verification);
        const VerificationResult answer = Verify(trial, verification);
        EXPECT_EQ(row.result, answer.result) << row.what << ": " << answer.reason;
        EXPECT_THAT(answer.reason, HasSubstr(row.reason)) << row.what;
        const bool back = row.result == VerdictResult::kRolledBack;
        EXPECT_EQ(back ? CryptoMode::kAuto : CryptoMode::kKernel, answer.next.mode) << row.what;
        EXPECT_EQ(row.result == VerdictResult::kConfirmed, answer.next.stage == Stage::kConfirmed);
    }
    EXPECT_THAT(Verify({}, Good()).reason, HasSubstr("no trial"));
    CryptoChoice nothing_measured = trial;
    nothing_measured.baseline.reset();
    EXPECT_THAT(Verify(nothing_measured, Good()).reason, HasSubstr("no trial"));
    // A return to the engine needs no gain.
    CryptoChoice back = *MakeChoice(CryptoMode::kHardware, Good().measured, "a");
    EXPECT_EQ(VerdictResult::kConfirmed, Verify(back, Good()).result);
}

TEST(ChoiceTest, TheBootloaderGoesBeforeTheChoiceAndTheChoiceBeforeTheProduct) {
    EXPECT_EQ(CryptoMode::kAuto, EffectiveMode("auto", Kernel(), "hardware"));
    EXPECT_EQ(CryptoMode::kKernel, EffectiveMode("", Kernel(), "hardware"));
    EXPECT_EQ(CryptoMode::kHardware, EffectiveMode("bogus", {}, "hardware"));
    EXPECT_EQ(CryptoMode::kAuto, EffectiveMode("", {}, "bogus"));
}

class ChoiceStoreTest : public testing::Test {
  protected:
    ChoiceStoreTest() { tree_.MakeDirectory("/cache/storekeeper"); }

    Tree tree_;
    const std::string path_ = tree_.PathOf("/cache/storekeeper/crypto");
    ChoiceStore store_{RealCalls(), path_};
};

TEST_F(ChoiceStoreTest, KeepsWhatWasChosen) {
    EXPECT_EQ(CryptoMode::kAuto, store_.Load().choice.mode);
    const CryptoChoice choice = AtBoot(Kernel(), Boot("b")).next;
    ASSERT_TRUE(store_.Save(choice).ok());
    const ChoiceStore::Loaded loaded = store_.Load();
    EXPECT_THAT(loaded.note, IsEmpty());
    EXPECT_EQ(FormatChoice(choice), FormatChoice(loaded.choice));
    EXPECT_EQ(CryptoMode::kKernel, loaded.choice.mode);
    EXPECT_EQ(1, loaded.choice.boots);
    EXPECT_EQ("b", loaded.choice.last_boot_id);
    EXPECT_NEAR(2.7, loaded.choice.baseline->write_mbps, 1e-9);
    ASSERT_TRUE(store_.Save(RollBack("x")).ok());
    EXPECT_EQ(CryptoMode::kAuto, store_.Load().choice.mode);
}

// The early step and the daemon have different uids and one group.
TEST_F(ChoiceStoreTest, ItsGroupMayWriteWhateverTheUmask) {
    const mode_t before = umask(077);
    for (int time = 0; time < 3; ++time) {
        ASSERT_TRUE(store_.Save(Kernel()).ok());
        struct stat file {};
        ASSERT_EQ(0, stat(path_.c_str(), &file));
        EXPECT_EQ(0660, file.st_mode & 0777) << time;
    }
    umask(before);
}

TEST_F(ChoiceStoreTest, TornOrGarbageMeansAuto) {
    const std::string whole = FormatChoice(Kernel());
    for (size_t length = 0; length < whole.size(); ++length) {
        EXPECT_FALSE(ParseChoice(whole.substr(0, length)).ok()) << length;
        std::string changed = whole;
        changed[length] = static_cast<char>(changed[length] ^ 1);
        EXPECT_FALSE(ParseChoice(changed).ok()) << length;
    }
    tree_.Write("/cache/storekeeper/crypto", whole.substr(0, whole.size() / 2));
    const ChoiceStore::Loaded loaded = store_.Load();
    EXPECT_EQ(CryptoMode::kAuto, loaded.choice.mode);
    EXPECT_THAT(loaded.note, HasSubstr("the choice of an engine is lost"));
    EXPECT_THAT(store_.Load().note, HasSubstr("the choice of an engine is lost"));
}

TEST_F(ChoiceStoreTest, MetadataIsPreferredToCache) {
    EXPECT_EQ(tree_.PathOf("/cache/storekeeper/crypto"), *FindChoiceFile(tree_.files()));
    tree_.MakeDirectory("/metadata/storekeeper");
    EXPECT_EQ(tree_.PathOf("/metadata/storekeeper/crypto"), *FindChoiceFile(tree_.files()));
    EXPECT_THAT(FindChoiceFile(Tree().files()).error().message(), HasSubstr("init.rc"));
}

// The names are checked when properties.h is compiled.
TEST(ChoiceTest, ValuesFitProperties) {
    for (CryptoMode mode : {CryptoMode::kAuto, CryptoMode::kKernel, CryptoMode::kHardware}) {
        EXPECT_LE(ModeName(mode).size(), kMaxPropertyBytes);
        EXPECT_EQ(mode, ModeOf(ModeName(mode)));
    }
    EXPECT_TRUE(FitsPropertyName(kEarlyProperty));
    EXPECT_FALSE(FitsPropertyName("persist.storekeeper.crypto_backend"));
    EXPECT_FALSE(FitsPropertyName(""));
}

}  // namespace
}  // namespace storekeeper
