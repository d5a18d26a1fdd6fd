// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/result.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>

#include "base/file_reader.h"
#include "health/storage_health.h"

namespace storekeeper {

// Kernels print these numbers with and without "0x", always in hexadecimal.
android::base::Result<uint64_t> ParseHexNumber(const std::string& text);
android::base::Result<uint8_t> ParseHexByte(const std::string& text);

// Reads attributes below a directory of sysfs into a chip's items. Each stands for itself: one that
// is missing or garbage leaves the rest as it is.
class SysfsItems {
  public:
    // Checks what was read; may change the value to be shown and explain it.
    using Parser =
            std::function<android::base::Result<void>(const std::string& text, HealthItem* item)>;

    // `source`: HealthItem::source of all.
    SysfsItems(const FileReader& files, std::string directory, std::string source,
               StorageHealth* health)
          : files_(files),
            directory_(std::move(directory)),
            source_(std::move(source)),
            health_(health) {}

    // The item has the attribute's name; `path` is below the directory. An attribute that is not
    // there is an item too. `refusable`: what drivers show of every chip and chips without it
    // refuse, EINVAL being "not reported".
    void Add(const std::string& path, const Parser& parse = AsText, bool refusable = false);

    bool Has(const std::string& path) const { return files_.Exists(directory_ + "/" + path); }
    android::base::Result<std::string> Read(const std::string& path) const {
        return files_.ReadAttribute(directory_ + "/" + path);
    }

    static android::base::Result<void> AsText(const std::string&, HealthItem*) { return {}; }
    static Parser AsNumber(std::string (*explain)(uint64_t number) = nullptr);
    // A byte, which also goes to the reading.
    static Parser AsByte(std::optional<uint8_t>* target, std::string (*explain)(uint8_t byte));

  private:
    const FileReader& files_;
    const std::string directory_;
    const std::string source_;
    StorageHealth* health_;
};

}  // namespace storekeeper
