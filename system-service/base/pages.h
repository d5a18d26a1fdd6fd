// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <array>
#include <cstdint>
#include <memory>

namespace storekeeper {

// Memory aligned for O_DIRECT. Devices want their own blocks, of 4 KiB at most. f2fs serves a
// request from the page cache unless it is aligned to the file system's blocks, which are the
// kernel's pages: 16 KiB at most on Android. The buffer is contiguous and starts at
// pages[0].data().
inline constexpr size_t kAlignedPageBytes = 16384;
struct alignas(kAlignedPageBytes) AlignedPage : std::array<uint8_t, kAlignedPageBytes> {};
using AlignedPages = std::unique_ptr<AlignedPage[]>;

// Zeroed memory of `bytes`, rounded up to whole pages.
inline AlignedPages AllocatePages(size_t bytes) {
    return std::make_unique<AlignedPage[]>((bytes + kAlignedPageBytes - 1) / kAlignedPageBytes);
}

}  // namespace storekeeper
