// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "bench/reread.h"

#include <android-base/stringprintf.h>
#include <errno.h>

#include <algorithm>
#include <cstring>
#include <random>
#include <unordered_set>

#include "base/try.h"
#include "bench/system/file_io.h"

namespace storekeeper {
namespace {

using android::base::Error;
using android::base::Result;
using android::base::StringPrintf;

constexpr uint64_t kShare = 10;
// fio that fills a buffer of 256 KiB once and writes 4 MiB of it shows every other block of a tenth
// twice; two jobs of the same seed, which write some blocks alike, fewer than one of ten.
constexpr uint64_t kAlikeShare = 5;
constexpr uint32_t kSeed = 20261122;
// A word of each so many bytes is looked at: not always the same one of a sector, where fio may
// have put another number into each.
constexpr size_t kStride = 264;

// Always the same ones, in random order.
std::vector<uint64_t> SomeOf(uint64_t blocks) {
    std::mt19937_64 random(kSeed);
    const uint64_t count = std::min(blocks / kShare, kMaxReread);
    std::vector<uint64_t> some;
    some.reserve(count);
    std::unordered_set<uint64_t> drawn;
    while (some.size() < count) {
        const uint64_t number = random() % blocks;
        if (drawn.insert(number).second) some.push_back(number);
    }
    return some;
}

bool IsAlike(std::span<const uint8_t> data, std::unordered_set<uint64_t>* seen) {
    size_t words = 0;
    size_t known = 0;
    // Signed up to Android 14, where std::span is that of a draft of C++20; so everywhere here.
    const auto bytes = static_cast<size_t>(data.size());
    for (size_t at = 0; at + sizeof(uint64_t) <= bytes; at += kStride) {
        uint64_t word = 0;
        memcpy(&word, &data[at], sizeof(word));
        if (!seen->insert(word).second) ++known;
        ++words;
    }
    return known * 2 > words;
}

// Whether it does the same as RereadTenth(), by fio.
bool ReadsSingleBlocks(const BenchJob& job) {
    const std::string bs = job.Get("bs");
    const std::string depth = job.Get("iodepth");
    return job.Get("rw") == "randread" && job.IsOn("direct") && (bs == "4k" || bs == "4096") &&
           (depth.empty() || depth == "1");
}

}  // namespace

Result<std::optional<Reread>> RereadTenth(const std::string& path,
                                          const std::function<bool()>& stop) {
    Result<DirectFile> file = DirectFile::Open(path);
    if (!file.ok() && file.error().code() == EINVAL) return std::nullopt;
    if (!file.ok()) return file.error();
    if (file->blocks() < kShare) return std::nullopt;
    Reread reread;
    std::unordered_set<uint64_t> seen;
    for (const uint64_t number : SomeOf(file->blocks())) {
        if (stop()) return Error(EINTR) << "it was stopped";
        const DirectFile::Block block = TRY(file->Read(number));
        reread.latency.Add(block.took);
        if (IsAlike(block.data, &seen)) ++reread.alike;
        ++reread.blocks;
    }
    return reread;
}

std::vector<BenchReason> JudgeByReread(const Reread& reread, const BenchJob& job,
                                       const LatencyBins& latency) {
    std::vector<BenchReason> reasons;
    if (reread.alike * kAlikeShare > reread.blocks) {
        reasons.push_back({.code = "duplicate_data",
                           .level = BenchReason::Level::kInvalid,
                           .text = StringPrintf("of %llu blocks that were read again, %llu hold "
                                                "what others hold: what removes doubles cheats",
                                                static_cast<unsigned long long>(reread.blocks),
                                                static_cast<unsigned long long>(reread.alike))});
    }
    const auto claimed = latency.Percentile(50);
    const auto seen = reread.latency.Percentile(50);
    if (ReadsSingleBlocks(job) && claimed.has_value() && seen.has_value() && *claimed < *seen / 2) {
        reasons.push_back({.code = "faster_than_reread",
                           .level = BenchReason::Level::kSuspect,
                           .text = StringPrintf("half of the reads took at most %.3f ms; without "
                                                "fio, half of them took more than %.3f ms",
                                                Milliseconds(*claimed), Milliseconds(*seen))});
    }
    return reasons;
}

}  // namespace storekeeper
