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

// A hexadecimal number, with and without "0x": kernels print them both ways.
android::base::Result<uint64_t> ParseHexNumber(const std::string& text);
// A byte, with and without "0x". No wear or revision field is defined from 0x10 on, so that digits
// without a prefix are decimal.
android::base::Result<uint8_t> ParseHexByte(const std::string& text);

// Checks what was read; may change the value to be shown and explain it.
using ItemParser =
        std::function<android::base::Result<void>(const std::string& text, HealthItem* item)>;
// Explains a number; "" where there is nothing to explain.
using Explain = std::function<std::string(uint64_t number)>;

// Any text.
android::base::Result<void> AsText(const std::string& text, HealthItem* item);
// Hexadecimal, as ParseHexNumber() takes it. The number also goes to `target`, unless that is null.
ItemParser AsHex(Explain explain = nullptr, std::optional<uint64_t>* target = nullptr);
// The same in decimal, from 0 to `max`.
ItemParser AsDecimal(uint64_t max, Explain explain = nullptr,
                     std::optional<uint64_t>* target = nullptr);
// A byte in hexadecimal, which also goes to `target`.
ItemParser AsByte(std::optional<uint8_t>* target, std::string (*explain)(uint8_t byte));
// "true" or "false", explained by these; `off` and `on` must outlive the parser.
ItemParser AsFlag(const char* off, const char* on);

// Whether an error of read(2) says that the chip has no such value: EINVAL, EOPNOTSUPP or ENODATA
// (drivers/ufs/core/ufs-sysfs.c, ufs-hwmon.c).
bool IsRefusal(int error_number);

// Reads attributes below a directory of sysfs into a chip's items. Each stands for itself: one that
// is missing or garbage leaves the rest as it is.
struct SysfsItems {
    const FileReader& files;
    const std::string directory;
    const std::string source;  // HealthItem::source of all
    StorageHealth* const health;

    bool Has(const std::string& path) const { return files.Exists(directory + "/" + path); }
    android::base::Result<std::string> Read(const std::string& path) const {
        return files.ReadAttribute(directory + "/" + path);
    }

    // The item has the attribute's name; `path` is below the directory. An attribute that is not
    // there is an item too.
    void Add(const std::string& path, const ItemParser& parse = AsText) const;
    // For what drivers show of every chip and chips without it refuse (IsRefusal()): that is "not
    // reported". An attribute that is not there is none. `detail`: HealthItem::detail. `name` is
    // the item's, where the attribute's alone says too little.
    void AddIfThere(const std::string& path, const ItemParser& parse, bool detail = false,
                    const std::string& name = "") const;
};

}  // namespace storekeeper
