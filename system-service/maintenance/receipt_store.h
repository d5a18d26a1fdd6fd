// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/result.h>

#include <deque>
#include <string>
#include <vector>

#include "base/mutex.h"
#include "maintenance/trim/receipt.h"

namespace storekeeper {

// The receipts of the last runs, in a file with one line of JSON each. A run costs one appended
// line; now and then the file is written anew without the old ones.
class ReceiptStore {
  public:
    static constexpr size_t kKept = 32;
    // Of the file, from the beginning. When it is full, those stay that fill half of it at most.
    static constexpr size_t kFileBytes = 24 * 1024;

    // Lines that are no receipts are left out; what stands there and is no file of ours is set
    // aside. A file that cannot be read now is read later, and not written before that.
    explicit ReceiptStore(std::string path);

    // A receipt that cannot be written stays in memory, and is written with the next one.
    android::base::Result<void> Append(const TrimReceipt& receipt) EXCLUDES(lock_);
    // Writes what an earlier Append() could not.
    android::base::Result<void> WriteWhatIsOwed() EXCLUDES(lock_);

    // What was refused of the file; "" when nothing was.
    std::string note() const EXCLUDES(lock_);

    // The latest `count`, newest first.
    std::vector<TrimReceipt> Last(size_t count) const EXCLUDES(lock_);

  private:
    android::base::Result<void> ReadOnce() REQUIRES(lock_);
    android::base::Result<void> Rewrite() REQUIRES(lock_);

    const std::string path_;
    mutable Mutex lock_;
    std::deque<std::string> lines_ GUARDED_BY(lock_);  // oldest first
    size_t bytes_in_file_ GUARDED_BY(lock_) = 0;
    bool read_ GUARDED_BY(lock_) = false;
    bool rewrite_ GUARDED_BY(lock_) = false;  // the file cannot be appended to
    bool owed_ GUARDED_BY(lock_) = false;     // some line is in memory alone
    std::string note_ GUARDED_BY(lock_);
};

}  // namespace storekeeper
