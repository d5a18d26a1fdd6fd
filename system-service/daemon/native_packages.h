// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/result.h>

#include <cstdint>
#include <string>
#include <vector>

#include "writers/name_book.h"

namespace storekeeper {

// The service "package_native" by binder. Each call looks it up without waiting for its start, and
// then waits for system_server without a limit; NameBook adds one.
class NativePackages : public PackageService {
  public:
    android::base::Result<std::vector<std::string>> NamesOf(
            const std::vector<uint32_t>& uids) override;
};

}  // namespace storekeeper
