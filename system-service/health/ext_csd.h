// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/result.h>
#include <json/value.h>

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "health/ext_csd_fields.h"
#include "health/verdict.h"

namespace storekeeper {

// A plausible Extended CSD register: 512 bytes.
class ExtCsd {
  public:
    // Expects exactly 512 bytes, byte 0 first. Fails for an impossible register: all bytes equal,
    // an unknown revision or CSD structure, or no capacity from eMMC 4.5 on.
    static android::base::Result<ExtCsd> FromBytes(std::span<const uint8_t> bytes);

    // Parses the text of debugfs ext_csd: 1024 hexadecimal digits in UTF-8 or UTF-16. White space,
    // commas and "0x" are ignored; a byte with "0x" may have one digit. Old and some vendor kernels
    // print byte 511 first. The reverse order is used if it is plausible and sets more of the
    // fields that every register sets.
    static android::base::Result<ExtCsd> FromHex(std::string_view text);

    uint8_t revision() const { return bytes_[kExtCsdRev]; }
    std::span<const uint8_t> bytes() const { return bytes_; }

    // False if the card's revision predates the field, whose bytes are then meaningless.
    bool Defines(const ExtCsdField& field) const { return revision() >= field.since_rev; }
    std::span<const uint8_t> BytesOf(const ExtCsdField& field) const;
    // The value of a field of kind kNumber.
    uint64_t NumberOf(const ExtCsdField& field) const;

  private:
    explicit ExtCsd(const std::array<uint8_t, kExtCsdSize>& bytes) : bytes_(bytes) {}

    std::array<uint8_t, kExtCsdSize> bytes_;
};

// The standard of an EXT_CSD_REV: "5.1B" for 9, "of an unknown standard" if undefined.
std::string_view StandardOf(uint8_t ext_csd_rev);

// True if the card has a cache and it is on: CACHE_CTRL [33] and CACHE_SIZE [252:249] of
// JESD84-B51. False before eMMC 4.5, which has no cache. Absent without a register.
std::optional<bool> VolatileCacheOn(const std::optional<ExtCsd>& ext_csd);

// The wear fields of a register; absent if its revision does not define them.
WearReading WearOf(const ExtCsd& ext_csd);

// The whole register by field names. Schema "storekeeper.ext_csd", version 1: {schema, version,
// revision, standard, verdict: {...}, fields: [{name, offset, width, defined, value | bytes,
// meaning, explanation?}]}. `value` is a number, `bytes` a hexadecimal string, byte 0 first.
Json::Value ExtCsdToJson(const ExtCsd& ext_csd);

// The register as text, one line per field. Reserved space and undefined fields appear only if they
// are not zero.
std::string ExtCsdToText(const ExtCsd& ext_csd);

}  // namespace storekeeper
