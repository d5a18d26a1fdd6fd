// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace storekeeper {

// The register's size in bytes.
inline constexpr size_t kExtCsdSize = 512;

// A field of the Extended CSD register, as JESD84-B51 section 7.4 names it. Numbers are little
// endian.
struct ExtCsdField {
    enum class Kind {
        kNumber,    // at most 8 bytes, an unsigned number
        kBytes,     // bytes without an order of magnitude
        kReserved,  // reserved or vendor-specific space: shown when it is not all zero
    };

    uint16_t offset;
    uint16_t width;
    // The first EXT_CSD_REV whose standard has the field; below it the bytes mean nothing.
    uint8_t since_rev;
    Kind kind;
    std::string_view name;
    std::string_view meaning;
};

// Every byte of the register belongs to exactly one field; ascending by offset.
std::span<const ExtCsdField> ExtCsdFields();

// The field of that name; nullptr when there is none.
const ExtCsdField* FindExtCsdField(std::string_view name);

// Offsets of the fields the code itself reads, as the table has them.
inline constexpr uint16_t kExtCsdRev = 192;
inline constexpr uint16_t kSecCount = 212;

// EXT_CSD_REV of eMMC 5.0, the first with wear fields.
inline constexpr uint8_t kFirstRevWithHealth = 7;

}  // namespace storekeeper
