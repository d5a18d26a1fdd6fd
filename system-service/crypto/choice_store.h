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

// A choice as text, with a checksum; names and numbers only.
std::string FormatChoice(const CryptoChoice& choice);
android::base::Result<CryptoChoice> ParseChoice(std::string_view text);

// The file that a choice is kept in, where it can be read before /data is: in
// /metadata/storekeeper, or in /cache/storekeeper of older devices. An error when there is neither
// folder.
android::base::Result<std::string> FindChoiceFile(const FileReader& files);

class ChoiceStore {
  public:
    ChoiceStore(Syscalls& calls, std::string path) : calls_(calls), path_(std::move(path)) {}

    struct Loaded {
        CryptoChoice choice;
        // What was wrong with the file and where it went; "" when nothing.
        std::string note;
    };

    // Never fails: without a file that is whole nothing is chosen. A file that cannot be used is
    // set aside, and there is a note of it until Save().
    Loaded Load() const;
    android::base::Result<void> Save(const CryptoChoice& choice) const;

  private:
    Syscalls& calls_;
    const std::string path_;
};

}  // namespace storekeeper
