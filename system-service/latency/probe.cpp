// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "latency/probe.h"

#include <fcntl.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "base/file_reader.h"
#include "base/try.h"

namespace storekeeper {
namespace {

using android::base::borrowed_fd;
using android::base::Error;
using android::base::Result;
using android::base::unique_fd;
using std::chrono::nanoseconds;

constexpr uint32_t kPageBytes = 4096;
constexpr uint32_t kPageKib = kPageBytes / 1024;
// The first one holds the budget.
constexpr uint32_t kPages = 32;
// Time without I/O is noted in such steps where the budget is used up, for the next boot to know.
constexpr std::chrono::hours kWorthANote(6);

LatencySample SampleOf(IoKind kind, const std::vector<nanoseconds>& times) {
    LatencySample sample = {.source = LatencySource::kProbe, .kind = kind, .count = times.size()};
    for (const nanoseconds time : times) {
        sample.total += time;
        sample.histogram.Add(time);
    }
    return sample;
}

}  // namespace

// O_DIRECT asks for memory that begins where a logical block of the device could.
struct alignas(kPageBytes) Probe::Page {
    std::array<uint8_t, kPageBytes> bytes = {};
};

struct Probe::Times {
    std::vector<nanoseconds> reads;
    std::vector<nanoseconds> writes;
    std::vector<nanoseconds> flushes;
};

Probe::Probe(Syscalls& syscalls, const FileReader& files, const Clock& clock, ProbeConfig config)
      : syscalls_(syscalls),
        files_(files),
        clock_(clock),
        config_(std::move(config)),
        random_(static_cast<uint32_t>(clock.SinceBoot().count()) | 1) {}

// xorshift32: places to read and bytes that no card can compress; nothing secret.
uint32_t Probe::Random() {
    random_ ^= random_ << 13;
    random_ ^= random_ >> 17;
    random_ ^= random_ << 5;
    return random_;
}

Result<unique_fd> Probe::OpenFile() {
    Result<unique_fd> file = syscalls_.Open(config_.path, O_RDWR | O_CREAT | O_DIRECT | O_NOFOLLOW);
    if (!file.ok() && file.error().code() == EINVAL) {
        return Error() << file.error() << ": its file system knows no O_DIRECT (tmpfs, FUSE and "
                       << "others), and the page cache cannot be measured";
    }
    return file;
}

Result<ProbeBudget> Probe::ReadBudget(borrowed_fd file, const std::string& boot_id) {
    auto page = std::make_unique<Page>();
    Result<size_t> count = syscalls_.Pread(file, page->bytes.data(), kPageBytes, 0);
    if (!count.ok()) return Error() << config_.path << ": " << count.error();
    ProbeBudget fresh = {.noted = clock_.SinceBoot(), .boot_id = boot_id};
    if (*count == 0) return fresh;
    Result<ProbeBudget> budget = ProbeBudget::Decode(
            std::string_view(reinterpret_cast<const char*>(page->bytes.data()), *count));
    if (budget.ok()) {
        budget->filled_pages = std::min(budget->filled_pages, kPages - 1);
        return budget;
    }
    // Somebody else's, or torn: as if all had been used just now.
    fresh.used_kib = ProbeConfig::kMaxKibPerDay;
    TRY(WriteBudget(file, fresh));
    return fresh;
}

Result<void> Probe::WriteBudget(borrowed_fd file, const ProbeBudget& budget) {
    auto page = std::make_unique<Page>();
    const std::string text = budget.Encode();
    memcpy(page->bytes.data(), text.data(), std::min<size_t>(text.size(), kPageBytes));
    Result<size_t> count = syscalls_.Pwrite(file, page->bytes.data(), kPageBytes, 0);
    if (!count.ok()) return Error() << config_.path << ": " << count.error();
    if (*count != kPageBytes) return Error() << config_.path << ": the storage is full";
    return syscalls_.Fdatasync(file);
}

Result<void> Probe::WritePage(borrowed_fd file, uint32_t number) {
    auto page = std::make_unique<Page>();
    for (uint8_t& byte : page->bytes) byte = static_cast<uint8_t>(Random());
    Result<size_t> count = syscalls_.Pwrite(file, page->bytes.data(), kPageBytes,
                                            static_cast<off_t>(number) * kPageBytes);
    if (!count.ok()) return Error() << config_.path << ": " << count.error();
    if (*count != kPageBytes) return Error() << config_.path << ": the storage is full";
    return {};
}

// What was never written has no place on the card that could be read.
Result<void> Probe::Fill(borrowed_fd file, const StopSignal& stop, ProbeBudget* budget) {
    const uint32_t left = budget->LeftOf(config_.kib_per_day) / kPageKib;
    // Two notes, one before and one after.
    if (left < 3) return {};
    const uint32_t missing = kPages - 1 - budget->filled_pages;
    const uint32_t pages = std::min({left - 2, missing, config_.fill_pages});
    // What is still missing waits for another day.
    budget->used_kib =
            pages < missing ? config_.kib_per_day : budget->used_kib + (pages + 2) * kPageKib;
    budget->idle = {};
    TRY(WriteBudget(file, *budget));
    for (uint32_t i = 0; i < pages && !stop.raised(); ++i) {
        TRY(WritePage(file, 1 + budget->filled_pages));
        ++budget->filled_pages;
    }
    TRY(syscalls_.Fdatasync(file));
    return WriteBudget(file, *budget);
}

Result<void> Probe::ReadOne(borrowed_fd file, Times* times) {
    auto page = std::make_unique<Page>();
    const uint32_t number = 1 + Random() % (kPages - 1);
    const nanoseconds began = clock_.Monotonic();
    Result<size_t> count = syscalls_.Pread(file, page->bytes.data(), kPageBytes,
                                           static_cast<off_t>(number) * kPageBytes);
    const nanoseconds ended = clock_.Monotonic();
    if (!count.ok()) return Error() << config_.path << ": " << count.error();
    if (*count != kPageBytes) return Error() << config_.path << " ends early; remove it";
    times->reads.push_back(ended - began);
    return {};
}

Result<void> Probe::WriteOne(borrowed_fd file, Times* times) {
    auto page = std::make_unique<Page>();
    for (uint8_t& byte : page->bytes) byte = static_cast<uint8_t>(Random());
    const uint32_t number = 1 + Random() % (kPages - 1);
    const nanoseconds began = clock_.Monotonic();
    Result<size_t> count = syscalls_.Pwrite(file, page->bytes.data(), kPageBytes,
                                            static_cast<off_t>(number) * kPageBytes);
    const nanoseconds written = clock_.Monotonic();
    if (!count.ok()) return Error() << config_.path << ": " << count.error();
    if (*count != kPageBytes) return Error() << config_.path << ": the storage is full";
    Result<void> synced = syscalls_.Fdatasync(file);
    const nanoseconds ended = clock_.Monotonic();
    if (!synced.ok()) return Error() << config_.path << ": " << synced.error();
    times->writes.push_back(ended - began);
    times->flushes.push_back(ended - written);
    return {};
}

Result<std::vector<LatencySample>> Probe::Run(const StopSignal& stop) {
    std::vector<LatencySample> samples;
    if (config_.kib_per_day < ProbeConfig::kMinKibPerDay ||
        config_.kib_per_day > ProbeConfig::kMaxKibPerDay) {
        return Error() << "the probe's budget is " << config_.kib_per_day << " KiB a day; it runs "
                       << "with " << ProbeConfig::kMinKibPerDay << " to "
                       << ProbeConfig::kMaxKibPerDay;
    }
    if (stop.raised()) return samples;
    const std::string boot_id = TRY(files_.ReadAttribute(kBootIdPath));
    const unique_fd file = TRY(OpenFile());
    const BootTime began = clock_.SinceBoot();
    const ProbeBudget noted = TRY(ReadBudget(file, boot_id));
    ProbeBudget budget = noted.At(began, boot_id);
    if (budget.filled_pages < kPages - 1) TRY(Fill(file, stop, &budget));
    const uint32_t left = budget.LeftOf(config_.kib_per_day) / kPageKib;
    // The note and one of each.
    if (left < 3 || budget.filled_pages < kPages - 1) {
        if (budget.idle - noted.idle >= kWorthANote) TRY(WriteBudget(file, budget));
        return samples;
    }
    // Used before it is: a crash gives nothing back.
    const uint32_t count = std::min(left - 1, config_.reads + config_.writes);
    budget.used_kib += (count + 1) * kPageKib;
    budget.idle = {};
    TRY(WriteBudget(file, budget));
    Times times;
    uint32_t reads = 0;
    uint32_t writes = 0;
    while (reads + writes < count && !stop.raised()) {
        // In turn until one of them has all it is to have.
        if (reads < config_.reads && (reads <= writes || writes >= config_.writes)) {
            TRY(ReadOne(file, &times));
            ++reads;
        } else {
            TRY(WriteOne(file, &times));
            ++writes;
        }
    }
    for (const auto& [kind, list] :
         {std::pair(IoKind::kRead, &times.reads), std::pair(IoKind::kWrite, &times.writes),
          std::pair(IoKind::kFlush, &times.flushes)}) {
        if (list->empty()) continue;
        samples.push_back(SampleOf(kind, *list));
        samples.back().wall = clock_.Wall();
        samples.back().span = std::chrono::ceil<std::chrono::seconds>(clock_.SinceBoot() - began);
    }
    return samples;
}

}  // namespace storekeeper
