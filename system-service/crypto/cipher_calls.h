// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/result.h>
#include <android-base/unique_fd.h>

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace storekeeper {

inline constexpr size_t kAesBlock = 16;
using CipherIv = std::array<uint8_t, kAesBlock>;

// The kernel's ciphers, as AF_ALG offers them to any process
// (Documentation/crypto/userspace-if.rst), and the clocks for measuring them. A test implements it
// as a fake kernel. Each error keeps its errno as the Result's code. No error or log shows a key.
class CipherCalls {
  public:
    virtual ~CipherCalls() = default;

    // Opens a symmetric cipher by its name or its driver's. EAFNOSUPPORT: the kernel has no AF_ALG.
    // ENOENT: no such cipher, or none for user space.
    virtual android::base::Result<android::base::unique_fd> Bind(const std::string& cipher) = 0;
    // Sets the key, which may be empty, and opens the descriptor for Crypt().
    virtual android::base::Result<android::base::unique_fd> SetKey(android::base::borrowed_fd bound,
                                                                   const uint8_t* key,
                                                                   size_t size) = 0;
    // Makes one request, in place, of at most 64 KiB. `iv` is null for ciphers without one.
    virtual android::base::Result<void> Crypt(android::base::borrowed_fd operation, bool encrypt,
                                              const CipherIv* iv, uint8_t* data, size_t size) = 0;
    // getrandom(2).
    virtual android::base::Result<void> Random(uint8_t* bytes, size_t size) = 0;

    // CLOCK_MONOTONIC_RAW, whose rate no program adjusts.
    virtual std::chrono::nanoseconds Raw() const = 0;
    // CPU time of all threads of the process, including time in the kernel. Work of interrupts and
    // of the kernel's own threads is not included.
    virtual std::chrono::nanoseconds ProcessCpu() const = 0;
    // Processors that are online.
    virtual unsigned Processors() const = 0;
};

class LinuxCipherCalls : public CipherCalls {
  public:
    android::base::Result<android::base::unique_fd> Bind(const std::string& cipher) override;
    android::base::Result<android::base::unique_fd> SetKey(android::base::borrowed_fd bound,
                                                           const uint8_t* key,
                                                           size_t size) override;
    android::base::Result<void> Crypt(android::base::borrowed_fd operation, bool encrypt,
                                      const CipherIv* iv, uint8_t* data, size_t size) override;
    android::base::Result<void> Random(uint8_t* bytes, size_t size) override;
    std::chrono::nanoseconds Raw() const override;
    std::chrono::nanoseconds ProcessCpu() const override;
    unsigned Processors() const override;
};

// Bytes that are overwritten when they are no longer needed.
class SecretBytes {
  public:
    // Random bytes; an error if the kernel has none.
    static android::base::Result<SecretBytes> Random(CipherCalls& calls, size_t size);

    explicit SecretBytes(std::vector<uint8_t> bytes) : bytes_(std::move(bytes)) {}
    SecretBytes(SecretBytes&&) = default;
    SecretBytes& operator=(SecretBytes&&) = delete;
    SecretBytes(const SecretBytes&) = delete;
    SecretBytes& operator=(const SecretBytes&) = delete;
    ~SecretBytes() { Wipe(); }

    const uint8_t* data() const { return bytes_.data(); }
    size_t size() const { return bytes_.size(); }
    // Overwrites the bytes in a way that no compiler may omit.
    void Wipe();

  private:
    std::vector<uint8_t> bytes_;
};

// One of the kernel's drivers with a key set.
class CipherSession {
  public:
    enum class Iv { kNone, kBlock };

    static android::base::Result<CipherSession> Open(CipherCalls& calls, const std::string& driver,
                                                     const SecretBytes& key, Iv iv = Iv::kBlock);

    // Makes one request, in place, of at most 64 KiB.
    android::base::Result<void> Crypt(bool encrypt, const CipherIv& iv, uint8_t* data, size_t size);

  private:
    CipherSession(CipherCalls& calls, android::base::unique_fd bound,
                  android::base::unique_fd operation, Iv iv)
          : calls_(&calls),
            bound_(std::move(bound)),
            operation_(std::move(operation)),
            with_iv_(iv == Iv::kBlock) {}

    CipherCalls* calls_;
    android::base::unique_fd bound_;
    android::base::unique_fd operation_;
    bool with_iv_;
};

}  // namespace storekeeper
