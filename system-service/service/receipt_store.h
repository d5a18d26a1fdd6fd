// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/result.h>
#include <json/value.h>

#include <deque>
#include <string>

#include "platform/mutex.h"

namespace storekeeper {

// The receipts of the last runs, in a file with one line of JSON each. A run costs one appended
// line; now and then the file is written anew without the old ones.
class ReceiptStore {
  public:
    static constexpr size_t kKept = 32;
    // Of the file, from the beginning. When it is full, those stay that fill half of it at most.
    static constexpr size_t kFileBytes = 24 * 1024;

    // Lines that cannot be read are left out.
    explicit ReceiptStore(std::string path);

    android::base::Result<void> Append(const Json::Value& receipt) EXCLUDES(lock_);

    // The latest `count`, newest first.
    Json::Value Last(size_t count) const EXCLUDES(lock_);

  private:
    const std::string path_;
    mutable Mutex lock_;
    std::deque<std::string> lines_ GUARDED_BY(lock_);  // oldest first
    size_t bytes_in_file_ GUARDED_BY(lock_) = 0;
    bool rewrite_ GUARDED_BY(lock_) = false;  // there is no file, or none that can be read
};

}  // namespace storekeeper
