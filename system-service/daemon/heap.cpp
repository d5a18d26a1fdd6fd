// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "daemon/heap.h"

#include <link.h>
#include <malloc.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>

namespace storekeeper {
namespace {

int ReleaseSqlite(dl_phdr_info* library, size_t, void*) {
    const char* path = library->dlpi_name;
    if (path == nullptr || strstr(path, "/libsqlite") == nullptr) return 0;
    const auto page = static_cast<uintptr_t>(sysconf(_SC_PAGESIZE));
    for (int i = 0; i < library->dlpi_phnum; ++i) {
        const ElfW(Phdr)& segment = library->dlpi_phdr[i];
        // Dropping a writable segment would lose its data.
        if (segment.p_type != PT_LOAD || (segment.p_flags & PF_W) != 0) continue;
        const uintptr_t begin = (library->dlpi_addr + segment.p_vaddr) & ~(page - 1);
        const uintptr_t end =
                (library->dlpi_addr + segment.p_vaddr + segment.p_memsz) & ~(page - 1);
        if (end <= begin) continue;
        // NOLINTNEXTLINE(performance-no-int-to-ptr): the dynamic linker reports addresses so.
        madvise(reinterpret_cast<void*>(begin), end - begin, MADV_DONTNEED);
    }
    return 0;
}

}  // namespace

void ShareOneHeap() {
#if defined(__GLIBC__)
    mallopt(M_ARENA_MAX, 1);
#endif
}

void ReleaseMemory() {
#if defined(__BIONIC__)
    mallopt(M_PURGE, 0);
#else
    malloc_trim(0);
#endif
    dl_iterate_phdr(ReleaseSqlite, nullptr);
}

void HeapPurge::Request() {
    int64_t none = 0;
    if (requested_.compare_exchange_strong(none, clock_.SinceBoot().count())) wake_();
}

std::optional<BootTime> HeapPurge::Turn() {
    const int64_t requested = requested_.load();
    if (requested == 0) return std::nullopt;
    const BootTime due = BootTime(requested) + kDelay;
    if (clock_.SinceBoot() < due) return due;
    requested_ = 0;
    ReleaseMemory();
    return std::nullopt;
}

}  // namespace storekeeper
