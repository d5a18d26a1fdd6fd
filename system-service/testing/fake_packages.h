// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <errno.h>

#include <atomic>

#include "base/mutex.h"
#include "writers/name_book.h"

namespace storekeeper {

// A package service that knows every app and answers as `mode` says.
class FakePackages : public PackageService {
  public:
    enum class Mode { kWell, kAbsent, kShort, kNever };

    android::base::Result<std::vector<std::string>> NamesOf(
            const std::vector<uint32_t>& uids) override {
        if (mode == Mode::kAbsent) {
            return android::base::Error(ENODEV) << "the package service is not running";
        }
        ++asked;
        MutexLock guard(lock_);
        while (mode == Mode::kNever && !let_) changed_.Wait(lock_);
        std::vector<std::string> names;
        for (const uint32_t uid : uids) names.push_back("com.example.app" + std::to_string(uid));
        if (mode == Mode::kShort) names.pop_back();
        return names;
    }

    // Answers callers that wait in kNever.
    void Let() {
        MutexLock guard(lock_);
        let_ = true;
        changed_.NotifyAll();
    }

    std::atomic<Mode> mode = Mode::kWell;
    std::atomic<int> asked = 0;

  private:
    Mutex lock_;
    ConditionVariable changed_;
    bool let_ GUARDED_BY(lock_) = false;
};

}  // namespace storekeeper
