// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "bench/runner.h"

#include <errno.h>

#include <algorithm>

#include "base/try.h"

namespace storekeeper {
namespace {

using android::base::Error;
using android::base::Result;

// What a benchmark leaves free besides its own files.
constexpr uint64_t kRoom = 4 * 1024 * 1024;

bool IsCompressible(const BenchJob& job) {
    return job.IsOn("zero_buffers") || job.IsOn("buffer_compress_percentage") ||
           job.IsOn("dedupe_percentage");
}

Claim ClaimOf(const BenchJob& job, const FioJob& done) {
    return {.read_bytes = done.read.bytes,
            .written_bytes = done.write.bytes,
            .writes = done.write.ios,
            // fio does not count the one at the end, which a job that has written makes.
            .syncs = done.syncs + (job.IsOn("end_fsync") && done.write.ios > 0 ? 1 : 0),
            .time = done.runtime(),
            .direct = job.IsOn("direct"),
            .compressible = IsCompressible(job)};
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

Result<BenchRepetition> BenchRunner::RunFio(const BenchJob& job) {
    BenchRepetition repetition;
    repetition.before = tools_.read(/*clocks_first=*/false);
    const FioJob done = TRY(tools_.fio(job));
    repetition.after = tools_.read(/*clocks_first=*/true);
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
    repetition.reasons = JudgeClaim(repetition.claim, place_, repetition.before, repetition.after);
    return repetition;
}

Result<BenchRepetition> BenchRunner::RunCopy() {
    BenchRepetition repetition = TRY(tools_.copy());
    // There is no other program to start.
    BenchPlace place = place_;
    place.overhead = {};
    repetition.reasons = JudgeClaim(repetition.claim, place, repetition.before, repetition.after);
    return repetition;
}

Result<void> BenchRunner::ReadAgain(std::vector<BenchFigure>* figures, size_t jobs) {
    const std::optional<Reread> reread = TRY(tools_.reread());
    if (!reread.has_value()) return {};
    for (size_t i = 0; i < jobs; ++i) {
        BenchRepetition& repetition = (*figures)[i].repetitions.back();
        const std::vector<BenchReason> reasons =
                JudgeByReread(*reread, (*figures)[i].job, repetition.latency);
        repetition.reasons.insert(repetition.reasons.end(), reasons.begin(), reasons.end());
    }
    return {};
}

Result<std::vector<BenchFigure>> BenchRunner::Run(const std::vector<BenchJob>& jobs,
                                                  unsigned repeat) {
    std::vector<BenchFigure> figures;
    figures.reserve(jobs.size() + 1);
    for (const BenchJob& job : jobs) figures.push_back({.job = job});
    if (tools_.copy) {
        figures.push_back({.job = {.name = kCopyName,
                                   .options = {{"size", std::to_string(LargestFile(jobs))}}}});
    }
    for (unsigned round = 1; round <= repeat; ++round) {
        bool fresh = true;
        for (size_t i = 0; i < figures.size(); ++i) {
            BenchFigure& figure = figures[i];
            const std::string& name = figure.job.name;
            tools_.progress(std::to_string(round) + " of " + std::to_string(repeat) + ": " + name);
            TRY(tools_.settle(fresh));
            fresh = false;
            Result<BenchRepetition> done = name == kCopyName ? RunCopy() : RunFio(figure.job);
            if (!done.ok()) return Error() << name << ": " << done.error();
            figure.repetitions.push_back(*done);
            if (i + 1 == jobs.size()) TRY(ReadAgain(&figures, jobs.size()));
        }
    }
    return figures;
}

}  // namespace storekeeper
