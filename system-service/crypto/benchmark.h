// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/result.h>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/syscalls.h"
#include "base/thread.h"
#include "crypto/cipher_calls.h"

namespace storekeeper {

// A mean with its 95 % confidence interval, by Student's t over n rounds.
struct Estimate {
    double mean = 0;
    double lower = 0;
    double upper = 0;
    unsigned n = 0;
};

// Of at least one value.
Estimate EstimateOf(const std::vector<double>& values);

// One driver doing one thing.
struct CipherFigure {
    std::string driver;
    size_t unit_bytes = 0;  // of a request
    unsigned threads = 1;
    bool encrypt = true;
    // As measured, 10^6 bytes a second.
    Estimate gross_mbps;
    // Without what the same requests cost with a cipher that does nothing. Absent when that cost is
    // nearly all: then nothing is known of the cipher.
    std::optional<Estimate> net_mbps;
    // CPU time of the process per time, 100 is one processor; the kernel's threads and interrupts
    // are not in it.
    double cpu_percent = 0;
};

// crypto/crypto_null.c: copies, or does nothing in place.
inline constexpr char kNullCipher[] = "ecb(cipher_null)";

struct BenchmarkPlan {
    size_t key_bytes = 16;
    // dm-crypt asks for 512 bytes, fscrypt and dm-default-key for 4 KiB, `cryptsetup benchmark` for
    // 64 KiB.
    std::vector<size_t> units = {512, 4096, 65536};
    // 0 is the number of processors.
    std::vector<unsigned> threads = {1, 0};
    unsigned rounds = 8;
    std::chrono::nanoseconds round = std::chrono::milliseconds(40);
    size_t stack_bytes = Thread::kUsualStack;  // of each thread but the caller's
};

// How fast the kernel's ciphers are through AF_ALG. Keys are random, in memory, wiped and shown to
// nobody. Takes rounds x round x 2 directions x units x threads for each driver, and once more for
// the null cipher.
class Benchmark {
  public:
    explicit Benchmark(CipherCalls& calls) : calls_(calls) {}

    // Each driver in the plan's units, threads and both directions. Without the null cipher there
    // are no net figures; `note` says so. An error names the first request that failed.
    struct Answer {
        std::vector<CipherFigure> figures;
        std::string note;
    };
    android::base::Result<Answer> Run(const std::vector<std::string>& drivers,
                                      const BenchmarkPlan& plan);

    // Whether the kernel has AF_ALG with ciphers: asks for the null one, then for one by name.
    android::base::Result<void> IsThere(const std::string& cipher);

  private:
    struct Task {
        std::string driver;
        size_t unit_bytes = 0;
        unsigned threads = 1;
        bool encrypt = true;
        size_t key_bytes = 0;
        CipherSession::Iv iv = CipherSession::Iv::kBlock;
        size_t stack_bytes = Thread::kUsualStack;
    };
    struct Rounds {
        std::vector<double> ns_per_request;  // a value a round
        double cpu_percent = 0;
    };
    android::base::Result<Rounds> Measure(const Task& task, const BenchmarkPlan& plan);
    // Of one round: all threads together do `requests` each.
    android::base::Result<std::chrono::nanoseconds> Round(const Task& task, uint64_t requests);

    CipherCalls& calls_;
};

// How fast a file is written (with fdatasync) and read, past the page cache. It depends on the
// cipher and the storage together, so it compares with nothing but itself.
struct FileSpeed {
    Estimate write_mbps;
    Estimate read_mbps;
    double cpu_percent = 0;
};

// 8 rounds of a file of 1 MiB, in requests of 256 KiB. The file stays, so that no block is freed.
inline constexpr size_t kFileSpeedUnit = 256 * 1024;
android::base::Result<FileSpeed> MeasureFileSpeed(Syscalls& syscalls, CipherCalls& calls,
                                                  const std::string& path);

// Reads that file once, past the page cache: what is below it decrypts 1 MiB.
android::base::Result<void> ReadSpeedFile(Syscalls& syscalls, const std::string& path);

}  // namespace storekeeper
