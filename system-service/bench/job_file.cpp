// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "bench/job_file.h"

#include <android-base/strings.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "base/try.h"
#include "bench/options.h"

namespace storekeeper {
namespace {

using android::base::Error;
using android::base::Result;
using Options = std::map<std::string, std::string>;

constexpr size_t kMaxJobs = 64;
constexpr size_t kMaxName = 40;
constexpr size_t kMaxValue = 64;
constexpr size_t kQuoted = 60;

// Permitted options of fio(1). numjobs is not among them: the latencies of several jobs would
// include waiting for each other.
constexpr std::array kOptions = {
        "bs",
        "buffer_compress_percentage",
        "dedupe_percentage",
        "direct",
        "end_fsync",
        "fallocate",
        "fdatasync",
        "filename",
        "fsync",
        "invalidate",
        "io_size",
        "iodepth",
        "ioengine",
        "norandommap",
        "number_ios",
        "overwrite",
        "randrepeat",
        "randseed",
        "random_generator",
        "refill_buffers",
        "runtime",
        "rw",
        "size",
        "thinktime",
        "thread",
        "time_based",
        "zero_buffers",
};
// Engines that do I/O by system calls, not by another library, network or memory.
constexpr std::array kEngines = {"psync", "pvsync", "sync", "libaio", "io_uring"};
constexpr std::array kDirections = {"read", "write", "randread", "randwrite"};

template <typename List>
bool IsOneOf(const List& list, const std::string& word) {
    return std::any_of(list.begin(), list.end(), [&](const char* one) { return word == one; });
}

// True for letters, digits, '_', '.' and '-': none that an expression, a path, a variable or a
// shell needs.
bool IsPlain(const std::string& text, size_t max) {
    return !text.empty() && text.size() <= max && text.front() != '-' &&
           std::all_of(text.begin(), text.end(), [](unsigned char c) {
               return (c < 0x80 && isalnum(c) != 0) || c == '_' || c == '.' || c == '-';
           });
}

Result<void> CheckOption(const std::string& name, const std::string& value) {
    if (!IsOneOf(kOptions, name)) {
        return Error() << "'" << name.substr(0, kQuoted)
                       << "' is not an option that a job may have";
    }
    if (!IsPlain(value, kMaxValue)) {
        return Error() << "'" << value.substr(0, kQuoted) << "' is not a value for " << name;
    }
    if (name == "filename" && value != kBenchDataName) {
        return Error() << "filename must be " << kBenchDataName;
    }
    if (name == "ioengine" && !IsOneOf(kEngines, value)) {
        return Error() << "ioengine '" << value << "' is none of those a job may have";
    }
    if (name == "rw" && !IsOneOf(kDirections, value)) {
        return Error() << "rw '" << value << "' is none of read, write, randread, randwrite";
    }
    return {};
}

class Parser {
  public:
    Result<void> Line(const std::string& line) {
        if (line.empty() || line[0] == '#' || line[0] == ';') return {};
        return line[0] == '[' ? Section(line) : Option(line);
    }

    std::vector<BenchJob> Jobs() && { return std::move(jobs_); }

  private:
    Result<void> Section(const std::string& line) {
        if (line.back() != ']') return Error() << "a section that does not end in ]";
        const std::string name = line.substr(1, line.size() - 2);
        if (!IsPlain(name, kMaxName)) {
            return Error() << "'" << name.substr(0, kQuoted) << "' is not a name for a job";
        }
        const bool is_first = !std::exchange(begun_, true);
        if (name == "global" && is_first) return {};
        if (name == "global") return Error() << "[global] must be the first section";
        if (name == kCopyName) return Error() << "'" << name << "' is what the copy is called";
        if (std::any_of(jobs_.begin(), jobs_.end(),
                        [&](const BenchJob& job) { return job.name == name; })) {
            return Error() << "a second job '" << name << "'";
        }
        if (jobs_.size() == kMaxJobs) return Error() << "more than " << kMaxJobs << " jobs";
        jobs_.push_back({.name = name, .options = global_});
        return {};
    }

    Result<void> Option(const std::string& line) {
        if (!begun_) return Error() << "an option before the first section";
        const size_t equals = std::min(line.find('='), line.size());
        const std::string name = android::base::Trim(line.substr(0, equals));
        // fio takes an option without a value as on.
        const std::string value =
                equals == line.size() ? "1" : android::base::Trim(line.substr(equals + 1));
        TRY(CheckOption(name, value));
        (jobs_.empty() ? global_ : jobs_.back().options)[name] = value;
        return {};
    }

    bool begun_ = false;
    Options global_;
    std::vector<BenchJob> jobs_;
};

Result<void> CheckJob(BenchJob* job) {
    for (const char* needed : {"filename", "rw", "bs", "size", "ioengine"}) {
        if (job->options.count(needed) == 0) {
            return Error() << "job '" << job->name << "' has no " << needed;
        }
    }
    if (job->Get("thread") != "1") return Error() << "job '" << job->name << "' needs thread=1";
    const Result<uint64_t> size = ParseBenchSize(job->Get("size"));
    if (!size.ok()) {
        return Error() << "job '" << job->name << "': size: " << size.error().message();
    }
    job->size_bytes = *size;
    return {};
}

}  // namespace

std::string BenchJob::Get(const std::string& option) const {
    const auto found = options.find(option);
    return found == options.end() ? "" : found->second;
}

bool BenchJob::IsOn(const std::string& option) const {
    const std::string value = Get(option);
    return !value.empty() && value != "0";
}

Result<std::vector<BenchJob>> ParseJobFile(const std::string& text) {
    if (text.size() > kMaxJobFile) {
        return Error() << "it is longer than " << kMaxJobFile << " bytes";
    }
    Parser parser;
    size_t number = 0;
    for (const std::string& line : android::base::Split(text, "\n")) {
        ++number;
        Result<void> read = parser.Line(android::base::Trim(line));
        if (!read.ok()) return Error() << "line " << number << ": " << read.error().message();
    }
    std::vector<BenchJob> jobs = std::move(parser).Jobs();
    if (jobs.empty()) return Error() << "it has no job";
    for (BenchJob& job : jobs) TRY(CheckJob(&job));
    return jobs;
}

std::vector<std::string> FioArguments(const BenchJob& job) {
    std::vector<std::string> arguments = {"--output-format=json+", "--eta=never",
                                          "--name=" + job.name};
    for (const auto& [name, value] : job.options) {
        std::string argument = "--";
        arguments.push_back(argument.append(name).append("=").append(value));
    }
    return arguments;
}

}  // namespace storekeeper
