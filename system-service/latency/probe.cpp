// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "latency/probe.h"

#include <fcntl.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <utility>

#include "base/atomic_file.h"
#include "base/try.h"

namespace storekeeper {
namespace {

using android::base::Error;
using android::base::Result;
using android::base::unique_fd;
using std::chrono::nanoseconds;

constexpr uint32_t kMinPageBytes = 4096;
constexpr uint32_t kKib = 1024;
// Page 0 holds the budget, the others the data.
constexpr uint32_t kPages = 32;
// Once the budget is used up, idle time is stored at this interval, so that it survives a reboot.
constexpr std::chrono::hours kWorthANote(6);

void Count(nanoseconds time, IoKind kind, std::map<IoKind, LatencySample>* samples) {
    LatencySample& sample = (*samples)[kind];
    sample.source = LatencySource::kProbe;
    sample.kind = kind;
    ++sample.count;
    sample.total += time;
    sample.histogram.Add(time);
}

}  // namespace

Probe::Probe(Syscalls& syscalls, const FileReader& files, const Clock& clock, ProbeConfig config)
      : syscalls_(syscalls),
        files_(files),
        clock_(clock),
        config_(std::move(config)),
        random_(static_cast<uint32_t>(clock.SinceBoot().count())) {}

uint32_t Probe::SomePage() {
    return 1 + static_cast<uint32_t>(random_()) % (kPages - 1);
}

AlignedPages Probe::RandomPage(const File& file) {
    AlignedPages page = AllocatePages(file.page_bytes);
    for (uint8_t& byte : page[0]) byte = static_cast<uint8_t>(random_());
    return page;
}

Result<Probe::File> Probe::OpenFile() {
    Result<unique_fd> fd = syscalls_.Open(config_.path, O_RDWR | O_CREAT | O_DIRECT | O_NOFOLLOW);
    if (!fd.ok() && fd.error().code() == EINVAL) {
        return Error() << fd.error() << ": its file system knows no O_DIRECT (tmpfs, FUSE and "
                       << "others), and the page cache cannot be measured";
    }
    if (!fd.ok()) return fd.error();
    const struct stat status = TRY(WithPath(config_.path, syscalls_.Fstat(*fd)));
    return File{.fd = std::move(*fd),
                .page_bytes = std::clamp<uint32_t>(static_cast<uint32_t>(status.st_blksize),
                                                   kMinPageBytes, kAlignedPageBytes)};
}

Result<ProbeBudget> Probe::ReadBudget(const File& file, const std::string& boot_id) {
    const AlignedPages page = AllocatePages(file.page_bytes);
    const size_t count = TRY(
            WithPath(config_.path, syscalls_.Pread(file.fd, page[0].data(), file.page_bytes, 0)));
    ProbeBudget fresh = {.noted = clock_.SinceBoot(), .boot_id = boot_id};
    if (count == 0) {
        // The file is new: a power cut could otherwise remove its name and the budget with it.
        TRY(SyncDirectoryOf(syscalls_, config_.path));
        return fresh;
    }
    Result<ProbeBudget> budget = ProbeBudget::Decode(
            std::string_view(reinterpret_cast<const char*>(page[0].data()), count));
    if (budget.ok()) {
        budget->filled_pages = std::min(budget->filled_pages, kPages - 1);
        return budget;
    }
    // A foreign or torn note counts as a budget that has just been used up.
    fresh.used_kib = ProbeConfig::kMaxKibPerDay;
    TRY(WriteBudget(file, fresh));
    return fresh;
}

Result<void> Probe::WriteBudget(const File& file, const ProbeBudget& budget) {
    const AlignedPages page = AllocatePages(file.page_bytes);
    const std::string text = budget.Encode();
    memcpy(page[0].data(), text.data(), std::min<size_t>(text.size(), file.page_bytes));
    TRY(WritePage(file, 0, page[0]));
    return WithPath(config_.path, syscalls_.Fdatasync(file.fd));
}

Result<void> Probe::WritePage(const File& file, uint32_t number, const AlignedPage& page) {
    const size_t count =
            TRY(WithPath(config_.path, syscalls_.Pwrite(file.fd, page.data(), file.page_bytes,
                                                        file.PlaceOf(number))));
    if (count != file.page_bytes) return Error() << config_.path << ": the storage is full";
    return {};
}

// Writes missing pages: a page that was never written has no blocks on the card to read.
Result<void> Probe::Fill(const File& file, const StopSignal& stop, ProbeBudget* budget) {
    const uint32_t page_kib = file.page_bytes / kKib;
    const uint32_t left = budget->RemainingKib(config_.kib_per_day) / page_kib;
    // Two notes, before and after, and at least one page.
    if (left < 3) return {};
    const uint32_t missing = kPages - 1 - budget->filled_pages;
    const uint32_t pages = std::min({left - 2, missing, config_.fill_pages});
    // If pages remain, this run uses up its day's budget.
    budget->used_kib =
            pages < missing ? config_.kib_per_day : budget->used_kib + (pages + 2) * page_kib;
    budget->idle = {};
    TRY(WriteBudget(file, *budget));
    for (uint32_t i = 0; i < pages && !stop.raised(); ++i) {
        TRY(WritePage(file, 1 + budget->filled_pages, RandomPage(file)[0]));
        ++budget->filled_pages;
    }
    TRY(WithPath(config_.path, syscalls_.Fdatasync(file.fd)));
    return WriteBudget(file, *budget);
}

Result<void> Probe::ReadOne(const File& file, SampleByKind* samples) {
    const AlignedPages page = AllocatePages(file.page_bytes);
    const uint32_t number = SomePage();
    // Without inlinecrypt an encrypted file is read through the page cache despite O_DIRECT
    // (Documentation/filesystems/fscrypt.rst, "Direct I/O support").
    TRY(WithPath(config_.path, syscalls_.DropCache(file.fd)));
    const nanoseconds began = clock_.Monotonic();
    const size_t count =
            TRY(WithPath(config_.path, syscalls_.Pread(file.fd, page[0].data(), file.page_bytes,
                                                       file.PlaceOf(number))));
    const nanoseconds ended = clock_.Monotonic();
    if (count != file.page_bytes) return Error() << config_.path << " ends early; remove it";
    Count(ended - began, IoKind::kRead, samples);
    return {};
}

Result<void> Probe::WriteOne(const File& file, SampleByKind* samples) {
    const AlignedPages page = RandomPage(file);
    const uint32_t number = SomePage();
    const nanoseconds began = clock_.Monotonic();
    TRY(WritePage(file, number, page[0]));
    const nanoseconds written = clock_.Monotonic();
    TRY(WithPath(config_.path, syscalls_.Fdatasync(file.fd)));
    const nanoseconds ended = clock_.Monotonic();
    Count(ended - began, IoKind::kWrite, samples);
    Count(ended - written, IoKind::kFlush, samples);
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
    const File file = TRY(OpenFile());
    const uint32_t page_kib = file.page_bytes / kKib;
    const BootTime began = clock_.SinceBoot();
    const ProbeBudget noted = TRY(ReadBudget(file, boot_id));
    ProbeBudget budget = noted.RefilledAt(began, boot_id);
    if (budget.filled_pages < kPages - 1) TRY(Fill(file, stop, &budget));
    const uint32_t left = budget.RemainingKib(config_.kib_per_day) / page_kib;
    // The note, one read and one write.
    if (left < 3 || budget.filled_pages < kPages - 1) {
        if (budget.idle - noted.idle >= kWorthANote) TRY(WriteBudget(file, budget));
        return samples;
    }
    // The budget is charged before the I/O, so that a crash returns nothing.
    const uint32_t count = std::min(left - 1, config_.reads + config_.writes);
    budget.used_kib += (count + 1) * page_kib;
    budget.idle = {};
    TRY(WriteBudget(file, budget));
    SampleByKind by_kind;
    uint32_t reads = 0;
    uint32_t writes = 0;
    while (reads + writes < count && !stop.raised()) {
        // Reads and writes alternate until one kind is complete.
        if (reads < config_.reads && (reads <= writes || writes >= config_.writes)) {
            TRY(ReadOne(file, &by_kind));
            ++reads;
        } else {
            TRY(WriteOne(file, &by_kind));
            ++writes;
        }
    }
    for (auto& [kind, sample] : by_kind) {
        sample.wall = clock_.Wall();
        sample.span = std::chrono::ceil<std::chrono::seconds>(clock_.SinceBoot() - began);
        samples.push_back(std::move(sample));
    }
    return samples;
}

}  // namespace storekeeper
