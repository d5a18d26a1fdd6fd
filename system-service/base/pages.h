// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <array>
#include <cstdint>
#include <memory>

namespace storekeeper {

// Memory aligned for O_DIRECT; no device has blocks larger than 4 KiB. The buffer is contiguous and
// starts at pages[0].data().
inline constexpr size_t kAlignedPageBytes = 4096;
struct alignas(kAlignedPageBytes) AlignedPage : std::array<uint8_t, kAlignedPageBytes> {};
using AlignedPages = std::unique_ptr<AlignedPage[]>;

// Zeroed memory of `bytes`, rounded up to whole pages.
inline AlignedPages AllocatePages(size_t bytes) {
    return std::make_unique<AlignedPage[]>((bytes + kAlignedPageBytes - 1) / kAlignedPageBytes);
}

}  // namespace storekeeper
