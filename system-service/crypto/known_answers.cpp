// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "crypto/known_answers.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include "base/tokens.h"
#include "base/try.h"
#include "crypto/cipher_calls.h"

namespace storekeeper {
namespace {

using android::base::Error;
using android::base::Result;

struct KnownAnswer {
    std::string_view source;
    std::string_view name;
    std::string_view key;
    std::string_view iv;
    std::string_view plain;
    std::string_view cipher;
};

constexpr KnownAnswer kAnswers[] = {
        {"NIST SP 800-38A F.2.1 (CBC-AES128)", "cbc(aes)", "2b7e151628aed2a6abf7158809cf4f3c",
         "000102030405060708090a0b0c0d0e0f",
         "6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51"
         "30c81c46a35ce411e5fbc1191a0a52eff69f2445df4f9b17ad2b417be66c3710",
         "7649abac8119b246cee98e9b12e9197d5086cb9b507219ee95db113a917678b2"
         "73bed6b8e3c1743b7116e69e222295163ff1caa1681fac09120eca307586e1a7"},
        {"NIST SP 800-38A F.2.5 (CBC-AES256)", "cbc(aes)",
         "603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4",
         "000102030405060708090a0b0c0d0e0f",
         "6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51"
         "30c81c46a35ce411e5fbc1191a0a52eff69f2445df4f9b17ad2b417be66c3710",
         "f58c4c04d6e5f1ba779eabfb5f7bfbd69cfc4e967edb808d679f777bc6702c7d"
         "39f23369a9d9bacfa530e26304231461b2eb05e2c39be9fcda6c19078c6a9d1b"},
        // Vector 1 has two equal keys, which Qualcomm's engine rightly refuses.
        {"IEEE 1619-2007 B vector 2 (XTS-AES-128)", "xts(aes)",
         "1111111111111111111111111111111122222222222222222222222222222222",
         "33333333330000000000000000000000",
         "4444444444444444444444444444444444444444444444444444444444444444",
         "c454185e6a16936e39334038acef838bfb186fff7480adc4289382ecd6d394f0"},
        // The first of the vector's 32 blocks.
        {"IEEE 1619-2007 B vector 10 (XTS-AES-256)", "xts(aes)",
         "2718281828459045235360287471352662497757247093699959574966967627"
         "3141592653589793238462643383279502884197169399375105820974944592",
         "ff000000000000000000000000000000",
         "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f",
         "1c3b3a102f770386e4836c99e370cf9bea00803f5e482357a4ae12d414a3e63b"},
};

// `hex` must be valid; it comes only from the table above.
std::vector<uint8_t> Bytes(std::string_view hex) {
    std::vector<uint8_t> bytes(hex.size() / 2);
    for (size_t i = 0; i < bytes.size(); ++i) {
        bytes[i] = static_cast<uint8_t>(*HexDigit(hex[2 * i]) << 4 | *HexDigit(hex[2 * i + 1]));
    }
    return bytes;
}

CipherIv IvOf(std::string_view hex) {
    const std::vector<uint8_t> bytes = Bytes(hex);
    CipherIv iv{};
    std::copy_n(bytes.begin(), iv.size(), iv.begin());
    return iv;
}

Result<void> Check(CipherCalls& calls, const KnownAnswer& answer, const std::string& driver) {
    CipherSession session = TRY(CipherSession::Open(calls, driver, SecretBytes(Bytes(answer.key))));
    const CipherIv iv = IvOf(answer.iv);
    const std::vector<uint8_t> plain = Bytes(answer.plain);
    std::vector<uint8_t> data = plain;
    TRY(session.Crypt(true, iv, data.data(), data.size()));
    if (data != Bytes(answer.cipher)) {
        return Error() << driver << " does not encrypt as " << answer.source << " says";
    }
    TRY(session.Crypt(false, iv, data.data(), data.size()));
    if (data != plain) {
        return Error() << driver << " does not decrypt as " << answer.source << " says";
    }
    return {};
}

}  // namespace

Result<void> CheckKnownAnswers(CipherCalls& calls, const std::string& name,
                               const std::string& driver) {
    bool any = false;
    for (const KnownAnswer& answer : kAnswers) {
        if (answer.name != name) continue;
        TRY(Check(calls, answer, driver));
        any = true;
    }
    if (!any) return Error() << "no test vector for " << name;
    return {};
}

Result<void> CheckAcross(CipherCalls& calls, const std::string& a, const std::string& b,
                         size_t key_bytes, size_t unit_bytes) {
    const SecretBytes key = TRY(SecretBytes::Random(calls, key_bytes));
    CipherSession one = TRY(CipherSession::Open(calls, a, key));
    CipherSession other = TRY(CipherSession::Open(calls, b, key));
    std::vector<uint8_t> plain(unit_bytes);
    TRY(calls.Random(plain.data(), plain.size()));
    CipherIv iv{};
    TRY(calls.Random(iv.data(), iv.size()));
    std::vector<uint8_t> by_a = plain;
    std::vector<uint8_t> by_b = plain;
    TRY(one.Crypt(true, iv, by_a.data(), by_a.size()));
    TRY(other.Crypt(true, iv, by_b.data(), by_b.size()));
    if (by_a != by_b) return Error() << a << " and " << b << " encrypt differently";
    TRY(one.Crypt(false, iv, by_b.data(), by_b.size()));
    TRY(other.Crypt(false, iv, by_a.data(), by_a.size()));
    if (by_b != plain) return Error() << a << " does not read what " << b << " wrote";
    if (by_a != plain) return Error() << b << " does not read what " << a << " wrote";
    return {};
}

}  // namespace storekeeper
