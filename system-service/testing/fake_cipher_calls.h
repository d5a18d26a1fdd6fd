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

// A kernel with AF_ALG, the null cipher and the drivers a test gives it, each of which takes its
// time and really encrypts. What several threads do takes as long as if one did it.
class FakeCipherCalls : public CipherCalls {
  public:
    struct Driver {
        std::string name;  // the cipher: "cbc(aes)", "xts(aes)", or "" for the null cipher
        std::chrono::nanoseconds per_request{0};
        std::chrono::nanoseconds per_kib{0};
        int cpu_percent = 100;  // of that time
        // Requests of more bytes come out wrong; 0 means all do.
        size_t right_up_to = SIZE_MAX;
        int key_error = 0;  // that setting a key fails with when not 0
        int error = 0;      // that each request fails with when not 0
        // Each n-th request takes this share longer, so that figures spread.
        int jitter_percent = 0;
    };

    static constexpr char kNull[] = "ecb(cipher_null)";

    FakeCipherCalls();

    void Add(const std::string& driver, Driver facts) EXCLUDES(lock_);
    void Remove(const std::string& driver) EXCLUDES(lock_);
    // From now on there is no AF_ALG: socket(2) fails with this.
    void FailSockets(int error) EXCLUDES(lock_);
    void SetProcessors(unsigned processors) { processors_ = processors; }

    // Time that passes elsewhere.
    void Pass(std::chrono::nanoseconds time) { raw_ += time.count(); }

    // Every key that was ever set, for a search for them.
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
