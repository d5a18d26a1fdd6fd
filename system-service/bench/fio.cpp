// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "bench/fio.h"

#include <android-base/parseint.h>
#include <android-base/strings.h>
#include <errno.h>
#include <json/value.h>
#include <sys/wait.h>

#include <algorithm>

#include "base/clock.h"
#include "base/json_text.h"
#include "base/try.h"
#include "bench/system/processes.h"

namespace storekeeper {
namespace {

using android::base::Error;
using android::base::Result;
using std::chrono::milliseconds;
using std::chrono::nanoseconds;

// A job with every bin of fio filled (some 1900, three times) stays far below this.
constexpr JsonLimits kLimits = {.bytes = 1024 * 1024, .depth = 12};
// Characters that are quoted of an invalid answer.
constexpr size_t kQuoted = 200;

std::string InOneLine(const std::string& text, size_t most) {
    std::string line = android::base::Trim(text).substr(0, most);
    std::replace(line.begin(), line.end(), '\n', ' ');
    return line;
}

Result<Json::Value> Member(const Json::Value& object, const char* name) {
    if (!object.isObject() || !object.isMember(name)) return Error() << "no '" << name << "'";
    return object[name];
}

Result<uint64_t> Count(const Json::Value& object, const char* name) {
    const Json::Value value = TRY(Member(object, name));
    if (!value.isUInt64()) return Error() << "'" << name << "' is not a whole number";
    return value.asUInt64();
}

Result<milliseconds> Milliseconds(const Json::Value& object, const char* name) {
    const uint64_t count = TRY(Count(object, name));
    // The limit keeps the conversion to nanoseconds from overflowing.
    if (count > INT64_MAX / 1'000'000) return Error() << "'" << name << "' is too long a time";
    return milliseconds(count);
}

// {"N": 32, "bins": {"50944": 1, ...}}. fio leaves the bins out if nothing was counted.
Result<LatencyBins> ParseBins(const Json::Value& latency) {
    LatencyBins bins;
    const uint64_t count = TRY(Count(latency, "N"));
    if (count == 0) return bins;
    const Json::Value counts = TRY(Member(latency, "bins"));
    if (!counts.isObject()) return Error() << "'bins' is not an object";
    for (const std::string& name : counts.getMemberNames()) {
        uint64_t time = 0;
        if (!android::base::ParseUint(name, &time, uint64_t{INT64_MAX})) {
            return Error() << "a bin '" << name.substr(0, kQuoted) << "', not a time";
        }
        bins.Add(nanoseconds(time), TRY(Count(counts, name.c_str())));
    }
    if (bins.count() != count) {
        return Error() << "the bins have " << bins.count() << " I/Os, 'N' is " << count;
    }
    return bins;
}

Result<FioSide> ParseSide(const Json::Value& job, const char* name) {
    const Json::Value json = TRY(Member(job, name));
    FioSide side;
    side.bytes = TRY(Count(json, "io_bytes"));
    side.ios = TRY(Count(json, "total_ios"));
    side.runtime = TRY(Milliseconds(json, "runtime"));
    side.latency = TRY(ParseBins(TRY(Member(json, "clat_ns"))));
    return side;
}

Result<FioJob> ParseJob(const Json::Value& json) {
    FioJob job;
    const Json::Value error = TRY(Member(json, "error"));
    if (!error.isInt()) return Error() << "'error' is not a number";
    job.error = error.asInt();
    job.read = TRY(ParseSide(json, "read"));
    job.write = TRY(ParseSide(json, "write"));
    job.sync_latency = TRY(ParseBins(TRY(Member(TRY(Member(json, "sync")), "lat_ns"))));
    return job;
}

Result<FioJob> OnlyJob(const Json::Value& answer) {
    const Json::Value version = TRY(Member(answer, "fio version"));
    const Json::Value jobs = TRY(Member(answer, "jobs"));
    if (!version.isString()) return Error() << "'fio version' is not a text";
    if (!jobs.isArray() || jobs.size() != 1) return Error() << "there is not one job";
    TRY(CheckFioVersion(version.asString()));
    return ParseJob(jobs[0]);
}

constexpr size_t kComplaint = 300;
constexpr int kTrials = 3;

// fio's error message: from standard error, else from standard output.
std::string Complaint(const ChildAnswer& answer) {
    std::string text = InOneLine(answer.err, kComplaint);
    if (text.empty() && answer.out.find('{') == std::string::npos) {
        text = InOneLine(answer.out, kComplaint);
    }
    return text.empty() ? "" : ": " + text;
}

}  // namespace

Result<FioJob> ParseFioResult(const std::string& text) {
    const size_t begin = text.find('{');
    const std::string said = InOneLine(text.substr(0, begin), kQuoted);
    if (begin == std::string::npos) {
        return Error() << "fio's answer is not JSON" << (said.empty() ? "" : " but '" + said + "'");
    }
    Result<Json::Value> answer = ParseJsonObject(text.substr(begin), kLimits);
    if (!answer.ok()) return Error() << "fio's answer: " << answer.error().message();
    Result<FioJob> job = OnlyJob(*answer);
    if (!job.ok()) return Error() << "fio's answer: " << job.error().message();
    job->said = said;
    return job;
}

Result<std::string> CheckFioVersion(const std::string& text) {
    std::string version = android::base::Trim(text);
    unsigned minor = 0;
    const std::string digits = version.starts_with("fio-3.")
                                       ? version.substr(6, version.find_first_of(".-", 6) - 6)
                                       : "";
    if (!android::base::ParseUint(digits, &minor)) {
        return Error() << "fio says that it is '"
                       << version.substr(0, std::min(kQuoted, version.find('\n')))
                       << "'; this needs fio 3 (fio-3.x)";
    }
    return version;
}

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

Result<FioJob> FioRunner::Run(const BenchJob& job, const std::string& folder) const {
    std::vector<std::string> arguments = FioArguments(job);
    arguments.insert(arguments.begin(), program_);
    const ChildAnswer answer = TRY(RunChild(arguments, folder, stop_fd_));
    if (WIFSIGNALED(answer.status)) {
        return Error(ECHILD) << "fio was " << answer.Ending() << Complaint(answer);
    }
    // The JSON reports a job that failed, with its errno.
    Result<FioJob> done = ParseFioResult(answer.out);
    if (done.ok() && (answer.ok() || done->error != 0)) return done;
    if (!answer.ok()) return Error(EIO) << "fio: " << answer.Ending() << Complaint(answer);
    return Error(EPROTO) << done.error().message();
}

Result<nanoseconds> FioRunner::Overhead(const std::string& folder) const {
    const BenchJob idle = {.name = "overhead",
                           .options = {{"ioengine", "null"},
                                       {"size", "1g"},
                                       {"bs", "4k"},
                                       {"rw", "read"},
                                       {"thread", "1"},
                                       {"number_ios", "16"}}};
    nanoseconds least = nanoseconds::max();
    for (int trial = 0; trial < kTrials; ++trial) {
        const nanoseconds begin = ReadClock(CLOCK_MONOTONIC_RAW);
        const FioJob job = TRY(Run(idle, folder));
        if (job.error != 0) return Error(job.error) << "fio's first error, without any I/O";
        least = std::min(least, ReadClock(CLOCK_MONOTONIC_RAW) - begin - job.runtime());
    }
    return std::max(least, nanoseconds(0));
}

}  // namespace storekeeper
