// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "bench/runner.h"

#include <android-base/stringprintf.h>
#include <errno.h>

#include <algorithm>
#include <cstring>
#include <random>
#include <string>
#include <unordered_set>

#include "base/clock.h"
#include "base/try.h"
#include "bench/system/files.h"

namespace storekeeper {
namespace {

using android::base::Error;
using android::base::Result;
using android::base::StringPrintf;

// Bytes that a benchmark leaves free besides its own files.
constexpr uint64_t kRoom = 4 * 1024 * 1024;

bool IsCompressible(const BenchJob& job) {
    return job.IsOn("zero_buffers") || job.IsOn("buffer_compress_percentage") ||
           job.IsOn("dedupe_percentage");
}

Claim ClaimOf(const BenchJob& job, const FioJob& done) {
    return {.read_bytes = done.read.bytes,
            .written_bytes = done.write.bytes,
            .writes = done.write.ios,
            // fio does not count the sync at the end, which a job that has written makes.
            .syncs = done.sync_latency.count() +
                     (job.IsOn("end_fsync") && done.write.ios > 0 ? 1 : 0),
            .time = done.runtime(),
            .direct = job.IsOn("direct"),
            .compressible = IsCompressible(job)};
}

// Lengths of the copied files.
constexpr uint64_t kSmallest = 4096;
constexpr unsigned kPowers = 9;  // up to 1 MiB
constexpr uint32_t kCopySeed = 2011;

std::string SourceName(size_t i) {
    return "from-" + std::to_string(i);
}

std::string CopyName(size_t i) {
    return "to-" + std::to_string(i);
}

Result<void> CheckStop(const std::function<bool()>& stop) {
    if (stop()) return Error(EINTR) << "stopped by a signal";
    return {};
}

Result<void> MakeFiles(const OwnFolder& folder, const std::vector<uint64_t>& lengths,
                       const std::function<bool()>& stop) {
    for (size_t i = 0; i < lengths.size(); ++i) {
        TRY(CheckStop(stop));
        TRY(WriteRandomFile(folder.PathOf(SourceName(i)), lengths[i], i));
    }
    TRY(SyncFileSystem(folder.fd_path()));
    for (size_t i = 0; i < lengths.size(); ++i) TRY(ForgetCached(folder.PathOf(SourceName(i))));
    return {};
}

// Share of the jobs' file that is read again: one block in this many.
constexpr uint64_t kShare = 10;
// One block in five is the limit. fio that fills a buffer of 256 KiB once and writes 4 MiB of it
// shows every other block of a tenth twice. Two jobs of the same seed, which write some blocks
// alike, show fewer than one in ten.
constexpr uint64_t kAlikeShare = 5;
constexpr uint32_t kRereadSeed = 20261122;
// One word in this many bytes is compared. The stride is no multiple of a sector, because fio may
// put another number into the same word of each.
constexpr size_t kStride = 264;

// Numbers of blocks in random order, always the same ones.
std::vector<uint64_t> DrawBlocks(uint64_t blocks) {
    std::mt19937_64 random(kRereadSeed);
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
    // size() is signed up to Android 14, whose std::span is that of a draft of C++20.
    const auto bytes = static_cast<size_t>(data.size());
    for (size_t at = 0; at + sizeof(uint64_t) <= bytes; at += kStride) {
        uint64_t word = 0;
        memcpy(&word, &data[at], sizeof(word));
        if (!seen->insert(word).second) ++known;
        ++words;
    }
    return known * 2 > words;
}

// True if the job reads as RereadTenth() does.
bool ReadsSingleBlocks(const BenchJob& job) {
    const std::string bs = job.Get("bs");
    const std::string depth = job.Get("iodepth");
    return job.Get("rw") == "randread" && job.IsOn("direct") && (bs == "4k" || bs == "4096") &&
           (depth.empty() || depth == "1");
}

Result<BenchRepetition> RunFio(const BenchTools& tools, const BenchJob& job) {
    BenchRepetition repetition;
    repetition.before = tools.read(/*clocks_first=*/false);
    const FioJob done = TRY(tools.fio(job));
    repetition.after = tools.read(/*clocks_first=*/true);
    if (done.error != 0) {
        return Error(done.error) << "fio's first error"
                                 << (done.said.empty() ? "" : " (" + done.said + ")");
    }
    if (done.read.ios + done.write.ios == 0) return Error() << "fio did no I/O";
    repetition.claim = ClaimOf(job, done);
    repetition.ios = done.read.ios + done.write.ios;
    repetition.latency = done.read.latency;
    repetition.latency.Merge(done.write.latency);
    repetition.sync_latency = done.sync_latency;
    return repetition;
}

// Judges the last repetition of the first `jobs` figures by reading their file again.
Result<void> ReadAgain(const BenchTools& tools, size_t jobs, std::vector<BenchFigure>* figures) {
    const std::optional<Reread> reread = TRY(tools.reread());
    if (!reread.has_value()) return {};
    for (size_t i = 0; i < jobs; ++i) {
        BenchRepetition& repetition = (*figures)[i].repetitions.back();
        const std::vector<BenchReason> reasons =
                JudgeByReread(*reread, (*figures)[i].job, repetition.latency);
        repetition.reasons.insert(repetition.reasons.end(), reasons.begin(), reasons.end());
    }
    return {};
}

}  // namespace

uint64_t LargestFile(const std::vector<BenchJob>& jobs) {
    uint64_t largest = 0;
    for (const BenchJob& job : jobs) largest = std::max(largest, job.size_bytes);
    return largest;
}

Result<void> CheckRoom(const std::string& folder, uint64_t free_bytes, uint64_t bytes) {
    if (free_bytes >= kRoom && bytes <= (free_bytes - kRoom) / 2) return {};
    return Error(ENOSPC) << folder << " has " << free_bytes
                         << " bytes free; the matrix needs twice " << bytes << " and " << kRoom
                         << ": free some, or take a smaller matrix or another --dir";
}

Result<std::vector<BenchFigure>> RunBench(const BenchTools& tools, const BenchPlace& place,
                                          const std::vector<BenchJob>& jobs, unsigned repeat) {
    std::vector<BenchFigure> figures;
    figures.reserve(jobs.size() + 1);
    for (const BenchJob& job : jobs) figures.push_back({.job = job});
    if (tools.copy) {
        figures.push_back({.job = {.name = kCopyName,
                                   .options = {{"size", std::to_string(LargestFile(jobs))}}}});
    }
    BenchPlace copy_place = place;
    // The copy starts no other program.
    copy_place.overhead = {};
    for (unsigned round = 1; round <= repeat; ++round) {
        for (size_t i = 0; i < figures.size(); ++i) {
            BenchFigure& figure = figures[i];
            const std::string& name = figure.job.name;
            tools.progress(std::to_string(round) + " of " + std::to_string(repeat) + ": " + name);
            TRY(tools.settle(/*fresh=*/i == 0));
            const bool is_copy = name == kCopyName;
            Result<BenchRepetition> done = is_copy ? tools.copy() : RunFio(tools, figure.job);
            if (!done.ok()) return Error() << name << ": " << done.error();
            done->reasons = JudgeClaim(done->claim, is_copy ? copy_place : place, done->before,
                                       done->after);
            figure.repetitions.push_back(*done);
            if (i + 1 == jobs.size()) TRY(ReadAgain(tools, jobs.size(), &figures));
        }
    }
    return figures;
}

std::vector<uint64_t> CopyLengths(uint64_t bytes) {
    std::mt19937 random(kCopySeed);
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
        TRY(CopyFile(folder->PathOf(SourceName(i)), folder->PathOf(CopyName(i))));
        const auto now = ReadClock(CLOCK_MONOTONIC);
        repetition.latency.Add(now - last);
        last = now;
    }
    TRY(SyncFileSystem(folder->fd_path()));
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
        TRY(folder->RemoveFile(SourceName(i)));
        TRY(folder->RemoveFile(CopyName(i)));
    }
    return repetition;
}

Result<std::optional<Reread>> RereadTenth(const std::string& path,
                                          const std::function<bool()>& stop) {
    Result<DirectFile> file = DirectFile::Open(path);
    if (!file.ok() && file.error().code() == EINVAL) return std::nullopt;
    if (!file.ok()) return file.error();
    if (file->blocks() < kShare) return std::nullopt;
    Reread reread;
    std::unordered_set<uint64_t> seen;
    for (const uint64_t number : DrawBlocks(file->blocks())) {
        TRY(CheckStop(stop));
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
                           .text = "of " + std::to_string(reread.blocks) +
                                   " blocks that were read again, " + std::to_string(reread.alike) +
                                   " repeat other blocks: the storage removes duplicates"});
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
