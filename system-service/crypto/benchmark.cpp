// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "crypto/benchmark.h"

#include <errno.h>
#include <fcntl.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "base/pages.h"
#include "base/try.h"

namespace storekeeper {
namespace {

using android::base::Error;
using android::base::Result;
using android::base::unique_fd;
using std::chrono::nanoseconds;

// Least share of a request's time that must remain without the cost of the calls.
constexpr double kMinRest = 0.1;
// More threads than processors would only queue.
constexpr unsigned kMaxThreads = 64;
constexpr uint64_t kMaxRequests = 1 << 20;
// After this many requests a clock has moved, or it never will.
constexpr uint64_t kMaxToTry = 1 << 12;

// Student's t, two-sided 95 %, by degrees of freedom from 1 on. Above 15 the value of 15 is used,
// which is up to 9 % too large: the interval is rather too wide.
double StudentsT(size_t freedom) {
    constexpr double kT[] = {12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306,
                             2.262,  2.228, 2.201, 2.179, 2.160, 2.145, 2.131};
    return kT[std::min(freedom, std::size(kT)) - 1];
}

std::vector<unsigned> ThreadsOf(const BenchmarkPlan& plan, unsigned processors) {
    std::set<unsigned> threads;
    for (unsigned count : plan.threads) {
        threads.insert(std::min(count == 0 ? processors : count, kMaxThreads));
    }
    return {threads.begin(), threads.end()};
}

Result<void> Work(CipherSession& session, bool encrypt, uint64_t requests, uint8_t* data,
                  size_t size) {
    CipherIv iv{};
    for (uint64_t i = 0; i < requests; ++i) {
        iv[0] = static_cast<uint8_t>(i);
        TRY(session.Crypt(encrypt, iv, data, size));
    }
    return {};
}

// `bytes` in `ns` nanoseconds, as 10^6 bytes a second.
double Mbps(size_t bytes, double ns) {
    return static_cast<double>(bytes) * 1e3 / ns;
}

std::optional<Estimate> Net(const std::vector<double>& gross, size_t unit,
                            const std::vector<double>& null_rounds) {
    if (null_rounds.empty()) return std::nullopt;
    const double cost = EstimateOf(null_rounds).mean;
    std::vector<double> net;
    for (double ns : gross) {
        if (ns - cost < ns * kMinRest) return std::nullopt;
        net.push_back(Mbps(unit, ns - cost));
    }
    return EstimateOf(net);
}

// One load: a driver, or the null cipher, in requests of one size.
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
    std::vector<double> ns_per_request;  // one value a round
    double cpu_percent = 0;
};

// Time of one round, in which each thread makes `requests` requests.
Result<nanoseconds> OneRound(CipherCalls& calls, const Task& task, uint64_t requests) {
    struct Lane {
        CipherSession session;
        AlignedPages pages;
        Result<void> done = {};
    };
    std::vector<Lane> lanes;
    for (unsigned i = 0; i < task.threads; ++i) {
        const SecretBytes key = TRY(SecretBytes::Random(calls, task.key_bytes));
        lanes.push_back({TRY(CipherSession::Open(calls, task.driver, key, task.iv)),
                         // Kernels before 4.14 take 16 pages at a time, of aligned memory.
                         AllocatePages(task.unit_bytes)});
        TRY(calls.Random(lanes.back().pages[0].data(), task.unit_bytes));
    }
    const auto work = [&](Lane* lane) {
        lane->done =
                Work(lane->session, task.encrypt, requests, lane->pages[0].data(), task.unit_bytes);
    };
    const nanoseconds start = calls.Raw();
    {
        std::vector<Thread> threads;
        for (size_t i = 1; i < lanes.size(); ++i) {
            threads.push_back(TRY(
                    Thread::Start([&work, lane = &lanes[i]] { work(lane); }, task.stack_bytes)));
        }
        work(&lanes[0]);
    }
    const nanoseconds time = calls.Raw() - start;
    for (const Lane& lane : lanes) TRY(Result<void>(lane.done));
    return time;
}

Result<Rounds> MeasureTask(CipherCalls& calls, const Task& task, const BenchmarkPlan& plan) {
    // Finds the number of requests in a round: doubles it until they take a quarter of one, then
    // scales it in proportion.
    uint64_t requests = 4;
    nanoseconds time = TRY(OneRound(calls, task, requests));
    while (time < plan.round / 4 && requests < kMaxToTry) {
        requests *= 2;
        time = TRY(OneRound(calls, task, requests));
    }
    if (time.count() <= 0) return Error() << task.driver << ": no time passes while it works";
    const double scale =
            static_cast<double>(plan.round.count()) / static_cast<double>(time.count());
    requests = std::clamp<uint64_t>(static_cast<uint64_t>(static_cast<double>(requests) * scale), 1,
                                    kMaxRequests);
    Rounds rounds;
    const nanoseconds cpu = calls.ProcessCpu();
    double all = 0;
    for (unsigned i = 0; i < plan.rounds; ++i) {
        const auto ns = static_cast<double>(TRY(OneRound(calls, task, requests)).count());
        all += ns;
        rounds.ns_per_request.push_back(ns / static_cast<double>(requests * task.threads));
    }
    rounds.cpu_percent = 100.0 * static_cast<double>((calls.ProcessCpu() - cpu).count()) / all;
    return rounds;
}

constexpr off_t kFileBytes = 1 << 20;
constexpr int kFileRounds = 8;
// O_NONBLOCK: a fifo in place of the file must not block the caller.
constexpr int kFlags = O_DIRECT | O_NOFOLLOW | O_NONBLOCK;

// Transfers the whole file once. Written data has reached the disk on return.
Result<void> Transfer(Syscalls& syscalls, const unique_fd& fd, const AlignedPages& pages,
                      const std::string& path, bool write) {
    uint8_t* data = pages[0].data();
    // Without inlinecrypt an encrypted file is read through the page cache despite O_DIRECT
    // (Documentation/filesystems/fscrypt.rst, "Direct I/O support").
    if (!write) TRY(syscalls.DropCache(fd));
    for (off_t at = 0; at < kFileBytes; at += kFileSpeedUnit) {
        const size_t count = TRY(write ? syscalls.Pwrite(fd, data, kFileSpeedUnit, at)
                                       : syscalls.Pread(fd, data, kFileSpeedUnit, at));
        if (count != kFileSpeedUnit) return Error(EIO) << path << " is shorter than it should be";
    }
    return write ? syscalls.Fdatasync(fd) : Result<void>();
}

}  // namespace

Estimate EstimateOf(const std::vector<double>& values) {
    Estimate estimate{.n = static_cast<unsigned>(values.size())};
    for (double value : values) estimate.mean += value / static_cast<double>(values.size());
    double squares = 0;
    for (double value : values) squares += (value - estimate.mean) * (value - estimate.mean);
    double half = 0;
    if (values.size() > 1) {
        const auto n = static_cast<double>(values.size());
        half = StudentsT(values.size() - 1) * std::sqrt(squares / (n - 1) / n);
    }
    estimate.lower = std::max(0.0, estimate.mean - half);
    estimate.upper = estimate.mean + half;
    return estimate;
}

Result<CipherFigures> MeasureCiphers(CipherCalls& calls, const std::vector<std::string>& drivers,
                                     const BenchmarkPlan& plan) {
    if (plan.rounds == 0) return Error() << "a benchmark of no rounds";
    CipherFigures answer;
    const bool with_null = calls.Bind(kNullCipher).ok();
    if (!with_null)
        answer.note = "without the null cipher: the cost of the calls is in all figures";
    for (size_t unit : plan.units) {
        for (unsigned threads : ThreadsOf(plan, calls.Processors())) {
            for (bool encrypt : {true, false}) {
                Task task{.unit_bytes = unit,
                          .threads = threads,
                          .encrypt = encrypt,
                          .stack_bytes = plan.stack_bytes};
                std::vector<double> null_rounds;
                if (with_null) {
                    task.driver = kNullCipher;
                    task.iv = CipherSession::Iv::kNone;
                    null_rounds = TRY(MeasureTask(calls, task, plan)).ns_per_request;
                }
                for (const std::string& driver : drivers) {
                    task.driver = driver;
                    task.iv = CipherSession::Iv::kBlock;
                    task.key_bytes = plan.key_bytes;
                    const Rounds rounds = TRY(MeasureTask(calls, task, plan));
                    std::vector<double> gross;
                    for (double ns : rounds.ns_per_request) gross.push_back(Mbps(unit, ns));
                    answer.figures.push_back(
                            {.driver = driver,
                             .unit_bytes = unit,
                             .threads = threads,
                             .encrypt = encrypt,
                             .gross_mbps = EstimateOf(gross),
                             .net_mbps = Net(rounds.ns_per_request, unit, null_rounds),
                             .cpu_percent = rounds.cpu_percent});
                }
            }
        }
    }
    return answer;
}

Result<FileSpeed> MeasureFileSpeed(Syscalls& syscalls, CipherCalls& calls,
                                   const std::string& path) {
    const unique_fd fd = TRY(syscalls.Open(path, O_RDWR | O_CREAT | kFlags));
    const AlignedPages pages = AllocatePages(kFileSpeedUnit);
    TRY(calls.Random(pages[0].data(), kFileSpeedUnit));
    std::vector<double> write;
    std::vector<double> read;
    nanoseconds all{0};
    const nanoseconds cpu = calls.ProcessCpu();
    for (int round = 0; round < kFileRounds; ++round) {
        for (bool writing : {true, false}) {
            const nanoseconds start = calls.Raw();
            TRY(Transfer(syscalls, fd, pages, path, writing));
            const nanoseconds time = calls.Raw() - start;
            if (time.count() <= 0) return Error() << "no time passes while " << path << " is used";
            all += time;
            (writing ? write : read).push_back(Mbps(kFileBytes, static_cast<double>(time.count())));
        }
    }
    return FileSpeed{.write_mbps = EstimateOf(write),
                     .read_mbps = EstimateOf(read),
                     .cpu_percent = 100.0 *
                                    static_cast<double>((calls.ProcessCpu() - cpu).count()) /
                                    static_cast<double>(all.count())};
}

Result<void> ReadSpeedFile(Syscalls& syscalls, const std::string& path) {
    const unique_fd fd = TRY(syscalls.Open(path, O_RDONLY | kFlags));
    return Transfer(syscalls, fd, AllocatePages(kFileSpeedUnit), path, false);
}

}  // namespace storekeeper
