// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "testing/fake_cipher_calls.h"

#include <errno.h>
#include <fcntl.h>

#include <utility>

#include "testing/fake_aes.h"

namespace storekeeper {
namespace {

using android::base::borrowed_fd;
using android::base::Error;
using android::base::Result;
using android::base::unique_fd;

// One request in this many is slower.
constexpr size_t kJitterEach = 7;
// Limits of real encryption, which save time: a longer request, or one after this many with the
// same key, is timed but its bytes stay as they are.
constexpr size_t kReallyEncrypted = 16 * 1024;
constexpr size_t kLookedAt = 4;

unique_fd AnyDescriptor() {
    return unique_fd(open("/dev/null", O_RDONLY | O_CLOEXEC));
}

}  // namespace

FakeCipherCalls::FakeCipherCalls() {
    Add(kNull, {.per_request = std::chrono::microseconds(1)});
}

void FakeCipherCalls::Add(const std::string& driver, Driver facts) {
    MutexLock guard(lock_);
    drivers_[driver] = std::move(facts);
}

void FakeCipherCalls::Remove(const std::string& driver) {
    MutexLock guard(lock_);
    drivers_.erase(driver);
}

void FakeCipherCalls::FailSockets(int error) {
    MutexLock guard(lock_);
    socket_error_ = error;
}

std::vector<std::vector<uint8_t>> FakeCipherCalls::keys() const {
    MutexLock guard(lock_);
    return keys_;
}

Result<unique_fd> FakeCipherCalls::Bind(const std::string& cipher) {
    MutexLock guard(lock_);
    if (socket_error_ != 0) return Error(socket_error_) << "no AF_ALG socket";
    if (drivers_.count(cipher) == 0) return Error(ENOENT) << "AF_ALG has no " << cipher;
    unique_fd fd = AnyDescriptor();
    open_[fd.get()] = {.driver = cipher};
    return fd;
}

Result<unique_fd> FakeCipherCalls::SetKey(borrowed_fd bound, const uint8_t* key, size_t size) {
    MutexLock guard(lock_);
    const std::string driver = open_[bound.get()].driver;
    const Driver& facts = drivers_[driver];
    const bool xts = facts.name == "xts(aes)";
    const bool fits = facts.name.empty() ? size == 0
                      : xts              ? size == 32 || size == 64
                                         : size == 16 || size == 24 || size == 32;
    const int error = fits ? facts.key_error : EINVAL;
    if (error != 0) return Error(error) << "the cipher refuses a key";
    std::vector<uint8_t> bytes(key, key + size);
    if (!bytes.empty()) keys_.push_back(bytes);
    unique_fd fd = AnyDescriptor();
    open_[fd.get()] = {.driver = driver, .key = std::move(bytes)};
    return fd;
}

Result<void> FakeCipherCalls::Crypt(borrowed_fd operation, bool encrypt, const CipherIv* iv,
                                    uint8_t* data, size_t size) {
    Open open;
    Driver facts;
    {
        MutexLock guard(lock_);
        Open& now = open_[operation.get()];
        ++now.requests;
        open = now;
        facts = drivers_[open.driver];
    }
    if (facts.error != 0) return Error(facts.error) << "the cipher failed";
    if (size % kAesBlock != 0 || size > 64 * 1024) return Error(EINVAL) << "bad size";
    if (!facts.name.empty() && iv == nullptr) return Error(EINVAL) << "no IV";
    auto time = facts.per_request + facts.per_kib * static_cast<int64_t>(size) / 1024;
    if (++requests_ % kJitterEach == 0) time += time * facts.jitter_percent / 100;
    raw_ += time.count();
    cpu_ += time.count() * facts.cpu_percent / 100;
    if (facts.name.empty() || size > kReallyEncrypted || open.requests > kLookedAt) return {};
    (facts.name == "xts(aes)" ? FakeXts : FakeCbc)(open.key, encrypt, *iv, data, size);
    if (size > facts.right_up_to) data[0] ^= 1;
    return {};
}

Result<void> FakeCipherCalls::Random(uint8_t* bytes, size_t size) {
    for (size_t i = 0; i < size; ++i) bytes[i] = random_ += 37;
    return {};
}

}  // namespace storekeeper
