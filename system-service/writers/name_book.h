// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/result.h>

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/patience.h"
#include "writers/uid_name.h"

namespace storekeeper {

// The system's native package service (IPackageManagerNative).
class PackageService {
  public:
    virtual ~PackageService() = default;
    // A name for each of these uids, "" for one without; not checked. An error of code ENODEV says
    // that there is no such service yet, so that nobody was asked.
    virtual android::base::Result<std::vector<std::string>> NamesOf(
            const std::vector<uint32_t>& uids) = 0;
};

// The names of uids, asked for once a day at most, in memory only. Not for two threads at once.
class NameBook {
  public:
    static constexpr std::chrono::hours kPeriod{24};

    // `service` may be null: none is known of.
    NameBook(const Clock& clock, std::shared_ptr<PackageService> service,
             std::chrono::milliseconds patience);

    // Asks for the names of these uids unless it has in the last day; waits no longer than its
    // patience. What was known before stays until it is answered anew.
    void Refresh(const std::vector<uint32_t>& uids);

    const UidNames& names() const { return names_; }
    // Why the last question was not answered; "" when it was, or none was asked.
    const std::string& problem() const { return problem_; }

  private:
    const Clock& clock_;
    const std::shared_ptr<PackageService> service_;
    Patience patience_;
    std::optional<BootTime> asked_;
    UidNames names_;
    std::string problem_;
};

}  // namespace storekeeper
