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

// `values` must not be empty.
Estimate EstimateOf(const std::vector<double>& values);

// The speed of one driver under one load.
struct CipherFigure {
    std::string driver;
    size_t unit_bytes = 0;  // bytes in a request
    unsigned threads = 1;
    bool encrypt = true;
    // The measured speed, 10^6 bytes a second.
    Estimate gross_mbps;
    // Speed without the cost of the same requests with the null cipher. Absent if that cost is
    // nearly all of the time, because then nothing is known about the cipher.
    std::optional<Estimate> net_mbps;
    // CPU time of the process per elapsed time; 100 is one processor. The kernel's threads and
    // interrupts are not included.
    double cpu_percent = 0;
};

// The null cipher (crypto/crypto_null.c) copies data, or does nothing in place.
inline constexpr char kNullCipher[] = "ecb(cipher_null)";

struct BenchmarkPlan {
    size_t key_bytes = 16;
    // Bytes in a request. dm-crypt uses 512 bytes, fscrypt and dm-default-key 4 KiB, `cryptsetup
    // benchmark` 64 KiB.
    std::vector<size_t> units = {512, 4096, 65536};
    // 0 is the number of processors.
    std::vector<unsigned> threads = {1, 0};
    unsigned rounds = 8;
    std::chrono::nanoseconds round = std::chrono::milliseconds(40);
    size_t stack_bytes = Thread::kUsualStack;  // of each thread but the caller's
};

// Figures of each driver in the plan's units, threads and both directions.
struct CipherFigures {
    std::vector<CipherFigure> figures;
    std::string note;  // says so if the kernel lacks the null cipher; then no figure is net
};

// Measures the kernel's ciphers through AF_ALG. Keys are random, stay in memory, are wiped and
// never shown. For each driver, and once more for the null cipher, it takes rounds x round x 2
// directions x units x threads. An error names the first request that failed.
android::base::Result<CipherFigures> MeasureCiphers(CipherCalls& calls,
                                                    const std::vector<std::string>& drivers,
                                                    const BenchmarkPlan& plan);

// Speed of writing a file (with fdatasync) and reading it, past the page cache. It depends on the
// cipher and the storage together, so it is comparable only with itself.
struct FileSpeed {
    Estimate write_mbps;
    Estimate read_mbps;
    double cpu_percent = 0;
};

// Makes 8 rounds over a file of 1 MiB, in requests of 256 KiB. The file stays, so that no block is
// freed.
inline constexpr size_t kFileSpeedUnit = 256 * 1024;
android::base::Result<FileSpeed> MeasureFileSpeed(Syscalls& syscalls, CipherCalls& calls,
                                                  const std::string& path);

// Reads that file once, past the page cache, so that the layer below decrypts 1 MiB.
android::base::Result<void> ReadSpeedFile(Syscalls& syscalls, const std::string& path);

}  // namespace storekeeper
