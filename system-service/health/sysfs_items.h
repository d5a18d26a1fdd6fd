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

    // `path` is below the directory. An attribute that is not there is an item too.
    void Add(const std::string& name, const std::string& path, const Parser& parse);
    void Add(const std::string& name, const Parser& parse) { Add(name, name, parse); }
    // For what drivers show of every chip and chips without it refuse: EINVAL is "not reported".
    void AddOptional(const std::string& name, const std::string& path, const Parser& parse);

    bool Has(const std::string& path) const { return files_.Exists(directory_ + "/" + path); }
    android::base::Result<std::string> Read(const std::string& path) const {
        return files_.ReadAttribute(directory_ + "/" + path);
    }

    static Parser AsText();
    static Parser AsNumber();
    // A step of 10 % used life, which also goes to the reading.
    static Parser AsLifeTime(std::optional<uint8_t>* target);
    static Parser AsPreEol(std::optional<uint8_t>* target);

  private:
    void Add(const std::string& name, const std::string& path, const Parser& parse, bool optional);

    const FileReader& files_;
    const std::string directory_;
    const std::string source_;
    StorageHealth* health_;
};

}  // namespace storekeeper
