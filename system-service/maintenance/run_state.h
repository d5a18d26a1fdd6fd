// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/result.h>

#include <string>
#include <string_view>

#include "maintenance/policy/policy.h"

namespace storekeeper {

// The policy's memory as text: a first line naming format and version, then `key value` lines,
// then a checksum over all of it, so that a torn or foreign file is recognised.
std::string FormatState(const PolicyState& state);
android::base::Result<PolicyState> ParseState(std::string_view text);

// Keeps the policy's memory in one file.
class StateStore {
  public:
    explicit StateStore(std::string path);

    struct Loaded {
        PolicyState state;
        std::string note;  // what was wrong with the file and where it went; "" when nothing
    };

    // Without a file the memory is empty, and an unusable one is set aside. An error means that the
    // file may be there and cannot be read now: it must be loaded later, before anything is saved.
    android::base::Result<Loaded> Load() const;
    android::base::Result<void> Save(const PolicyState& state) const;
    // Whether Save() can be expected to succeed, without writing anything: a file system that is
    // read-only or shut down shows so.
    android::base::Result<void> CheckWritable() const;

  private:
    const std::string path_;
};

}  // namespace storekeeper
