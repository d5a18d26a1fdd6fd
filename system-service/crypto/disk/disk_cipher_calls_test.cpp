// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "crypto/disk/disk_cipher_calls.h"

#include <errno.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "crypto/known_answers.h"
#include "testing/fake_dm_crypt.h"

namespace storekeeper {
namespace {

using android::base::Result;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;

constexpr char kEngine[] = "qcrypto-cbc-aes";
constexpr char kCpu[] = "cbc(aes-generic)";

class DiskCipherCallsTest : public testing::Test {
  protected:
    DiskCipherCallsTest() {
        kernel_.drivers[kEngine] = {.name = "cbc(aes)"};
        kernel_.drivers[kCpu] = {.name = "cbc(aes)"};
        kernel_.drivers["xts-aes-lib"] = {.name = "xts(aes)"};
    }
    Result<std::unique_ptr<DiskCipherCalls>> Open(const std::string& name = "cbc(aes)",
                                                  size_t unit_bytes = 512) {
        return DiskCipherCalls::Open({.syscalls = kernel_,
                                      .machine = clock_,
                                      .pause = [this] { ++pauses_; }},
                                     name, unit_bytes);
    }
    // Of 16 bytes with this driver.
    std::string ErrorOfUse(const std::string& driver = kEngine) {
        Result<std::unique_ptr<DiskCipherCalls>> calls = Open();
        if (!calls.ok()) return calls.error().message();
        const SecretBytes key(std::vector<uint8_t>(16, 1));
        Result<CipherSession> session = CipherSession::Open(**calls, driver, key);
        if (!session.ok()) return session.error().message();
        std::vector<uint8_t> data(16);
        const Result<void> done = session->Crypt(true, {}, data.data(), data.size());
        if (!done.ok()) return done.error().message();
        const Result<void> back = session->Crypt(false, {}, data.data(), data.size());
        return back.ok() ? "" : back.error().message();
    }

    FakeCipherCalls clock_;
    FakeDmCrypt kernel_{clock_};
    int pauses_ = 0;
};

TEST_F(DiskCipherCallsTest, GivesTheKnownAnswers) {
    for (const size_t unit : {512, 4096}) {
        EXPECT_TRUE(CheckKnownAnswers(**Open("cbc(aes)", unit), "cbc(aes)", kEngine).ok());
        const Result<void> xts =
                CheckKnownAnswers(**Open("xts(aes)", unit), "xts(aes)", "xts-aes-lib");
        EXPECT_TRUE(xts.ok()) << unit << ": " << xts.error().message();
    }
}

TEST_F(DiskCipherCallsTest, FindsAWrongDriverEitherWay) {
    kernel_.drivers[kCpu].wrong_writing = true;
    EXPECT_THAT(CheckKnownAnswers(**Open(), "cbc(aes)", kCpu).error().message(),
                HasSubstr("does not encrypt as NIST"));
    kernel_.drivers[kCpu] = {.name = "cbc(aes)", .wrong_reading = true};
    EXPECT_THAT(CheckKnownAnswers(**Open(), "cbc(aes)", kCpu).error().message(),
                HasSubstr("does not decrypt as NIST"));
}

// Two sessions take turns on the one mapping.
TEST_F(DiskCipherCallsTest, ReadsWhatAnotherDriverWrote) {
    for (const size_t unit : {512, 4096}) {
        EXPECT_TRUE(CheckAcross(**Open("cbc(aes)", unit), kEngine, kCpu, 16, unit).ok());
    }
    kernel_.drivers["other"] = {.name = "xts(aes)"};
    EXPECT_TRUE(CheckAcross(**Open("xts(aes)", 4096), "xts-aes-lib", "other", 64, 4096).ok());
    kernel_.drivers[kCpu].wrong_writing = true;
    EXPECT_THAT(CheckAcross(**Open(), kEngine, kCpu, 16, 512).error().message(),
                HasSubstr("encrypt differently"));
}

TEST_F(DiskCipherCallsTest, HasOneMappingThatTheKernelRemovesAndGivesTheMemoryBack) {
    EXPECT_EQ("", ErrorOfUse());
    EXPECT_THAT(kernel_.said,
                ElementsAre("create storekeeper-cipher", "capi:qcrypto-cbc-aes-null 0 1:15 0",
                            "resume storekeeper-cipher", "later remove storekeeper-cipher",
                            "remove storekeeper-cipher", "discard 0 196608"));
    EXPECT_EQ(0, pauses_);
}

// Units of 4096 bytes are numbered by the unit; a table begins at a multiple of 256 units.
TEST_F(DiskCipherCallsTest, ATableIsOfTheUnitsAroundTheRequest) {
    {
        const auto calls = std::move(*Open("xts(aes)", 4096));
        const SecretBytes key(std::vector<uint8_t>(64, 1));
        CipherSession session = std::move(*CipherSession::Open(*calls, "xts-aes-lib", key));
        std::vector<uint8_t> data(8192);
        for (const uint8_t low : {0, 0xff}) {
            EXPECT_TRUE(session.Crypt(true, {low, 1}, data.data(), data.size()).ok());
        }
    }
    EXPECT_THAT(kernel_.said[1],
                "capi:xts-aes-lib-plain64 0 1:15 0 2 sector_size:4096 "
                "iv_large_sectors");
    EXPECT_THAT(kernel_.said[4], HasSubstr("plain64 2048 1:15"));
    EXPECT_THAT(kernel_.said, SizeIs(8));
}

TEST_F(DiskCipherCallsTest, TheNullCipherIsThereOrNot) {
    {
        const auto calls = std::move(*Open());
        EXPECT_TRUE(calls->Bind(FakeCipherCalls::kNull).ok());
        EXPECT_EQ("capi:ecb(cipher_null) - 0 1:15 0", kernel_.table);
        Result<CipherSession> session =
                CipherSession::Open(*calls, FakeCipherCalls::kNull, SecretBytes({}),
                                    CipherSession::Iv::kNone);
        ASSERT_TRUE(session.ok());
        std::vector<uint8_t> data(64 * 1024, 7);
        EXPECT_TRUE(session->Crypt(true, {}, data.data(), data.size()).ok());
        EXPECT_TRUE(session->Crypt(false, {}, data.data(), data.size()).ok());
        EXPECT_EQ(7, data[512]);
    }
    kernel_.drivers.clear();
    EXPECT_EQ(ENOENT, (*Open())->Bind(FakeCipherCalls::kNull).error().code());
}

TEST_F(DiskCipherCallsTest, WaitsForTheNodeAndNotForEver) {
    kernel_.node_is_late = 3;
    EXPECT_EQ("", ErrorOfUse());
    EXPECT_EQ(3, pauses_);
    kernel_.node_is_late = 1000;
    EXPECT_THAT(ErrorOfUse(), HasSubstr("/dev/block/dm-5"));
    EXPECT_EQ(203, pauses_);
    // What has no node is taken away at once.
    EXPECT_EQ("remove storekeeper-cipher", kernel_.said[kernel_.said.size() - 2]);
    kernel_.node_is_late = 0;
    kernel_.errors = {{"open /dev/block/dm-5", EACCES}};
    EXPECT_THAT(ErrorOfUse(), HasSubstr("/dev/block/dm-5"));
}

// The worker of the kernel that removes what was closed may come later.
TEST_F(DiskCipherCallsTest, LeavesTheDiskToTheNext) {
    kernel_.removal_is_late = 3;
    EXPECT_EQ("", ErrorOfUse());
    EXPECT_EQ(3, pauses_);
    EXPECT_EQ("", ErrorOfUse());
    EXPECT_EQ(3, pauses_);
}

TEST_F(DiskCipherCallsTest, DoesNotWaitForARemovalForEver) {
    kernel_.removal_is_late = 1000;
    EXPECT_EQ("", ErrorOfUse());
    EXPECT_EQ(200, pauses_);
    EXPECT_THAT(kernel_.said.back(), HasSubstr("discard"));
}

TEST_F(DiskCipherCallsTest, NeedsARamDiskOfItsOwn) {
    kernel_.errors = {{"open alone /dev/block/ram15", EBUSY}};
    EXPECT_EQ(EBUSY, Open().error().code());
    kernel_.errors = {{"open /dev/block/ram15", EACCES}};
    EXPECT_EQ(EACCES, Open().error().code());
    kernel_.errors = {{"open alone /dev/block/ram15", ENOENT}};
    EXPECT_THAT(Open().error().message(), HasSubstr("CONFIG_BLK_DEV_RAM is needed"));
}

TEST_F(DiskCipherCallsTest, WhatFailsIsNamed) {
    EXPECT_THAT(ErrorOfUse("rot13"), HasSubstr("dm-crypt has no rot13"));
    for (const auto& [call, said] :
         std::map<std::string, std::string>{{"open /dev/device-mapper", "/dev/mapper/control"},
                                            {"create", "dm-crypt has no qcrypto-cbc-aes"},
                                            {"load", "dm-crypt has no qcrypto-cbc-aes"},
                                            {"resume", "dm-crypt has no qcrypto-cbc-aes"},
                                            {"remove", "for storekeeper-cipher"},
                                            {"write mapping", "the cipher takes no data: pwrite"},
                                            {"read disk", "the cipher failed: pread"},
                                            {"write disk", "the cipher takes no data: pwrite"},
                                            {"read mapping", "the cipher failed: pread"}}) {
        kernel_.errors = {{call, EIO}};
        EXPECT_THAT(ErrorOfUse(), HasSubstr(said)) << call;
    }
    kernel_.errors.clear();
    kernel_.short_reads = true;
    EXPECT_THAT(ErrorOfUse(), HasSubstr("the cipher failed: 256 of 512 bytes"));
}

TEST_F(DiskCipherCallsTest, ARequestHasALimit) {
    const auto calls = std::move(*Open());
    CipherSession session = std::move(
            *CipherSession::Open(*calls, kEngine, SecretBytes(std::vector<uint8_t>(16, 1))));
    std::vector<uint8_t> data(64 * 1024 + 16);
    EXPECT_EQ(EINVAL, session.Crypt(true, {}, data.data(), data.size()).error().code());
    EXPECT_EQ(EINVAL, session.Crypt(true, {}, data.data(), 0).error().code());
    EXPECT_TRUE(session.Crypt(true, {}, data.data(), 64 * 1024).ok());
}

// Whose table is lost by a failure gets it back with the next request.
TEST_F(DiskCipherCallsTest, AFailedTableIsLoadedAgain) {
    const auto calls = std::move(*Open("xts(aes)", 512));
    CipherSession session = std::move(
            *CipherSession::Open(*calls, "xts-aes-lib", SecretBytes(std::vector<uint8_t>(64, 1))));
    std::vector<uint8_t> data(512);
    kernel_.errors = {{"load", ENOMEM}};
    EXPECT_FALSE(session.Crypt(true, {0, 1}, data.data(), data.size()).ok());
    EXPECT_FALSE(session.Crypt(true, {0, 1}, data.data(), data.size()).ok());
    kernel_.errors.clear();
    EXPECT_TRUE(session.Crypt(true, {0, 1}, data.data(), data.size()).ok());
}

TEST_F(DiskCipherCallsTest, ClocksAndRandomnessAreTheMachines) {
    const auto calls = std::move(*Open());
    clock_.Pass(std::chrono::seconds(1));
    EXPECT_EQ(clock_.Raw(), calls->Raw());
    EXPECT_EQ(clock_.ProcessCpu(), calls->ProcessCpu());
    EXPECT_EQ(1U, calls->Processors());
    uint8_t byte = 0;
    EXPECT_TRUE(calls->Random(&byte, 1).ok());
    EXPECT_NE(0, byte);
}

}  // namespace
}  // namespace storekeeper
