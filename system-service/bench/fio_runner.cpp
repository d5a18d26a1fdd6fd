// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "bench/fio_runner.h"

#include <android-base/strings.h>
#include <errno.h>
#include <sys/wait.h>

#include <algorithm>

#include "base/clock.h"
#include "base/try.h"
#include "bench/system/child_process.h"

namespace storekeeper {
namespace {

using android::base::Error;
using android::base::Result;
using std::chrono::nanoseconds;

constexpr size_t kComplaint = 300;
constexpr int kTrials = 3;

// What fio said went wrong: on standard error, else on standard output.
std::string Complaint(const ChildAnswer& answer) {
    std::string text = android::base::Trim(answer.err);
    if (text.empty() && answer.out.find('{') == std::string::npos) {
        text = android::base::Trim(answer.out);
    }
    std::replace(text.begin(), text.end(), '\n', ' ');
    return text.empty() ? "" : ": " + text.substr(0, kComplaint);
}

}  // namespace

Result<FioRunner> FioRunner::Find(const std::string& program, int stop_fd) {
    Result<ChildAnswer> answer = RunChild({program, "--version"}, "/", stop_fd);
    if (!answer.ok()) {
        if (answer.error().code() == EINTR) return answer.error();
        return ResultFailure(answer.error().message() + "; install fio, or name it with --fio",
                             ENOENT);
    }
    if (!answer->ok()) {
        return Error(ENOTSUP) << program << " --version: " << answer->Ending();
    }
    const Result<std::string> version = CheckFioVersion(answer->out);
    if (!version.ok()) return Error(ENOTSUP) << program << ": " << version.error().message();
    return FioRunner(program, *version, stop_fd);
}

Result<FioJob> FioRunner::RunWith(std::vector<std::string> arguments,
                                  const std::string& folder) const {
    arguments.insert(arguments.begin(), program_);
    const ChildAnswer answer = TRY(RunChild(arguments, folder, stop_fd_));
    if (WIFSIGNALED(answer.status)) {
        return Error(ECHILD) << "fio was " << answer.Ending() << Complaint(answer);
    }
    // A job that failed is in the JSON, with its errno.
    Result<FioJob> job = ParseFioResult(answer.out);
    if (job.ok() && (answer.ok() || job->error != 0)) return job;
    if (!answer.ok()) return Error(EIO) << "fio: " << answer.Ending() << Complaint(answer);
    return Error(EPROTO) << job.error().message();
}

Result<FioJob> FioRunner::Run(const BenchJob& job, const std::string& folder) const {
    return RunWith(FioArguments(job), folder);
}

Result<nanoseconds> FioRunner::Overhead(const std::string& folder) const {
    nanoseconds least = nanoseconds::max();
    for (int trial = 0; trial < kTrials; ++trial) {
        const nanoseconds begin = ReadClock(CLOCK_MONOTONIC_RAW);
        const FioJob job = TRY(RunWith({"--output-format=json+", "--eta=never", "--name=overhead",
                                        "--ioengine=null", "--size=1g", "--bs=4k", "--rw=read",
                                        "--thread", "--number_ios=16"},
                                       folder));
        if (job.error != 0) return Error(job.error) << "fio's first error, without any I/O";
        least = std::min(least, ReadClock(CLOCK_MONOTONIC_RAW) - begin - job.runtime());
    }
    return std::max(least, nanoseconds(0));
}

}  // namespace storekeeper
