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
    // Returns a name for each uid, unchecked; "" for a uid without one. ENODEV means that the
    // service does not run yet and was not queried.
    virtual android::base::Result<std::vector<std::string>> NamesOf(
            const std::vector<uint32_t>& uids) = 0;
};

// Names of uids, in memory only, queried at most once a day. Not thread-safe.
class NameBook {
  public:
    static constexpr std::chrono::hours kPeriod{24};

    // `service` may be null; all names are then unknown.
    NameBook(const Clock& clock, std::shared_ptr<PackageService> service,
             std::chrono::milliseconds patience);

    // Queries the names of these uids, unless that was done within the last day. Waits at most for
    // `patience`. Known names stay until the next valid answer.
    void Refresh(const std::vector<uint32_t>& uids);

    const UidNames& names() const { return names_; }
    // The reason why the last query failed; "" if it succeeded or none was made.
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
