// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace storekeeper {

// The register's size in bytes.
inline constexpr size_t kExtCsdSize = 512;

// A field of the Extended CSD register, named as in JESD84-B51 section 7.4. Numbers are little
// endian.
struct ExtCsdField {
    enum class Kind {
        kNumber,    // unsigned number of at most 8 bytes
        kBytes,     // byte string
        kReserved,  // reserved or vendor-specific space, shown unless all zero
    };

    uint16_t offset;
    uint16_t width;
    // The first EXT_CSD_REV that defines the field; its bytes mean nothing in older registers.
    uint8_t since_rev;
    Kind kind;
    std::string_view name;
    std::string_view meaning;
};

// All fields, ascending by offset. Every byte of the register belongs to exactly one field.
std::span<const ExtCsdField> ExtCsdFields();

// Finds a field by its name; nullptr if there is none.
const ExtCsdField* FindExtCsdField(std::string_view name);

// Offsets of fields that the code reads directly, equal to those in the table.
inline constexpr uint16_t kExtCsdRev = 192;
inline constexpr uint16_t kSecCount = 212;

// EXT_CSD_REV of eMMC 5.0, the first with wear fields.
inline constexpr uint8_t kFirstRevWithHealth = 7;

}  // namespace storekeeper
