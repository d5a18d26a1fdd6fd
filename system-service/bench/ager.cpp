// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "bench/ager.h"

#include <android-base/stringprintf.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>

#include <algorithm>

#include "base/json_text.h"
#include "base/pages.h"
#include "base/split_mix.h"
#include "base/try.h"
#include "bench/bench_result.h"
#include "bench/device_reader.h"
#include "bench/statistics.h"

namespace storekeeper {
namespace {

using android::base::borrowed_fd;
using android::base::Error;
using android::base::Result;
using android::base::StringAppendF;
using android::base::StringPrintf;
using android::base::unique_fd;
using std::chrono::nanoseconds;

constexpr size_t kRequest = 256 * 1024;
constexpr uint64_t kMib = 1024 * 1024;
// Below the 4 GiB limit of FAT, and large enough that the files are few and quickly removed.
constexpr uint64_t kFillFile = 64 * kMib;
// Share of the data that a file system may need for metadata; f2fs needs a node for 1018 blocks.
constexpr uint64_t kMetadataShare = 64;
constexpr uint64_t kMinMetadata = 64 * 1024;
constexpr char kChurnName[] = "churn";
constexpr unsigned kSamples = 20;
// Pages written to find out whether O_DIRECT reaches the disk. Other processes write less than half
// of them in that time.
constexpr unsigned kTrials = 64;

// Number of writes at which the nth sample ends. If there are fewer writes than samples, each write
// is a sample.
uint64_t SampleEnd(uint64_t number, uint64_t churn) {
    return std::max(number, churn / kSamples * number + churn % kSamples * number / kSamples);
}

// Absent if no rate could be measured.
std::optional<double> RateIfMeasured(double rate) {
    return rate > 0 ? std::optional(rate) : std::nullopt;
}

std::optional<double> FillRate(const AgeOutcome& outcome) {
    return RateIfMeasured(PerSecond(Megabytes(outcome.filled_bytes), outcome.fill_time));
}

// All samples merged into one.
AgeSample ChurnOf(const AgeOutcome& outcome) {
    AgeSample all = {.writes = outcome.churned,
                     .iops = PerSecond(static_cast<double>(outcome.churned), outcome.churn_time)};
    for (const AgeSample& sample : outcome.samples) all.latency.Merge(sample.latency);
    return all;
}

Json::Value SampleToJson(const AgeSample& sample) {
    Json::Value json;
    json["writes"] = Json::UInt64{sample.writes};
    json["iops"] = OrNull(RateIfMeasured(sample.iops));
    for (const auto& [name, percent] : {std::pair{"p50_ms", 50}, {"p90_ms", 90}, {"p99_ms", 99}}) {
        json[name] = OrNull(PercentileMs(sample.latency, percent));
    }
    return json;
}

void AppendSample(const AgeSample& sample, std::string* text) {
    const auto time = [&sample](double percent) {
        return NumberText(PercentileMs(sample.latency, percent), "%.3f");
    };
    StringAppendF(text, "%10.0f writes %9s IOPS   p50 %s  p90 %s  p99 %s ms\n",
                  static_cast<double>(sample.writes),
                  NumberText(RateIfMeasured(sample.iops), "%.1f").c_str(), time(50).c_str(),
                  time(90).c_str(), time(99).c_str());
}

class Ager {
  public:
    Ager(Syscalls& syscalls, const Clock& clock, const std::string& folder, const AgeTools& tools,
         const AgePlan& plan)
          : syscalls_(syscalls),
            clock_(clock),
            folder_(folder),
            tools_(tools),
            plan_(plan),
            random_(Mixed(static_cast<uint64_t>(clock.SinceBoot().count()))) {}

    Result<AgeOutcome> Run(const std::map<std::string, uint64_t>& files) {
        AgeOutcome outcome;
        for (const auto& [name, bytes] : files) outcome.found_bytes += bytes;
        const auto churn = files.find(kChurnName);
        TRY(Fill(files, &outcome));
        if (plan_.churn > 0 && !tools_.stop()) {
            TRY(Churn(churn == files.end() ? 0 : churn->second, &outcome));
        }
        outcome.free_bytes = TRY(FreeBytes(syscalls_, folder_));
        outcome.direct = direct_;
        outcome.stopped = tools_.stop();
        return outcome;
    }

  private:
    void NewData() {
        for (size_t at = 0; at < kRequest; at += sizeof(uint64_t)) {
            const uint64_t value = Mixed(random_ += kSplitMixStep);
            memcpy(data_ + at, &value, sizeof(value));
        }
    }

    // Bytes that can be written in one step so that `leave` bytes stay free.
    Result<uint64_t> WritableBytes(uint64_t leave) {
        const uint64_t free = TRY(FreeBytes(syscalls_, folder_));
        const uint64_t over = free > leave ? free - leave : 0;
        const uint64_t metadata = std::max(over / kMetadataShare, kMinMetadata);
        return over > metadata
                       ? std::min(kFillFile, over - metadata) / plan_.page_bytes * plan_.page_bytes
                       : 0;
    }

    // Opens past the page cache. If that is impossible or has no effect, each write is synced.
    Result<unique_fd> OpenFile(const std::string& path) {
        constexpr int kFlags = O_RDWR | O_CREAT | O_NOFOLLOW;
        if (direct_) {
            Result<unique_fd> fd = syscalls_.Open(path, kFlags | O_DIRECT);
            if (fd.ok() || fd.error().code() != EINVAL) return fd;
            direct_ = false;
        }
        return syscalls_.Open(path, kFlags | O_DSYNC);
    }

    Result<void> WriteAll(borrowed_fd fd, size_t bytes, off_t offset) {
        const size_t written = TRY(syscalls_.Pwrite(fd, data_, bytes, offset));
        // A short write is the last one before ENOSPC. With O_DIRECT it can end in the middle of a
        // page.
        if (written != bytes) {
            return Error(ENOSPC) << "only " << written << " of " << bytes << " bytes were written";
        }
        return {};
    }

    // A sync can take a minute on a card, so a stop skips it.
    Result<void> Sync(borrowed_fd fd) {
        if (tools_.stop()) return {};
        return syscalls_.Fdatasync(fd);
    }

    // Writes a file from `from` to `to`; returns the offset that was reached.
    Result<uint64_t> Extend(const std::string& name, uint64_t from, uint64_t to) {
        const unique_fd fd = TRY(OpenFile(tools_.path(name)));
        uint64_t at = from;
        while (at < to && !tools_.stop()) {
            NewData();
            const auto bytes = static_cast<size_t>(std::min<uint64_t>(kRequest, to - at));
            TRY(WriteAll(fd, bytes, static_cast<off_t>(at)));
            at += bytes;
        }
        TRY(Sync(fd));
        return at;
    }

    Result<void> Fill(std::map<std::string, uint64_t> files, AgeOutcome* outcome) {
        const uint64_t goal = std::max(plan_.until_free_bytes, AgeReserve(plan_.until_free_bytes));
        const nanoseconds begin = clock_.SinceBoot();
        for (unsigned number = 1; !tools_.stop();) {
            const std::string name = StringPrintf("fill-%06u", number);
            uint64_t& length = files[name];
            const uint64_t from = length / plan_.page_bytes * plan_.page_bytes;
            if (from >= kFillFile) {
                ++number;
                continue;
            }
            const uint64_t room = TRY(WritableBytes(goal));
            if (room == 0) break;
            const uint64_t free = TRY(FreeBytes(syscalls_, folder_));
            tools_.progress("filling: " + std::to_string(free / kMib) + " MiB free");
            length = TRY(Extend(name, from, std::min(kFillFile, from + room)));
            outcome->filled_bytes += length - from;
        }
        outcome->fill_time = clock_.SinceBoot() - begin;
        return {};
    }

    Result<void> Churn(uint64_t found, AgeOutcome* outcome) {
        const uint64_t reserve = AgeReserve(plan_.until_free_bytes);
        uint64_t room = TRY(WritableBytes(reserve));
        uint64_t bytes = found / plan_.page_bytes * plan_.page_bytes;
        if (bytes + room < kMib) {
            return Error(ENOSPC) << folder_ << " has " << TRY(FreeBytes(syscalls_, folder_))
                                 << " bytes free, which leaves no "
                                 << "room for random writes beside the reserve of " << reserve;
        }
        while (room > 0 && !tools_.stop()) {
            bytes = TRY(Extend(kChurnName, bytes, bytes + room));
            room = TRY(WritableBytes(reserve));
        }
        outcome->churn_bytes = bytes;
        if (tools_.stop()) return {};
        return WriteAtRandom(outcome);
    }

    // Writes new data into one of `pages` pages at random.
    Result<void> WriteAPage(borrowed_fd fd, uint64_t pages) {
        // The first page of the buffer gets a new beginning each time; the buffer is refilled
        // regularly.
        if (written_++ % (kRequest / plan_.page_bytes) == 0) NewData();
        random_ += kSplitMixStep;
        memcpy(data_, &random_, sizeof(random_));
        const uint64_t page = Mixed(random_) % pages;
        return WriteAll(fd, plan_.page_bytes, static_cast<off_t>(page * plan_.page_bytes));
    }

    // Opens the file for the random writes, after finding out whether O_DIRECT reaches the disk. If
    // it does not, each write is synced.
    Result<unique_fd> OpenForRandom(uint64_t pages) {
        const std::string path = tools_.path(kChurnName);
        unique_fd fd = TRY(OpenFile(path));
        const std::optional<uint64_t> before = tools_.disk_written();
        if (!direct_ || !before.has_value()) return fd;
        for (unsigned i = 0; i < kTrials && !tools_.stop(); ++i) TRY(WriteAPage(fd, pages));
        const uint64_t after = tools_.disk_written().value_or(UINT64_MAX);
        const uint64_t enough = kTrials * plan_.page_bytes / 2;
        if (tools_.stop() || after < *before || after - *before >= enough) return fd;
        direct_ = false;
        return OpenFile(path);
    }

    Result<void> WriteAtRandom(AgeOutcome* outcome) {
        const uint64_t pages = outcome->churn_bytes / plan_.page_bytes;
        const unique_fd fd = TRY(OpenForRandom(pages));
        const nanoseconds begin = clock_.SinceBoot();
        nanoseconds sample_begin = begin;
        AgeSample sample;
        const auto end_sample = [&] {
            const nanoseconds now = clock_.SinceBoot();
            sample.writes = outcome->churned;
            sample.iops =
                    PerSecond(static_cast<double>(sample.latency.count()), now - sample_begin);
            tools_.progress(std::to_string(sample.writes) + " of " + std::to_string(plan_.churn) +
                            StringPrintf(" random writes, %.0f a second", sample.iops));
            outcome->samples.push_back(std::exchange(sample, {}));
            sample_begin = now;
        };
        while (outcome->churned < plan_.churn && !tools_.stop()) {
            const nanoseconds before = clock_.Monotonic();
            TRY(WriteAPage(fd, pages));
            sample.latency.Add(clock_.Monotonic() - before);
            ++outcome->churned;
            const size_t samples = outcome->samples.size();
            if (outcome->churned >= SampleEnd(samples + 1, plan_.churn)) end_sample();
        }
        if (sample.latency.count() > 0) end_sample();
        TRY(Sync(fd));
        outcome->churn_time = clock_.SinceBoot() - begin;
        return {};
    }

    Syscalls& syscalls_;
    const Clock& clock_;
    const std::string& folder_;
    const AgeTools& tools_;
    const AgePlan& plan_;
    const AlignedPages memory_ = AllocatePages(kRequest);
    uint8_t* const data_ = memory_[0].data();
    bool direct_ = true;
    uint64_t random_;
    uint64_t written_ = 0;  // number of pages written at random
};

}  // namespace

uint64_t AgeReserve(uint64_t until_free_bytes) {
    return std::clamp(until_free_bytes / 8, kMib, 16 * kMib);
}

Result<AgeOutcome> AgeFileSystem(Syscalls& syscalls, const Clock& clock, const std::string& folder,
                                 const AgeTools& tools, const AgePlan& plan,
                                 const std::map<std::string, uint64_t>& files) {
    return Ager(syscalls, clock, folder, tools, plan).Run(files);
}

Json::Value AgeToJson(const AgeOutcome& outcome, const std::string& folder, bool kept) {
    Json::Value json;
    json["schema"] = "storekeeper.bench_age";
    json["version"] = 1;
    json["folder"] = folder;
    json["kept"] = kept;
    json["direct"] = outcome.direct;
    json["stopped"] = outcome.stopped;
    json["free_bytes"] = Json::UInt64{outcome.free_bytes};
    json["found_bytes"] = Json::UInt64{outcome.found_bytes};
    json["filled_bytes"] = Json::UInt64{outcome.filled_bytes};
    json["fill_mb_per_s"] = OrNull(FillRate(outcome));
    json["churn_bytes"] = Json::UInt64{outcome.churn_bytes};
    json["samples"] = ArrayOf(outcome.samples, SampleToJson);
    json["churn"] = SampleToJson(ChurnOf(outcome));
    return json;
}

std::string AgeToText(const AgeOutcome& outcome, const std::string& folder, bool kept) {
    std::string text = StringPrintf(
            "%s: %.1f MB written at %s MB/s, %.1f MB found, %.1f MB were free "
            "then; its files %s\n",
            folder.c_str(), Megabytes(outcome.filled_bytes),
            NumberText(FillRate(outcome), "%.2f").c_str(), Megabytes(outcome.found_bytes),
            Megabytes(outcome.free_bytes), kept ? "stay" : "are removed");
    if (!outcome.direct) text += "no O_DIRECT here: each write was synced instead\n";
    for (const AgeSample& sample : outcome.samples) AppendSample(sample, &text);
    if (outcome.churned > 0) {
        text += "in all\n";
        AppendSample(ChurnOf(outcome), &text);
    }
    return text;
}

}  // namespace storekeeper
