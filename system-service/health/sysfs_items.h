// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/result.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "base/file_reader.h"
#include "health/storage_health.h"

namespace storekeeper {

// Parses a hexadecimal number with or without "0x"; kernels print both forms.
android::base::Result<uint64_t> ParseHexNumber(const std::string& text);
// Parses a byte, with or without "0x". Digits without a prefix are decimal: no wear or revision
// field is defined from 0x10 on.
android::base::Result<uint8_t> ParseHexByte(const std::string& text);

// Checks a text that was read. May change the displayed value and add an explanation.
using ItemParser =
        std::function<android::base::Result<void>(const std::string& text, HealthItem* item)>;
// Explains a number; "" if it needs no explanation.
using Explain = std::function<std::string(uint64_t number)>;

// Accepts any text.
android::base::Result<void> AsText(const std::string& text, HealthItem* item);
// Accepts a number for ParseHexNumber() and stores it in `target`, unless that is null.
ItemParser AsHex(Explain explain = nullptr, std::optional<uint64_t>* target = nullptr);
// Accepts a decimal number from 0 to `max` and stores it in `target`, unless that is null.
ItemParser AsDecimal(uint64_t max, Explain explain = nullptr,
                     std::optional<uint64_t>* target = nullptr);
// Accepts a byte in hexadecimal and stores it in `target`.
ItemParser AsByte(std::optional<uint8_t>* target, std::string (*explain)(uint8_t byte));
// Accepts "true" or "false", explained by `on` and `off`, which must outlive the parser.
ItemParser AsFlag(const char* off, const char* on);

// True if an error number of read(2) means that the chip lacks the value: EINVAL, EOPNOTSUPP or
// ENODATA (drivers/ufs/core/ufs-sysfs.c, ufs-hwmon.c).
bool IsRefusal(int error_number);

// Reads attributes below a sysfs directory into a chip's items. A missing or invalid attribute does
// not affect the others.
struct SysfsItems {
    const FileReader& files;
    const std::string directory;
    const std::string source;  // HealthItem::source of all items
    StorageHealth* const health;

    bool Has(const std::string& path) const { return files.Exists(directory + "/" + path); }
    android::base::Result<std::string> Read(const std::string& path) const {
        return files.ReadAttribute(directory + "/" + path);
    }

    // Adds an item named like the attribute at `path` below the directory. A missing attribute
    // becomes an item without a value.
    void Add(const std::string& path, const ItemParser& parse = AsText) const;
    // Adds an attribute that holds a life time. The first failure of one becomes
    // StorageHealth::wear_problem.
    void AddLifeTime(const std::string& path, const ItemParser& parse) const;
    // Like Add(), for attributes that drivers create for every chip: a chip without the value
    // refuses the read (IsRefusal()), which counts as "not reported". A missing attribute adds no
    // item. `detail` is HealthItem::detail. `name` replaces the attribute's name if that alone is
    // ambiguous.
    void AddUnlessRefused(const std::string& path, const ItemParser& parse, bool detail = false,
                          const std::string& name = "") const;
};

}  // namespace storekeeper
