// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "crypto/early/crypto_priorities.h"

#include <errno.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

namespace storekeeper {
namespace {

using android::base::Result;
using Bytes = std::vector<uint8_t>;

void Put(Bytes* bytes, uint32_t number, size_t size = 4) {
    for (size_t i = 0; i < size; ++i) bytes->push_back(static_cast<uint8_t>(number >> (8 * i)));
}

void PutName(Bytes* bytes, const std::string& name) {
    bytes->insert(bytes->end(), name.begin(), name.end());
    bytes->insert(bytes->end(), 64 - name.size(), 0);  // CRYPTO_MAX_NAME
}

// Numbers are little-endian, as on all of Android. Each field has the same size for programs of 32
// bits.
Bytes Update(const std::string& driver, uint32_t priority, uint32_t sequence) {
    Bytes bytes;
    Put(&bytes, 232);            // nlmsg_len: 16 + 208 + 8
    Put(&bytes, 0x12, 2);        // CRYPTO_MSG_UPDATEALG
    Put(&bytes, 0x01 | 0x4, 2);  // NLM_F_REQUEST, NLM_F_ACK
    Put(&bytes, sequence);
    Put(&bytes, 0);  // nlmsg_pid: the kernel
    PutName(&bytes, "");
    PutName(&bytes, driver);
    PutName(&bytes, "");
    for (int i = 0; i < 4; ++i) Put(&bytes, 0);  // cru_type, cru_mask, cru_refcnt, cru_flags
    Put(&bytes, 8, 2);                           // nla_len
    Put(&bytes, 1, 2);                           // CRYPTOCFGA_PRIORITY_VAL
    Put(&bytes, priority);
    return bytes;
}

Bytes Answer(uint32_t sequence, int32_t error, uint16_t type = 2 /* NLMSG_ERROR */) {
    Bytes bytes;
    Put(&bytes, 36);
    Put(&bytes, type, 2);
    Put(&bytes, 0, 2);
    Put(&bytes, sequence);
    Put(&bytes, 0);
    Put(&bytes, static_cast<uint32_t>(error));
    bytes.resize(36);  // the header of the request comes back
    return bytes;
}

TEST(CryptoPrioritiesTest, EncodesByteForByteAlikeFor32And64Bits) {
    for (const char* driver : {"qcrypto-cbc-aes", "cbc(aes-generic)", "x"}) {
        const Result<Bytes> bytes = EncodePriority(driver, 299, 7);
        ASSERT_TRUE(bytes.ok()) << bytes.error();
        EXPECT_EQ(Update(driver, 299, 7), *bytes) << driver;
    }
    EXPECT_EQ(Update("qcrypto-xts-aes", 0, 1), *EncodePriority("qcrypto-xts-aes", 0, 1));
}

TEST(CryptoPrioritiesTest, RefusesNamesThatTheKernelHasNoRoomFor) {
    EXPECT_TRUE(EncodePriority(std::string(63, 'a'), 1, 1).ok());
    EXPECT_EQ(EINVAL, EncodePriority(std::string(64, 'a'), 1, 1).error().code());
    // Without a driver's name the kernel would use the cipher's, and so any driver of it.
    EXPECT_EQ(EINVAL, EncodePriority("", 1, 1).error().code());
}

TEST(CryptoPrioritiesTest, ReportsTheKernelsErrors) {
    EXPECT_TRUE(DecodeAnswer(Answer(3, 0), 3).ok());
    for (int error : {EPERM, ENOENT, EINVAL}) {
        EXPECT_EQ(error, DecodeAnswer(Answer(3, -error), 3).error().code());
    }
    EXPECT_EQ(EBADMSG, DecodeAnswer(Answer(4, 0), 3).error().code());
    EXPECT_EQ(EBADMSG, DecodeAnswer(Answer(3, 0, 3), 3).error().code());
    EXPECT_EQ(EBADMSG, DecodeAnswer(Answer(3, 1), 3).error().code());
}

TEST(CryptoPrioritiesTest, NoAnswerIsTakenForGoodUnlessItIs) {
    const Bytes good = Answer(3, 0);
    for (size_t size = 0; size < 20; ++size) {
        EXPECT_FALSE(DecodeAnswer(std::span(good).first(size), 3).ok()) << size;
    }
    std::mt19937 random(1);
    for (int i = 0; i < 1000; ++i) {
        Bytes bytes(random() % 64);
        for (uint8_t& byte : bytes) byte = static_cast<uint8_t>(random());
        EXPECT_FALSE(DecodeAnswer(bytes, 3).ok());
    }
}

}  // namespace
}  // namespace storekeeper
