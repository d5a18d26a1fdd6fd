// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "crypto/volume_state.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "testing/proc_crypto_texts.h"

namespace storekeeper {
namespace {

using Confidence = VolumeState::Confidence;
using testing::Contains;
using testing::HasSubstr;

CryptoInventory Read(std::string_view text) {
    return MakeInventory(ParseProcCrypto(text));
}

constexpr char kReqCrypt[] =
        "name : qcom-xts(aes)\ndriver : qcrypto-xts-aes\npriority : 300\nrefcnt : 2\n"
        "type : ablkcipher\n\n"
        "name : cbc(aes)\ndriver : cbc-aes-ce\npriority : 300\nrefcnt : 2\ntype : ablkcipher\n";
constexpr char kBoth[] =
        "name : cbc(aes)\ndriver : qcrypto-cbc-aes\npriority : 300\nrefcnt : 2\n"
        "type : ablkcipher\n\n"
        "name : cbc(aes)\ndriver : cbc(aes-asm)\npriority : 200\nrefcnt : 2\ntype : blkcipher\n";
constexpr char kIdle[] =
        "name : cbc(aes)\ndriver : qcrypto-cbc-aes\npriority : 300\nrefcnt : 1\n"
        "type : ablkcipher\n";
constexpr char kOther[] =
        "name : xts(aes)\ndriver : xts-aes-ccree\npriority : 300\nrefcnt : 3\n"
        "type : skcipher\n";
const VoldReport kCrypt{.target = "crypt", .cipher = "aes-cbc-essiv:sha256"};

struct Row {
    const char* what = "";
    VolumeFacts facts;
    const char* proc_crypto = "";
    CryptoState state = CryptoState::kUnknown;
    Confidence confidence = Confidence::kLow;
    uint32_t unit = 0;
    const char* evidence = "";
};

TEST(VolumeStateTest, StateWithEvidence) {
    const Row rows[] = {
            {"not encrypted",
             {.layer = "none"},
             kKernel34,
             CryptoState::kNone,
             Confidence::kHigh,
             4096,
             "layer: none"},
            {"nothing known",
             {},
             kKernel34,
             CryptoState::kUnknown,
             Confidence::kLow,
             4096,
             "not known"},
            {"Xperia Z",
             {.layer = "dm-crypt"},
             kKernel34,
             CryptoState::kHwOffload,
             Confidence::kMedium,
             512,
             "qcrypto-cbc-aes (qcrypto, priority 300, refcnt 3)"},
            {"an engine that is not known here",
             {.layer = "dm-crypt",
              .vold = VoldReport{.target = "crypt", .cipher = "aes-xts-plain64"}},
             kOther,
             CryptoState::kUnknown,
             Confidence::kLow,
             512,
             "xts-aes-ccree (unknown, priority 300, refcnt 3)"},
            {"reported by vold, and idle",
             {.layer = "dm-crypt", .vold = kCrypt},
             kIdle,
             CryptoState::kHwOffload,
             Confidence::kLow,
             512,
             "no known driver is in use"},
            {"Xperia Z, reported by vold",
             {.layer = "dm-crypt", .vold = kCrypt},
             kKernel34,
             CryptoState::kHwOffload,
             Confidence::kHigh,
             512,
             "vold: target crypt"},
            {"8974 and later",
             {.layer = "dm-crypt"},
             kKernel318Qcom,
             CryptoState::kCpu,
             Confidence::kMedium,
             512,
             "cbc-aes-ce (cpu"},
            {"mainline qce through essiv",
             {.layer = "dm-crypt"},
             kKernel618,
             CryptoState::kHwOffload,
             Confidence::kMedium,
             512,
             "essiv(cbc-aes-qce"},
            {"req-crypt by its cipher",
             {.layer = "dm-crypt"},
             kReqCrypt,
             CryptoState::kHwKey,
             Confidence::kMedium,
             512,
             "only req-crypt"},
            {"req-crypt by vold",
             {.layer = "dm-crypt", .vold = VoldReport{.target = "req-crypt", .cipher = "aes-xts"}},
             kKernel34,
             CryptoState::kHwKey,
             Confidence::kHigh,
             512,
             "req-crypt"},
            {"an unknown cipher",
             {.layer = "dm-crypt",
              .vold = VoldReport{.target = "crypt", .cipher = "xchacha12,aes-adiantum-plain64"}},
             kKernel34,
             CryptoState::kUnknown,
             Confidence::kLow,
             512,
             "is not known"},
            {"larger sectors",
             {.layer = "dm-crypt",
              .vold = VoldReport{.target = "crypt",
                                 .cipher = "aes-cbc-plain64",
                                 .sector_bytes = 4096}},
             kKernel34,
             CryptoState::kHwOffload,
             Confidence::kHigh,
             4096,
             "qcrypto-cbc-aes"},
            {"two engines at once",
             {.layer = "dm-crypt"},
             kBoth,
             CryptoState::kUnknown,
             Confidence::kLow,
             512,
             "different engines"},
            {"nobody uses it",
             {.layer = "dm-crypt"},
             kIdle,
             CryptoState::kUnknown,
             Confidence::kLow,
             512,
             "no known driver is in use"},
            {"no driver",
             {.layer = "dm-crypt"},
             "",
             CryptoState::kUnknown,
             Confidence::kLow,
             512,
             "has no driver"},
            {"fscrypt",
             {.layer = "fscrypt"},
             kKernel618,
             CryptoState::kHwOffload,
             Confidence::kMedium,
             4096,
             "xts-aes-qce"},
            {"inline",
             {.layer = "fscrypt", .inlinecrypt = true, .inline_hardware = true},
             kKernel618,
             CryptoState::kInline,
             Confidence::kHigh,
             4096,
             "encrypts inline"},
            {"inline not reported",
             {.layer = "fscrypt", .inlinecrypt = true},
             kKernel618,
             CryptoState::kUnknown,
             Confidence::kLow,
             4096,
             "does not report"},
            {"default-key",
             {.layer = "dm-default-key", .inline_hardware = true},
             kKernel618,
             CryptoState::kInline,
             Confidence::kHigh,
             4096,
             "encrypts inline"},
            {"default-key without hardware",
             {.layer = "dm-default-key", .inline_hardware = false},
             kKernel318Qcom,
             CryptoState::kUnknown,
             Confidence::kLow,
             4096,
             "blk-crypto-fallback"},
    };
    for (const Row& row : rows) {
        const VolumeState state = JudgeVolume(row.facts, Read(row.proc_crypto));
        EXPECT_EQ(StateName(row.state), StateName(state.state)) << row.what;
        EXPECT_EQ(ConfidenceName(row.confidence), ConfidenceName(state.confidence)) << row.what;
        EXPECT_EQ(row.unit, state.unit_bytes) << row.what;
        EXPECT_THAT(state.evidence, Contains(HasSubstr(row.evidence))) << row.what;
    }
}

TEST(VolumeStateTest, KeysOfInlineEncryption) {
    const VoldReport default_key{.target = "default-key", .cipher = "AES-256-XTS"};
    const VoldReport wrapped{.target = "default-key", .wrapped_key = true, .cipher = "AES-256-XTS"};
    const VoldReport inlinecrypt{.target = "inlinecrypt", .cipher = "aes-xts-plain64"};
    struct Case {
        const char* layer;
        std::optional<VoldReport> vold;
        std::optional<QueueKeys> queue;
        const char* keys;
        const char* evidence;
    };
    const QueueKeys raw{.raw = true};
    const QueueKeys hardware{.wrapped = true};
    const QueueKeys both{.raw = true, .wrapped = true};
    for (const Case& row : {
                 Case{"dm-default-key", {}, {}, "", "layer: dm-default-key"},
                 Case{"dm-default-key", {}, raw, "raw", "takes raw keys and no hardware-wrapped"},
                 Case{"dm-default-key", {}, hardware, "wrapped", "takes no raw keys and hardware"},
                 // sysfs does not show which kind the volume has.
                 Case{"dm-default-key", {}, both, "", "takes raw keys and hardware-wrapped keys"},
                 Case{"dm-default-key", default_key, both, "", "vold: target default-key, cipher"},
                 Case{"dm-default-key", wrapped, both, "wrapped", "with a hardware-wrapped key"},
                 Case{"dm-default-key", wrapped, {}, "wrapped", "vold: target default-key with"},
                 // Only vold knows the mapping of this volume.
                 Case{"", default_key, raw, "raw", "layer: dm-default-key"},
                 Case{"", inlinecrypt, hardware, "wrapped", "layer: dm-inlinecrypt"},
                 Case{"", inlinecrypt, both, "", "layer: dm-inlinecrypt"},
         }) {
        const VolumeState state = JudgeVolume({.layer = row.layer,
                                               .inline_hardware = true,
                                               .queue_keys = row.queue,
                                               .vold = row.vold},
                                              {});
        EXPECT_EQ(CryptoState::kInline, state.state) << row.evidence;
        EXPECT_FALSE(state.switchable());
        EXPECT_EQ(row.keys, KeyKindName(state.keys)) << row.evidence;
        EXPECT_THAT(state.evidence, Contains(HasSubstr(row.evidence)));
    }
    // Without hardware the kernel has the key, but no fact says so.
    EXPECT_EQ(KeyKind::kUnknown,
              JudgeVolume({.layer = "", .inline_hardware = false, .vold = inlinecrypt}, {}).keys);
}

TEST(VolumeStateTest, VoldReports) {
    const auto report = ParseVoldReport("dm-0,crypt,4096,discard,aes-cbc-essiv:sha256");
    ASSERT_TRUE(report.has_value());
    EXPECT_EQ("crypt", report->target);
    EXPECT_EQ("aes-cbc-essiv:sha256", report->cipher);
    EXPECT_EQ(4096U, report->sector_bytes);
    EXPECT_FALSE(report->wrapped_key);
    const auto wrapped = ParseVoldReport("dm-3,default-key-wrapped,4096,discard,AES-256-XTS");
    ASSERT_TRUE(wrapped.has_value());
    EXPECT_EQ("default-key", wrapped->target);
    EXPECT_TRUE(wrapped->wrapped_key);
    const auto vague = ParseVoldReport("dm-1,default-key,0,unknown,xchacha12,aes-adiantum-plain64");
    ASSERT_TRUE(vague.has_value());
    EXPECT_EQ("xchacha12,aes-adiantum-plain64", vague->cipher);
    EXPECT_EQ(512U, vague->sector_bytes);
    EXPECT_TRUE(ParseVoldReport("dm-0,crypt,512,nodiscard,aes").has_value());
    for (const char* bad :
         {"", "crypt", "dm-0,crypt,512,discard", "dm-0,crypt,512,maybe,aes",
          "dm-0,crypt,12,discard,aes", "dm-0,crypt,99999,discard,aes", ",crypt,512,discard,aes",
          "dm-0,,512,discard,aes", "dm-0,crypt,512,discard,"}) {
        EXPECT_FALSE(ParseVoldReport(bad).has_value()) << bad;
    }
    EXPECT_FALSE(ParseVoldReport("dm-0,crypt,512,discard," + std::string(90, 'a')).has_value());
}

// drivers/crypto/qce/skcipher.c hands short requests on, while /proc/crypto shows the driver.
TEST(VolumeStateTest, MainlinesDriverMayLeaveItToTheCpu) {
    const CryptoInventory inventory = MakeInventory(ParseProcCrypto(kKernel618));
    VolumeFacts facts{.mount = "/data", .layer = "dm-crypt"};
    EXPECT_EQ(CryptoState::kHwOffload, JudgeVolume(facts, inventory).state);
    facts.software_limit = 511;
    EXPECT_EQ(CryptoState::kHwOffload, JudgeVolume(facts, inventory).state);
    facts.software_limit = 512;
    EXPECT_EQ(CryptoState::kCpu, JudgeVolume(facts, inventory).state);
    // The parameter belongs to another driver.
    const CryptoInventory theirs = MakeInventory(ParseProcCrypto(kKernel34));
    EXPECT_EQ(CryptoState::kHwOffload, JudgeVolume(facts, theirs).state);
}

}  // namespace
}  // namespace storekeeper
