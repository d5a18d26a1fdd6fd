// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/result.h>

#include <string>
#include <string_view>
#include <utility>

#include "base/file_reader.h"
#include "base/syscalls.h"
#include "crypto/choice.h"

namespace storekeeper {

// A choice as text with a checksum. It contains names and numbers only.
std::string FormatChoice(const CryptoChoice& choice);
android::base::Result<CryptoChoice> ParseChoice(std::string_view text);

// The file of the choice, where it can be read before /data is: in /metadata/storekeeper, or in
// /cache/storekeeper on older devices. An error if neither folder exists.
android::base::Result<std::string> FindChoiceFile(const FileReader& files);

class ChoiceStore {
  public:
    ChoiceStore(Syscalls& calls, std::string path) : calls_(calls), path_(std::move(path)) {}

    struct Loaded {
        CryptoChoice choice;
        // The fault of the file and its new place; "" if there was none.
        std::string note;
    };

    // Never fails: without an intact file, nothing is chosen. An unusable file is set aside, and a
    // note reports it until the next Save().
    Loaded Load() const;
    android::base::Result<void> Save(const CryptoChoice& choice) const;

  private:
    Syscalls& calls_;
    const std::string path_;
};

}  // namespace storekeeper
