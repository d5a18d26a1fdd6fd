// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "daemon/give_back.h"

#include <link.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>

namespace storekeeper {
namespace {

struct Search {
    std::string_view name;
    size_t bytes = 0;
};

int Visit(dl_phdr_info* info, size_t, void* data) {
    auto* search = static_cast<Search*>(data);
    std::string_view file = info->dlpi_name == nullptr ? "" : info->dlpi_name;
    file.remove_prefix(file.rfind('/') + 1);
    if (!file.starts_with(search->name)) return 0;
    const auto page = static_cast<uintptr_t>(sysconf(_SC_PAGESIZE));
    for (int i = 0; i < info->dlpi_phnum; ++i) {
        const ElfW(Phdr)& segment = info->dlpi_phdr[i];
        // What may be written to has been: by relocation, at least.
        if (segment.p_type != PT_LOAD || (segment.p_flags & PF_W) != 0) continue;
        const uintptr_t begin = (info->dlpi_addr + segment.p_vaddr) & ~(page - 1);
        const uintptr_t end = (info->dlpi_addr + segment.p_vaddr + segment.p_memsz) & ~(page - 1);
        if (end <= begin) continue;
        // NOLINTNEXTLINE(performance-no-int-to-ptr): the dynamic linker reports addresses so.
        if (madvise(reinterpret_cast<void*>(begin), end - begin, MADV_DONTNEED) == 0) {
            search->bytes += end - begin;
        }
    }
    return 0;
}

}  // namespace

size_t GiveBackLibrary(std::string_view name) {
    Search search{.name = name};
    dl_iterate_phdr(Visit, &search);
    return search.bytes;
}

}  // namespace storekeeper
