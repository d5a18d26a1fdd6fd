// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <atomic>
#include <map>
#include <string>
#include <vector>

#include "base/mutex.h"
#include "crypto/cipher_calls.h"

namespace storekeeper {

// A kernel with AF_ALG, the null cipher and the drivers that a test adds. Each driver takes its
// time and really encrypts. The work of several threads takes as long as if one did it.
class FakeCipherCalls : public CipherCalls {
  public:
    struct Driver {
        std::string name;  // the cipher: "cbc(aes)", "xts(aes)", or "" for the null cipher
        std::chrono::nanoseconds per_request{0};
        std::chrono::nanoseconds per_kib{0};
        int cpu_percent = 100;  // of that time
        // Longer requests give a wrong result; 0 makes every result wrong.
        size_t right_up_to = SIZE_MAX;
        int key_error = 0;  // errno of setting a key; 0 is success
        int error = 0;      // errno of each request; 0 is success
        // Percentage by which each n-th request takes longer, so that figures scatter.
        int jitter_percent = 0;
    };

    static constexpr char kNull[] = "ecb(cipher_null)";

    FakeCipherCalls();

    void Add(const std::string& driver, Driver facts) EXCLUDES(lock_);
    void Remove(const std::string& driver) EXCLUDES(lock_);
    // From now on socket(2) fails with this errno, as without AF_ALG.
    void FailSockets(int error) EXCLUDES(lock_);
    void SetProcessors(unsigned processors) { processors_ = processors; }

    // Lets time pass outside of requests.
    void Pass(std::chrono::nanoseconds time) { raw_ += time.count(); }

    // All keys that were ever set, so that a test can search for them.
    std::vector<std::vector<uint8_t>> keys() const EXCLUDES(lock_);
    size_t requests() const { return requests_.load(); }

    android::base::Result<android::base::unique_fd> Bind(const std::string& cipher) override
            EXCLUDES(lock_);
    android::base::Result<android::base::unique_fd> SetKey(android::base::borrowed_fd bound,
                                                           const uint8_t* key, size_t size) override
            EXCLUDES(lock_);
    android::base::Result<void> Crypt(android::base::borrowed_fd operation, bool encrypt,
                                      const CipherIv* iv, uint8_t* data, size_t size) override
            EXCLUDES(lock_);
    android::base::Result<void> Random(uint8_t* bytes, size_t size) override;
    std::chrono::nanoseconds Raw() const override { return std::chrono::nanoseconds(raw_.load()); }
    std::chrono::nanoseconds ProcessCpu() const override {
        return std::chrono::nanoseconds(cpu_.load());
    }
    unsigned Processors() const override { return processors_; }

  private:
    struct Open {
        std::string driver;
        std::vector<uint8_t> key;
        size_t requests = 0;
    };

    mutable Mutex lock_;
    std::map<std::string, Driver> drivers_ GUARDED_BY(lock_);
    std::map<int, Open> open_ GUARDED_BY(lock_);
    std::vector<std::vector<uint8_t>> keys_ GUARDED_BY(lock_);
    int socket_error_ GUARDED_BY(lock_) = 0;
    unsigned processors_ = 4;
    std::atomic<int64_t> raw_ = 1'000'000'000;
    std::atomic<int64_t> cpu_ = 0;
    std::atomic<size_t> requests_ = 0;
    std::atomic<uint8_t> random_ = 1;
};

}  // namespace storekeeper
