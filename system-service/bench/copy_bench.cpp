// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "bench/copy_bench.h"

#include <errno.h>

#include <algorithm>
#include <random>
#include <string>

#include "base/clock.h"
#include "base/try.h"
#include "bench/system/file_io.h"

namespace storekeeper {
namespace {

using android::base::Error;
using android::base::Result;

constexpr uint64_t kSmallest = 4096;
constexpr unsigned kPowers = 9;  // up to 1 MiB
constexpr uint32_t kSeed = 2011;

std::string From(size_t i) {
    return "from-" + std::to_string(i);
}

std::string To(size_t i) {
    return "to-" + std::to_string(i);
}

Result<void> CheckStop(const std::function<bool()>& stop) {
    if (stop()) return Error(EINTR) << "it was stopped";
    return {};
}

Result<void> MakeFiles(const OwnFolder& folder, const std::vector<uint64_t>& lengths,
                       const std::function<bool()>& stop) {
    for (size_t i = 0; i < lengths.size(); ++i) {
        TRY(CheckStop(stop));
        TRY(WriteRandomFile(folder.PathOf(From(i)), lengths[i], i));
    }
    TRY(SyncFileSystem(folder.way()));
    for (size_t i = 0; i < lengths.size(); ++i) TRY(ForgetCached(folder.PathOf(From(i))));
    return {};
}

}  // namespace

std::vector<uint64_t> CopyLengths(uint64_t bytes) {
    std::mt19937 random(kSeed);
    std::vector<uint64_t> lengths;
    while (bytes > 0) {
        const uint64_t length = kSmallest << (random() % kPowers);
        lengths.push_back(std::min(length, bytes));
        bytes -= lengths.back();
    }
    return lengths;
}

Result<BenchRepetition> RunCopyBench(OwnFolder* folder, uint64_t bytes,
                                     const std::function<DeviceState(bool)>& read,
                                     const std::function<bool()>& stop) {
    const std::vector<uint64_t> lengths = CopyLengths(bytes);
    TRY(MakeFiles(*folder, lengths, stop));
    BenchRepetition repetition;
    repetition.before = read(/*clocks_first=*/false);
    const auto begin = ReadClock(CLOCK_MONOTONIC);
    auto last = begin;
    for (size_t i = 0; i < lengths.size(); ++i) {
        TRY(CheckStop(stop));
        TRY(CopyFile(folder->PathOf(From(i)), folder->PathOf(To(i))));
        const auto now = ReadClock(CLOCK_MONOTONIC);
        repetition.latency.Add(now - last);
        last = now;
    }
    TRY(SyncFileSystem(folder->way()));
    const auto end = ReadClock(CLOCK_MONOTONIC);
    repetition.after = read(/*clocks_first=*/true);
    repetition.sync_latency.Add(end - last);
    repetition.claim = {.read_bytes = bytes,
                        .written_bytes = bytes,
                        .writes = lengths.size(),
                        .syncs = 1,
                        .time = end - begin};
    repetition.ios = lengths.size();
    for (size_t i = 0; i < lengths.size(); ++i) {
        TRY(folder->RemoveFile(From(i)));
        TRY(folder->RemoveFile(To(i)));
    }
    return repetition;
}

}  // namespace storekeeper
