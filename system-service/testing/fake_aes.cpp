// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "testing/fake_aes.h"

#include <algorithm>
#include <array>

namespace storekeeper {
namespace {

using Box = std::array<uint8_t, 256>;

uint8_t Double(uint8_t value) {
    return static_cast<uint8_t>((value << 1) ^ ((value & 0x80) != 0 ? 0x1b : 0));
}

uint8_t Multiply(uint8_t a, uint8_t b) {
    uint8_t product = 0;
    for (; b != 0; b >>= 1, a = Double(a)) {
        if ((b & 1) != 0) product ^= a;
    }
    return product;
}

// FIPS 197, 5.1.1: the inverse in GF(2^8), then an affine transformation.
Box MakeBox() {
    Box box{};
    for (int value = 0; value < 256; ++value) {
        const auto x = static_cast<uint8_t>(value);
        uint8_t inverse = 1;
        for (int i = 0; i < 254; ++i) inverse = Multiply(inverse, x);
        uint8_t result = 0x63;
        for (int turn = 0; turn < 5; ++turn) {
            result ^= static_cast<uint8_t>((inverse << turn) | (inverse >> (8 - turn)));
        }
        box[x] = result;
    }
    return box;
}

const Box& Sbox() {
    static const Box kBox = MakeBox();
    return kBox;
}

const Box& InverseSbox() {
    static const Box kBox = [] {
        Box box{};
        for (int i = 0; i < 256; ++i) box[Sbox()[static_cast<size_t>(i)]] = static_cast<uint8_t>(i);
        return box;
    }();
    return kBox;
}

// Products of each byte with a factor of MixColumns(). Multiplying bit by bit took nine tenths of a
// campaign's time.
const Box& ProductsWith(uint8_t factor) {
    static const std::array<Box, 16> kProducts = [] {
        std::array<Box, 16> products{};
        for (size_t by = 0; by < products.size(); ++by) {
            for (size_t value = 0; value < products[by].size(); ++value) {
                products[by][value] =
                        Multiply(static_cast<uint8_t>(value), static_cast<uint8_t>(by));
            }
        }
        return products;
    }();
    return kProducts.at(factor);
}

void MixColumns(const std::array<uint8_t, 4>& by, uint8_t* block) {
    const uint8_t* const products[] = {ProductsWith(by[0]).data(), ProductsWith(by[1]).data(),
                                       ProductsWith(by[2]).data(), ProductsWith(by[3]).data()};
    for (uint8_t* column = block; column != block + kAesBlock; column += 4) {
        const uint8_t old[] = {column[0], column[1], column[2], column[3]};
        for (size_t row = 0; row < 4; ++row) {
            column[row] = 0;
            for (size_t i = 0; i < 4; ++i) column[row] ^= products[(i + 4 - row) % 4][old[i]];
        }
    }
}

// Rotates row r by r to the left, or to the right.
void ShiftRows(bool left, uint8_t* block) {
    std::array<uint8_t, kAesBlock> old{};
    std::copy_n(block, kAesBlock, old.begin());
    for (size_t i = 0; i < kAesBlock; ++i) {
        const size_t row = i % 4;
        block[i] = old[(i + (left ? 4 * row : kAesBlock - 4 * row)) % kAesBlock];
    }
}

void Xor(const uint8_t* with, uint8_t* block) {
    for (size_t i = 0; i < kAesBlock; ++i) block[i] ^= with[i];
}

}  // namespace

// The key expansion of FIPS 197, 5.2.
FakeAes::FakeAes(const std::vector<uint8_t>& key) : rounds_(key.size() / 4 + 6), schedule_(key) {
    uint8_t constant = 1;
    const size_t words = key.size() / 4;
    for (size_t word = words; word < 4 * (rounds_ + 1); ++word) {
        std::array<uint8_t, 4> next{};
        std::copy_n(schedule_.end() - 4, 4, next.begin());
        if (word % words == 0) {
            std::rotate(next.begin(), next.begin() + 1, next.end());
            for (uint8_t& byte : next) byte = Sbox()[byte];
            next[0] ^= constant;
            constant = Double(constant);
        } else if (words > 6 && word % words == 4) {
            for (uint8_t& byte : next) byte = Sbox()[byte];
        }
        for (uint8_t byte : next)
            schedule_.push_back(byte ^ schedule_[schedule_.size() - 4 * words]);
    }
}

void FakeAes::AddRoundKey(size_t round, uint8_t* block) const {
    Xor(&schedule_[round * kAesBlock], block);
}

void FakeAes::Encrypt(uint8_t* block) const {
    AddRoundKey(0, block);
    for (size_t round = 1; round <= rounds_; ++round) {
        std::for_each(block, block + kAesBlock, [](uint8_t& byte) { byte = Sbox()[byte]; });
        ShiftRows(true, block);
        if (round != rounds_) MixColumns({2, 3, 1, 1}, block);
        AddRoundKey(round, block);
    }
}

void FakeAes::Decrypt(uint8_t* block) const {
    for (size_t round = rounds_; round >= 1; --round) {
        AddRoundKey(round, block);
        if (round != rounds_) MixColumns({14, 11, 13, 9}, block);
        ShiftRows(false, block);
        std::for_each(block, block + kAesBlock, [](uint8_t& byte) { byte = InverseSbox()[byte]; });
    }
    AddRoundKey(0, block);
}

void FakeCbc(const std::vector<uint8_t>& key, bool encrypt, CipherIv iv, uint8_t* data,
             size_t size) {
    const FakeAes aes(key);
    for (uint8_t* block = data; block != data + size; block += kAesBlock) {
        if (encrypt) {
            Xor(iv.data(), block);
            aes.Encrypt(block);
            std::copy_n(block, kAesBlock, iv.begin());
            continue;
        }
        CipherIv next{};
        std::copy_n(block, kAesBlock, next.begin());
        aes.Decrypt(block);
        Xor(iv.data(), block);
        iv = next;
    }
}

void FakeXts(const std::vector<uint8_t>& key, bool encrypt, CipherIv iv, uint8_t* data,
             size_t size) {
    const auto middle = key.begin() + static_cast<ptrdiff_t>(key.size() / 2);
    const FakeAes aes(std::vector<uint8_t>(key.begin(), middle));
    FakeAes(std::vector<uint8_t>(middle, key.end())).Encrypt(iv.data());
    for (uint8_t* block = data; block != data + size; block += kAesBlock) {
        Xor(iv.data(), block);
        encrypt ? aes.Encrypt(block) : aes.Decrypt(block);
        Xor(iv.data(), block);
        // IEEE 1619: the tweak is multiplied by x, least significant byte first, modulo
        // x^128+x^7+x^2+x+1.
        uint8_t carry = 0;
        for (uint8_t& byte : iv) {
            const uint8_t out = byte >> 7;
            byte = static_cast<uint8_t>((byte << 1) | carry);
            carry = out;
        }
        if (carry != 0) iv[0] ^= 0x87;
    }
}

}  // namespace storekeeper
