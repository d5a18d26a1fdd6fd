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

// The 512 bytes of a card's Extended CSD register, found plausible.
class ExtCsd {
  public:
    // Exactly 512 bytes, byte 0 first. An error for what cannot be an EXT_CSD: all zero, all ones,
    // a revision or CSD structure no standard knows, no capacity from eMMC 4.5 on.
    static android::base::Result<ExtCsd> FromBytes(std::span<const uint8_t> bytes);

    // The text of debugfs ext_csd: 1024 hexadecimal digits, white space and
    // "0x" ignored, in UTF-8 or UTF-16. Old and some
    // vendor kernels print byte 511 first: taken where that order alone has what every register
    // has.
    static android::base::Result<ExtCsd> FromHex(std::string_view text);

    uint8_t revision() const { return bytes_[kExtCsdRev]; }
    std::span<const uint8_t> bytes() const { return bytes_; }

    // False when the card's revision is older than the field: its bytes mean nothing.
    bool Defines(const ExtCsdField& field) const { return revision() >= field.since_rev; }
    std::span<const uint8_t> BytesOf(const ExtCsdField& field) const;
    // For fields of kind kNumber.
    uint64_t NumberOf(const ExtCsdField& field) const;

  private:
    explicit ExtCsd(const std::array<uint8_t, kExtCsdSize>& bytes) : bytes_(bytes) {}

    std::array<uint8_t, kExtCsdSize> bytes_;
};

// "5.1" for EXT_CSD_REV 8; "of an unknown standard" for what no standard defines.
std::string_view StandardOf(uint8_t ext_csd_rev);

// CACHE_CTRL [33] and CACHE_SIZE [252:249] of JESD84-B51: a cache that is there and on. Before
// eMMC 4.5 there was none. Absent without a register.
std::optional<bool> VolatileCacheOn(const std::optional<ExtCsd>& ext_csd);

// The wear fields of a register; absent where its revision does not define them.
WearReading WearOf(const ExtCsd& ext_csd);

// The whole register by field names. Schema "storekeeper.ext_csd", version 1: {schema, version,
// revision, standard, verdict: {...}, fields: [{name, offset, width, defined, value | bytes,
// meaning, explanation?}]}. `value` is a number, `bytes` a hexadecimal string, byte 0 first.
Json::Value ExtCsdToJson(const ExtCsd& ext_csd);

// The same as text, one line a field; reserved space and undefined fields only where they are not
// zero.
std::string ExtCsdToText(const ExtCsd& ext_csd);

}  // namespace storekeeper
