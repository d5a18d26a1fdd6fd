// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "crypto/known_answers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "crypto/cipher_calls.h"
#include "testing/fake_cipher_calls.h"

namespace storekeeper {
namespace {

using testing::HasSubstr;

class KnownAnswersTest : public testing::Test {
  protected:
    KnownAnswersTest() {
        calls_.Add("cbc-good", {.name = "cbc(aes)"});
        calls_.Add("cbc-fine", {.name = "cbc(aes)"});
        calls_.Add("cbc-bad", {.name = "cbc(aes)", .right_up_to = 0});
        calls_.Add("xts-good", {.name = "xts(aes)"});
        calls_.Add("xts-short", {.name = "xts(aes)", .right_up_to = 512});
        calls_.Add("xts-nokey", {.name = "xts(aes)", .key_error = ENOKEY});
    }

    FakeCipherCalls calls_;
};

TEST_F(KnownAnswersTest, DriversThatFailTheVectorsOfNistAndIeeeAreRefused) {
    EXPECT_TRUE(CheckKnownAnswers(calls_, "cbc(aes)", "cbc-good").ok());
    EXPECT_TRUE(CheckKnownAnswers(calls_, "xts(aes)", "xts-good").ok());
    EXPECT_THAT(CheckKnownAnswers(calls_, "cbc(aes)", "cbc-bad").error().message(),
                HasSubstr("cbc-bad does not encrypt as NIST SP 800-38A F.2.1"));
    EXPECT_THAT(CheckKnownAnswers(calls_, "ctr(aes)", "cbc-good").error().message(),
                HasSubstr("no test vector"));
    EXPECT_EQ(ENOKEY, CheckKnownAnswers(calls_, "xts(aes)", "xts-nokey").error().code());
    // One cipher is checked as another.
    EXPECT_FALSE(CheckKnownAnswers(calls_, "xts(aes)", "cbc-good").ok());
}

TEST_F(KnownAnswersTest, EitherReadsWhatTheOtherWrote) {
    EXPECT_TRUE(CheckAcross(calls_, "cbc-good", "cbc-fine", 16, 512).ok());
    EXPECT_TRUE(CheckAcross(calls_, "xts-good", "xts-short", 64, 512).ok());
    EXPECT_THAT(CheckAcross(calls_, "xts-good", "xts-short", 64, 4096).error().message(),
                HasSubstr("encrypt differently"));
    EXPECT_EQ(ENOENT, CheckAcross(calls_, "cbc-good", "cbc-none", 16, 512).error().code());
}

TEST_F(KnownAnswersTest, SecretsAreWiped) {
    SecretBytes key = *SecretBytes::Random(calls_, 32);
    const std::vector<uint8_t> zeros(32);
    EXPECT_NE(0, memcmp(key.data(), zeros.data(), 32));
    key.Wipe();
    EXPECT_EQ(0, memcmp(key.data(), zeros.data(), 32));
}

}  // namespace
}  // namespace storekeeper
