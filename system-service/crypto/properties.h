// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <cstddef>
#include <string_view>

namespace storekeeper {

// The bootloader's word and the product's word: "kernel", "hardware" or "auto". A choice ranks
// between the two.
inline constexpr char kBootCryptoProperty[] = "ro.boot.storekeeper.crypto";
inline constexpr char kProductCryptoProperty[] = "ro.storekeeper.crypto";
// The mode for adopted cards alone, which vold opens when /data is available.
inline constexpr char kAdoptedCryptoProperty[] = "persist.storekeeper.crypto";
// Set by the early step for vold: "kernel", "hardware" or "auto"; unset if nothing was chosen.
inline constexpr char kVoldChoiceProperty[] = "storekeeper.crypto.choice";
// Set by the early step for the device's init script: "load" the engine's module, or "skip" it.
inline constexpr char kEngineProperty[] = "storekeeper.crypto.engine";
// The early step's result: a mechanism's name, "refused:" with the reason, or "none".
inline constexpr char kEarlyProperty[] = "storekeeper.crypto.early";
// The result of the choice in vold with our patch.
inline constexpr char kVoldAesProperty[] = "vold.storekeeper.aes.userdata";
// Prefix of the report about a device by vold with our patch; the device's label follows.
inline constexpr char kVoldReportPrefix[] = "vold.storekeeper.dm.";

// PROP_NAME_MAX - 1 up to Android 7.1.
inline constexpr size_t kMaxPropertyName = 31;

constexpr bool FitsPropertyName(std::string_view name) {
    return !name.empty() && name.size() <= kMaxPropertyName;
}
static_assert(FitsPropertyName(kBootCryptoProperty));
static_assert(FitsPropertyName(kProductCryptoProperty));
static_assert(FitsPropertyName(kAdoptedCryptoProperty));
static_assert(FitsPropertyName(kVoldChoiceProperty));
static_assert(FitsPropertyName(kEngineProperty));
static_assert(FitsPropertyName(kEarlyProperty));
static_assert(FitsPropertyName(kVoldAesProperty));
// "userdata" is the longest label of a volume that is not adopted.
static_assert(sizeof(kVoldReportPrefix) - 1 + sizeof("userdata") - 1 <= kMaxPropertyName);

}  // namespace storekeeper
