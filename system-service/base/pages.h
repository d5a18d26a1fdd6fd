// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <array>
#include <cstdint>
#include <memory>

namespace storekeeper {

// Memory aligned for O_DIRECT: 4 KiB are as much as the blocks of any device. pages[0].data() is
// all of it.
inline constexpr size_t kAlignedPageBytes = 4096;
struct alignas(kAlignedPageBytes) AlignedPage : std::array<uint8_t, kAlignedPageBytes> {};
using AlignedPages = std::unique_ptr<AlignedPage[]>;

// At least this many bytes, zero.
inline AlignedPages AllocatePages(size_t bytes) {
    return std::make_unique<AlignedPage[]>((bytes + kAlignedPageBytes - 1) / kAlignedPageBytes);
}

}  // namespace storekeeper
